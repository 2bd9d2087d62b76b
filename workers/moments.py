"""A log walked through once more: each command of a seat, with all that the seat could know.

commits ──► replay ──► before each command: view and feed, as a computer player gets them
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from service import fairness, replay
from service.decision import Decision
from service.replay import Commit
from service.rules.deals import DealStarted
from service.rules.protocol import HOUSE, Rules, Seat
from workers.strategies import Situation


@dataclass(frozen=True, slots=True)
class Moment:
    """A seat was to act, and did.

    Attributes:
        version: of the commit, the situation being that of the version before.
        deal: its number.
        level: of the computer player that acted; None where a person did.
        decision: how a computer player came to the command, where it was kept.
    """

    version: int
    deal: int
    situation: Situation
    level: str | None
    command: Any
    decision: Decision | None

    @property
    def seat(self) -> Seat:
        """Who acted."""
        return self.situation.seat

    def luck(self, secret: bytes) -> Random:
        """What a computer player's luck was, or would have been."""
        return Random(fairness.seed(secret, self.seat, self.version - 1))


def moments(commits: Iterable[Commit]) -> Iterator[Moment]:
    """Each command of the game that a seat gave, in their order.

    Raises:
        ValueError: the versions do not run 1, 2, 3 …; whatever else a log raises that is no game's.
    """
    walk = iter(commits)
    game = replay.open_game(next(walk))
    heard: list[Any] = []
    for commit in walk:
        if commit.seat != HOUSE and type(commit.command) in game.rules.COMMANDS:
            view = game.view(commit.seat).state
            assert view and game.state  # somebody acted in play
            yield Moment(
                commit.version,
                game.state.deal,
                _situation(game.rules, view, commit.seat, heard, len(heard)),
                game.level(commit.seat),
                commit.command,
                commit.decision,
            )
        own = [event for event in commit.events if type(event) in game.rules.EVENTS]
        if any(isinstance(event, DealStarted) for event in own):
            heard = []  # another list: situations of the deal before keep theirs
        heard += own
        replay.advance(game, (commit,))


def _situation(
    rules: Rules[Any, Any, Any], view: Any, seat: Seat, heard: list[Any], count: int
) -> Situation:
    return Situation(
        rules, view, seat, lambda: [rules.seen(event, seat) for event in heard[:count]]
    )
