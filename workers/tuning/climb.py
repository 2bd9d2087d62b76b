"""Weights that get better round after round, and a match that tells how much.

Simultaneous perturbation (Spall 1992): each round all weights go up or down together by chance,
the two players so made meet on duplicate deals, and each weight moves a little the winner's way.
"""

from collections.abc import Callable
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from workers.tuning.family import Family, W

SWING: Final = 0.2
"""How far a weight goes up or down in a round; how far it moves then is the family's `stride`."""


class Margin(NamedTuple):
    """How far the first player is ahead a deal, on average; with its 95 % interval."""

    mean: float
    interval: float
    won: float


def match(family: Family[W], one: W, two: W, deals: int, seed: str) -> Margin:
    """`deals` deals, each played twice with the seats exchanged."""
    found = family.margins(one, two, deals, seed)
    pairs = [(first + second) / 2 for first, second in zip(found[::2], found[1::2], strict=True)]
    won = sum((margin > 0) + (margin == 0) / 2 for margin in found) / len(found)
    return Margin(fmean(pairs), 1.96 * stdev(pairs) / sqrt(deals), won)


def tuned(family: Family[W], start: W, rounds: int, seed: str, tell: Callable[[int, W], None]) -> W:
    """The weights that so many rounds lead to; `tell` hears of them now and then."""
    luck = Random(seed)
    point = family.point(start)
    unit = stdev(family.margins(start, start, 50, seed))
    for number in range(rounds):
        signs = [luck.choice((-1, 1)) for _ in point]
        up, down = (
            family.weights([at + way * SWING * sign for at, sign in zip(point, signs, strict=True)])
            for way in (1, -1)
        )
        ahead = family.margins(up, down, family.batch, f"{seed} {number}")
        # A deal won by a landslide says no more than one that is won clearly.
        win = fmean(max(-1.0, min(1.0, margin / unit)) for margin in ahead)
        stride = family.stride / (1.0 + 2.0 * number / rounds)
        point = [at + stride * win * sign for at, sign in zip(point, signs, strict=True)]
        if number % max(1, rounds // 10) == 0:
            tell(number, family.weights(point))
    return family.weights(point)
