"""What workers and the sweep tell those who watch; that it does not arrive is no matter."""

import pytest

from service.rules.seating.commands import Chair
from service.store import StoreUnavailable
from service.store.tallies import MemoryTallies
from tests.workers.desk import PERSON, Desk
from workers import jobs, playing
from workers.sweep import Sweep


class Away(MemoryTallies):
    """Nobody is there to listen."""

    def add(self, name: str) -> None:
        raise StoreUnavailable


def test_what_failed_is_told_by_level_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    tallies = MemoryTallies()
    monkeypatch.setattr(jobs, "_tallies", lambda: tallies)

    def unlucky(*_: object) -> None:
        playing.FALLBACKS["novice"] += 1
        playing.FAILURES["novice hung"] += 2
        raise KeyError

    monkeypatch.setattr(jobs, "take_turn", unlucky)
    for _ in range(2):
        with pytest.raises(jobs.TurnFailed):
            jobs.play_turn("game", 3)
    assert tallies.all() == {"fallback novice": 2, "failure novice hung": 4}
    monkeypatch.setattr(jobs, "_tallies", Away)
    with pytest.raises(jobs.TurnFailed):
        jobs.play_turn("game", 3)


def test_the_sweep_tells_of_its_newest_round() -> None:
    desk, tallies = Desk(), MemoryTallies()
    desk.open(PERSON, Chair("human"))
    sweep = Sweep(desk.store, desk.tables, patience=5.0, tallies=tallies)
    sweep.once()
    assert tallies.all()["sweep games"] == 1
    first = tallies.all()["sweep ended"]
    sweep.once()
    assert tallies.all()["sweep ended"] >= first
    assert 0 <= tallies.all()["sweep seconds"] < 60
