"""What every event store promises."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from service.store import COUNTED, STATUSES, Conflict, Entry, EventStore, Listing
from service.store.memory import MemoryStore
from tests.store.logs import entry, fill, head


def test_entries_are_read_as_they_were_written_and_in_order(store: EventStore) -> None:
    meta = {"player": "p1", "key": "k-1", "digest": "d", "secret": "00ff"}
    first = entry(1, **meta)
    store.append("g", first, "")
    second = entry(2)
    store.append("g", second, first.hash)
    assert store.read("g").entries == (first, second)
    assert store.read("other").entries == ()


def test_reading_a_part(store: EventStore) -> None:
    log = fill(store, "g", 5)
    assert store.read("g", 3).entries == tuple(log[2:])
    assert store.read("g", 2, 4).entries == tuple(log[1:4])
    assert store.read("g", 5, 5).entries == (log[4],)
    assert store.read("g", 6).entries == ()
    assert store.read("g", 4, 2).entries == ()
    assert store.read("g", 0, 1).entries == (log[0],)
    assert store.read("g", -5, 10**30).entries == tuple(log)
    assert store.read("g", 10**30).entries == ()
    assert store.read("g", 1, -1).entries == ()


def test_a_long_log_is_read_whole(store: EventStore) -> None:
    log = fill(store, "g", 650)
    assert store.read("g").entries == tuple(log)
    assert store.read("g", 201, 600).entries == tuple(log[200:600])


def test_any_bytes_and_any_unicode_come_back(store: EventStore) -> None:
    line = b'"\x00\xff\r\n' + "ñ🂡 \u2028".encode() + b"x" * 200_000
    one = replace(entry(1, player="Müller\n\x00", key='🂡"\\', digest="é"), line=line)
    store.append("g", one, "")
    assert store.read("g").entries == (one,)


def test_the_clock_is_in_milliseconds_and_goes_on(store: EventStore) -> None:
    before = store.read("g").now
    assert abs(before - time.time() * 1000) < 60_000
    time.sleep(0.02)
    assert 10 < store.read("g").now - before < 10_000


def test_the_clock_of_the_memory_store_can_be_set() -> None:
    assert MemoryStore(lambda: 77).read("g").now == 77


@pytest.mark.parametrize(
    "late",
    [
        pytest.param(lambda log: (entry(3), log[1].hash), id="somebody was first"),
        pytest.param(lambda log: (entry(4), log[1].hash), id="another head"),
        pytest.param(lambda log: (entry(4), ""), id="no head"),
        pytest.param(lambda log: (entry(5), log[2].hash), id="a gap"),
        pytest.param(lambda log: (entry(1), ""), id="opened again"),
        pytest.param(lambda log: (entry(0), ""), id="before the first"),
    ],
)
def test_what_does_not_follow_is_refused_and_changes_nothing(
    store: EventStore, late: Callable[[list[Entry]], tuple[Entry, str]]
) -> None:
    log = fill(store, "g", 3)
    with pytest.raises(Conflict):
        store.append("g", *late(log))
    assert store.read("g").entries == tuple(log)


@pytest.mark.parametrize(("version", "prev"), [(2, ""), (2, "x"), (1, "x")])
def test_the_first_entry_is_version_1_without_a_head(
    store: EventStore, version: int, prev: str
) -> None:
    with pytest.raises(Conflict):
        store.append("g", entry(version), prev)
    assert store.read("g").entries == ()


def test_the_same_write_again_succeeds_and_changes_nothing(store: EventStore) -> None:
    log = fill(store, "g", 3)
    store.append("g", log[2], log[1].hash)
    store.append("g", log[1], log[0].hash)
    store.append("g", log[0], "")
    assert store.read("g").entries == tuple(log)


def test_another_attempt_at_the_same_line_is_not_the_same_write(store: EventStore) -> None:
    one = entry(1, "same", attempt="a")
    store.append("g", one, "")
    with pytest.raises(Conflict):
        store.append("g", entry(1, "same", attempt="b"), "")
    with pytest.raises(Conflict):
        store.append("g", entry(1, "other", attempt="a"), "")
    assert store.read("g").entries == (one,)


def test_of_twenty_at_once_one_wins(store: EventStore) -> None:
    log = fill(store, "g", 1)
    ready = threading.Barrier(20)

    def race(number: int) -> Entry | None:
        mine = entry(2, str(number))
        ready.wait()
        try:
            store.append("g", mine, head(log))
        except Conflict:
            return None
        return mine

    with ThreadPoolExecutor(20) as pool:
        won = [mine for mine in pool.map(race, range(20)) if mine]
    assert len(won) == 1
    assert store.read("g").entries == (*log, *won)


def test_eight_writers_make_one_unbroken_chain(store: EventStore) -> None:
    def write(number: int) -> list[Entry]:
        mine: list[Entry] = []
        while len(mine) < 20:
            log = list(store.read("g").entries)
            fresh = entry(len(log) + 1, f"{number}/{len(mine)}")
            try:
                store.append("g", fresh, head(log))
                mine.append(fresh)
            except Conflict:
                continue
        return mine

    with ThreadPoolExecutor(8) as pool:
        acknowledged = [one for mine in pool.map(write, range(8)) for one in mine]
    log = store.read("g").entries
    assert [one.version for one in log] == list(range(1, 161))
    assert sorted(acknowledged, key=lambda one: one.version) == list(log)


def test_following_wakes_at_an_append(store: EventStore) -> None:
    log = fill(store, "g", 1)
    timer = threading.Timer(0.2, lambda: store.append("g", entry(2), head(log)))
    began = time.monotonic()
    timer.start()
    assert store.follow("g", 1, 30)
    assert 0.1 < time.monotonic() - began < 10
    timer.join()


def test_following_returns_at_once_where_there_is_more(store: EventStore) -> None:
    fill(store, "g", 3)
    began = time.monotonic()
    assert store.follow("g", 2, 30)
    assert store.follow("g", 0, 30)
    assert store.follow("g", 2, 0)
    assert store.follow("g", -1, 0)
    assert not store.follow("g", 10**30, 0)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("timeout", [-1.0, 0.0, 0.0001, 0.3])
@pytest.mark.slow
def test_following_gives_up(store: EventStore, timeout: float) -> None:
    fill(store, "g", 3)
    began = time.monotonic()
    assert not store.follow("g", 3, timeout)
    assert not store.follow("unknown", 0, timeout)
    assert 2 * timeout - 0.05 <= time.monotonic() - began < 5


def test_many_may_follow_one_game(store: EventStore) -> None:
    timer = threading.Timer(0.3, lambda: fill(store, "g", 1))
    timer.start()
    with ThreadPoolExecutor(30) as pool:
        assert all(pool.map(lambda _: store.follow("g", 0, 30), range(30)))
    timer.join()


def test_unfinished_games_are_found_and_finished_ones_are_not(store: EventStore) -> None:
    for game, status, public in [
        ("a", "waiting", True),
        ("b", "waiting", False),
        ("c", "playing", False),
        ("d", "finished", True),
    ]:
        store.mark(Listing(game, 5), status, public, [])
    assert sorted(store.unfinished()) == ["a", "b", "c"]
    store.mark(Listing("a", 5), "playing", True, [])
    assert sorted(store.unfinished()) == ["a", "b", "c"]
    for game, status in [("a", "finished"), ("b", "abandoned"), ("c", "faulted")]:
        store.mark(Listing(game, 5), status, True, [])
    assert list(store.unfinished()) == []


def test_a_public_game_is_listed_under_its_status_only(store: EventStore) -> None:
    game = Listing("g", 5)
    for status in STATUSES:
        store.mark(game, status, True, [])
        store.mark(game, status, True, [])
        listed = {name: store.listed(name, None, None, 9) for name in STATUSES}
        assert listed == {name: [game] if name == status else [] for name in STATUSES}


@pytest.mark.parametrize("public", [True, False])
def test_who_knows_what_a_game_is_filed_under_files_it_as_who_does_not(
    store: EventStore, public: bool
) -> None:
    people = ("anna", "bert", "carl")
    for was, status, players, left in (
        ("", "waiting", ["anna"], []),
        ("waiting", "waiting", ["anna", "bert"], []),
        ("waiting", "waiting", ["bert"], ["anna"]),
        ("waiting", "playing", ["bert", "carl"], []),
        ("playing", "playing", ["carl"], []),
        ("playing", "abandoned", ["carl"], []),
    ):
        store.mark(Listing("told", 5), status, public, players, left, "anna", was)
        store.mark(Listing("untold", 5), status, public, players, left, "anna")
        lists = [
            *([one.game for one in store.listed(name, None, None, 9)] for name in STATUSES),
            *([one.game for one in store.listed("", person, None, 9)] for person in people),
            *(store.busy(person) for person in people),
            [*store.unfinished()],
        ]
        assert all(len({*found}) in (0, 2) for found in lists), (status, lists)
        assert {store.count(name) for name in COUNTED} <= {0, 2}


def test_a_private_game_is_listed_for_its_players_only(store: EventStore) -> None:
    game = Listing("g", 5)
    store.mark(game, "playing", False, ["anna", "bert"])
    assert store.listed("playing", None, None, 9) == []
    assert store.listed("playing", "anna", None, 9) == [game]
    assert store.listed("playing", "bert", None, 9) == [game]
    assert store.listed("playing", "carl", None, 9) == []


def test_a_game_left_is_no_longer_among_ones_own(store: EventStore) -> None:
    game = Listing("g", 5)
    store.mark(game, "waiting", True, ["anna", "bert"])
    store.mark(game, "waiting", True, ["anna"], left=["bert"])
    assert store.listed("waiting", "anna", None, 9) == [game]
    assert store.listed("waiting", "bert", None, 9) == []


def test_an_unknown_status_is_refused(store: EventStore) -> None:
    with pytest.raises(ValueError, match="no status"):
        store.mark(Listing("g", 5), "lost", True, ["anna"])
    assert store.listed("lost", None, None, 9) == []
    assert store.listed("playing", "anna", None, 9) == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize("goes", [True, False])
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_name_every_game_once_while_others_come_and_go(
    store: EventStore, limit: int, goes: bool
) -> None:
    """Sixteen games of four moments (B23)."""
    games = [Listing(f"g{number:02}", 1_764_452_345_000 + number // 4) for number in range(16)]
    for game in games:
        store.mark(game, "waiting", True, [])
    found: list[Listing] = []
    before = None
    for page in range(20):
        listed = store.listed("waiting", None, before, limit)
        if not listed:
            break
        found += listed
        before = listed[-1]
        # One is added in front, and the one that the cursor stands on may start to play.
        store.mark(Listing(f"new{page:02}", 1_764_452_346_000 + page), "waiting", True, [])
        if goes:
            store.mark(before, "playing", True, [])
    assert found == games[::-1]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_page_of_nothing_is_empty(store: EventStore, limit: int) -> None:
    store.mark(Listing("g", 5), "waiting", True, [])
    assert store.listed("waiting", None, None, limit) == []


def test_a_rebuild_names_every_game_that_has_a_log(store: EventStore) -> None:
    names = {f"g{number}" for number in range(50)}
    for name in names:
        fill(store, name, 1)
    store.mark(Listing("only marked", 5), "waiting", True, ["anna"])
    assert set(store.rebuild()) == names


def test_ping(store: EventStore) -> None:
    store.ping()


def test_unfinished_games_are_busy_for_who_made_them_and_who_sits_there(store: EventStore) -> None:
    game, other = Listing("g", 5), Listing("h", 6)
    store.mark(game, "waiting", False, ["anna"], opener="carl")
    store.mark(other, "playing", True, ["anna", "bert"], opener="anna")
    assert store.busy("anna") == {"g", "h"}
    assert store.busy("carl") == {"g"}
    assert store.busy("nobody") == set()
    store.mark(game, "waiting", False, [], left=["anna"], opener="carl")
    assert (store.busy("anna"), store.busy("carl")) == ({"h"}, {"g"})
    for status in ("finished", "playing", "faulted", "playing", "abandoned"):
        store.mark(other, status, True, ["anna", "bert"], opener="anna")
        assert store.busy("anna") == store.busy("bert") == ({"h"} if status == "playing" else set())


def test_who_made_a_game_and_gave_up_the_seat_has_made_it_still(store: EventStore) -> None:
    store.mark(Listing("g", 5), "waiting", True, ["bert"], left=["anna"], opener="anna")
    assert store.busy("anna") == {"g"}


def test_games_are_taken_from_those_that_keep_a_player_busy(store: EventStore) -> None:
    for name in ("g", "h", "i"):
        store.mark(Listing(name, 5), "playing", True, ["anna", "bert"])
    store.free("anna", ["g", "i", "none"])
    store.free("anna", [])
    assert (store.busy("anna"), store.busy("bert")) == ({"h"}, {"g", "h", "i"})
    assert {one.game for one in store.listed("playing", "anna", None, 9)} == {"g", "h", "i"}
