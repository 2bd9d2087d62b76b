"""Requests and answers of HTTP/1.1 as bytes: as much of it as the bench needs, and no more."""

import re
import socket
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


IDLE: Final = 1.0
"""Seconds after which a connection may have been hung up on; gunicorn does so after two."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer over HTTP, whole."""

    status: int
    head: bytes
    body: bytes


class LoadFailed(Exception):
    """The other side did not do what a measurement is about. Says what it answered."""


def request(
    method: str, path: str, token: str = "", body: bytes | None = None, **more: str
) -> bytes:
    """An HTTP/1.1 request as bytes; `If_Match` in `more` is the header If-Match."""
    lines = [f"{method} {path} HTTP/1.1", "Host: bench"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def whole(buffer: bytearray) -> Answer | None:
    """The answer at the beginning of what was received, which it is taken from; None if it is not
    all there.

    Raises:
        LoadFailed: the answer does not say how long it is.
    """
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    status = int(buffer[9:12])
    found = _LENGTH.search(buffer, 0, end + 2)
    if not found and status != 304:
        raise LoadFailed(bytes(buffer[:300]).decode(errors="replace"))
    stop = end + 4 + (int(found[1]) if found and status != 304 else 0)
    if len(buffer) < stop:
        return None
    answer = Answer(status, bytes(buffer[:end]), bytes(buffer[end + 4 : stop]))
    del buffer[:stop]
    return answer


class Line:
    """One connection that is kept, for one request after the other; a context manager.

    After a pause it is another one, for servers hang up on who is idle.
    """

    def __init__(self, base: str) -> None:
        where = urlsplit(base)
        self._where = where.hostname or "", where.port or 0
        self._socket = connected(self._where)
        self._used = time.monotonic()
        self._buffer = bytearray()

    def ask(self, asked: bytes) -> Answer:
        """The answer to a request.

        Raises:
            LoadFailed: it is an error, or breaks off.
        """
        if time.monotonic() - self._used > IDLE:
            self._socket.close()
            self._socket = connected(self._where)
        self._socket.sendall(asked)
        while (answer := whole(self._buffer)) is None:
            more = self._socket.recv(65_536)
            if not more:
                raise LoadFailed("the server hung up in the middle of an answer")
            self._buffer += more
        self._used = time.monotonic()
        return checked(answer, asked)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()


def connected(where: tuple[str, int]) -> socket.socket:
    client = socket.create_connection(where, timeout=30)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def ask(base: str, asked: bytes) -> Answer:
    """One request on a connection of its own. See `Line.ask`."""
    with Line(base) as line:
        return line.ask(asked)


def checked(answer: Answer, asked: bytes) -> Answer:
    """The answer, unless it is an error.

    Raises:
        LoadFailed: it is.
    """
    if answer.status >= 400:
        said, line = answer.body[:300].decode(errors="replace"), asked.split(b"\r\n")[0].decode()
        raise LoadFailed(f"{line}: {answer.status} {said}")
    return answer
