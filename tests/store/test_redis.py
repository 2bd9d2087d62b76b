"""What only a real server can do to us: lost answers, crashes, forks, foreign keys."""

import multiprocessing
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.connection import UnixDomainSocketConnection

from service.embedded import EmbeddedServer
from service.store import Conflict, Entry, Listing, Player, StoreUnavailable, Unreadable
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople
from service.store.tokens import Token
from tests.ports import free_port
from tests.store.logs import entry, fill, head
from tests.store.proxy import Fault, Proxy


def client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url)


@pytest.mark.parametrize("fault", ["cut", "silence"])
def test_a_lost_answer_neither_doubles_nor_fails_the_append(redis_url: str, fault: Fault) -> None:
    """C09."""
    with Proxy(redis_url) as proxy:
        store = RedisStore(proxy.url, timeout=0.3)
        log = fill(store, "g", 2)
        proxy.lose(fault)
        log.append(entry(3))
        store.append("g", log[2], log[1].hash)
        assert proxy.lost.is_set()
        assert store.read("g").entries == tuple(log)


def test_a_lost_answer_is_known_again_after_others_moved_on(redis_url: str) -> None:
    """The writer gave up, somebody else went on, and the writer asks again."""
    with Proxy(redis_url) as proxy:
        store, other = RedisStore(proxy.url), RedisStore(redis_url)
        log = fill(store, "g", 2)
        log.append(entry(3))
        other.append("g", log[2], log[1].hash)
        log.append(entry(4))
        other.append("g", log[3], log[2].hash)
        store.append("g", log[2], log[1].hash)
        assert store.read("g").entries == tuple(log)


def test_a_lost_answer_to_a_read_is_asked_for_again(redis_url: str) -> None:
    with Proxy(redis_url) as proxy:
        store = RedisStore(proxy.url, timeout=0.3)
        log = fill(store, "g", 2)
        proxy.lose("silence")
        assert store.read("g").entries == tuple(log)


