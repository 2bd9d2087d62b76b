"""The score of a deal (rules 6) and the end of the game (rules 7)."""

import pytest

from service.rules.canasta import decide
from service.rules.canasta.events import WentOut
from service.rules.canasta.melds import POINTS
from service.rules.canasta.scoring import game_end, score
from service.rules.canasta.variants import VARIANTS
from service.rules.cards import UNSEEN
from service.rules.deals import DealScored, Line, SideScore
from service.rules.protocol import GameEnded, Result
from tests.rules.canasta.notation import command, line, play, position

DEALS = {
    "C100": (
        "canasta",
        4,
        """
        P0:
        P1: Ac JK 3c 8d
        P2: Kc 4d
        P3: 9c 9d 5h
        side 0: m1 = 7c 7d 7h 7s 7c 7d 7h
        side 0: m2 = Qc Qd Qh Qs 2c 2d JK
        side 0: m3 = 5c 5d 5s
        side 1: m4 = 10c 10d 10h 10s
        side 1: m5 = Jc Jd 2h
        red threes 0: 3h 3d 3h
        red threes 1: 3d
        score 0: 1490
        score 1: -60
        """,
        WentOut(0, False),
        {0: (180, 800, 100, 300, -15, 1365, 2855), 1: (80, 0, 0, 100, -110, 70, 10)},
    ),
    "C102": (
        "bolivia",
        4,
        """
        P0:
        P1: 3c 3s 3c 6d
        P2: 3s Ad
        P3: JK JK
        side 0: m1 = 6h 7h 8h 9h 10h Jh Qh
        side 0: m2 = 2c 2d 2h 2s JK JK JK
        side 0: m3 = Kc Kd Kh Ks Kc 2c
        side 1: m4 = 10c 10d 10h 10s 10c 10d 10h 10s
        side 1: m5 = 4d 5d 6d 7d 8d 9d
        red threes 0: 3h 3d 3h 3d 3h 3d
        score 0: 7000
        score 1: 9000
        """,
        WentOut(0, False),
        {0: (360, 4000, 100, 1000, -120, 5340, 12340), 1: (120, 500, 0, 0, -405, 215, 9215)},
    ),
    "C103": (
        "bolivie",
        4,
        """
        P0:
        P1: 3c 8d
        P2: Qd
        P3: 2h 5c
        side 0: m1 = 6h 7h 8h 9h 10h Jh Qh
        side 0: m2 = Kc Kd Kh Ks 2c 2d JK
        side 1: m3 = 2s 2c 2d JK JK 2s JK
        side 1: m4 = 10c 10d 10h
        red threes 0: 3h
        red threes 1: 3d 3h 3d
        """,
        WentOut(0, False),
        {0: (190, 800, 100, 100, -10, 1180, 1180), 1: (260, 2500, 0, 300, -135, 2925, 2925)},
    ),
    "C105": (
        "bolivia",
        3,
        """
        P0: Kc 3c
        P1:
        P2: 5c 5d
        side 0: m1 = 7c 7d 7h 7s 7c 7d 7h
        side 1: m2 = 8s 9s 10s Js Qs Ks As
        side 1: m3 = 4c 4d 4h 4s 4c 4d 4h
        red threes 0: 3h
        red threes 1: 3d 3h
        red threes 2: 3d 3h 3d
        """,
        WentOut(1, True),
        {
            0: (35, 500, 0, -100, -110, 325, 325),
            1: (115, 2000, 200, 200, 0, 2515, 2515),
            2: (0, 0, 0, -300, -10, -310, -310),
        },
    ),
}


@pytest.mark.parametrize("name", DEALS)
def test_whole_deal(name: str) -> None:
    variant, players, given, out, expected = DEALS[name]
    scored = score(position(variant, players, given), out)
    for side, figures in expected.items():
        sheet = scored.sides[side]
        assert [row.name for row in sheet.lines] == [
            *("cards", "canastas", "going_out", "red_threes", "hands")
        ]
        points = tuple(row.points for row in sheet.lines)
        assert (*points, sheet.total, scored.scores[side]) == figures


NATURAL = "side 0: m1 = 7c 7d 7h 7s 7c 7d 7h"
TWO = NATURAL + "\nside 0: m2 = 8c 8d 8h 8s 8c 8d 8h"
SEQUENCE = NATURAL + "\nside 0: m2 = 4s 5s 6s 7s 8s 9s 10s"
FOUR = "\nred threes 0: 3h 3d 3h 3d"
SIX = FOUR + " 3h 3d"


@pytest.mark.parametrize(
    ("variant", "given", "points"),
    [
        pytest.param("canasta", NATURAL + FOUR, 800, id="C106"),
        pytest.param("canasta", FOUR, -800, id="C107"),
        pytest.param("canasta", NATURAL + "\nred threes 0: 3h 3d 3h", 300, id="C108"),
        pytest.param("samba", TWO + SIX, 1000, id="C109"),
        pytest.param("samba", TWO + "\nred threes 0: 3h 3d 3h 3d 3h", 500, id="C111"),
        pytest.param("bolivia", SEQUENCE + SIX, 1000, id="C113"),
        pytest.param("bolivie", NATURAL + FOUR, 800, id="C114"),
        pytest.param("bolivie", "red threes 0: 3h 3d", 200, id="C115"),
        pytest.param("bolivia", TWO + SIX, -1000, id="6.4-no-sequence"),
        pytest.param("samba", NATURAL + SIX, -1000, id="6.4-one-canasta"),
        pytest.param("samba", TWO, 0, id="6.4-none"),
    ],
)
def test_red_threes(variant: str, given: str, points: int) -> None:
    lines = score(position(variant, 4, given), None).sides[0].lines
    assert next(row.points for row in lines if row.name == "red_threes") == points


