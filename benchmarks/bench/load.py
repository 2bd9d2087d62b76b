"""Load: clients on connections that are kept, all in one thread, as light as Python can be.

    script ──► request ──► socket ──► answer ──► script   (one of them a client)

What a client asks next is up to its script, a generator that is given each answer and yields the
next request. One crowd drives ours and another the peer, by the same code and with bytes of the
same size, so what the load costs falls on both. Between two runs a script stands still: it goes on
with the request that it would have made next.
"""

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final
from urllib.parse import urlsplit

from benchmarks.bench.http1 import IDLE, Answer, LoadFailed, checked, connected, whole

PATIENCE: Final = 30.0
"""Seconds without any answer after which a run has failed."""

AGAIN: Final = 3
"""How often one request is made again of a server that hangs up on it."""

Script = Generator[bytes, Answer, None]


@dataclass(slots=True)
class Taken:
    """What a run brought: seconds that it took, and those of each answer."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds


@dataclass(slots=True, eq=False)
class _Client:
    script: Script
    due: bytes
    socket: socket.socket
    buffer: bytearray = field(default_factory=bytearray)
    since: float = 0.0
    used: float = 0.0
    hung_up: int = 0


class Crowd:
    """Clients of one server, one for each script.

    What scripts need that takes time, `ready` is to have ready: it is called before each run, since
    within one the load asks nothing meanwhile.
    """

    def __init__(
        self, base: str, scripts: Sequence[Script], ready: Callable[[], None] = lambda: None
    ) -> None:
        where = urlsplit(base)
        self._ready = ready
        ready()
        self._where = where.hostname or "", where.port or 0
        self._clients = [_Client(script, next(script), socket.socket()) for script in scripts]

    def run(self, seconds: float, rate: float | None = None, seed: int = 1) -> Taken:
        """Asks for so long and waits for the last answers.

        In a closed loop each client asks again at once. With `rate` requests come by themselves,
        so many a second and at random times (a Poisson process); one that finds no client free
        waits for it, and that counts as part of its latency.

        Raises:
            LoadFailed: an answer is an error, or none comes.
        """
        self._ready()
        self._connect()
        taken, begin = Taken(), time.perf_counter()
        end = begin + seconds
        arrivals = _arrivals(begin, end, rate, Random(seed)) if rate else None
        idle = deque(self._clients)
        coming = arrivals() if arrivals else begin
        asked = 0
        with selectors.DefaultSelector() as waiting:
            for client in self._clients:
                waiting.register(client.socket, selectors.EVENT_READ, client)
            while True:
                now = time.perf_counter()
                while idle and coming <= now and coming < end:
                    client = idle.popleft()
                    if arrivals and now - client.used > IDLE:
                        self._anew(client, waiting)
                    client.since = coming if arrivals else now
                    client.socket.sendall(client.due)
                    asked += 1
                    coming = arrivals() if arrivals else now
                if not asked and (now >= end or coming >= end):
                    break
                pause = PATIENCE if asked else 0.0
                if arrivals and idle and coming < end:
                    pause = max(0.0, coming - now)
                ready = waiting.select(pause)
                if not ready and pause == PATIENCE:
                    raise LoadFailed(f"no answer within {PATIENCE:.0f} s")
                for key, _ in ready:
                    if key.data in idle:
                        self._anew(key.data, waiting)  # hung up on, since it had nothing to ask
                    elif self._receive(key.data, waiting):
                        now = key.data.used = time.perf_counter()
                        taken.latencies.append(now - key.data.since)
                        idle.append(key.data)
                        asked -= 1
                        coming = coming if arrivals else now
        taken.seconds = time.perf_counter() - begin
        return taken

    def close(self) -> None:
        """Hangs up."""
        for client in self._clients:
            client.socket.close()
            client.script.close()

    def _connect(self) -> None:
        """Anew for each run: servers hang up after some idle seconds."""
        for client in self._clients:
            client.socket.close()
            client.socket = connected(self._where)
            client.buffer.clear()
            client.used = time.perf_counter()

    def _anew(self, client: _Client, waiting: selectors.BaseSelector) -> None:
        """Connects a client again."""
        waiting.unregister(client.socket)
        client.socket.close()
        client.socket = connected(self._where)
        client.used = time.perf_counter()
        waiting.register(client.socket, selectors.EVENT_READ, client)

    def _receive(self, client: _Client, waiting: selectors.BaseSelector) -> bool:
        """Reads what came; True when an answer is whole and the next request is known.

        A server that was kept from its work for two seconds hangs up before it looks at what
        came. It is asked again, as clients do; the time goes on.
        """
        more = _received(client.socket)
        if not more:
            client.hung_up += 1
            if client.buffer or client.hung_up > AGAIN:
                raise LoadFailed("the server hung up in the middle of an answer")
            self._anew(client, waiting)
            client.socket.sendall(client.due)
            return False
        client.hung_up = 0
        client.buffer += more
        answer = whole(client.buffer)
        if answer is None:
            return False
        client.due = client.script.send(checked(answer, client.due))
        return True


def _received(client: socket.socket) -> bytes:
    try:
        return client.recv(262_144)
    except ConnectionResetError:
        return b""


def _arrivals(begin: float, end: float, rate: float, rng: Random) -> Callable[[], float]:
    """Gives one time after the other; `end` when there are no more."""
    last = begin

    def coming() -> float:
        nonlocal last
        last += rng.expovariate(rate)
        return min(last, end)

    return coming


def percentile(values: Sequence[float], part: float) -> float:
    """The value that `part` of all values do not exceed (nearest rank)."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(part * len(ranked)))]