def test_a_restarted_server_is_found_again(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        store = RedisStore(server.url)
        log = fill(store, "g", 2)
        assert not store.follow("g", 2, 0.01)
        server.kill()
        server.start()
        assert store.read("g").entries == tuple(log)
        store.append("g", entry(3), head(log))
        assert store.follow("g", 2, 1)


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """AOF everysec: `kill -9` loses no write that was answered, only a power cut may."""
    journal: dict[str, list[Entry]] = {f"g{number}": [] for number in range(4)}
    done = threading.Event()
    with EmbeddedServer(tmp_path) as server:
        store = RedisStore(server.url)

        def write(game: str) -> None:
            mine = journal[game]
            fresh = None
            while not done.is_set():
                fresh = fresh or entry(len(mine) + 1)
                try:
                    store.append(game, fresh, head(mine))
                except StoreUnavailable:
                    continue
                mine.append(fresh)
                fresh = None

        with ThreadPoolExecutor() as pool:
            writers = [pool.submit(write, game) for game in journal]
            try:
                for _ in range(3):
                    grow(journal, 20)
                    server.kill()
                    server.start()
                grow(journal, 20)
            finally:
                done.set()
        for writer in writers:
            writer.result()
        for game, acknowledged in journal.items():
            kept = store.read(game).entries
            assert len(acknowledged) >= 80
            assert kept[: len(acknowledged)] == tuple(acknowledged)
            assert len(kept) <= len(acknowledged) + 1


def grow(journal: dict[str, list[Entry]], count: int) -> None:
    """Returns when so many more of each are acknowledged, on any machine."""
    goals = {game: len(mine) + count for game, mine in journal.items()}
    until = time.monotonic() + 60
    while any(len(journal[game]) < goal for game, goal in goals.items()):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_history_that_is_gone_is_not_gone_on_with(redis_url: str) -> None:
    """After a failover the log may be shorter than what a process remembers."""
    store = RedisStore(redis_url)
    log = fill(store, "g", 5)
    client(redis_url).delete("game:{g}:log")
    for kept, prev in zip(log[:3], ["", *(one.hash for one in log)], strict=False):
        store.append("g", kept, prev)
    with pytest.raises(Conflict):
        store.append("g", entry(6), log[4].hash)
    log[3:] = [entry(4)]
    store.append("g", log[3], log[2].hash)
    assert store.read("g").entries == tuple(log)


def test_without_hearing_one_looks(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that lets nobody subscribe, as some users of an ACL may not."""
    monkeypatch.setattr("service.store.hearing.DEAF", 0.05)
    monkeypatch.setattr("service.store.hearing.Ear._listen", lambda *_: None)
    store = RedisStore(redis_url)
    assert not store.follow("g", 0, 0.3)
    timer = threading.Timer(0.3, lambda: fill(store, "g", 1))
    timer.start()
    assert store.follow("g", 0, 30)
    timer.join()


EVERYTHING: list[Callable[[RedisStore, RedisPeople], object]] = [
    lambda store, _: store.append("g", entry(1), ""),
    lambda store, _: store.read("g"),
    lambda store, _: store.follow("g", 0, 5),
    lambda store, _: store.mark(Listing("g", 1), "waiting", True, ["p"]),
    lambda store, _: list(store.unfinished()),
    lambda store, _: store.listed("waiting", None, Listing("g", 1), 5),
    lambda store, _: list(store.rebuild()),
    lambda store, _: store.ping(),
    lambda _, people: people.add(Player("p", "P"), Token("0" * 64)),
    lambda _, people: people.by_token("0" * 64),
    lambda _, people: people.known(["p"]),
    lambda _, people: people.tokens("p"),
    lambda _, people: people.revoke("p", "0" * 64),
    lambda _, people: people.take("0" * 64),
]


@pytest.mark.slow
@pytest.mark.parametrize("use", EVERYTHING)
@pytest.mark.parametrize("kind", ["refused", "no socket"])
def test_no_server_is_said_soon_and_without_a_password(
    use: Callable[[RedisStore, RedisPeople], object], kind: str, tmp_path: Path
) -> None:
    url = f"redis://:hush@127.0.0.1:{free_port()}/0"
    if kind == "no socket":
        url = f"unix://:hush@{tmp_path}/none.sock"
    began = time.monotonic()
    with pytest.raises(StoreUnavailable) as failed:
        use(RedisStore(url), RedisPeople(url))
    assert time.monotonic() - began < 3
    assert "hush" not in str(failed.value)


@pytest.mark.slow
@pytest.mark.parametrize("use", EVERYTHING)
def test_a_server_that_hangs_is_given_up(
    use: Callable[[RedisStore, RedisPeople], object],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        began = time.monotonic()
        with pytest.raises(StoreUnavailable):
            use(RedisStore(url, timeout=0.1), RedisPeople(url, timeout=0.1))
        assert time.monotonic() - began < 5


@pytest.mark.slow
def test_a_unix_socket_that_lets_nobody_in_is_unavailable(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert redis_url.startswith("unix:")
    store = RedisStore(redis_url)
    store.ping()

    def late(_connection: UnixDomainSocketConnection) -> socket.socket:
        raise TimeoutError("timed out")  # too many wait to be let in

    monkeypatch.setattr(UnixDomainSocketConnection, "_connect", late)
    store.link.client.connection_pool.disconnect()
    with pytest.raises(StoreUnavailable):
        store.ping()
    with pytest.raises(StoreUnavailable):
        store.read("g")
    with pytest.raises(StoreUnavailable):
        RedisStore(redis_url).ping()


@pytest.mark.slow
def test_waiting_longer_than_for_any_answer_is_no_failure(redis_url: str) -> None:
    store = RedisStore(redis_url, timeout=0.1)
    log = fill(store, "g", 1)
    began = time.monotonic()
    assert not store.follow("g", 1, 0.5)
    assert 0.5 <= time.monotonic() - began < 5
    timer = threading.Timer(0.4, lambda: store.append("g", entry(2), head(log)))
    timer.start()
    assert store.follow("g", 1, 30)
    timer.join()


def test_a_server_without_memory_is_unavailable_and_nothing_is_written(redis_url: str) -> None:
    store, admin = RedisStore(redis_url), client(redis_url)
    log = fill(store, "g", 1)
    admin.config_set("maxmemory", 1)
    try:
        with pytest.raises(StoreUnavailable, match="OOM"):
            store.append("g", entry(2), head(log))
        assert store.read("g").entries == tuple(log)
    finally:
        admin.config_set("maxmemory", 0)


def test_a_server_that_lacks_replicas_is_unavailable_for_lists_too(redis_url: str) -> None:
    store = RedisStore(redis_url)
    with client(redis_url) as admin:
        admin.config_set("min-replicas-to-write", 1)
        try:
            with pytest.raises(StoreUnavailable):
                store.mark(Listing("g", 1), "waiting", True, ["p"])
            with pytest.raises(StoreUnavailable):
                store.append("g", entry(1), "")
        finally:
            admin.config_set("min-replicas-to-write", 0)


def test_a_foreign_key_is_an_error_for_reader_and_writer(redis_url: str) -> None:
    store = RedisStore(redis_url)
    client(redis_url).set("game:{g}:log", "not a stream")
    for use in (
        lambda: store.read("g"),
        lambda: store.append("g", entry(1), ""),
        lambda: store.follow("g", 0, 1),
    ):
        with pytest.raises(Unreadable, match="WRONGTYPE"):
            use()


OURS = {"l": "x", "h": "x", "a": "x", "m": "{}"}


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        *[("3-0", {k: v for k, v in OURS.items() if k != name}) for name in OURS],
        ("3-0", OURS | {"m": "no json"}),
        ("3-0", OURS | {"m": '{"other":"x"}'}),
        ("3-0", OURS | {"m": '{"key":1}'}),
        ("3-0", OURS | {"a": b"\xff"}),
        ("3-1", OURS),
        ("4-0", OURS),
        ("1764452345123-0", OURS),
    ],
)
def test_a_log_is_read_up_to_a_malformed_entry(
    redis_url: str, place: str, fields: dict[Any, Any]
) -> None:
    store = RedisStore(redis_url)
    fill(store, "g", 2)
    client(redis_url).xadd("game:{g}:log", fields, id=place)
    reading = store.read("g")
    assert reading.broken
    assert len(reading.entries) == 2
    assert not store.read("g", 1, 2).broken


@pytest.mark.parametrize(("place", "fields"), [("3-1", OURS), ("3-0", {"x": "y"})])
def test_nothing_is_written_after_a_malformed_entry(
    redis_url: str, place: str, fields: dict[Any, Any]
) -> None:
    store = RedisStore(redis_url)
    fill(store, "g", 2)
    client(redis_url).xadd("game:{g}:log", fields, id=place)
    with pytest.raises(Unreadable):
        store.append("g", entry(4), "x")
    assert client(redis_url).xlen("game:{g}:log") == 3


@pytest.mark.parametrize("length", [5, 500])
def test_a_log_is_read_up_to_a_hole(redis_url: str, length: int) -> None:
    store = RedisStore(redis_url)
    fill(store, "g", length)
    client(redis_url).xdel("game:{g}:log", f"{length - 2}-0")
    reading = store.read("g")
    assert f"{length - 1}-0 stands where {length - 2}-0" in reading.broken
    assert len(reading.entries) == length - 3
    client(redis_url).xtrim("game:{g}:log", minid="4-0", approximate=False)
    reading = store.read("g")
    assert "stands where 1-0" in reading.broken
    assert not reading.entries


def test_what_redis_holds_of_a_game(redis_url: str) -> None:
    """The layout: a change of it needs a way to read the old one."""
    store = RedisStore(redis_url, prefix="x:")
    one = entry(1, key="k")
    store.append("g", one, "")
    store.mark(Listing("g", 1_764_452_345_123), "waiting", True, ["p"])
    admin = redis.Redis.from_url(redis_url, decode_responses=True)
    assert sorted(admin.keys()) == [
        "x:game:{g}:log",
        "x:games:waiting",
        "x:lobby:waiting",
        "x:player:{p}:busy",
        "x:player:{p}:games",
    ]
    fields = {"l": one.line.decode(), "h": one.hash, "a": one.meta.attempt, "m": '{"key":"k"}'}
    assert admin.xrange("x:game:{g}:log") == [("1-0", fields)]
    for key in ("x:games:waiting", "x:lobby:waiting", "x:player:{p}:games"):
        assert admin.zscore(key, "g") == 1_764_452_345_123


def test_prefixes_do_not_meet(redis_url: str) -> None:
    one, other = RedisStore(redis_url, prefix="a:"), RedisStore(redis_url, prefix="[ab]:")
    fill(one, "g", 1)
    assert other.read("g").entries == ()
    assert list(other.rebuild()) == []
    assert list(one.rebuild()) == ["g"]


def test_settings_in_the_url_do_not_undo_ours(redis_url: str) -> None:
    url = redis_url + "?decode_responses=True&socket_timeout=0.01&protocol=3"
    store = RedisStore(url)
    log = fill(store, "g", 2)
    assert store.read("g").entries == tuple(log)
    assert not store.follow("g", 2, 0.3)


@pytest.mark.slow
def test_nothing_is_opened_at_import_or_construction() -> None:
    """C21: what a master process opens, its workers share."""
    run(
        """
        import socket, threading

        class Forbidden(socket.socket):
            def __init__(self, *args, **kwargs):
                raise AssertionError("a socket was opened")

        socket.socket = Forbidden
        from service.store.redis import RedisStore
        from service.store.redis_people import RedisPeople
        for url in ("redis://127.0.0.1:1/0", "unix:///nowhere"):
            RedisStore(url), RedisPeople(url)
        assert threading.active_count() == 1
        """
    )


def test_a_fork_has_connections_of_its_own(redis_url: str) -> None:
    store = RedisStore(redis_url)
    fill(store, "g0", 1)
    assert not store.follow("g0", 1, 0.01)
    fork = multiprocessing.get_context("fork")
    children = [fork.Process(target=_write_own, args=(store, f"g{n}")) for n in range(1, 5)]
    for child in children:
        child.start()
    _write_own(store, "g5")
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert len(store.read("g0").entries) == 1


def _write_own(store: RedisStore, game: str) -> None:
    for _ in range(3):
        log = list(store.read(game).entries)
        for _ in range(50):
            log.append(entry(len(log) + 1, game))
            store.append(game, log[-1], head(log[:-1]))
            assert store.read(game, len(log)).entries == (log[-1],)
        assert store.follow(game, len(log) - 1, 5)
    assert len(log) == 150


@pytest.mark.slow
def test_followers_share_a_connection_and_leave_nothing_behind(redis_url: str) -> None:
    """C20, under gevent as in the web process; meanwhile other work goes on."""
    run(
        """
        from gevent import monkey; monkey.patch_all()
        import sys, time, gevent, redis
        from service.store import hearing
        from service.store.redis import RedisStore
        from tests.store.logs import fill

        hearing.LINGER = hearing.PAUSE = 0.2
        store, admin = RedisStore(sys.argv[1], prefix="own:"), redis.Redis.from_url(sys.argv[1])

        def listening():
            return len(admin.execute_command("PUBSUB", "SHARDCHANNELS", "own:*"))

        def until(count):
            end = time.monotonic() + 10
            while listening() != count and time.monotonic() < end:
                gevent.sleep(0.02)
            assert listening() == count, listening()

        for _ in range(3):
            followers = [gevent.spawn(store.follow, f"g{n % 100}", 0, 600) for n in range(200)]
            until(100)
            fill(store, f"other{time.monotonic()}", 20)
            gevent.killall(followers)
            until(0)
        followers = [gevent.spawn(store.follow, f"g{n % 100}", 0, 600) for n in range(200)]
        until(100)
        for n in range(100):
            fill(store, f"g{n}", 1)
        assert all(one.get(timeout=10) for one in followers)
        until(0)
        (hearing,) = store._hearings.values()
        assert not hearing._told and [*hearing._ears] == [""]
        """,
        redis_url,
    )


def run(program: str, *arguments: str) -> None:
    """Runs a program in a Python of its own, from the project's folder."""
    lines = program.splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    text = "\n".join(line[indent:] for line in lines)
    done = subprocess.run(
        [sys.executable, "-c", text, *arguments],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_what_this_process_wrote_it_need_not_look_for(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a look was under way that had not seen it yet."""
    # Nobody listens: it may be heard before it is known, which is worth a look.
    monkeypatch.setattr("service.store.hearing.Hearing._see_to", lambda *_: None)
    monkeypatch.setattr("service.store.hearing.DEAF", 60.0)
    store = RedisStore(redis_url)
    log = fill(store, "g", 1)
    looks: list[int] = []
    looking, go_on = threading.Event(), threading.Event()

    def length() -> int:
        looks.append(1)
        if len(looks) == 1:
            looking.set()
            go_on.wait(10)
        return 1

    with ThreadPoolExecutor(2) as pool:
        following = [pool.submit(store.follow, "g", 1, 10, length) for _ in range(2)]
        assert looking.wait(10)
        store.append("g", entry(2), head(log))
        go_on.set()
        # What a look found before the entry was written does not take it back.
        assert all(one.result(20) for one in following)


def test_what_others_wrote_is_found_by_the_look_that_was_asked_for(redis_url: str) -> None:
    here, there = RedisStore(redis_url), RedisStore(redis_url)
    log = fill(here, "g", 1)
    looks: list[int] = []

    def length() -> int:
        looks.append(len(here.read("g").entries))
        return looks[-1]

    with ThreadPoolExecutor(8) as pool:
        following = [pool.submit(here.follow, "g", 1, 30, length) for _ in range(8)]
        time.sleep(0.5)
        there.append("g", entry(2), head(log))
        assert all(one.result(20) for one in following)
    assert looks[-1] == 2
    assert len(looks) < 8
