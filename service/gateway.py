"""The gunicorn worker: its own error pages are problems too, its log keeps nobody's secrets, an
answer is sent in one piece and arrives whatever its client still sends (`lingering`), and it takes
no more connections than the other workers (`sharing`).

What gunicorn cannot read never reaches the app. By itself it would answer with a page of HTML,
log what was sent (tokens and invite codes included), and wait for ever for the rest of a body.
"""

import http
import json
import logging
import resource
import socket
from typing import Any, Final

from gunicorn import util
from gunicorn.http import parser, wsgi
from gunicorn.workers import ggevent

from service.garbage import settle
from service.lingering import Reader, finished, linger
from service.sharing import Place, Server

PATIENCE: Final = 15.0
"""Seconds that a client may be silent in the middle of a request."""

FILES: Final = 65_536
"""Files that a worker may have open, sockets included, where the system allows as many."""

_CODES: Final = {414: "uri_too_long", 431: "headers_too_large"}


class Worker(ggevent.GeventWorker):  # type: ignore[misc]
    """gunicorn's gevent worker, patient but not for ever."""

    def handle(self, listener: Any, client: socket.socket, addr: Any) -> None:
        """Serves one connection. GeventWorker's own `handle` would take the timeout away."""
        client.settimeout(PATIENCE)
        Server.place.count(1)
        try:
            super(ggevent.GeventWorker, self).handle(listener, client, addr)
        finally:
            Server.place.count(-1)

    def handle_request(self, listener: Any, req: Any, client: socket.socket, addr: Any) -> None:
        """Answers one request, and takes in what is left of it.

        Raises:
            StopIteration: it was the connection's last.
        """
        last = False
        try:
            super().handle_request(listener, req, client, addr)
        except StopIteration:
            last = True
        if not finished(req.body):
            linger(client)
            last = True
        if last:
            raise StopIteration

    def init_process(self) -> None:
        """Starts the worker's loop."""
        logging.getLogger("gunicorn.error").addFilter(discreet)
        # Many systems begin with 1,024 open files, though they allow more.
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        Server.place = Place(self.age)
        super().init_process()

    def notify(self) -> None:
        """Says that it lives, each second."""
        super().notify()
        Server.place.count(0)

    def load_wsgi(self) -> None:
        """Makes the app."""
        super().load_wsgi()
        settle()


FEW: Final = frozenset(
    (
        "Cache-Control",
        "Content-Security-Policy",
        "Content-Type",
        "Cross-Origin-Resource-Policy",
        "RateLimit-Policy",
        "Referrer-Policy",
        "Vary",
        "X-Content-Type-Options",
        "X-Frame-Options",
    )
)
"""Headers that stand on most answers, and have few values."""

_sound: set[tuple[str, str]] = set()
"""Those of them that gunicorn has found nothing wrong with, and sends as they are."""


class InOnePiece(wsgi.Response):  # type: ignore[misc]
    """An answer whose head goes out with the beginning of its body, by one call of the system."""

    sock: Any
    headers: list[tuple[str, str]]

    def should_close(self) -> bool:
        """Whether it is the last one of its connection, also since the body was none."""
        return bool(self.req.body.failed or super().should_close())

    def process_headers(self, headers: list[tuple[str, str]]) -> None:
        """Takes the app's headers over. gunicorn would look at each letter of the same ones again
        in every answer."""
        for header in headers:
            if header in _sound:
                self.headers.append(header)
                continue
            super().process_headers([header])
            if header[0] in FEW and self.headers[-1:] == [header]:
                _sound.add(header)

    def write(self, arg: bytes) -> None:
        """Sends a part of the body, the first one behind the head. gunicorn sends these apart."""
        if self.headers_sent:
            super().write(arg)
            return
        client, self.sock = self.sock, _Held()
        try:
            super().write(arg)
        finally:
            held, self.sock = self.sock.held, client
        client.sendall(held)


class _Held:
    """Keeps what would be sent to a client."""

    def __init__(self) -> None:
        self.held = b""

    def sendall(self, data: bytes) -> None:
        self.held += data


def discreet(record: logging.LogRecord) -> bool:
    """Keeps out of the log what clients sent, and says of a failed request only what failed."""
    if str(record.msg).startswith("Invalid request"):
        return False
    if str(record.msg).startswith(("Error handling request", "Socket error")):
        kind = record.exc_info[0] if record.exc_info else None
        record.msg = f"a request failed outside the app: {kind.__name__ if kind else 'no cause'}"
        record.args = ()
        record.exc_info = None
    return True


def write_problem(client: socket.socket, status: int, _reason: str, _detail: str) -> None:
    """Answers a request that gunicorn could not read, and says that the connection ends.

    gunicorn's own detail is left out: it repeats what was sent, tokens included.
    """
    if status == http.HTTPStatus.NOT_IMPLEMENTED:
        status = http.HTTPStatus.BAD_REQUEST  # a transfer coding that nobody knows
    phrase = http.HTTPStatus(status).phrase
    body = json.dumps(
        {
            "type": "about:blank",
            "title": phrase,
            "status": int(status),
            "detail": "The request is not HTTP that this server can read.",
            "code": _CODES.get(status, "bad_request" if status < 500 else "internal"),
        }
    )
    head = (
        f"HTTP/1.1 {int(status)} {phrase}\r\n"
        "Connection: close\r\n"
        "Content-Type: application/problem+json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    util.write_nonblock(client, (head + body).encode("ascii"))
    linger(client)


util.write_error = write_problem
wsgi.Response = InOnePiece
parser.SocketUnreader = Reader
ggevent.StreamServer = Server
