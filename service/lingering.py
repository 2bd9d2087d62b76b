"""What clients send beyond what is read of it: it is taken in for a while, so that answers arrive.

    answer ──► the rest of the body ──► the next request
                   └── too much, or gone bad ──► "no more from here" ──► what still comes ──► closed

Whoever closes a connection on which something still comes makes the system reset it, and the reset
overtakes the answer. And a client whose bytes come as quickly as they are read would never let
anybody else have a turn: a greenlet waits only where nothing is there.
"""

import socket
import time
from contextlib import suppress
from typing import Any, Final

import gevent  # type: ignore[import-untyped]
from gunicorn.http.body import LengthReader
from gunicorn.http.unreader import SocketUnreader

MOST: Final = 16 << 20
"""Bytes that are taken in and thrown away, each time."""

SECONDS: Final = 5.0
"""How long that may take, each time."""

TURN: Final = 8_192
"""Bytes of one client after which it is others' turn: in the shortest chunks some 10 ms."""

_PIECE: Final = 65_536


class Reader(SocketUnreader):  # type: ignore[misc]
    """Reads what a client sends, and lets others do something in between."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._since = 0

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Some bytes that have come; none at the end."""
        data: bytes = super().chunk(size_hint)
        self._since += len(data)
        if self._since >= TURN:
            self._since = 0
            _let_others()
        return data


def finished(body: Any) -> bool:
    """Whether the end of a request's body was come to, by reading on for a while."""
    if isinstance(body.reader, LengthReader) and not body.reader.length:
        return True  # as nearly always
    if body.failed:
        return False
    left = MOST
    with gevent.Timeout(SECONDS, False):
        try:
            while left > 0:
                part = body.read(min(left, _PIECE))
                if not part:
                    return True
                left -= len(part)
        except Exception:  # its client is gone, or it is no body
            return False
    return False


def linger(client: socket.socket) -> None:
    """Sends no more, and takes in for a while what still comes, or until the client ends, too."""
    left, until = MOST, time.monotonic() + SECONDS
    with suppress(OSError):
        client.shutdown(socket.SHUT_WR)
        while left > 0 and (wait := until - time.monotonic()) > 0:
            client.settimeout(wait)
            part = client.recv(_PIECE)
            if not part:
                return
            left -= len(part)
            _let_others()


def _let_others() -> None:
    """Goes on after a look at all sockets. `sleep(0)` would go on with what is ready, and look at
    none for up to a second."""
    gevent.idle(2)  # of the highest priority, so that others who are busy do not keep it
