"""A strategy that chooses otherwise has another number."""

import pytest

from service.rules import GAMES
from tests.workers import versions
from tests.workers.weighing import weigh
from workers import strategies
from workers.strategies import Player

OTHERWISE = (
    "chooses otherwise than before: count up the number in its name (workers/strategies), then "
    "add it by `.venv/bin/python -m tests.workers.versions`; see CONTRIBUTING.md"
)


@pytest.mark.slow
def test_no_strategy_chooses_otherwise_under_its_old_name() -> None:
    kept, told = versions.lines(), versions.told()
    for name, digest in told.items():
        assert name in kept, f"{name} is new: `.venv/bin/python -m tests.workers.versions` adds it"
        assert kept[name] == digest, f"{name} {OTHERWISE}"
    assert len(set(told.values())) == len(told)  # moments that tell no level from another hold none


def test_names_end_in_a_number_and_are_of_one_strategy_each() -> None:
    named = {player.name: player.choose for player, _ in versions.players()}
    for player, _ in versions.players():
        name, _, number = player.name.rpartition(" ")
        assert name and number.isdigit() and number[0] != "0", player.name
        assert named[player.name] == player.choose


def test_one_that_chooses_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "EACH", 1)
    player = strategies.player("casual", GAMES["botifarra"])
    before = versions._digest(player, "botifarra")
    assert versions._digest(player, "botifarra") == before
    assert versions._digest(Player(player.name, weigh), "botifarra") != before
