"""A sensible player of highest: wins as cheaply as it can, else gives its lowest card."""

from random import Random
from typing import Any

from service.rules.highest.commands import Lay
from service.rules.highest.legal import legal
from service.rules.highest.state import State
from service.rules.highest.variants import PACK
from service.rules.protocol import Rules, Seat


def choose(rules: Rules[Any, Any, Any], view: State, seat: Seat, rng: Random, budget: float) -> Lay:
    """See `Strategy`."""
    commands = legal(view, seat)  # from the lowest card to the highest
    if not view.laid:
        return commands[-1]
    to_beat = PACK.index(view.laid[0])
    higher = [each for each in commands if PACK.index(each.card) > to_beat]
    return (higher or commands)[0]
