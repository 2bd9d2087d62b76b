"""Everybody gets their own answers, whatever becomes of the connections."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

import pytest
import redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from service.store.exchange import Exchange
from service.store.redis import RedisStore
from tests.store.logs import entry, fill, head

SCRIPT = "return redis.call('ECHO', ARGV[1])"


@pytest.fixture
def admin(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as client:
        yield client


def connections(admin: redis.Redis, most: int = 8, timeout: float = 3.0) -> Exchange:
    pool = admin.connection_pool
    options = {**pool.connection_kwargs, "protocol": 2, "socket_timeout": timeout, "retry": None}
    return Exchange(lambda: pool.connection_class(**options), most, 0.05)


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    def pause(seconds: float) -> None:
        raise AssertionError(f"waited for {seconds} s")

    monkeypatch.setattr("service.store.exchange.time.sleep", pause)


def drop(admin: redis.Redis) -> None:
    """The server closes all connections but the admin's own."""
    admin.client_kill_filter(_type="normal", skipme=True)


def test_a_refusal_stands_in_the_place_of_its_answer(admin: redis.Redis) -> None:
    admin.set("text", "x")
    said = connections(admin).ask(
        [("ECHO", "a"), ("XRANGE", "text", "-", "+"), ("ECHO", "b"), ("NOSUCH",), ("GET", "none")]
    )
    assert [said[0], said[2], said[4]] == [b"a", b"b", None]
    assert isinstance(said[1], ResponseError)
    assert isinstance(said[3], ResponseError)


def test_a_script_that_the_server_forgot_is_sent_again(admin: redis.Redis) -> None:
    ours = connections(admin)
    for _ in range(2):
        asked = [("ECHO", "a"), ("EVAL", SCRIPT, 0, "b"), ("ECHO", "c"), ("EVAL", SCRIPT, 0, "d")]
        assert ours.ask(asked) == [b"a", b"b", b"c", b"d"]
        admin.script_flush()


@pytest.mark.usefixtures("no_pause")
def test_connections_that_the_server_closed_are_replaced_at_once(admin: redis.Redis) -> None:
    ours = connections(admin)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: ours.ask([("BLPOP", f"none {n}", 0.1)]), range(4)))
    drop(admin)
    for number in range(6):
        assert ours.ask([("ECHO", number)]) == [b"%d" % number]


def test_one_that_finds_no_connection_free_is_told(admin: redis.Redis) -> None:
    ours = connections(admin, most=1)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(ours.ask, [("BLPOP", "later", 3)])
        while admin.info("clients")["blocked_clients"] == 0:
            time.sleep(0.01)
        with pytest.raises(RedisConnectionError, match="no connection is free"):
            ours.ask([("PING",)])
        admin.rpush("later", "x")
        assert other.result() == [[b"later", b"x"]]
    assert ours.ask([("ECHO", "again")]) == [b"again"]


def test_an_answer_that_comes_too_late_is_nobodys(admin: redis.Redis) -> None:
    ours = connections(admin, timeout=0.1)
    with pytest.raises(redis.exceptions.TimeoutError):
        ours.ask([("BLPOP", "late", 3)])
    admin.rpush("late", *"abcd")
    for number in range(4):
        assert ours.ask([("ECHO", number), ("ECHO", "x")]) == [b"%d" % number, b"x"]


def test_many_threads_get_their_own_answers_while_connections_are_closed(
    admin: redis.Redis,
) -> None:
    ours, done, numbers = connections(admin, most=6, timeout=9.0), threading.Event(), count()
    right: list[int] = []

    def ask() -> None:
        while not done.is_set():
            mine = [b"%d" % next(numbers) for _ in range(3)]
            with suppress(RedisConnectionError):  # killed three times in a row, or none was free
                assert ours.ask([("ECHO", one) for one in mine]) == mine
                right.append(1)

    with ThreadPoolExecutor(8) as pool:
        asking = [pool.submit(ask) for _ in range(8)]
        for _ in range(20):
            goal = len(right) + 5  # between any two times, however busy the machine is
            while len(right) < goal and not any(each.done() for each in asking):
                time.sleep(0.01)
            drop(admin)
        done.set()
    for each in asking:
        each.result()
    assert len(right) >= 100


@pytest.mark.slow
def test_whoever_is_killed_in_the_middle_leaves_no_answer_behind(redis_url: str) -> None:
    """C21, under gevent as the service runs."""
    code = """
        from gevent import monkey
        monkey.patch_all()
        import sys, gevent, redis
        from service.store.link import Link
        from service.store.refusals import good

        link, admin = Link(sys.argv[1], 3.0), redis.Redis.from_url(sys.argv[1])
        assert link.ask(("ECHO", "first")) == [b"first"]
        for number in range(30):
            asking = [gevent.spawn(link.ask, ("BLPOP", "key", 2), ("ECHO", "no")) for _ in range(3)]
            gevent.sleep(0.005)
            gevent.killall(asking[:2])
            with gevent.Timeout(0.01, False):
                link.ask(("BLPOP", "another", 2))
            admin.rpush("key", number, number, number)
            mine = f"mine {number}".encode()
            assert link.ask(("ECHO", mine)) == [mine]
            assert asking[2].get() == [[b"key", b"%d" % number], b"no"]
            admin.delete("key")
        assert len(link._exchanges) == 1
        (ours,) = link._exchanges.values()
        assert len(ours._idle) < 4, ours._idle
    """
    code = "\n".join(line[8:] for line in code.splitlines())
    subprocess.run([sys.executable, "-c", code, redis_url], check=True, timeout=60)


@pytest.mark.slow
def test_whoever_is_killed_takes_no_place_with_them(redis_url: str) -> None:
    code = """
        from gevent import monkey
        monkey.patch_all()
        import sys, gevent, redis
        from redis.exceptions import ConnectionError
        from service.store.exchange import Exchange

        pool = redis.Redis.from_url(sys.argv[1]).connection_pool
        options = {**pool.connection_kwargs, "protocol": 2, "socket_timeout": 9, "retry": None}
        ours = Exchange(lambda: pool.connection_class(**options), 3, 0.002)

        def ask():
            while True:
                try:
                    ours.ask([("ECHO", "x")])
                except ConnectionError:  # no connection was free
                    pass

        for number in range(60):
            asking = [gevent.spawn(ask) for _ in range(30)]
            gevent.sleep(0.02 + 0.0002 * (number % 20))
            gevent.killall(asking)
        ours._patience = 1
        together = [gevent.spawn(ours.ask, [("BLPOP", "none", 0.5)]) for _ in range(3)]
        gevent.joinall(together, timeout=5)
        assert [one.value for one in together] == [[None]] * 3
    """
    code = "\n".join(line[8:] for line in code.splitlines())
    subprocess.run([sys.executable, "-c", code, redis_url], check=True, timeout=60)


def test_a_log_goes_on_when_the_server_forgets_the_scripts(
    redis_url: str, admin: redis.Redis
) -> None:
    store = RedisStore(redis_url)
    log = fill(store, "g", 2)
    admin.script_flush()
    assert store.read("g").entries == tuple(log)
    admin.script_flush()
    store.append("g", entry(3), head(log))
