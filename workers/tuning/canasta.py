"""The habits of the canasta family's evaluator, as the tuning wants them."""

from collections.abc import Sequence
from dataclasses import astuple, fields
from math import exp, log
from random import Random
from typing import Final

from service.rules.canasta.variants import VARIANTS
from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.dealing import deal
from workers.strategies.canasta.compact.habits import ODDS, Habits, habits_of
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.shape import Shape, shape_of
from workers.strategies.canasta.compact.turns import play
from workers.tuning.family import Family

NAMES: Final = [field.name for field in fields(Habits)]


class Canasta(Family[Habits]):
    """A step is one of the logarithm of a worth, or of the log odds of odds."""

    batch = 4
    stride = 0.015
    confirm = 1000
    digits = 0

    def __init__(self, variant: str, seats: int) -> None:
        self.title = f"{variant}, {seats} seats"
        self._shape = shape_of(VARIANTS[variant], seats)
        self.standing = habits_of(self._shape)
        self.scratch = Habits()

    def point(self, weights: Habits) -> list[float]:
        """See `Family`."""
        return [
            log(value / (1.0 - value)) if name in ODDS else log(value)
            for name, value in zip(NAMES, astuple(weights), strict=True)
        ]

    def weights(self, point: Sequence[float]) -> Habits:
        """See `Family`."""
        return Habits(
            **{
                name: 1.0 / (1.0 + exp(-at)) if name in ODDS else exp(at)
                for name, at in zip(NAMES, point, strict=True)
            }
        )

    def margins(self, one: Habits, two: Habits, deals: int, seed: str) -> list[float]:
        """See `Family`."""
        shape = self._shape
        players = Scales(shape, one), Scales(shape, two)
        found: list[float] = []
        for number in range(deals):
            for turn in (0, 1):
                board = dealt(shape, seed, number)
                seated = [(seat % shape.sides + turn) % 2 for seat in range(shape.players)]
                play(board, [players[which] for which in seated])
                scores = board.scores()
                ours = [score for side, score in enumerate(scores) if side % 2 == turn]
                theirs = [score for side, score in enumerate(scores) if side % 2 != turn]
                found.append(sum(ours) / len(ours) - sum(theirs) / len(theirs))
        return found

    def shown(self, weights: Habits) -> str:
        """See `Family`."""
        lines = [f"        {name}={getattr(weights, name):.4g}," for name in NAMES]
        first = f'    "{self._shape.kind}": Habits(  # {self._shape.variant.name}'
        return "\n".join([first, *lines, "    ),"])


def dealt(shape: Shape, seed: str, number: int) -> Board:
    """The deal of that number; what each side must open with is that of some score in a game."""
    rng = Random(f"{seed} {number}")
    least = min(shape.variant.targets)
    bands = [points for start, points in shape.variant.minimums if start < least]
    minimums = [rng.choice(bands) for _ in range(shape.sides)]
    return deal(shape, rng, number % shape.players, minimums)
