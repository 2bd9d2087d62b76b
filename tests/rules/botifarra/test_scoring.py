"""The score of a deal (rules 6) and the factors of the ladder (rules 4)."""

import pytest

from service.rules.botifarra.commands import Trump
from service.rules.botifarra.events import Stake
from service.rules.botifarra.scoring import game_end, score
from service.rules.botifarra.tricks import Trick
from service.rules.deals import Line, SideScore
from service.rules.protocol import GameEnded
from tests.rules.botifarra.table import BOTIFARRA


def won(points: int) -> list[Trick]:
    """Twelve tricks of which side 0 has `points`, the other side the rest of 72.

    Cards need not be real: the score counts what the tricks were recorded to be worth.
    """
    ours = 12 if points == 72 else 6
    tricks = [Trick(0, (), 0, 1)] * ours + [Trick(1, (), 1, 1)] * (12 - ours)
    tricks[0] = Trick(0, (), 0, points - (ours - 1))
    if ours < 12:
        tricks[6] = Trick(1, (), 1, 72 - points - 5)
    return tricks


@pytest.mark.parametrize(
    ("trump", "level", "points", "totals"),
    [
        pytest.param("O", 0, 45, (9, 0), id="B30-6.2"),
        pytest.param("O", 1, 45, (18, 0), id="B31-6.2"),
        pytest.param("O", 2, 45, (36, 0), id="B32-6.2"),
        pytest.param("O", 3, 45, (72, 0), id="B33-6.2"),
        pytest.param("botifarra", 0, 45, (18, 0), id="B34-6.2"),
        pytest.param("botifarra", 2, 45, (72, 0), id="B36-6.2"),
        pytest.param("O", 1, 30, (0, 12), id="B37-6.2"),
        pytest.param("O", 3, 36, (0, 0), id="B39-6.3"),
        pytest.param("O", 0, 72, (36, 0), id="B40-6.4"),
        pytest.param("O", 3, 72, (288, 0), id="B41-6.4"),
        pytest.param("O", 0, 37, (1, 0), id="B42-6.2"),
        pytest.param("botifarra", 1, 35, (0, 4), id="botifarra-contro-6.2"),
    ],
)
def test_score(trump: Trump, level: int, points: int, totals: tuple[int, int]) -> None:
    variant = BOTIFARRA
    scored = score(7, won(points), trump, variant.stakes(trump)[level], (50, 60))
    assert tuple(side.total for side in scored.sides) == totals
    assert scored.scores == (50 + totals[0], 60 + totals[1])
    assert (scored.deal, scored.why) == (7, "played_out")
    for side in scored.sides:
        assert sum(line.points for line in side.lines) == side.total
    taken = [line.points for side in scored.sides for line in side.lines[:2]]
    assert sum(taken) == 72


def test_factors() -> None:
    """B29, 4: the ladder has no fourth step in botifarra, and nothing exceeds eight."""
    assert [stake.factor for stake in BOTIFARRA.stakes("O")] == [1, 2, 4, 8]
    assert [stake.factor for stake in BOTIFARRA.stakes("botifarra")] == [2, 4, 8]
    for trump in ("C", "E", "B"):
        assert BOTIFARRA.stakes(trump) == BOTIFARRA.stakes("O")
    assert [stake.level for stake in BOTIFARRA.stakes("B")] == [0, 1, 2, 3]


def test_a_score_sheet_explains_itself() -> None:
    tricks = [Trick(0, (), 0, 10)] * 3 + [Trick(0, (), 2, 11)] + [Trick(0, (), 3, 7)] * 2
    tricks += [Trick(0, (), 1, 1)] * 3 + [Trick(0, (), 3, 14 // 7)] * 7
    scored = score(1, tricks, "E", Stake(2, 4), (0, 0))
    assert scored.sides == (
        SideScore(
            (
                Line("cards", 37, "seat 0: 27, seat 2: 10", {"0": 27, "2": 10}),
                Line("tricks", 4, "seat 0: 3, seat 2: 1", {"0": 3, "2": 1}),
                Line("half", -36, "only points above 36 score"),
                Line("stake", 15, "espases, recontro: ×4"),
            ),
            20,
        ),
        SideScore(
            (
                Line("cards", 19, "seat 1: 0, seat 3: 19", {"1": 0, "3": 19}),
                Line("tricks", 12, "seat 1: 3, seat 3: 9", {"1": 3, "3": 9}),
                Line("half", -31, "only points above 36 score"),
                Line("stake", 0, "espases, recontro: ×4"),
            ),
            0,
        ),
    )


@pytest.mark.parametrize(
    ("trump", "level", "detail"),
    [
        ("O", 0, "oros: ×1"),
        ("C", 1, "copes, contro: ×2"),
        ("B", 3, "bastons, Sant Vicenç: ×8"),
        ("botifarra", 0, "botifarra: ×2"),
        ("botifarra", 2, "botifarra, recontro: ×8"),
    ],
)
def test_the_stake_in_words(trump: Trump, level: int, detail: str) -> None:
    scored = score(1, won(45), trump, BOTIFARRA.stakes(trump)[level], (0, 0))
    assert [side.lines[3].detail for side in scored.sides] == [detail, detail]


def test_the_end_of_the_game() -> None:
    """7: at least the target."""
    none: tuple[tuple[str, ...], ...] = ((), (), (), ())
    assert game_end((100, 99), 101) is None
    assert game_end((101, 99), 101) == GameEnded(0, (101, 99), "target", none)
    assert game_end((40, 388), 100) == GameEnded(1, (40, 388), "target", none)
