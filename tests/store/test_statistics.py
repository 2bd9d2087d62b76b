"""What every keeper of statistics promises."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service.glicko import Standing
from service.store import redis_statistics
from service.store.memory_statistics import MemoryLedger
from service.store.redis_statistics import RedisLedger
from service.store.statistics import Book, Change, Entry, Ledger, Rank, Unsettled
from service.tally import Played

ANNA = Book("player", "anna")
WON = Played((("anna",), ("bert",)), (0, 1))


@pytest.fixture(params=["memory", "redis", "redis with prefix"])
def ledger(request: pytest.FixtureRequest) -> Ledger:
    if request.param == "memory":
        return MemoryLedger()
    url = request.getfixturevalue("redis_url")
    return RedisLedger(url, prefix="a*[b]:" if request.param != "redis" else "")


def entry(day: int, rating: float, games: int = 1) -> Entry:
    return Entry(day, Standing(rating, 60.125, 0.0599), games)


def put(ledger: Ledger, *changes: Change, left: int | None = None) -> None:
    """Writes entries under a fresh mark."""
    ledger.note("canasta", 1, f"g{len(ledger.results('canasta', 1))}", WON)
    due = ledger.unsettled("canasta")
    assert due
    assert ledger.settle("canasta", due.mark, changes, left)


def test_a_book_counts_each_game_once(ledger: Ledger) -> None:
    assert ledger.sums(ANNA) == {}
    assert ledger.count(ANNA, "g", {"won": 1, "points": -40})
    assert not ledger.count(ANNA, "g", {"won": 1, "points": 99})
    assert ledger.count(ANNA, "h", {"points": 10})
    assert ledger.count(replace(ANNA, kind="variant"), "g", {"won": 7})
    assert ledger.sums(ANNA) == {"won": 1, "points": -30}
    assert ledger.sums(replace(ANNA, kind="variant")) == {"won": 7}


def test_of_many_who_count_at_once_one_does(ledger: Ledger) -> None:
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda n: ledger.count(ANNA, f"g{n % 5}", {"won": 1}), range(40)))
    assert done.count(True) == 5
    assert ledger.sums(ANNA) == {"won": 5}


def test_a_game_that_counts_nothing_is_counted(ledger: Ledger) -> None:
    assert ledger.count(ANNA, "g", {})
    assert not ledger.count(ANNA, "g", {"won": 1})
    assert ledger.sums(ANNA) == {}


def test_results_are_kept_by_day_and_unsettle_it(ledger: Ledger) -> None:
    assert ledger.unsettled("canasta") is None
    assert ledger.note("canasta", 20_000, "g", WON)
    assert not ledger.note("canasta", 20_000, "g", Played(WON.sides, (1, 0)))
    assert ledger.note("canasta", 20_002, "h", WON)
    assert ledger.note("samba", 1, "i", WON)
    assert ledger.results("canasta", 20_000) == {"g": WON}
    assert ledger.results("canasta", 20_001) == {}
    assert ledger.days("canasta", 0) == [20_000, 20_002]
    assert ledger.days("canasta", 20_001) == [20_002]
    due = ledger.unsettled("canasta")
    assert due
    assert due.day == 20_000
    assert ledger.settle("canasta", due.mark, [], 20_002)
    assert ledger.unsettled("canasta") == Unsettled(20_002, due.mark)
    assert ledger.settle("canasta", due.mark, [], None)
    assert ledger.unsettled("canasta") is None


def test_nothing_is_written_when_a_result_has_come(ledger: Ledger) -> None:
    ledger.note("canasta", 5, "g", WON)
    due = ledger.unsettled("canasta")
    assert due
    ledger.note("canasta", 6, "h", WON)
    change = Change("anna", entry(5, 1600), "people", 99)
    assert not ledger.settle("canasta", due.mark, [change], None)
    assert ledger.history("canasta", "anna", None, 9) == []
    assert ledger.board("canasta", "people", 0, None, 9) == (0, [])
    assert ledger.unsettled("canasta") == Unsettled(5, due.mark + 1)


def test_entries_are_found_by_day(ledger: Ledger) -> None:
    days = [3, 5, 9]
    put(ledger, *(Change("anna", entry(day, 1500 + day), None) for day in days))
    put(ledger, Change("anna", entry(5, 1700.1234567890123, 4), None))
    again = entry(5, 1700.1234567890123, 4)
    assert ledger.history("canasta", "anna", None, 9) == [entry(9, 1509), again, entry(3, 1503)]
    assert ledger.history("canasta", "anna", 9, 1) == [again]
    assert ledger.history("canasta", "bert", None, 9) == []
    assert ledger.newest("canasta", ["anna", "bert"], 9) == {"anna": again}
    assert ledger.newest("canasta", ["anna"], 3) == {}
    assert ledger.newest("canasta", [], 3) == {}


def test_a_board_is_ordered_and_read_in_pages(ledger: Ledger) -> None:
    ratings = {"d": 1700.0, "b": 1600.004, "a": 1600.0, "c": 1600.0, "e": -12.5}
    put(ledger, *(Change(name, entry(5, r), "people", 50) for name, r in ratings.items()))
    put(ledger, Change("robot", entry(5, 1650), "bots", 50), Change("new", entry(5, 9), None))
    whole = [Rank("d", 170_000), *(Rank(name, 160_000) for name in "abc"), Rank("e", -1250)]
    assert ledger.board("canasta", "people", 50, None, 9) == (0, whole)
    assert ledger.board("canasta", "bots", 50, None, 9) == (0, [Rank("robot", 165_000)])
    assert ledger.board("samba", "people", 50, None, 9) == (0, [])
    for limit in (1, 2, 3):
        found: list[Rank] = []
        while page := ledger.board("canasta", "people", 50, found[-1] if found else None, limit)[1]:
            assert ledger.board("canasta", "people", 50, page[0], 1)[0] == len(found) + 1
            found += page
        assert found == whole
    # A place whose player has left it since is a place still.
    assert ledger.board("canasta", "people", 50, Rank("bb", 160_000), 9) == (3, whole[3:])


def test_a_player_moves_on_the_board_and_from_it(ledger: Ledger) -> None:
    put(ledger, Change("anna", entry(5, 1600), "people", 50))
    put(ledger, Change("anna", entry(6, 1700), "people", 51))
    assert ledger.board("canasta", "people", 0, None, 9)[1] == [Rank("anna", 170_000)]
    put(ledger, Change("anna", entry(7, 1500), "bots", 52))
    assert ledger.board("canasta", "people", 0, None, 9)[1] == []
    put(ledger, Change("anna", entry(8, 1500), None))
    assert ledger.board("canasta", "bots", 0, None, 9)[1] == []


def test_whose_time_is_over_leaves_the_board(ledger: Ledger) -> None:
    put(ledger, *(Change(f"p{n}", entry(1, 1500 + n), "people", n) for n in range(5)))
    assert len(ledger.board("canasta", "people", 2, None, 9)[1]) == 3
    assert len(ledger.board("canasta", "people", 0, None, 9)[1]) == 3


def test_more_than_a_script_takes(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_statistics, "CHUNK", 3)
    put(ledger, *(Change(f"p{n}", entry(1, 1500 + n), "people", 9) for n in range(10)))
    assert len(ledger.board("canasta", "people", 0, None, 99)[1]) == 10
    assert ledger.unsettled("canasta") is None


def test_who_hides(ledger: Ledger) -> None:
    ledger.hide("anna", True)
    ledger.hide("bert", True)
    ledger.hide("bert", False)
    ledger.hide("carl", False)
    assert ledger.hidden(["anna", "bert", "carl"]) == {"anna"}
    assert ledger.hidden([]) == set()


def test_the_place_moves_on_only(ledger: Ledger) -> None:
    assert ledger.place() == 0
    ledger.advance(1_700_000_000_123)
    ledger.advance(5)
    assert ledger.place() == 1_700_000_000_123


def test_all_is_forgotten_but_wishes_and_the_place(ledger: Ledger) -> None:
    ledger.count(ANNA, "g", {"won": 1})
    ledger.count(Book("variant", "canasta"), "g", {"games": 1})
    put(ledger, Change("anna", entry(5, 1600), "people", 50), left=5)
    before = ledger.unsettled("canasta")
    assert before
    ledger.hide("anna", True)
    ledger.advance(7)
    ledger.clear()
    assert ledger.sums(ANNA) == ledger.sums(Book("variant", "canasta")) == {}
    assert ledger.unsettled("canasta") is None
    assert ledger.days("canasta", 0) == []
    assert ledger.history("canasta", "anna", None, 9) == []
    assert ledger.board("canasta", "people", 0, None, 9) == (0, [])
    assert ledger.hidden(["anna"]) == {"anna"}
    assert ledger.place() == 7
    # What somebody made of the results before is not written.
    ledger.note("canasta", 5, "g", WON)
    assert not ledger.settle("canasta", before.mark, [], None)
    assert ledger.count(ANNA, "g", {"won": 1})


def test_a_day_is_one_of_utc() -> None:
    assert MemoryLedger(lambda: 86_400_000 * 20_000 - 1).today() == 19_999
