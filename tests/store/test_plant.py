"""A log is planted whole or not at all."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.store import PLANTED, Conflict, Entry, EventStore
from service.store.redis import RedisStore
from tests.store.logs import RECORDS, entry, fill, head, over, recorded
from tests.store.proxy import Proxy


def test_every_golden_game_is_read_back_as_it_was_planted(store: EventStore) -> None:
    for path in RECORDS:
        log, game = recorded(path, source="import"), f"{path.parent.name} {path.stem}"
        store.plant(game, log)
        assert store.read(game).entries == tuple(log)


def test_a_planted_game_can_be_followed_and_gone_on_with(store: EventStore) -> None:
    log = over(3)
    store.plant("g", log)
    assert store.follow("g", 2, 30)
    fresh = entry(4)
    store.append("g", fresh, head(log))
    assert store.read("g").entries == (*log, fresh)


def test_planting_again_succeeds_and_changes_nothing(store: EventStore) -> None:
    """Also when it went on meanwhile: the first answer may have got lost."""
    log = over(5)
    store.plant("g", log[:4])
    store.plant("g", log[:4])
    store.append("g", log[4], log[3].hash)
    store.plant("g", log[:4])
    assert store.read("g").entries == tuple(log)


def test_another_log_is_not_planted_over(store: EventStore) -> None:
    log = fill(store, "g", 3)
    for other in (over(3), over(1), [*log, entry(4)], [*log[:2], entry(3)]):
        with pytest.raises(Conflict):
            store.plant("g", other)
    assert store.read("g").entries == tuple(log)


@pytest.mark.parametrize("log", [[], over(3)[1:], [over(3)[0], over(3)[2]], over(2)[::-1]])
def test_what_is_no_whole_log_is_refused(store: EventStore, log: list[Entry]) -> None:
    with pytest.raises(ValueError, match="from version 1"):
        store.plant("g", log)
    assert store.read("g").entries == ()


def test_of_eight_at_once_one_wins(store: EventStore) -> None:
    logs = [over(50, bytes([number]) * 32) for number in range(8)]

    def plant(log: list[Entry]) -> bool:
        try:
            store.plant("g", log)
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(plant, logs))
    assert sum(won) == 1
    assert store.read("g").entries == tuple(logs[won.index(True)])


def test_thousands_of_entries_come_at_once(store: EventStore) -> None:
    log = over(2000)
    store.plant("g", log)
    assert store.read("g").entries == tuple(log)


def test_there_is_a_bound(store: EventStore) -> None:
    with pytest.raises(ValueError, match="at once"):
        store.plant("g", [entry(version) for version in range(1, PLANTED + 2)])
    assert store.read("g").entries == ()


def test_a_lost_answer_does_no_harm(redis_url: str) -> None:
    log = over(30)
    with Proxy(redis_url) as proxy:
        store = RedisStore(proxy.url)
        store.ping()
        proxy.lose("cut")
        store.plant("g", log)
        assert proxy.lost.is_set()
    assert RedisStore(redis_url).read("g").entries == tuple(log)
