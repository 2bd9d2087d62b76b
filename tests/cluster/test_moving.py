"""Slots are moved from server to server while their games are played."""

import time
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.app import create_app
from service.config import Config
from service.store.redis import RedisStore
from tests.api.client import House
from tests.cluster.play import Play, assert_nothing_is_lost_or_doubled
from tests.cluster.servers import ClusterOf, Server
from tests.store.logs import entry, fill, head

pytestmark = pytest.mark.slow


def slot(key: str) -> int:
    """The slot of a key."""
    return key_slot(key.encode())


def test_games_go_on_while_their_slots_move(redis_url: str, cluster: ClusterOf) -> None:
    """Each game's log goes round all masters, and the list of games that all of them share."""
    house = House(create_app(Config(redis_url=redis_url, replicas=1), call=lambda *_: None))
    with Play(house, games=4) as play:
        slots = [slot(f"game:{{{game.id}}}:log") for game in play.games] + [slot("games:playing")]
        for master in [*cluster.masters, *cluster.masters]:
            play.go_on(5)
            for number in slots:
                cluster.move(number, master, lambda: time.sleep(0.02))
        play.go_on(20)
    play.check()
    assert set(play.refusals) <= {"store_unavailable"}
    assert_nothing_is_lost_or_doubled(play, RedisStore(redis_url))


@pytest.mark.parametrize("replicas", [0, 1])
def test_a_log_can_be_used_at_every_step_of_a_move(
    redis_url: str, cluster: ClusterOf, replicas: int
) -> None:
    """Before its key goes, when it has gone and the slot has not, and afterwards."""
    store = RedisStore(redis_url, replicas=replicas)
    log = fill(store, "g", 3)
    fill(store, "other {g}", 1)

    def use() -> None:
        assert store.read("g").entries == tuple(log)
        log.append(entry(len(log) + 1))
        store.append("g", log[-1], head(log[:-1]))
        assert store.follow("g", len(log) - 1, 1)
        assert store.read("g").entries == tuple(log)

    for master in cluster.masters:
        cluster.move(slot("{g}"), master, use)
        use()
    assert len(log) > 10


def test_a_new_server_takes_part(tmp_path: Path) -> None:
    """The first key that goes to a server without slots: nobody's map has that server yet."""
    with ClusterOf(tmp_path) as cluster:
        store = RedisStore(cluster.url)
        log = fill(store, "g", 3)
        new = Server(tmp_path / "new")
        new.start()
        cluster.masters.append(new)
        cluster.join(new)
        cluster.healthy()

        def use() -> None:
            log.append(entry(len(log) + 1))
            store.append("g", log[-1], head(log[:-1]))
            assert store.follow("g", len(log) - 1, 1)

        cluster.move(slot("{g}"), new, use)
        use()
        assert store.read("g").entries == tuple(log)
        assert set(store.rebuild()) == {"g"}
