"""What a deal under way will come to: the scores that sides like these had at its end.

The evaluator's own worths are made to play well and not to foretell: that a side may go out,
say, it puts at hundreds of points, since that makes it hurry, and at the end of the deal nothing
is left of them. So what `play_out` reaches is judged by other numbers, which were fitted to how
deals of the evaluator against itself ended (`./run tune VARIANT --forecast`).
"""

from typing import Final

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.desk import Desk
from workers.strategies.canasta.compact.forecasts import FORECASTS
from workers.strategies.canasta.compact.melded import bonus
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.shape import Shape
from workers.strategies.canasta.compact.worth import table_worth

SIGNS: Final = 10
"""How many figures are noted of a side: see `noted`."""

PLAIN: Final[list[float]] = [1.0, 1.0, 1.0, 0.0, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0]
"""The weights of those before anything is known, and of games of a kind that was not fitted."""

STAGES: Final[list[float]] = [0.15, 0.3, 0.5, 0.7]
"""The parts of the stock at which other weights begin."""


def stage(board: Board) -> int:
    """How far the deal is, by its stock: 0 at the end, 4 at the beginning."""
    part = float(len(board.stock)) / float(board.shape.whole)
    place = 0
    for bound in STAGES:
        if part >= bound:
            place += 1
    return place


def noted(board: Board, scales: list[Scales]) -> list[list[float]]:
    """By side: what its melds score as they lie, what the evaluator hopes for on the table, and in
    the hands; whether it may go out; its red threes that count, and those that do not yet; the
    cards in its hands, the wilds among them; whether it has melded; its canastas.
    """
    shape = board.shape
    found: list[list[float]] = []
    for side in range(shape.sides):
        found.append(_side(shape, board, side, scales))
    return found


def _side(shape: Shape, board: Board, side: int, scales: list[Scales]) -> list[float]:
    hands = 0.0
    cards = wilds = 0
    first: Desk | None = None
    for seat in range(side, shape.players, shape.sides):
        desk = desk_of(board, seat, scales[seat])
        if first is None:
            first = desk
        hands += desk.value - table_worth(desk)
        cards += desk.size
        wilds += desk.wilds
    assert first is not None
    melds = board.melds[side]
    sure = 0
    for meld in melds:
        sure += meld.points() + bonus(shape, meld)
    hoped = table_worth(first) - float(sure)
    ready = first.ready()
    if ready:
        hoped -= first.scales.habits.ready + first.red_worth
    count = (
        shape.red_need == 0
        or (shape.red_need == 1 and len(melds) > 0)
        or (shape.red_need == 2 and ready)
    )
    reds = float(board.reds[side])
    return [
        float(sure),
        hoped,
        hands,
        1.0 if ready else 0.0,
        reds if count else 0.0,
        0.0 if count else reds,
        float(cards),
        float(wilds),
        1.0 if len(melds) > 0 else 0.0,
        float(first.closed),
    ]


def forecast(board: Board, scales: list[Scales]) -> list[float]:
    """By side, the score at the end of the deal; only differences of sides mean anything."""
    if board.over:
        return [float(score) for score in board.scores()]
    shape = board.shape
    rows = FORECASTS.get(shape.kind)
    weights = PLAIN if rows is None else rows[stage(board)]
    found: list[float] = []
    for signs in noted(board, scales):
        total = 0.0
        for place in range(SIGNS):
            total += weights[place] * signs[place]
        found.append(total)
    return found
