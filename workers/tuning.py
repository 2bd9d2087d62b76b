"""The habits of the canasta family's computer players, found by play against themselves.

python -m workers.tuning VARIANT [SEATS [ROUNDS [SEED]]]        (./run tune canasta)

Simultaneous perturbation (Spall 1992): each round all weights go up or down together by chance,
the two players so made meet on duplicate deals, and each weight moves a little the winner's way.
Ends with a match of what was found against what there was. The same arguments give the same
habits.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict, fields
from math import exp, log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from service.rules.canasta.variants import VARIANTS
from workers.strategies.canasta.compact.dealing import deal
from workers.strategies.canasta.compact.habits import ODDS, Habits, habits_of
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.shape import Shape, shape_of
from workers.strategies.canasta.compact.turns import play

BATCH: Final = 4
"""Deals a round, each played twice."""

SWING: Final = 0.2
"""How far a weight goes up or down: of the logarithm of a worth, of the log odds of odds."""

STRIDE: Final = 0.015
"""How far a weight moves for wins by a standard deviation each; less as the rounds go on."""

CONFIRM: Final = 1000
"""Deals of the match at the end."""


class Margin(NamedTuple):
    """How far the first player is ahead a deal, on average; with its 95 % interval."""

    mean: float
    interval: float
    won: float


def margins(shape: Shape, one: Habits, two: Habits, deals: int, seed: str) -> list[float]:
    """How far the first player's sides were ahead in each of `deals` deals, each played twice."""
    players = Scales(shape, one), Scales(shape, two)
    least = min(shape.variant.targets)
    bands = [points for start, points in shape.variant.minimums if start < least]
    found: list[float] = []
    for number in range(deals):
        for turn in (0, 1):
            rng = Random(f"{seed} {number}")
            minimums = [rng.choice(bands) for _ in range(shape.sides)]
            board = deal(shape, rng, number % shape.players, minimums)
            play(board, [players[(seat % shape.sides + turn) % 2] for seat in range(shape.players)])
            scores = board.scores()
            ours = [score for side, score in enumerate(scores) if side % 2 == turn]
            theirs = [score for side, score in enumerate(scores) if side % 2 != turn]
            found.append(sum(ours) / len(ours) - sum(theirs) / len(theirs))
    return found


def match(shape: Shape, one: Habits, two: Habits, deals: int, seed: str) -> Margin:
    """`deals` deals, each played twice with the seats exchanged."""
    found = margins(shape, one, two, deals, seed)
    pairs = [(first + second) / 2 for first, second in zip(found[::2], found[1::2], strict=True)]
    won = sum((margin > 0) + (margin == 0) / 2 for margin in found) / len(found)
    return Margin(fmean(pairs), 1.96 * stdev(pairs) / sqrt(deals), won)


def tuned(
    shape: Shape, start: Habits, rounds: int, seed: str, tell: Callable[[int, Habits], None]
) -> Habits:
    """The habits that so many rounds lead to; `tell` hears of them now and then."""
    luck = Random(seed)
    point = {name: _out(name, value) for name, value in asdict(start).items()}
    unit = stdev(margins(shape, start, start, 50, seed))
    for number in range(rounds):
        signs = {name: luck.choice((-1, 1)) for name in point}
        up, down = (
            _habits({name: at + way * SWING * signs[name] for name, at in point.items()})
            for way in (1, -1)
        )
        ahead = margins(shape, up, down, BATCH, f"{seed} {number}")
        # A deal won by a landslide says no more than one that is won clearly.
        win = fmean(max(-1.0, min(1.0, margin / unit)) for margin in ahead)
        stride = STRIDE / (1.0 + 2.0 * number / rounds)
        for name, sign in signs.items():
            point[name] += stride * win * sign
        if number % max(1, rounds // 10) == 0:
            tell(number, _habits(point))
    return _habits(point)


def _out(name: str, value: float) -> float:
    return log(value / (1.0 - value)) if name in ODDS else log(value)


def _habits(point: dict[str, float]) -> Habits:
    return Habits(
        **{name: 1.0 / (1.0 + exp(-at)) if name in ODDS else exp(at) for name, at in point.items()}
    )


def main(variant: str, seats: str = "4", rounds: str = "4000", seed: str = "1") -> None:
    """Prints the habits that were found, and how they do against those that stand."""
    shape = shape_of(VARIANTS[variant], int(seats))
    before = habits_of(shape)

    def tell(number: int, habits: Habits) -> None:
        print(f"round {number}: {match(shape, habits, before, 100, 'so far')}", flush=True)

    after = tuned(shape, before, int(rounds), seed, tell)
    print("Habits(")
    for field in fields(after):
        print(f"    {field.name}={getattr(after, field.name):.4g},")
    print(")")
    found = match(shape, after, before, CONFIRM, "confirm")
    print(
        f"{variant}, {seats} seats: {found.mean:+.0f} ± {found.interval:.0f} points a deal, the "
        f"better deal in {found.won:.1%} of {2 * CONFIRM}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
