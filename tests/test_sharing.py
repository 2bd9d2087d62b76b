"""Connections go to the process that has the fewest; whoever hangs or is gone does not count."""

import socket
import time
from collections.abc import Iterator
from typing import Any

import gevent  # type: ignore[import-untyped]
import pytest

from service import sharing
from service.sharing import Place, Server, Shares


def test_who_has_more_than_another_is_crowded() -> None:
    shares = Shares()
    here, there = Place(1, shares), Place(2, shares)
    here.count(1)
    assert not here.crowded()  # nobody else is known
    there.count(0)
    assert here.crowded()
    assert not there.crowded()
    there.count(1)
    assert not here.crowded()
    here.count(-1)
    assert there.crowded()


def test_who_has_said_nothing_for_long_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = Shares()
    here, there = Place(1, shares), Place(2, shares)
    there.count(0)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + sharing.FRESH + 1)
    here.count(1)
    assert not here.crowded()
    there.count(0)
    assert here.crowded()


def test_the_place_of_who_is_gone_is_taken_over() -> None:
    shares = Shares()
    here, gone = Place(1, shares), Place(2, shares)
    gone.count(5)
    here.count(3)
    Place(2 + sharing.PLACES, shares).count(0)
    assert here.crowded()


@pytest.fixture
def listener() -> Iterator[Any]:
    given: Any = gevent.socket.socket()
    given.bind(("127.0.0.1", 0))
    given.listen(64)
    yield given
    given.close()


def serving(listener: Any, place: Place) -> Server:
    """As a worker of gunicorn's does it: a connection counts while it is served."""

    def serve(client: Any, _: object) -> None:
        place.count(1)
        client.recv(1)
        place.count(-1)

    made: Server = type("Here", (Server,), {"place": place})(listener, serve)
    made.max_accept = 1
    made.start()
    return made


def connected(to: Any, count: int) -> list[socket.socket]:
    """So many clients at once; the servers of this process have not looked yet."""
    return [socket.create_connection(to.getsockname()) for _ in range(count)]


def until(done: Any) -> None:
    with gevent.Timeout(30):
        while not done():
            gevent.sleep(0.001)


def test_of_all_each_of_two_has_half(listener: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "PAUSES", 10**9)
    monkeypatch.setattr(sharing, "FRESH", 10**9)
    shares = Shares()
    here, there = Place(1, shares), Place(2, shares)
    servers = [serving(listener, here)]
    clients = connected(listener, 6)
    until(lambda: here.connections == 6)
    there.count(0)
    servers.append(serving(listener, there))
    clients += connected(listener, 14)
    until(lambda: here.connections + there.connections == 20)
    assert (here.connections, there.connections) == (10, 10)
    for client in clients:
        client.close()
    until(lambda: here.connections + there.connections == 0)
    for server in servers:
        server.close()


def test_where_others_do_not_come_one_takes_it_all_the_same(
    listener: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "FRESH", 10**9)
    shares = Shares()
    here, hangs = Place(1, shares), Place(2, shares)
    hangs.count(0)
    server = serving(listener, here)
    clients = connected(listener, 5)
    until(lambda: here.connections == 5)
    assert hangs.connections == 0
    for client in clients:
        client.close()
    server.close()
