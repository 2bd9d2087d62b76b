"""A real receiver: an HTTP server in a thread that does what it is told and remembers all."""

import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from standardwebhooks.webhooks import Webhook

CERTIFICATE: Final = Path(__file__).parent / "bot.example.pem"
HOME: Final = (ip_network("127.0.0.0/8"),)


@dataclass
class Got:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """Its `webhook-id`."""
        return self.headers["webhook-id"]

    def verified(self, secret: str) -> Any:
        """The body, verified by the library that the standard's authors publish."""
        return Webhook(secret).verify(self.body, self.headers)


Do = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, **headers: str) -> Do:
    """Answers with that status."""

    def do(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()

    return do


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Sends a byte now and then, for ever: no single wait is long."""
    for letter in b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 10_000:
        handler.wfile.write(bytes([letter]))
        time.sleep(0.02)


def silence(handler: BaseHTTPRequestHandler) -> None:
    """Takes the message, and never answers."""
    time.sleep(1.0)


@dataclass
class Receiver:
    """Does what stands in `script`, one request after another, and then answers 204."""

    tls: bool = False
    script: list[Do] = field(default_factory=list)
    got: list[Got] = field(default_factory=list)

    def __post_init__(self) -> None:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.got.append(Got(self.path, headers, self.rfile.read(length)))
                do = receiver.script.pop(0) if receiver.script else answer(204)
                try:
                    do(self)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if self.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )

    @property
    def port(self) -> int:
        """Where it listens, on the loopback."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Where messages are to be sent."""
        return f"http://127.0.0.1:{self.port}/hook"

    def __enter__(self) -> Self:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