def test_every_line_says_why() -> None:
    """The words of a score sheet (6)."""
    variant, players, given, out, _ = DEALS["C102"]
    assert score(position(variant, players, given), out).sides == (
        SideScore(
            (
                Line("cards", 360, "20 cards on the table"),
                Line(
                    "canastas", 4000, "1 seq at 1500, 1 wild at 2500", {"seq": 1500, "wild": 2500}
                ),
                Line("going_out", 100, "seat 0 went out", {"0": 100}),
                Line("red_threes", 1000, "6 of 6 red threes, requirement met: plus"),
                Line(
                    "hands",
                    -120,
                    "seat 0: 0 cards, 0; seat 2: 2 cards, 1 black three at 100, 120",
                    {"0": 0, "2": -120},
                ),
            ),
            5340,
        ),
        SideScore(
            (
                Line("cards", 120, "14 cards on the table"),
                Line("canastas", 500, "1 natural at 500", {"natural": 500}),
                Line("going_out", 0, "did not go out"),
                Line("red_threes", 0, "none"),
                Line(
                    "hands",
                    -405,
                    "seat 1: 4 cards, 3 black threes at 100, 305; seat 3: 2 cards, 100",
                    {"1": -305, "3": -100},
                ),
            ),
            215,
        ),
    )
    sheets = score(position("bolivia", 3, DEALS["C105"][2]), WentOut(1, True)).sides
    words = [[row.detail for row in sheet.lines[2:4]] for sheet in sheets]
    assert words == [
        ["did not go out", "1 of 6 red threes, requirement missing: minus"],
        ["seat 1 went out concealed", "2 of 6 red threes, requirement met: plus"],
        ["did not go out", "3 of 6 red threes, requirement missing: minus"],
    ]
    for given, detail in ((NATURAL, "melded: plus"), ("", "nothing melded: minus")):
        rows = score(position("canasta", 4, given + "\nred threes 0: 3d"), None).sides[0].lines
        assert rows[3].detail == f"1 of 4 red threes, {detail}"
    rows = score(position("bolivie", 4, "red threes 0: 3d"), None).sides[0].lines
    assert rows[1].detail == "none"
    assert rows[3].detail == "1 of 4 red threes"


def test_values_of_the_cards() -> None:
    """2.1"""
    assert {card: POINTS[card] for card in ("JK", "2c", "Ah", "Kd", "8s", "7s", "4d")} == {
        **{"JK": 50, "2c": 20, "Ah": 20, "Kd": 10, "8s": 10, "7s": 5, "4d": 5}
    }
    assert {POINTS[card] for card in ("3c", "3s")} == {5}
    assert {POINTS[card] for card in ("3d", "3h", UNSEEN)} == {0}
    assert set(VARIANTS["canasta"].pack()) <= POINTS.keys()


@pytest.mark.parametrize(
    ("variant", "players", "target", "deal", "scores", "end"),
    [
        pytest.param("canasta", 4, 5000, 9, (5010, 5200), (1, "target"), id="C119"),
        pytest.param("canasta", 4, 5000, 9, (5100, 5100), (None, "target"), id="C120"),
        pytest.param("canasta", 3, 7500, 12, (7500, 7400, 2000), (0, "target"), id="C122"),
        pytest.param("bolivia", 4, 15000, 20, (14995, 3000), None, id="C123"),
        pytest.param("bolivia", 4, 15000, 20, (15000, 16120), (1, "target"), id="C124"),
        pytest.param("samba", 2, 10000, 60, (10000, 9990), (0, "target"), id="C126"),
        pytest.param("bolivia", 3, 2500, 3, (2500, 2500, 100), (None, "target"), id="C127"),
        pytest.param("bolivie", 4, 15000, 14, (15000, -200), (0, "target"), id="C128"),
        pytest.param("canasta", 4, 5000, 60, (4990, 4000), (None, "deal_cap"), id="C129"),
        pytest.param("canasta", 4, 5000, 59, (4990, 4000), None, id="7.2-not-yet"),
        pytest.param("bolivie", 4, 15000, 60, (0, 10), None, id="7.2-bolivie"),
    ],
)
def test_end_of_the_game(
    variant: str,
    players: int,
    target: int,
    deal: int,
    scores: tuple[int, ...],
    end: tuple[int | None, str] | None,
) -> None:
    state = position(variant, players, "")
    assert state.target == target or variant == "bolivia"
    state.target, state.deal, state.scores = target, deal, list(scores)
    ended = game_end(state)
    assert (ended and (ended.winner, ended.why)) == end
    assert ended is None or ended.scores == scores


def test_the_last_deal_ends_the_game_at_once() -> None:
    """7.1: the score, then the end, then nothing; the hands lie open."""
    state = position("canasta", 4, "P0: Kc 4c 6d\nstock:\nscore 1: 5020\ndraw: P0")
    scored, ended = decide(state, command("P0 pass"))[-2:]
    assert isinstance(scored, DealScored)
    assert scored.why == "stock_exhausted"
    assert ended == GameEnded(1, (-30, 5000), "target", tuple(state.hands))
    play(state, "P0 pass")
    assert state.phase == "over"
    assert state.result == Result(1, (-30, 5000), "target")


def test_the_dealer_moves_on_after_a_deal() -> None:
    """7.3, and the new score decides the minimum."""
    state = position("canasta", 3, "P1:\nstock:\nscore 1: 1480\nside 1: m1 = 9c 9d 9h\ndraw: P1")
    play(state, "P1 pass")
    assert state.phase == "dealing"
    assert line(state, 1, "cards") == 30
    assert state.scores[1] == 1510
    assert state.variant.minimum(state.scores[1]) == 90
