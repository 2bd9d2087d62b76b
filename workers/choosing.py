"""One choice of a computer player: what its strategy is given, and what is made of its answer."""

from random import Random
from typing import Any, Final

from service import fairness
from service.decision import Chosen
from service.pulse import Pulse
from service.rules.deals import DealStarted
from service.rules.protocol import Seat
from service.shelf import Table
from service.store import StoreUnavailable
from service.store.turns import Why
from service.table import Tables
from workers import strategies
from workers.alarm import TooLong, bounded
from workers.faults import where
from workers.kept import kept
from workers.strategies import Budget, Situation

PIECE: Final = 100
"""Commits that are read at a time on the way back to the deal."""

USUAL: Final = Budget(0.1)
"""The budget of who asks without one."""

UNWATCHED: Final = Pulse(None)
"""Nobody looks whether a choice takes too long."""


class ChoiceFailed(Exception):
    """A strategy did not choose anything that could be played. Says where, and `why` as a code."""

    def __init__(self, why: Why, place: str) -> None:
        super().__init__(place)
        self.why: Why = why


def choose(
    tables: Tables, table: Table, seat: Seat, budget: Budget = USUAL, pulse: Pulse = UNWATCHED
) -> tuple[Any, Chosen]:
    """What the seat's computer player does, legal, and how it came to that.

    The strategy gets the seat's view and what it heard, and its luck follows from the game's
    secret, so the choice can be made again after the reveal.

    Raises:
        ChoiceFailed
    """
    game = table.game
    level = game.level(seat) or ""
    view = game.view(seat).state
    assert view  # somebody is to act
    situation = Situation(game.rules, view, seat, lambda: heard(tables, table, seat))
    rng = Random(fairness.seed(table.secret, seat, table.version))
    why: Why = "crashed"
    try:
        player = strategies.player(level, game.rules)
        with bounded(budget.seconds, pulse):
            choice = player.choose(situation, rng, budget)
        why = "illegal"
        decision = kept(level, player, budget, choice, situation)
        game.rules.decide(game.state, choice.command)
    except StoreUnavailable:  # while it was read what the seat has heard
        raise
    except TooLong as error:
        raise ChoiceFailed("hung", str(error)) from None
    except Exception as error:
        raise ChoiceFailed(why, where(error)) from None
    return choice.command, decision


def heard(tables: Tables, table: Table, seat: Seat) -> list[Any]:
    """The events of the table's deal as the seat saw them, from the one that dealt it."""
    rules = table.game.rules
    events: list[Any] = []
    end = table.version
    while end > 0:
        start = max(1, end - PIECE + 1)
        for commit in reversed(tables.commits(table.id, start, end)):
            own = [event for event in commit.events if type(event) in rules.EVENTS]
            events += (rules.seen(event, seat) for event in reversed(own))
            if any(isinstance(event, DealStarted) for event in own):
                return events[::-1]
        end = start - 1
    return events[::-1]
