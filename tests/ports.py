"""Ports for what starts later, or starts again, at a port that was named before."""

import random
import socket
from typing import Final

BELOW: Final = 32_768
"""Above it systems choose ports themselves, for every listener at 0 and every connection: what
was free there, or belonged to a server that was killed, may be another's a moment later."""

_given: set[int] = set()
_any: Final = random.Random()
"""Seeded by the system: other processes, and other runs, look elsewhere."""


def free_port() -> int:
    """A port of the loopback that nobody listens on, given to nobody else in this process."""
    while True:
        port = _any.randrange(10_000, BELOW)
        if port in _given:
            continue
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        _given.add(port)
        return port
