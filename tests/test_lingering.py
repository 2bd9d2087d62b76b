"""What comes beyond what is read: an answer arrives all the same, and others have their turn."""

import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gevent  # type: ignore[import-untyped]
import pytest
from gevent.socket import wait_read  # type: ignore[import-untyped]
from gunicorn.http.body import Body, ChunkedReader, LengthReader
from gunicorn.http.unreader import IterUnreader

from service import lingering
from service.lingering import Reader, finished, linger


class Fast:
    """A client whose next bytes are always there, in the shortest chunks."""

    def recv(self, _size: int) -> bytes:
        """Some whole chunks."""
        return b"1\r\nx\r\n" * 1000


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


def chunked(*parts: bytes) -> Body:
    return Body(ChunkedReader(SimpleNamespace(), IterUnreader(parts)))


def sized(length: int, *parts: bytes) -> Body:
    return Body(LengthReader(IterUnreader(parts), length))


def test_who_sends_as_quickly_as_one_reads_leaves_others_their_turn(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    theirs.sendall(b"x")
    turns = []

    def other() -> None:  # there is always something for it, too
        while True:
            wait_read(ours.fileno())
            turns.append(1)

    beside = gevent.spawn(other)
    body: Any = Body(ChunkedReader(SimpleNamespace(), Reader(Fast())))
    body.read(50_000)
    beside.kill()
    assert len(turns) > 20


@pytest.mark.parametrize(
    "body",
    [sized(0), sized(3, b"abc"), sized(9, b"abc"), chunked(b"3\r\nabc\r\n0\r\n\r\n")],
    ids=["none", "a length", "broken off", "chunks"],
)
def test_a_body_is_read_to_its_end(body: Any) -> None:
    assert finished(body)
    assert body.read() == b""


def test_one_without_an_end_is_read_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lingering, "MOST", 300_000)
    body = sized(10**9, *[b"x" * 100_000] * 10)
    assert not finished(body)
    assert len(body.read()) == 700_000


def test_one_that_is_no_body_has_no_end() -> None:
    body: Any = chunked(b"zz\r\n")
    for _ in range(2):
        assert not finished(body)


def test_who_ends_a_connection_reads_until_the_other_does(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair

    def send() -> None:
        theirs.sendall(b"x" * 10**6)
        theirs.close()

    sent = threading.Thread(target=send)
    sent.start()
    linger(ours)
    sent.join(10)
    assert ours.recv(1) == b""


def test_who_never_ends_is_left(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pair
    monkeypatch.setattr(lingering, "SECONDS", 0.02)
    linger(ours)
    assert theirs.recv(1) == b""  # nothing more is sent
    monkeypatch.setattr(lingering, "SECONDS", 5.0)
    monkeypatch.setattr(lingering, "MOST", 10)
    theirs.sendall(b"more than ten")
    linger(ours)
    ours.close()
    linger(ours)
