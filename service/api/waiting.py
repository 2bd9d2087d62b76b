"""How many streams and long polls are open, and whether somebody is still there to answer.

Each holds a connection of the API. So each player has a few, each process some thousand, and one
whose client went away ends within seconds.
"""

import select
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from flask import request
from gevent.monkey import get_original  # type: ignore[import-untyped]

from service.api.problems import Problem

SLICE: Final = 2.0
"""Seconds after which a poll looks whether its client is there."""


# The system's own, since gevent's makes a watcher for each look; and `select` knows no file beyond
# the first 1,024.
_POLL: Final = get_original("select", "poll")


class Waiting:
    """The streams and long polls of one process: `each` for a player, `most` in all."""

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._open: Counter[str] = Counter()
        self._all = 0
        self._lock = Lock()
        self.told: Callable[[int], object] = lambda _: None
        """Is called with how many are open whenever that changes."""

    def take(self, player: str) -> Callable[[], None]:
        """Counts one of the player's; what is returned gives its place back, once.

        Raises:
            Problem: 429, the player or the process has too many.
        """
        with self._lock:
            if self._open[player] >= self._each or self._all >= self._most:
                raise Problem("too_many_polls")
            self._open[player] += 1
            self._all += 1
            self.told(self._all)
        taken = [player]

        def release() -> None:
            with self._lock:
                for name in taken:
                    self._open[name] -= 1
                    self._all -= 1
                    if not self._open[name]:
                        del self._open[name]
                taken.clear()
                self.told(self._all)

        return release

    @contextmanager
    def place(self, player: str) -> Iterator[None]:
        """Counts one while it lasts. Raises as `take` does."""
        release = self.take(player)
        try:
            yield
        finally:
            release()


def client_gone() -> bool:
    """Whether the client hung up; False where the server does not show its socket."""
    client: socket.socket | None = request.environ.get("gunicorn.socket")
    try:
        if client is None:
            return False
        look = _POLL()
        look.register(client, select.POLLIN)
        return bool(look.poll(0)) and not client.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True
