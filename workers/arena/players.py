"""Who plays in the arena: a level of this tree, timed."""

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from service.rules.protocol import Seat
from workers import strategies
from workers.arena.game import Moment, Player, Start
from workers.strategies import Budget

BUDGETS: Final = {"novice": 0.1, "casual": 0.1, "club": 0.1, "master": 1.0}
"""Seconds that a command may cost a level."""


class Level:
    """A level as this tree has it."""

    def __init__(self, level: str, budget: Budget) -> None:
        self._level, self._budget = level, budget

    def begin(self, start: Start, seats: Sequence[Seat]) -> None:
        """See `Player`."""

    def hear(self, moment: Moment, events: Sequence[Any]) -> None:
        """See `Player`."""

    def choose(self, moment: Moment, seat: Seat, rng: Random) -> Any:
        """See `Player`."""
        return strategies.choose(self._level, moment.seen_by(seat), rng, self._budget).command


@dataclass(slots=True)
class Cost:
    """What decisions cost: seconds each by the clock, and processor seconds together."""

    wall: "array[float]" = field(default_factory=lambda: array("d"))
    cpu: float = 0.0

    def add(self, more: "Cost") -> None:
        """Counts these too."""
        self.wall.extend(more.wall)
        self.cpu += more.cpu


class Timed:
    """Another player, whose decisions are timed."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.cost = Cost()

    def begin(self, start: Start, seats: Sequence[Seat]) -> None:
        """See `Player`."""
        self._player.begin(start, seats)

    def hear(self, moment: Moment, events: Sequence[Any]) -> None:
        """See `Player`."""
        self._player.hear(moment, events)

    def choose(self, moment: Moment, seat: Seat, rng: Random) -> Any:
        """See `Player`."""
        cpu, wall = time.thread_time(), time.perf_counter()
        command = self._player.choose(moment, seat, rng)
        self.cost.wall.append(time.perf_counter() - wall)
        self.cost.cpu += time.thread_time() - cpu
        return command


def player(name: str, budget: Budget) -> Player:
    """The player of that name.

    Raises:
        ValueError: there is no such level; one line that says so.
    """
    if name not in strategies.STRATEGIES:
        raise ValueError(f"no level {name!r}; there are {', '.join(strategies.STRATEGIES)}")
    return Level(name, budget)
