"""What goes wrong, one thing at a time and sometimes all at once."""

import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import redis

from service.embedded import EmbeddedServer
from service.stack import Stack


class Faults:
    """Kills, freezes and empties the parts of a running service; counts what it did."""

    def __init__(self, stack: Stack, server: EmbeddedServer, rng: random.Random) -> None:
        self._stack, self._server, self._rng = stack, server, rng
        self.done: Counter[str] = Counter()

    def strike(self) -> None:
        """Does one of all the things that can go wrong."""
        kinds: list[tuple[str, Callable[[], bool]]] = [
            ("API process killed", self._api_process),
            ("API process killed", self._api_process),
            ("API master killed", lambda: self._kill("api")),
            ("worker killed", lambda: self._kill("worker")),
            ("worker killed", lambda: self._kill("worker")),
            ("sweep killed", lambda: self._kill("sweep")),
            ("Redis killed", self._redis),
            ("Redis killed", self._redis),
            ("Redis frozen", self._freeze),
            ("queue emptied", self._empty_queue),
            ("all killed", self._everything),
        ]
        name, fault = self._rng.choice(kinds)
        if fault():
            self.done[name] += 1

    def _kill(self, part: str) -> bool:
        pids = [pid for name, pid in self._stack.pids.items() if name.startswith(part)]
        return bool(pids) and killed(self._rng.choice(pids))

    def _api_process(self) -> bool:
        master = self._stack.pids.get("api")
        serving = children(master) if master else []
        return bool(serving) and killed(self._rng.choice(serving))

    def _redis(self) -> bool:
        self._server.kill()
        time.sleep(self._rng.choice([0, 0, 0.3, 1.5]))
        self._server.start()
        return True

    def _freeze(self) -> bool:
        pid = self._server.pid
        if pid is None:
            return False
        os.kill(pid, signal.SIGSTOP)
        time.sleep(self._rng.uniform(0.5, 4.5))
        os.kill(pid, signal.SIGCONT)
        return True

    def _empty_queue(self) -> bool:
        with (
            contextlib.suppress(redis.RedisError),
            redis.Redis.from_url(self._server.url) as client,
        ):
            for key in client.scan_iter(match="rq:*", count=1000):
                client.delete(key)
            return True
        return False

    def _everything(self) -> bool:
        parts: list[Callable[[], bool]] = [
            lambda: self._kill("api"),
            lambda: self._kill("worker"),
            lambda: self._kill("sweep"),
            self._redis,
        ]
        self._rng.shuffle(parts)
        return sum(part() for part in parts) > 0


def killed(pid: int) -> bool:
    """Kills a process as a crash would; False if it was gone already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def children(pid: int) -> list[int]:
    """The processes that a process started (Linux)."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in listed.split()]
    except OSError:
        return []
