"""Games of computer players for tests, on the table of the arena, and levels deal by deal.

`./run arena` measures; this gives tests the positions of a game and a quick verdict.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from workers.arena.game import Moment as Moment
from workers.arena.game import Start
from workers.arena.game import moments as played
from workers.arena.match import Match, play_pair
from workers.arena.players import player
from workers.strategies import Budget

BUDGET = Budget(0.1, samples=8)
"""Few enough for whole games, and no clock."""


class Played(NamedTuple):
    """A game that was played out: the state, and how many commands it took."""

    state: Any
    commands: int


def play(
    variant: str, levels: Sequence[str], seed: int, *, deals: int = 60, budget: Budget = BUDGET
) -> Played:
    """A game of those levels, one a seat, until it ends or so many deals were dealt."""
    for commands, moment in enumerate(moments(variant, levels, seed, deals=deals, budget=budget)):
        last = Played(moment.state, commands)
    return last


def moments(
    variant: str,
    levels: Sequence[str],
    seed: int,
    *,
    deals: int = 60,
    budget: Budget = BUDGET,
    **options: int,
) -> Iterator[Moment]:
    """The game before each command and at its end."""
    seats = len(levels)
    start = Start(variant, seats, tuple(options.items()), f"{variant} {seed}", seed % seats)
    return played(start, [player(level, budget) for level in levels], deals)


class Score(NamedTuple):
    """How often the first level's sides had the better deal, and by how much on average."""

    better: int
    worse: int
    margin: float

    @property
    def rate(self) -> float:
        return self.better / max(1, self.better + self.worse)


def duel(variant: str, seats: int, deals: int, one: str, two: str) -> Score:
    """`deals` deals, each played twice with the levels exchanged."""
    match = Match(variant, seats, one, two, (BUDGET, BUDGET), deals=1)
    margins = [game.margin for seed in range(deals) for game in play_pair(match, seed).games]
    better, worse = sum(m > 0 for m in margins), sum(m < 0 for m in margins)
    return Score(better, worse, sum(margins) / len(margins))
