"""Answers that break off in the middle: what is left of them is never taken for somebody else's."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import hiredis
import pytest
from redis.connection import Connection
from redis.exceptions import InvalidResponse

from service.store.exchange import Exchange
from tests.store.listening import Listening

TIMEOUT = 0.5
WHOLE = b"$1\r\na\r\n$1\r\nb\r\n"


class Breaking(Listening):
    """A server that echoes. Its first answer breaks off behind `part`, with `end` in its place.

    An end that is empty closes the connection; None leaves it open, and what is missing comes when
    somebody asks over another.
    """

    def __init__(self, part: bytes, end: bytes | None) -> None:
        self._part, self._end = part, end
        self._broken: socket.socket | None = None
        self.closed = threading.Event()
        super().__init__()

    def connection(self) -> Connection:
        return Connection(  # type: ignore[no-untyped-call]
            host="127.0.0.1", port=self.port, protocol=2,
            socket_timeout=TIMEOUT, retry=None,
        )  # fmt: skip

    def serve(self, client: socket.socket) -> None:
        reader = hiredis.Reader()
        with suppress(OSError), client:
            while data := client.recv(1 << 16):
                reader.feed(data)
                asked = [*iter(reader.gets, False)]
                if any(one[0] != b"ECHO" for one in asked):
                    client.sendall(b"+OK\r\n" * len(asked))
                elif self._broken is None:
                    self._broken = client
                    client.sendall(self._part + (self._end or b""))
                    if self._end == b"":
                        client.shutdown(socket.SHUT_RDWR)
                else:
                    with suppress(OSError):
                        self._broken.sendall(WHOLE[len(self._part) :])
                    client.sendall(b"".join(b"$%d\r\n%b\r\n" % (len(x), x) for _, x in asked))
        if client is self._broken:
            self.closed.set()


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.exchange.PAUSES", (0.0, 0.0))


@pytest.fixture
def broken(request: pytest.FixtureRequest) -> Iterator[Breaking]:
    server = Breaking(*request.param)
    yield server
    server.close()


BROKEN = [
    *((WHOLE[:place], b"") for place in range(len(WHOLE))),
    *((WHOLE[:place], None) for place in (7, 12)),
    *(
        (WHOLE[:7], end)
        for end in (b"?\r\n", b"-LOADING wait\r\n", b"-NOAUTH who\r\n", b"*1\r\n?\r\n")
    ),
]


@pytest.mark.sampled(5)
@pytest.mark.usefixtures("no_pause")
@pytest.mark.parametrize("broken", BROKEN, ids=repr, indirect=True)
def test_what_is_left_of_an_answer_that_broke_off_is_nobodys(broken: Breaking) -> None:
    ours = Exchange(broken.connection, 4, 1.0)
    with suppress(InvalidResponse):  # what is no answer is not asked for again
        assert ours.ask([("ECHO", "a"), ("ECHO", "b")]) == [b"a", b"b"]
    for one in (b"c", b"d"):
        assert ours.ask([("ECHO", one)]) == [one]
    assert broken.closed.wait(5)
    assert len(ours._idle) == 1
