"""How a cluster is recognised, checked and done without, and what waits for replicas."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.cluster import RedisCluster

from service.config import Config
from service.embedded import EmbeddedServer
from service.servers import ServerError, check, seeds
from service.stack import Stack
from service.store import Player, StoreUnavailable
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople
from service.store.tokens import Token
from tests.cluster.servers import ClusterOf, until
from tests.ports import free_port
from tests.store.logs import entry, fill, head
from tests.store.proxy import Proxy
from tests.store.test_redis import EVERYTHING, run
from tests.test_play_through import open_game, wait_for_end

pytestmark = pytest.mark.slow


def test_any_server_of_a_cluster_leads_to_all(redis_url: str, cluster: ClusterOf) -> None:
    log = fill(RedisStore(redis_url), "g", 3)
    for server in cluster.servers:
        store = RedisStore(f"redis://127.0.0.1:{server.port}")
        assert store.read("g").entries == tuple(log)


def test_of_several_named_servers_one_is_enough(redis_url: str, cluster: ClusterOf) -> None:
    log = fill(RedisStore(redis_url), "g", 3)
    url = f"redis://127.0.0.1:{free_port()},127.0.0.1:{cluster.masters[2].port}/0"
    assert RedisStore(url).read("g").entries == tuple(log)
    assert len(check(url)) == len(check(redis_url)) == len(cluster.masters)


def test_several_servers_that_are_no_cluster_are_refused(redis_server: EmbeddedServer) -> None:
    """Which of them would hold the games?"""
    with Proxy(redis_server.url) as proxy:
        url = proxy.url.removesuffix("/0") + "," + proxy.url.removeprefix("redis://")
        with pytest.raises(StoreUnavailable, match="no cluster's"):
            RedisStore(url).ping()
        with pytest.raises(ServerError, match=r"^TAPETE_REDIS_URL: .* no cluster's$"):
            check(url)


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("redis://a:1,b:2/0?x=1,2", ["redis://a:1/0?x=1,2", "redis://b:2/0?x=1,2"]),
        ("rediss://u:p,@[::1]:1,b", ["rediss://u:p,@[::1]:1", "rediss://u:p,@b"]),
        ("unix:///a,b.sock?db=1", ["unix:///a,b.sock?db=1"]),
        ("redis://a", ["redis://a"]),
    ],
)
def test_the_servers_that_a_url_names(url: str, named: list[str]) -> None:
    assert seeds(url) == named
    assert Config.from_env({"TAPETE_REDIS_URL": url}).redis_url == url


def test_all_masters_are_looked_at(redis_url: str, cluster: ClusterOf) -> None:
    """A master without its replica would refuse every move."""
    said = check(redis_url, replicas=2)
    for master in cluster.masters:
        (line,) = [one for one in said if f":{master.port}/" in one and "TAPETE_REPLICAS" in one]
        assert "has 1 replicas" in line
    assert not [one for one in check(redis_url, replicas=1) if "TAPETE_REPLICAS" in one]


def test_a_cluster_has_one_database(redis_url: str) -> None:
    with pytest.raises(ServerError, match=r"(?i)database|DB index"):
        check(redis_url.removesuffix("/0") + "/1")


def test_jobs_are_refused_a_cluster_in_one_line(redis_url: str, tmp_path: Path) -> None:
    config = Config(redis_url=redis_url, queue_url=redis_url, embedded=False, port=0, data=tmp_path)
    with pytest.raises(ServerError, match=r"^TAPETE_QUEUE_URL: .* is a Redis Cluster") as refused:
        Stack(config, quiet=True).start()
    assert "\n" not in str(refused.value)


def test_the_whole_service_on_a_cluster_with_its_jobs_elsewhere(
    cluster: ClusterOf, redis_server: EmbeddedServer, tmp_path: Path
) -> None:
    config = Config(
        redis_url=cluster.urls,
        queue_url=redis_server.url,
        embedded=False,
        replicas=1,
        port=0,
        data=tmp_path,
        ai_pace=0.0,
        sweep_seconds=0.5,
    )
    with Stack(config, quiet=True) as stack:
        robots = [{"kind": "ai", "level": "novice"}] * 4
        game = open_game(stack.base_url, "botifarra", robots, target_score=50)
        assert wait_for_end(stack.base_url, game)["status"] == "finished"


def test_a_single_server_without_a_replica_acknowledges_nothing_when_asked_for_one(
    redis_server: EmbeddedServer,
) -> None:
    store = RedisStore(redis_server.url, prefix="one:", replicas=1, timeout=0.5)
    with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
        store.append("g", entry(1), "")
    with pytest.raises(StoreUnavailable, match="0 of 1 replicas"):
        RedisPeople(redis_server.url, prefix="one:", replicas=1, timeout=0.5).add(
            Player("p", "P"), Token("0" * 64)
        )


def test_a_single_server_with_a_replica(tmp_path: Path) -> None:
    with (
        EmbeddedServer(tmp_path / "a") as server,
        EmbeddedServer(tmp_path / "b") as copy,
        Proxy(server.url) as wire,
    ):
        admin = redis.Redis.from_url(server.url)
        other: Any = redis.Redis.from_url(copy.url)
        admin.config_set("repl-diskless-sync-delay", 0)  # else it waits for more of them
        other.execute_command("REPLICAOF", *wire.url[:-2].removeprefix("redis://").split(":"))
        until(lambda: "online" in str(admin.info("replication").get("slave0")))
        store = RedisStore(server.url, replicas=1)
        log = fill(store, "g", 3)
        store.append("g", log[1], log[0].hash)
        assert RedisStore(copy.url).read("g").entries == tuple(log)
        copy.kill()  # cut off from its master, it would take its time to end


def test_a_cluster_with_a_part_missing_is_unavailable(tmp_path: Path) -> None:
    """Every operation says so, and works again when all slots are served."""
    with ClusterOf(tmp_path) as cluster:
        store = RedisStore(cluster.url, timeout=0.5)
        people = RedisPeople(cluster.url, timeout=0.5)
        log = fill(store, "g", 3)
        cluster.masters[2].kill()
        told = [cluster.masters[0].client, cluster.masters[1].client]
        state = "cluster_state"
        until(lambda: all(one.execute_command("CLUSTER INFO")[state] == "fail" for one in told))
        done = 0
        for use in EVERYTHING:
            with suppress(StoreUnavailable):
                use(store, people)
                done += 1
        assert done == 1  # ping: the other servers answer
        cluster.masters[2].start()
        cluster.healthy()
        assert store.read("g").entries == tuple(log)
        store.append("g", entry(4), head(log))


def test_followers_share_a_connection_to_each_server(redis_url: str) -> None:
    """Under gevent as in the web process; meanwhile other work goes on."""
    run(
        """
        from gevent import monkey; monkey.patch_all()
        import sys, time, gevent
        from redis.cluster import RedisCluster
        from service.store import hearing
        from service.store.redis import RedisStore
        from tests.store.logs import fill

        hearing.LINGER = hearing.PAUSE = 0.2
        store = RedisStore(sys.argv[1], prefix="own:")
        admin = RedisCluster.from_url(sys.argv[1])

        def listening():
            asked = [one.redis_connection.execute_command for one in admin.get_primaries()]
            return sum(len(ask("PUBSUB", "SHARDCHANNELS", "own:*")) for ask in asked)

        def until(count):
            end = time.monotonic() + 10
            while listening() != count and time.monotonic() < end:
                gevent.sleep(0.02)
            assert listening() == count, listening()

        for _ in range(3):
            followers = [gevent.spawn(store.follow, f"g{n}", 0, 600) for n in range(200)]
            until(200)
            fill(store, f"other{time.monotonic()}", 20)
            gevent.killall(followers)
            until(0)
        followers = [gevent.spawn(store.follow, f"g{n}", 0, 600) for n in range(200)]
        until(200)
        for n in range(200):
            fill(store, f"g{n}", 1)
        assert all(one.get(timeout=10) for one in followers)
        (hearing,) = store._hearings.values()
        assert len(hearing._ears) <= len(admin.get_primaries())
        """,
        redis_url,
    )


def test_a_connection_that_another_thread_closed_is_one_more_that_failed(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """redis-py lets go of a socket that was just taken, and then registers None with `poll`."""

    def poll(*_: Any, **__: Any) -> None:
        raise TypeError("argument must be an int, or have a fileno() method")

    store = RedisStore(redis_url)
    store.ping()
    monkeypatch.setattr(RedisCluster, "_execute_command", poll)
    with pytest.raises(StoreUnavailable):
        store.read("g")
