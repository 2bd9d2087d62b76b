"""The finished public games in the order in which they ended, which never changes."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from service.store import STATUSES, Ending, EventStore, Listing
from service.store.redis import RedisStore

ALL = (0, 1 << 52, None, 999)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is held back."""
    for name in ("memory", "redis_lists"):
        monkeypatch.setattr(f"service.store.{name}.HELD_BACK", -10_000)


def finish(store: EventStore, *games: str) -> None:
    for game in games:
        store.mark(Listing(game, 5), "finished", True, [])


@pytest.mark.usefixtures("at_once")
def test_only_public_finished_games_are_listed(store: EventStore) -> None:
    for status in STATUSES:
        store.mark(Listing(f"public {status}", 5), status, True, ["anna"])
        store.mark(Listing(f"private {status}", 5), status, False, ["anna"])
    assert [ending.game for ending in store.ended(*ALL)] == ["public finished"]


@pytest.mark.usefixtures("at_once")
def test_they_come_in_the_order_in_which_they_were_filed(store: EventStore) -> None:
    names = ["c", "a", "d", "b"] * 10
    finish(store, *(f"{name}{number}" for number, name in enumerate(names)))
    ended = store.ended(*ALL)
    assert [ending.game for ending in ended] == [f"{n}{number}" for number, n in enumerate(names)]
    times = [ending.at for ending in ended]
    assert sorted(set(times)) == times


@pytest.mark.usefixtures("at_once")
def test_a_game_keeps_its_place_whatever_becomes_of_it(store: EventStore) -> None:
    finish(store, "a", "b", "c")
    before = store.ended(*ALL)
    finish(store, "b", "a")
    store.mark(Listing("a", 5), "faulted", True, [])
    store.mark(Listing("c", 7), "finished", True, ["anna"])
    store.chill("b")
    assert store.ended(*ALL) == before


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_name_every_game_once_while_others_end(store: EventStore, limit: int) -> None:
    finish(store, *(f"g{number}" for number in range(9)))
    found: list[Ending] = []
    pages = 0
    while page := store.ended(0, 1 << 52, found[-1] if found else None, limit):
        found += page
        pages += 1
        if pages < 5:
            finish(store, f"late{pages}")
    names = [ending.game for ending in found]
    assert names[:9] == [f"g{number}" for number in range(9)]
    assert names[9:] == [f"late{number}" for number in range(1, len(names) - 8)]


@pytest.mark.usefixtures("at_once")
def test_a_span_begins_with_its_first_moment_and_ends_before_its_last(store: EventStore) -> None:
    finish(store, "a", "b", "c", "d")
    a, b, c, d = store.ended(*ALL)
    assert store.ended(b.at, d.at, None, 9) == [b, c]
    assert store.ended(b.at, d.at, a, 9) == [b, c]
    assert store.ended(b.at, d.at, b, 9) == [c]
    assert store.ended(b.at, b.at, None, 9) == []
    assert store.ended(-(10**30), 10**30, None, 2) == [a, b]
    for limit in (0, -1):
        assert store.ended(0, 1 << 52, None, limit) == []


@pytest.mark.slow
def test_the_newest_second_is_held_back(store: EventStore) -> None:
    finish(store, "a")
    assert store.ended(*ALL) == []
    until = time.monotonic() + 30
    while not store.ended(*ALL):
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.usefixtures("at_once")
def test_many_that_end_at_once_have_a_place_each(store: EventStore) -> None:
    names = [f"g{number}" for number in range(60)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: finish(store, name, name), names))
    ended = store.ended(*ALL)
    assert sorted(ending.game for ending in ended) == sorted(names)
    assert len({ending.at for ending in ended}) == 60


@pytest.mark.usefixtures("at_once")
def test_a_clock_that_was_set_back_puts_none_before_another(redis_url: str) -> None:
    store, admin = RedisStore(redis_url), redis.Redis.from_url(redis_url)
    later = int(time.time() * 1000) + 5_000
    admin.zadd("games:ended", {"from the future": later})
    finish(store, "a", "b")
    assert store.ended(*ALL) == [
        Ending("from the future", later),
        Ending("a", later + 1),
        Ending("b", later + 2),
    ]


@pytest.mark.usefixtures("at_once")
def test_all_that_is_over_is_listed_for_counting(store: EventStore) -> None:
    for status in STATUSES:
        store.mark(Listing(f"public {status}", 5), status, True, ["anna"])
        store.mark(Listing(f"private {status}", 5), status, False, ["anna"])
    found = store.over(0, 99)
    assert [ending.game for ending in found] == [
        *("public finished", "private finished", "public abandoned", "private abandoned"),
    ]
    assert store.over(found[1].at, 1) == found[2:3]
    store.chill("private finished")
    store.mark(Listing("public finished", 5), "finished", True, ["anna"])
    assert store.over(0, 99) == found


def test_what_is_over_is_held_back_for_a_moment(store: EventStore) -> None:
    finish(store, "a")
    assert store.over(0, 99) == []
