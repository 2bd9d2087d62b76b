"""The odds of the evaluator, laid out by the cards left in the stock and the cards missing."""

from typing import Final

from workers.strategies.canasta.compact.habits import Habits
from workers.strategies.canasta.compact.shape import Shape

MOST: Final = 8
"""Cards that a canasta may lack, and one."""


class Scales:
    """Tables for one shape and one player's habits.

    Attributes:
        time: by the stock, from 1 at the start of a deal to 0; from place `rushed` on the same
            for a deal that another side may end.
        set_odds, mixed_odds, run_odds, wild_odds: by the stock, then by how many cards are missing.
        cost: by the stock, the part of a hand's points that it is expected to cost.
        scarce, near: powers, by how many of the missing cards are so.
    """

    def __init__(self, shape: Shape, habits: Habits) -> None:
        self.shape = shape
        self.habits = habits
        stocks = range(2 * (sum(shape.copies) + 1))
        half = sum(shape.copies) + 1
        times = [
            min(1.0, stock % half / shape.whole) ** habits.hurry
            * (habits.rush if stock >= half else 1.0)
            for stock in stocks
        ]
        self.rushed = half
        self.time: list[float] = times
        self.set_odds: list[list[float]] = [_powers(habits.set_odds * time) for time in times]
        self.mixed_odds: list[list[float]] = [_powers(habits.mixed_odds * time) for time in times]
        self.run_odds: list[list[float]] = [_powers(habits.run_odds * time) for time in times]
        self.wild_odds: list[list[float]] = [_powers(habits.wild_odds * time) for time in times]
        self.cost: list[float] = [habits.stuck + (1 - habits.stuck) * (1 - time) for time in times]
        self.scarce: list[float] = _powers(habits.scarce)
        self.near: list[float] = _powers(habits.near)


def _powers(base: float) -> list[float]:
    return [base**number for number in range(MOST)]


_SCALES: Final[dict[tuple[int, Habits], Scales]] = {}


def scales_of(shape: Shape, habits: Habits) -> Scales:
    """The scales, made once for each shape and habits."""
    key = (id(shape), habits)
    if key not in _SCALES:
        _SCALES[key] = Scales(shape, habits)
    return _SCALES[key]
