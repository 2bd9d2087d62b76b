"""The tuning: fair, repeatable, and able to find that bad weights are bad."""

import ast
from collections.abc import Sequence
from dataclasses import asdict, replace
from random import Random

import pytest

from tests.workers.canasta.truth import TABLES
from workers.strategies.botifarra.player import FITTED
from workers.strategies.canasta.compact.forecast import SIGNS
from workers.strategies.canasta.compact.habits import ODDS, Habits
from workers.tuning.__main__ import main
from workers.tuning.botifarra import Botifarra, begun
from workers.tuning.canasta import Canasta
from workers.tuning.climb import match, tuned
from workers.tuning.family import Family


class Hill(Family[list[float]]):
    """Who stands nearer to the top is ahead, as far as luck lets it show."""

    title = "hill"
    batch = 2
    stride = 0.05
    confirm = 100
    digits = 1

    def __init__(self) -> None:
        self.standing = [3.0, -1.0, 0.5]
        self.scratch = [0.0, 0.0, 0.0]

    def point(self, weights: list[float]) -> list[float]:
        return weights

    def weights(self, point: Sequence[float]) -> list[float]:
        return list(point)

    def height(self, weights: list[float]) -> float:
        return -sum((at - top) ** 2 for at, top in zip(weights, self.standing, strict=True))

    def margins(self, one: list[float], two: list[float], deals: int, seed: str) -> list[float]:
        luck = Random(seed)
        ahead = self.height(one) - self.height(two)
        return [ahead + luck.gauss(0, 2) for _ in range(2 * deals)]

    def shown(self, weights: list[float]) -> str:
        return str(weights)


def test_the_climb_finds_the_top_through_the_luck() -> None:
    hill = Hill()
    found = tuned(hill, hill.scratch, 2000, "fog", lambda number, weights: None)
    assert hill.height(hill.scratch) < -10
    assert hill.height(found) > -0.1


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_who_meets_itself_on_duplicate_deals_is_neither_ahead_nor_behind(
    variant: str, seats: int
) -> None:
    table = Canasta(variant, seats)
    found = match(table, table.standing, table.standing, 3, "even")
    if seats != 3:  # two sides against one are no duplicate
        assert found.mean == 0
    assert abs(found.won - 0.5) <= (0.25 if seats == 3 else 0)


def test_who_meets_itself_at_botifarra_is_even_in_each_deal() -> None:
    margins = Botifarra().margins(FITTED, FITTED, 8, "even")
    assert len(margins) == 16
    assert all(first == -second for first, second in zip(margins[::2], margins[1::2], strict=True))
    assert any(margins)


def test_a_careless_player_loses_to_a_sensible_one() -> None:
    canasta = Canasta("canasta", 4)
    careless = replace(Habits(), feed=0.001, wild_feed=0.001, melded=0.001, single=0.001)
    assert match(canasta, canasta.standing, careless, 40, "careless").mean > 50


def test_who_looks_at_this_trick_only_loses_at_botifarra() -> None:
    table = Botifarra()
    ahead = match(table, table.standing, table.scratch, 100, "this trick")
    behind = match(table, table.scratch, table.standing, 100, "this trick")
    assert ahead.mean > 4
    assert ahead.mean - ahead.interval > 0
    assert behind.mean == -ahead.mean


@pytest.mark.slow
def test_a_few_rounds_of_botifarra_beat_their_start() -> None:
    table = Botifarra()
    found = tuned(table, table.scratch, 60, "few", lambda number, weights: None)
    better = match(table, found, table.scratch, 100, "fresh")
    assert better.mean - better.interval > 0


@pytest.mark.slow
def test_the_same_arguments_find_the_same_habits() -> None:
    heard: list[int] = []
    found = [
        tuned(Canasta("canasta", 4), Habits(), 3, "again", lambda number, _: heard.append(number))
        for _ in range(2)
    ]
    assert found[0] == found[1] != Habits()
    assert heard == [0, 1, 2] * 2
    assert all(0 < getattr(found[0], name) < 1 for name in ODDS)
    assert all(value > 0 for value in asdict(found[0]).values())


def test_the_same_arguments_find_the_same_weights_and_other_luck_finds_others() -> None:
    table = Botifarra()
    one, again, other = (
        tuned(table, FITTED, 5, seed, lambda number, weights: None) for seed in ("1", "1", "2")
    )
    assert one == again
    assert len({tuple(one), tuple(other), tuple(FITTED)}) == 3


def test_weights_come_back_from_their_point() -> None:
    canasta, botifarra = Canasta("bolivia", 4), Botifarra()
    assert botifarra.weights(botifarra.point(FITTED)) == FITTED
    back = asdict(canasta.weights(canasta.point(canasta.standing)))
    assert back == pytest.approx(asdict(canasta.standing))


def test_a_swing_moves_every_weight_of_botifarra() -> None:
    table = Botifarra()
    up = table.weights([at + 0.2 for at in table.point(FITTED)])
    assert all(above > value for above, value in zip(up, FITTED, strict=True))


def test_a_dealer_with_a_poor_hand_leaves_trumps_to_the_partner() -> None:
    poor = suits(0x007, 0x007, 0x007, 0x007)
    partner = suits(0x008, 0x008, 0xFF8, 0x008)
    one, other = suits(0xFF0, 0x0F0, 0, 0), suits(0, 0xF00, 0, 0xFF0)
    hands = [poor, one, partner, other]
    assert sum(hands) == (1 << 48) - 1
    assert (begun(hands, 0).trump, begun(hands, 0).seat) == (2, 1)
    assert (begun(hands, 1).trump, begun(hands, 1).seat) == (0, 2)
    assert (begun(hands, 3).trump, begun(hands, 3).seat) == (3, 0)


def suits(*cards: int) -> int:
    """The hand with these cards of each suit."""
    return sum(mask << (12 * suit) for suit, mask in enumerate(cards))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "seats", "words"),
    [(Canasta, "2", '    "match": Habits(  # canasta'), (Botifarra, "4", "FITTED: Final = [")],
)
def test_the_command_ends_with_what_was_found(
    family: type[Canasta] | type[Botifarra],
    seats: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(family, "confirm", 20)
    monkeypatch.setattr(family, "batch", 1)
    variant = family.__name__.lower()
    told = []
    for start in ("standing", "scratch"):
        main([variant, seats, "1", "7", start])
        told.append(capsys.readouterr().out.splitlines())
        assert told[-1][0].startswith("round 0: Margin(mean=")
        assert words in told[-1]
        assert told[-1][-1].startswith(f"{variant}, {seats} seats: ")
    assert told[0] != told[1]


@pytest.mark.parametrize(
    "given",
    [
        ["whist"],
        ["botifarra", "3"],
        ["canasta", "4", "many"],
        ["canasta", "4", "1", "1", "x"],
        ["botifarra", "--forecast"],
        ["canasta", "3", "--forecast"],
    ],
)
def test_what_cannot_be_tuned_is_refused_with_the_usage(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == 2
    assert "usage: ./run tune" in capsys.readouterr().err


def test_the_forecast_is_printed_as_it_stands_in_the_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["bolivia", "4", "4", "--forecast"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == '    "pair seq wild": [  # bolivia'
    rows = ast.literal_eval("{" + "".join(lines[:-1]).replace("# bolivia", "") + "}")[
        "pair seq wild"
    ]
    assert [len(row) for row in rows] == [SIGNS] * 5
    assert lines[-1].startswith("bolivia, 4 seats: wrong by ")
