"""The pairs of a match so far, and all figures that follow from them."""

import math
from statistics import fmean
from typing import Any, Final

from workers.arena.figures import Interval, difference, quantile, rate
from workers.arena.match import PROGRAM, Match, Pair
from workers.arena.players import Cost

OVER: Final = 1.2
"""A decision that takes the processor for more budgets than this is late."""


class Tally:
    """The pairs of a match so far.

    Attributes:
        kept: how many of them an earlier run played, which are of unknown cost.
        seconds: how long the others took.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.pairs: list[Pair] = []
        self.kept = 0
        self.costs = (Cost(), Cost())
        self.seconds = 0.0

    def add(self, pair: Pair) -> None:
        """Counts a pair."""
        self.pairs.append(pair)
        for cost, more in zip(self.costs, pair.costs, strict=True):
            cost.add(more)

    @property
    def lost(self) -> list[str]:
        """The games that a program did not bring to their end, and why, a line each."""
        return [line for pair in self.pairs for line in pair.lost]

    @property
    def won(self) -> Interval:
        """The win rate of the first."""
        return rate([pair.won for pair in self.pairs])

    @property
    def margin(self) -> Interval:
        """By how many points a game the first was ahead."""
        return difference([pair.margin for pair in self.pairs])

    def fields(self) -> dict[str, Any]:
        """Everything, as JSON values: times in milliseconds, NaN as null."""
        match = self.match
        games = [game for pair in self.pairs for game in pair.games]
        decisions = sum(len(cost.wall) for cost in self.costs)
        return {
            "variant": match.variant,
            "seats": match.seats,
            "options": dict(match.options),
            "one": match.one,
            "two": match.two,
            "seed": match.seed,
            "pairs": len(self.pairs),
            "wanted": match.pairs,
            "kept": self.kept,
            "deals": sum(game.deals for game in games),
            "cut": sum(game.cut for game in games),
            "lost": self.lost,
            "win_rate": _known(self.won),
            "difference": _known(self.margin),
            "seconds": round(self.seconds, 3),
            "decisions_a_second": round(decisions / self.seconds) if self.seconds else None,
            "players": [
                _times(name, cost, budget.seconds, budget.samples, match.served)
                for name, cost, budget in zip(
                    (match.one, match.two), self.costs, match.budgets, strict=True
                )
            ],
        }


def _known(interval: Interval) -> list[float | None]:
    return [None if math.isnan(value) else round(value, 4) for value in interval]


def _times(
    name: str, cost: Cost, budget: float, samples: int | None, served: bool
) -> dict[str, Any]:
    wall = sorted(cost.wall)
    timed = samples is None and not served  # else a budget was not all that a time is made of
    times: dict[str, Any] = {
        "player": name,
        "decisions": len(wall),
        "budget_ms": round(1000 * budget, 3) if samples is None and name != PROGRAM else None,
        "samples": samples,
    }
    if wall:
        times |= {
            "mean_ms": round(1000 * fmean(wall), 3),
            **{f"p{n}_ms": round(1000 * quantile(wall, n / 100), 3) for n in (50, 95, 99)},
        }
        if timed:
            times["late"] = round(fmean(one > OVER * budget for one in cost.cpu), 5)
        if not served:
            times["cpu_ms"] = round(1000 * fmean(cost.cpu), 3)
    return times
