"""A game that is over moves to the compact form, and nobody who reads it notices."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from service.store import OVER, STATUSES, Conflict, EventStore, Listing, Unreadable
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from service.store.redis_logs import PAGE
from tests.store.logs import RECORDS, chilled, entry, fill, head, over, recorded, write

GAME = Listing("g", 5)


@pytest.mark.slow
def test_every_golden_game_reads_the_same(store: EventStore) -> None:
    for path in RECORDS:
        log, game = recorded(path, source="import"), f"{path.parent.name} {path.stem}"
        store.plant(game, log)
        assert store.chill(game)
        assert store.read(game).entries == chilled(log)
        assert not store.read(game).broken


@pytest.mark.parametrize("length", [3, PAGE + 30])
def test_any_part_of_it_can_be_read(store: EventStore, length: int) -> None:
    log = over(length)
    write(store, "g", log)
    store.chill("g")
    cold = chilled(log)
    for start in (-1, 0, 1, 2, length, length + 1, 10**30):
        for end in (None, -1, 0, 1, 2, length - 1, length, 10**30):
            last = length if end is None else max(end, 0)
            read = store.read("g", start, end)
            assert read.entries == cold[max(start - 1, 0) : last]
            assert not read.broken


def test_a_second_time_there_is_nothing_to_move(store: EventStore) -> None:
    write(store, "g", over(3))
    assert store.chill("g")
    assert not store.chill("g")
    assert not store.chill("unknown")
    assert store.read("unknown").entries == ()


def test_a_game_that_may_go_on_is_left_alone(store: EventStore) -> None:
    log = over(5)
    write(store, "g", log[:4])
    assert not store.chill("g")
    store.append("g", log[4], log[3].hash)
    assert store.read("g").entries == tuple(log)


def test_a_game_that_could_not_be_made_again_is_left_alone(store: EventStore) -> None:
    log = fill(store, "g", 3)
    with pytest.raises(Unreadable):
        store.chill("g")
    assert store.read("g").entries == tuple(log)


def test_nothing_follows_in_it(store: EventStore) -> None:
    """Nor is a repeated write known any more: what it was known by is gone."""
    log = over(3)
    write(store, "g", log)
    store.chill("g")
    for one, prev in ((entry(4), head(log)), (entry(1), ""), (log[2], log[1].hash), (log[0], "")):
        with pytest.raises(Conflict):
            store.append("g", one, prev)
    assert store.read("g").entries == chilled(log)


def test_following_returns_at_once_where_there_is_more(store: EventStore) -> None:
    write(store, "g", over(3))
    store.chill("g")
    assert store.follow("g", 2, 30)
    assert store.follow("g", -1, 30)
    assert not store.follow("g", 3, 0.05)
    assert not store.follow("g", 10**30, 0)


def test_planting_it_again_succeeds_and_changes_nothing(store: EventStore) -> None:
    log = over(3)
    store.plant("g", log)
    store.chill("g")
    store.plant("g", log)
    assert store.read("g").entries == chilled(log)
    with pytest.raises(Conflict):
        store.plant("g", over(3, b"another" * 4))
    with pytest.raises(Conflict):
        store.plant("g", over(4))


def test_a_rebuild_names_it(store: EventStore) -> None:
    for game in ("warm", "cold"):
        write(store, game, over(3))
    store.chill("cold")
    assert sorted(store.rebuild()) == ["cold", "warm"]


def test_games_are_warm_from_their_end_until_they_are_chilled(store: EventStore) -> None:
    names = [f"{status} {public}" for status in STATUSES for public in (True, False)]
    for name in names:
        write(store, name, over(3))
        status, _, public = name.partition(" ")
        store.mark(Listing(name, 5), status, public == "True", ["anna"])
    ended = [name for name in names if name.partition(" ")[0] in OVER]
    assert store.warm(-10_000, 99) == ended
    assert store.warm(-10_000, 2) == ended[:2]
    assert store.warm(-10_000, 0) == []
    assert store.warm(60_000, 99) == []
    for name in ended:
        store.chill(name)
    assert store.warm(-10_000, 99) == []


def test_filing_it_again_does_not_make_it_warm(store: EventStore) -> None:
    write(store, "g", over(3))
    store.mark(GAME, "finished", True, ["anna"])
    store.chill("g")
    store.mark(GAME, "finished", True, ["anna"])
    assert store.warm(-10_000, 9) == []
    assert store.listed("finished", None, None, 9) == [GAME]


def test_a_game_that_turns_out_faulted_is_warm_no_more(store: EventStore) -> None:
    write(store, "g", over(3))
    store.mark(GAME, "finished", True, ["anna"])
    store.mark(GAME, "faulted", True, ["anna"])
    assert store.warm(-10_000, 9) == []


def test_one_that_cannot_be_chilled_stands_in_nobodys_way(store: EventStore) -> None:
    fill(store, "damaged", 2)
    write(store, "goes on", over(3)[:2])
    write(store, "over", over(3))
    for game in ("damaged", "goes on", "unknown", "over"):
        store.mark(Listing(game, 5), "finished", True, [])
    for _ in range(3):
        [game] = store.warm(-10_000, 1)
        try:
            assert not store.chill(game)
        except Unreadable:
            assert game == "damaged"
    assert store.warm(-10_000, 9) == ["over"]


def test_readers_find_one_whole_log_while_it_moves(store: EventStore) -> None:
    """Long logs are read in several steps; between any two of them the stream may go."""
    logs = {f"g{number}": over(2 * PAGE + 50) for number in range(6)}
    for game, log in logs.items():
        store.plant(game, log)
    done = threading.Event()
    wrong: list[Any] = []

    def look() -> None:
        while not done.is_set():
            for game, log in logs.items():
                read = store.read(game)
                lines = [one.line for one in read.entries]
                if read.broken or lines != [one.line for one in log]:
                    wrong.append((game, len(lines), read.broken))
                if not store.follow(game, 3, 0):
                    wrong.append((game, "nothing to follow"))

    def go_on(game: str) -> None:
        with pytest.raises(Conflict):
            store.append(game, entry(7), logs[game][5].hash)

    with ThreadPoolExecutor(6) as pool:
        looking = [pool.submit(look) for _ in range(2)]
        moving = [pool.submit(store.chill, game) for game in [*logs, *logs]]
        writing = [pool.submit(go_on, game) for game in logs]
        moved = [one.result() for one in moving]
        for writer in writing:
            writer.result()
        done.set()
        for looker in looking:
            looker.result()
    assert wrong == []
    assert 6 <= sum(moved) <= 12  # two at once may both say that it is done
    for game, log in logs.items():
        assert store.read(game).entries == chilled(log)


def test_an_entry_that_comes_while_it_is_chilled_is_not_lost(redis_url: str) -> None:
    """It cannot, since the game is over; if it did, the game would stay as it is."""
    store, other = RedisStore(redis_url), RedisStore(redis_url)
    log = over(3)
    write(store, "g", log)
    late = entry(4)

    class Slow(RedisStore):
        def read(self, *args: Any) -> Any:
            reading = super().read(*args)
            other.append("g", late, head(log))
            return reading

    assert not Slow(redis_url).chill("g")
    assert store.read("g").entries == (*log, late)


@pytest.mark.parametrize("deadly", range(1, 6))
def test_a_crash_between_any_two_steps_leaves_the_game_whole(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, deadly: int
) -> None:
    store = RedisStore(redis_url)
    log = over(3)
    write(store, "g", log)
    store.mark(GAME, "finished", True, [])
    died = die_at(monkeypatch, deadly, lambda: store.chill("g"))
    lines = [one.line for one in store.read("g").entries]
    assert lines == [one.line for one in log]
    assert not died or store.warm(-10_000, 9) == ["g"]
    store.chill("g")
    assert store.warm(-10_000, 9) == []
    assert store.read("g").entries == chilled(log)


@pytest.mark.parametrize("deadly", range(1, 9))
def test_a_game_filed_half_way_is_found_among_the_unfinished(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, deadly: int
) -> None:
    monkeypatch.setattr("service.store.redis_lists.HELD_BACK", -10_000)
    store = RedisStore(redis_url)
    write(store, "g", over(3))
    store.mark(GAME, "playing", True, ["anna"])
    if die_at(monkeypatch, deadly, lambda: store.mark(GAME, "finished", True, ["anna"])):
        assert list(store.unfinished()) == ["g"]
        store.mark(GAME, "finished", True, ["anna"])
    assert list(store.unfinished()) == []
    assert store.warm(-10_000, 9) == ["g"]
    assert [one.game for one in store.ended(0, 1 << 52, None, 9)] == ["g"]
    assert store.listed("playing", None, None, 9) == []
    assert store.listed("finished", None, None, 9) == [GAME]


def die_at(monkeypatch: pytest.MonkeyPatch, step: int, use: Any) -> bool:
    """Runs `use` and kills it before its round trip number `step`; whether it came so far."""
    left = step

    def deadly(method: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
            return method(*args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(redis.Redis, "execute_command", deadly(redis.Redis.execute_command))
        patch.setattr(redis.client.Pipeline, "execute", deadly(redis.client.Pipeline.execute))
        try:
            use()
        except KeyboardInterrupt:
            return True
    return False


def test_what_redis_holds_of_a_cold_game(redis_url: str) -> None:
    """The layout: a change of it needs a way to read the old one."""
    store, admin = RedisStore(redis_url, prefix="x:"), redis.Redis.from_url(redis_url)
    write(store, "g", over(3))
    store.mark(GAME, "finished", True, [])
    keys = {b"x:games:ended", b"x:games:over", b"x:games:warm", b"x:lobby:finished"}
    assert set(admin.keys()) == {*keys, b"x:game:{g}:log"}
    store.chill("g")
    assert set(admin.keys()) == {*keys, b"x:game:{g}:cold"} - {b"x:games:warm"}


@pytest.mark.parametrize("form", [b"1", b"2" * 99, b"1" * 99])
def test_a_damaged_form_is_told_and_stops_nobody(redis_url: str, form: bytes) -> None:
    store, admin = RedisStore(redis_url), redis.Redis.from_url(redis_url)
    admin.set("game:{g}:cold", form)
    reading = store.read("g")
    assert reading.entries == ()
    assert "game g" in reading.broken
    assert not store.chill("g")
    with pytest.raises(Conflict):
        store.append("g", entry(1), "")


def test_a_foreign_key_is_an_error(redis_url: str) -> None:
    store, admin = RedisStore(redis_url), redis.Redis.from_url(redis_url)
    admin.rpush("game:{g}:cold", "no form")
    for use in (lambda: store.read("g"), lambda: store.follow("g", 0, 1)):
        with pytest.raises(Unreadable, match="WRONGTYPE"):
            use()


def test_a_wait_ends_when_the_game_is_moved_meanwhile(
    redis_url: str,
) -> None:
    store = RedisStore(redis_url)
    log = over(3)
    write(store, "g", log[:2])

    def end() -> None:
        store.append("g", log[2], log[1].hash)
        store.chill("g")

    timer = threading.Timer(0.2, end)
    timer.start()
    assert store.follow("g", 2, 30)
    timer.join()


def test_memory_keeps_the_compact_form_too() -> None:
    """So that tests without a server meet it."""
    store = MemoryStore()
    write(store, "g", over(3))
    store.chill("g")
    assert store._logs == {}
