"""One POST to one receiver: to an address that was checked, within a time, and no step further.

`http.client` of the standard library, on a connection that is made here. So nothing resolves the
name again, follows a redirect, keeps a cookie, asks a proxy of the environment or tries twice, as
clients that do more may. TLS is verified against the name of the host.
"""

import http.client
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Timer
from typing import Final, Literal

from service.webhooks.address import Target

Fault = Literal[
    "",
    "unresolved",
    "forbidden_address",
    "unreachable",
    "tls",
    "timeout",
    "bad_answer",
    "redirect",
    "status",
]
"""Why an attempt failed; empty when it did not. `status`: one that is no success."""

LATEST: Final = 86_400
"""The longest wait in seconds that a receiver may ask for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attempt.

    Attributes:
        status: the answer's, None when there was none.
        took: milliseconds.
        wait: seconds that the receiver asks us to wait (Retry-After of a 429 or 503).
    """

    status: int | None
    fault: Fault
    took: int = 0
    wait: int = 0


def send(
    to: Target,
    addresses: Sequence[str],
    body: bytes,
    headers: Mapping[str, str],
    seconds: float,
    context: ssl.SSLContext | None = None,
) -> Outcome:
    """Posts the body to the first of the addresses that takes a connection. Raises nothing of I/O.

    `seconds` is the time for all of it; `context` the trust to verify by, the system's without.
    """
    began = time.monotonic()
    line = _Line(to, context)
    # A receiver that sends a byte now and then would never run into a socket's own timeout.
    alarm = Timer(seconds, line.cut)
    alarm.daemon = True
    alarm.start()
    try:
        line.connect(addresses, began + seconds)
        status, wait = line.post(body, headers)
        fault = _judged(status)
    except (OSError, http.client.HTTPException, ValueError) as error:
        status, wait, fault = None, 0, "timeout" if line.late else _fault(error)
    finally:
        alarm.cancel()
        line.close()
    return Outcome(status, fault, round((time.monotonic() - began) * 1000), wait)


class _Unreachable(OSError):
    """No address took a connection."""


class _Line:
    """A connection that another thread may cut."""

    def __init__(self, to: Target, context: ssl.SSLContext | None) -> None:
        self._to = to
        self._context = context
        self._socket: socket.socket | None = None
        self.late = False

    def connect(self, addresses: Sequence[str], until: float) -> None:
        """Opens the connection, and TLS on it for https."""
        self._socket = self._opened(addresses, until)
        if self._to.scheme == "https":
            context = self._context or ssl.create_default_context()
            secure = context.wrap_socket(
                self._socket, server_hostname=self._to.host, do_handshake_on_connect=False
            )
            self._socket = secure
            secure.do_handshake()
        if self.late:
            raise TimeoutError

    def post(self, body: bytes, headers: Mapping[str, str]) -> tuple[int, int]:
        """The status of the answer, and the seconds that it asks us to wait."""
        secure = self._to.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(self._to.host, self._to.port)
        connection.sock = self._socket
        connection.auto_open = 0
        connection.request("POST", self._to.path, body, dict(headers))
        answer = connection.getresponse()
        if self.late:
            raise TimeoutError  # headers that were cut look like headers that ended
        # The body says nothing to us, and is left unread.
        later = answer.headers.get("Retry-After", "").strip()
        asked = answer.status in (429, 503) and later.isascii() and later.isdigit()
        return answer.status, min(int(later[:6]), LATEST) if asked else 0

    def cut(self) -> None:
        """Ends whatever the connection waits for."""
        self.late = True
        if self._socket is not None:
            with suppress(OSError):
                # Not the method of an SSLSocket, which drops its TLS while another thread uses it.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes the connection, if there is one."""
        if self._socket is not None:
            self._socket.close()

    def _opened(self, addresses: Sequence[str], until: float) -> socket.socket:
        for place, address in enumerate(addresses, 1):
            left = until - time.monotonic()
            # Half of what is left for each, so that one that is silent leaves time for the next.
            share = left if place == len(addresses) else left / 2
            if share <= 0:
                break
            try:
                made = socket.create_connection((address, self._to.port), timeout=share)
            except OSError as error:
                if isinstance(error, TimeoutError) and place == len(addresses):
                    raise
                continue
            made.settimeout(max(0.01, until - time.monotonic()))
            return made
        raise _Unreachable


def _judged(status: int) -> Fault:
    if 200 <= status < 300:
        return ""
    return "redirect" if 300 <= status < 400 else "status"


def _fault(error: Exception) -> Fault:
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "unreachable" if isinstance(error, _Unreachable) else "bad_answer"
