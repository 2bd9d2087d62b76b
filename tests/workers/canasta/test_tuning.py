"""The tuning: fair, repeatable, and able to find that bad habits are bad."""

from dataclasses import asdict, replace

import pytest

from service.rules.canasta.variants import VARIANTS
from tests.workers.canasta.truth import TABLES
from workers.strategies.canasta.compact.habits import ODDS, Habits, habits_of
from workers.strategies.canasta.compact.shape import shape_of
from workers.tuning import main, match, tuned

CANASTA = shape_of(VARIANTS["canasta"], 4)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_who_meets_itself_on_duplicate_deals_is_neither_ahead_nor_behind(
    variant: str, seats: int
) -> None:
    shape = shape_of(VARIANTS[variant], seats)
    found = match(shape, habits_of(shape), habits_of(shape), 3, "even")
    if seats != 3:  # two sides against one are no duplicate
        assert found.mean == 0
    assert abs(found.won - 0.5) <= (0.25 if seats == 3 else 0)


def test_a_careless_player_loses_to_a_sensible_one() -> None:
    careless = replace(Habits(), feed=0.001, wild_feed=0.001, melded=0.001, single=0.001)
    assert match(CANASTA, habits_of(CANASTA), careless, 40, "careless").mean > 50


def test_the_same_arguments_find_the_same_habits() -> None:
    heard: list[int] = []
    found = [
        tuned(CANASTA, Habits(), 3, "again", lambda number, habits: heard.append(number))
        for _ in range(2)
    ]
    assert found[0] == found[1] != Habits()
    assert heard == [0, 1, 2] * 2
    assert all(0 < getattr(found[0], name) < 1 for name in ODDS)
    assert all(value > 0 for value in asdict(found[0]).values())


def test_the_command_ends_with_what_was_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.tuning.CONFIRM", 2)
    monkeypatch.setattr("workers.tuning.BATCH", 1)
    main("canasta", "4", "1")
    lines = capsys.readouterr().out.splitlines()
    assert "Habits(" in lines
    assert lines[-1].startswith("canasta, 4 seats:")
