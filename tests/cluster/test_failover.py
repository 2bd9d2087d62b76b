"""Masters die: what was acknowledged stays, and what was not is found out.

Each test has a cluster of its own, since it breaks it.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from service.answers import Moved
from service.app import create_app
from service.config import Config
from service.store import Conflict, Entry, StoreUnavailable
from service.store.redis import RedisStore
from service.table import Tables
from tests.api.client import House
from tests.cluster.play import Play, assert_nothing_is_lost_or_doubled
from tests.cluster.servers import ClusterOf, Server, answers, until
from tests.cluster.test_moving import slot
from tests.store.logs import entry, fill, head

pytestmark = pytest.mark.slow


@pytest.fixture
def own(tmp_path: Path) -> Iterator[ClusterOf]:
    """Three masters with a replica each, to be broken."""
    with ClusterOf(tmp_path, replicas=1) as running:
        yield running


@contextmanager
def stopped(server: Server) -> Iterator[None]:
    """A server that hangs for a while."""
    assert server.child is not None
    os.kill(server.child.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.child.pid, signal.SIGCONT)


def beside(cluster: ClusterOf, game: str) -> tuple[Server, Server]:
    """The master and the replica of a game."""
    master = cluster.owner(slot(f"game:{{{game}}}:log"))
    return master, cluster.replicas[cluster.masters.index(master)][0]


def promoted(server: Server) -> bool:
    """Whether a replica has become a master that serves."""
    return (
        answers(server.client)
        and server.info("replication")["role"] == "master"
        and server.client.execute_command("CLUSTER INFO")["cluster_state"] == "ok"
    )


def api(cluster: ClusterOf, replicas: int) -> House:
    """An API on the cluster."""
    config = Config(redis_url=cluster.urls, replicas=replicas)
    return House(create_app(config, call=lambda *_: None))


def test_a_master_dies_under_load_and_nothing_acknowledged_is_lost(own: ClusterOf) -> None:
    """TAPETE_REPLICAS=1. The dead master's games wait until it is back as a replica."""
    house = api(own, replicas=1)
    with Play(house, games=6) as play:
        play.go_on(10)
        master, replica = beside(own, play.games[0].id)
        master.kill()
        until(lambda: promoted(replica))
        master.start()
        own.healthy()
        play.go_on(10)
        # And back again: what was the replica dies.
        replica.kill()
        until(lambda: promoted(master))
        replica.start()
        own.healthy()
        play.go_on(10)
    play.check()
    assert set(play.refusals) == {"store_unavailable"}
    assert_nothing_is_lost_or_doubled(play, RedisStore(own.url))


def test_with_no_replica_asked_for_games_go_on_at_once_after_a_failover(own: ClusterOf) -> None:
    """TAPETE_REPLICAS=0: what the replica had not got is lost; here it had all."""
    store = RedisStore(own.urls, timeout=0.5)
    log = fill(store, "g", 5)
    master, replica = beside(own, "g")
    until(lambda: _offset(master) == _offset(replica))
    master.kill()
    with pytest.raises(StoreUnavailable):
        store.append("g", entry(6), head(log))
    until(lambda: promoted(replica))
    until(lambda: _goes(store, log))
    assert store.read("g").entries == tuple(log)
    assert store.follow("g", 5, 1)


def test_a_write_that_no_replica_has_is_not_acknowledged(own: ClusterOf) -> None:
    """Nor is it when it is tried again and found to be there; until a replica has it."""
    store = RedisStore(own.url, replicas=1, timeout=1)
    log = fill(store, "g", 2)
    master, replica = beside(own, "g")
    late = entry(3)
    with stopped(replica):
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match="0 of 1"):
                store.append("g", late, head(log))
    until(lambda: _offset(master) == _offset(replica))  # on a busy machine later than in a second
    store.append("g", late, head(log))
    store.append("g", log[1], log[0].hash)
    assert store.read("g").entries == (*log, late)


def test_an_answer_is_not_given_again_before_a_replica_has_the_command(own: ClusterOf) -> None:
    """Who gets 503 and asks again with the same key is answered from the log."""
    house = api(own, replicas=1)
    game, mover, _ = house.table()
    _, replica = beside(own, game)

    def draw() -> Any:
        headers = {"Idempotency-Key": "k"}
        path = f"/v1/games/{game}/commands"
        return mover.post(path, {"type": "draw"}, headers=headers).status_code

    with stopped(replica):
        assert [draw(), draw()] == [503, 503]
    assert draw() in (200, 201)


def test_a_game_is_not_opened_again_before_a_replica_has_it(own: ClusterOf) -> None:
    house = api(own, replicas=1)
    anna = house.guest("Anna")
    body = {"variant": "canasta", "seats": [{"kind": "human"}] * 2}

    def open_it() -> Any:
        return anna.post("/v1/games", body, headers={"Idempotency-Key": "k"})

    first = open_it()
    _, replica = beside(own, first.get_json()["id"])
    with stopped(replica):
        assert open_it().status_code == 503
    assert open_it().get_json()["id"] == first.get_json()["id"]


def test_what_the_new_master_does_not_have_is_forgotten(own: ClusterOf) -> None:
    """A process remembers three commands more than survive: it goes on from what is there."""
    tables = Tables(RedisStore(own.urls, timeout=0.5), lambda *_: None)
    house = api(own, replicas=0)
    game, mover, _ = house.table()
    kept = tables.load(game)
    master, replica = beside(own, game)
    until(lambda: _offset(master) == _offset(replica))
    replica.kill()
    mover.act(game, type="draw")
    ahead = tables.load(game)
    assert ahead.version == kept.version + 1
    master.kill()
    replica.start()
    until(lambda: promoted(replica))

    seat = ahead.game.to_act()
    assert seat is not None
    player = str(ahead.game.chairs[seat].player)

    def act(**more: Any) -> Any:
        return tables.act(game, player, lambda seat: ahead.game.legal(seat)[-1], **more)

    until(lambda: _answers(tables, game))
    with pytest.raises(Conflict):  # the bare store refuses to go on from a history that is gone
        RedisStore(own.urls).append(game, entry(ahead.version + 1), ahead.head)
    with pytest.raises(Moved) as moved:
        act(expected=ahead.version)
    assert moved.value.version == kept.version
    assert tables.load(game).head == kept.head
    # A web process that remembers as much plays on as well.
    assert mover.version(game) == kept.version
    mover.act(game, type="draw")
    assert mover.version(game) == kept.version + 1
    assert tables.load(game).version == kept.version + 1


def _offset(server: Server) -> int:
    told = server.info("replication")
    offset: int = told["master_repl_offset" if told["role"] == "master" else "slave_repl_offset"]
    return offset


def _goes(store: RedisStore, log: list[Entry]) -> bool:
    late = entry(len(log) + 1)
    try:
        store.append("g", late, head(log))
    except StoreUnavailable:
        return False
    log.append(late)
    return True


def _answers(tables: Tables, game: str) -> bool:
    try:
        tables.load(game)
    except StoreUnavailable:
        return False
    return True
