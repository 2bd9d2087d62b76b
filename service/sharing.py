"""Which of the API's processes takes a connection: one that has no more of them than any other.

    somebody connects ──► both processes are told ┬► has the fewest ──► takes it
                                                  └► has more ──► a pause for the other, some times

All of them listen at one socket, and a system wakes who waited last: by itself, of 16 connections
that are kept one process had 11 or 12, often 15, and their requests waited for each other while the
other process had nothing to do.
"""

import mmap
import time
from typing import Any, Final

from gevent.server import StreamServer  # type: ignore[import-untyped]

PAUSE: Final = 0.002
"""Seconds for which a process leaves a connection to the others, each time."""

PAUSES: Final = 5
"""How often it does so: the others may be busy, or hang."""

FRESH: Final = 3.0
"""Seconds after which a process that has not said that it lives does not count."""

PLACES: Final = 64
"""Processes that are told apart: two with the same place are taken for one, and no harm is done."""


class Shares:
    """How many connections each process has, in memory that those share which were forked later."""

    def __init__(self) -> None:
        self._kept = memoryview(mmap.mmap(-1, 2 * 8 * PLACES)).cast("d")

    def sign(self, place: int, connections: int) -> None:
        """Says that a process lives, and how many connections it has."""
        self._kept[2 * place] = time.monotonic()
        self._kept[2 * place + 1] = connections

    def fewest(self, place: int) -> float:
        """How many the process has that has the fewest of all others; no others, no end."""
        since, kept = max(time.monotonic() - FRESH, 0.0), self._kept
        counts = [kept[2 * n + 1] for n in range(PLACES) if n != place and kept[2 * n] > since]
        return min(counts, default=float("inf"))


SHARES: Final = Shares()
"""Made before gunicorn forks."""


class Place:
    """One process's; its connections are counted here."""

    def __init__(self, number: int, shares: Shares = SHARES) -> None:
        self._shares = shares
        self._place = number % PLACES
        self.connections = 0

    def count(self, more: int) -> None:
        """So many connections more, or fewer; or just a sign of life."""
        self.connections += more
        self._shares.sign(self._place, self.connections)

    def crowded(self) -> bool:
        """Whether another process has fewer."""
        return self._shares.fewest(self._place) < self.connections


class Server(StreamServer):  # type: ignore[misc]
    """gevent's server, that leaves connections to other processes that have fewer."""

    place: Place
    """Of this process; the gateway sets it."""

    _paused = 0

    def do_read(self) -> Any:
        """Accepts a connection; None where there is none, or it is left to others."""
        if self._paused < PAUSES and self.place.crowded():
            self._paused += 1
            self.stop_accepting()
            self._timer = self.loop.timer(PAUSE)
            self._timer.start(self._start_accepting_if_started)
            return None
        self._paused = 0
        return super().do_read()
