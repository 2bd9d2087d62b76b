"""The forecast is nearer to how deals end than the evaluator, and fitting finds what is so."""

from dataclasses import replace
from operator import mul
from random import Random
from statistics import fmean

import pytest

from service.rules.canasta.variants import VARIANTS
from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.dealing import deal
from workers.strategies.canasta.compact.forecast import PLAIN, SIGNS, STAGES, forecast, noted, stage
from workers.strategies.canasta.compact.forecasts import FORECASTS
from workers.strategies.canasta.compact.habits import HABITS, Habits, habits_of
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.shape import Shape, shape_of
from workers.strategies.canasta.compact.turns import play
from workers.strategies.canasta.compact.worth import table_worth
from workers.tuning.forecast import Look, error, fitted, looks, told

from .truth import TABLES

SHAPES = [shape_of(VARIANTS[name], 4) for name in ("canasta", "samba", "bolivia", "bolivie")]


def scales_at(shape: Shape) -> list[Scales]:
    return [Scales(shape, habits_of(shape))] * shape.players


def begun(shape: Shape, seed: int) -> Board:
    return deal(shape, Random(seed), 0, [50] * shape.sides)


def by_the_evaluator(board: Board, scales: list[Scales]) -> float:
    """By how much side 0 is ahead, if the worths of the evaluator were a forecast."""
    totals = [0.0, 0.0]
    for seat, one in enumerate(scales):
        desk = desk_of(board, seat, one)
        totals[desk.side] += desk.value - (table_worth(desk) if seat >= 2 else 0.0)
    return totals[0] - totals[1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.variant.name))
def test_it_is_nearer_to_the_end_than_the_evaluator(shape: Shape) -> None:
    scales = scales_at(shape)
    ours, theirs = [], []
    for seed in range(40):
        board = begun(shape, seed)
        seen = []
        while not board.over:
            if len(board.stock) < shape.whole // 2:
                one, two = forecast(board, scales)
                seen.append((one - two, by_the_evaluator(board, scales)))
            play(board, scales, 6)
        one, two = board.scores()
        ours += [(told - one + two) ** 2 for told, _ in seen]
        theirs += [(worth - one + two) ** 2 for _, worth in seen]
    assert fmean(ours) < fmean(theirs)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_deal_that_is_over_is_told_as_it_was_scored(variant: str, seats: int) -> None:
    shape = shape_of(VARIANTS[variant], seats)
    board = begun(shape, 1)
    told = forecast(board, scales_at(shape))
    assert len(told) == shape.sides
    play(board, scales_at(shape))
    assert forecast(board, scales_at(shape)) == board.scores()


def test_a_deal_goes_through_all_stages() -> None:
    shape = shape_of(VARIANTS["bolivia"], 4)
    board = begun(shape, 3)
    seen = [stage(board)]
    while not board.over:
        play(board, scales_at(shape), 1)
        seen.append(stage(board))
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == set(range(len(STAGES) + 1))


def test_every_game_has_its_weights() -> None:
    shapes = [shape_of(VARIANTS[variant], seats) for variant, seats in TABLES]
    assert {shape.kind for shape in shapes} == set(FORECASTS) == set(HABITS)
    for rows in FORECASTS.values():
        assert [len(row) for row in rows] == [SIGNS] * (len(STAGES) + 1)


def test_a_kind_of_game_that_was_never_fitted_has_the_plain_weights() -> None:
    canasta = VARIANTS["canasta"]
    shape = shape_of(replace(canasta, largest={"set": None, "wild": None}), 4)
    assert shape.kind == "match wild"
    assert habits_of(shape) == Habits()
    board, scales = begun(shape, 1), scales_at(shape)
    play(board, scales, 8)
    assert forecast(board, scales) == pytest.approx(
        [sum(map(mul, PLAIN, signs)) for signs in noted(board, scales)]
    )


def test_the_fitting_finds_the_weights_behind_the_luck() -> None:
    luck = Random(7)
    behind = [0.5, 1.5, 0.8, 300.0, 120.0, 40.0, 20.0, 50.0, 200.0, 100.0]
    spread = [800.0, 500.0, 300.0, 1.0, 2.0, 1.0, 5.0, 2.0, 1.0, 1.0]
    found = []
    for _ in range(4000):
        ahead = [luck.gauss(0, one) for one in spread]
        exact = sum(weight * sign for weight, sign in zip(behind, ahead, strict=True))
        found.append(Look(2, ahead, exact + luck.gauss(0, 500)))
    weights = fitted(found)
    assert weights[0] == PLAIN  # nothing was seen of that stage
    assert told(weights[2], found[0]) == pytest.approx(told(behind, found[0]), abs=150)
    assert error(weights, found) < 520 < error([PLAIN] * 5, found)


def test_the_same_arguments_see_the_same_deals() -> None:
    shape = SHAPES[0]
    assert list(looks(shape, 2, "again")) == list(looks(shape, 2, "again"))
    assert list(looks(shape, 2, "again")) != list(looks(shape, 2, "others"))
