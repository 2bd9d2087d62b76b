"""A sensible player of highest: wins as cheaply as it can, else gives its lowest card."""

from random import Random

from service.rules.highest.commands import Lay
from service.rules.highest.legal import legal
from service.rules.highest.state import State
from service.rules.highest.variants import PACK
from service.rules.protocol import Seat
from workers.strategies.choice import Budget, Choice, Situation


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    return Choice(_command(situation.view, situation.seat))


def _command(view: State, seat: Seat) -> Lay:
    commands = legal(view, seat)  # from the lowest card to the highest
    if not view.laid:
        return commands[-1]
    to_beat = PACK.index(view.laid[0])
    higher = [each for each in commands if PACK.index(each.card) > to_beat]
    return (higher or commands)[0]
