"""What workers and the sweep tell those who watch; that it does not arrive is no matter."""

from service.rules.seating.commands import Chair
from service.store import StoreUnavailable
from service.store.tallies import MemoryTallies
from tests.workers.desk import PERSON, Desk
from workers import jobs
from workers.sweep import Sweep


class Away(MemoryTallies):
    """Nobody is there to listen."""

    def add(self, name: str) -> None:
        raise StoreUnavailable


def test_a_fallback_is_told_by_its_level() -> None:
    tallies = MemoryTallies()
    jobs.tell(tallies, "novice")
    jobs.tell(tallies, "novice")
    jobs.tell(Away(), "novice")
    assert tallies.all() == {"fallback novice": 2}


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
