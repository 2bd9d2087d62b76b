"""What idle streams cost, and whether they slow anybody: `python -m benchmarks.streams`.

The real stack with two API processes and no computer players. The same commands are given one at
a time with no stream open and with all of them, in turn, several times over: so what else the
machine does falls on both. Then all streams are told of something at once. Linux only (`/proc`).

    memory      resident memory of the API's processes beyond that without streams, a stream
    processor   what the API's processes and Redis need while nothing happens, of one core
    p50, p95    milliseconds of a POST command, alone and beside the streams, and their ratio
"""

import argparse
import resource
import selectors
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import redis

from benchmarks.measures import Fields, spent, table
from benchmarks.rates import Person
from service.config import Config
from service.stack import Stack

EACH: Final = 8
"""Streams of one player, and of one game."""

SEATS: Final = [{"kind": "human"}] * 2


def resident(pid: int) -> float:
    """Kilobytes of a process and its children that are no other's too."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    own = sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_"))
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(resident(int(child)) for child in children)


class Streams:
    """Many open streams whose ends are here: sockets that are read and forgotten."""

    def __init__(self, base: str) -> None:
        where = urlsplit(base)
        self._where = where.hostname or "", where.port or 0
        self._open: list[socket.socket] = []

    def open(self, game: str, token: str) -> None:
        """Opens one and waits for its view."""
        client = socket.create_connection(self._where, timeout=60)
        client.sendall(
            f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: b\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {token}\r\n\r\n".encode()
        )
        told = b""
        while b"event: view" not in told:
            told += (more := client.recv(65536))
            if not more or b" 200 " not in told[:20]:
                raise RuntimeError(told[:300].decode())
        self._open.append(client)

    def drain(self) -> None:
        """Takes what has come so far; all must be open still."""
        for client in self._open:
            client.setblocking(False)
            try:
                while client.recv(65536):
                    pass
                raise RuntimeError("a stream was closed")
            except BlockingIOError:
                pass

    def told(self, word: bytes, seconds: float) -> list[float]:
        """The times at which each was told something with that word; as many as come in time."""
        times, until = [], time.monotonic() + seconds
        with selectors.DefaultSelector() as waiting:
            for client in self._open:
                waiting.register(client, selectors.EVENT_READ)
            while waiting.get_map() and time.monotonic() < until:
                for key, _ in waiting.select(0.5):
                    if word in key.fileobj.recv(65536):  # type: ignore[union-attr]
                        times.append(time.monotonic())
                        waiting.unregister(key.fileobj)
        return times

    def close(self) -> None:
        for client in self._open:
            client.close()
        self._open.clear()


def commands(base: str, seconds: float) -> list[float]:
    """Milliseconds of each of the commands that two people give, as fast as they are answered."""
    pair = [Person(base), Person(base)]
    for person, name in zip(pair, ("Ada", "Ben"), strict=True):
        person.join(name)
    times: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        game = pair[0].call("POST", "/games", {"variant": "canasta", "seats": SEATS})["id"]
        pair[1].call("POST", f"/games/{game}/seats", {})
        for _ in range(40):
            if time.monotonic() > end:
                break
            (seat,) = pair[0].call("GET", f"/games/{game}")["to_act"] or (None,)
            if seat is None:
                break
            allowed = pair[seat].call("GET", f"/games/{game}/commands")["commands"]
            began = time.monotonic()
            pair[seat].call("POST", f"/games/{game}/commands", allowed[0])
            times.append((time.monotonic() - began) * 1000)
    for person in pair:
        person.hang_up()
    return times


def quantiles(times: Sequence[float]) -> tuple[float, float]:
    """The median and the value that one in twenty exceeds."""
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def main(arguments: Sequence[str]) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="run streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args(arguments)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        config = Config(port=0, data=Path(folder), api_workers=2, workers=0, sweep_seconds=600.0)
        # Two processes share a port by chance, not evenly.
        config = replace(config, streams=asked.streams, streams_each=asked.streams)
        # One guest is all the audience, and one host has all the tables.
        config = replace(config, rates=(), open_games=10**6)
        with Stack(config) as stack:
            _measure(stack, asked.streams, asked.seconds, asked.turns)
    print(f"Python {sys.version.split()[0]}")
    return 0


def _measure(stack: Stack, count: int, seconds: float, turns: int) -> None:
    base, pids = stack.base_url, stack.pids
    host = Person(base)
    host.join("Host")
    games = [
        host.call("POST", "/games", {"variant": "canasta", "seats": SEATS})["id"]
        for _ in range(max(1, count // EACH))
    ]
    guest = Person(base)
    token = guest.call("POST", "/players", {"name": "Guest"})["token"]
    streams, admin = Streams(base), redis.Redis.from_url(stack.redis_url)
    commands(base, 3)  # warm up
    alone: list[float] = []
    beside: list[float] = []
    rows: list[Fields] = []
    for _ in range(turns):
        alone += (quiet := commands(base, seconds))
        before, connections = resident(pids["api"]), len(admin.client_list())
        began = time.monotonic()
        for number in range(count):
            streams.open(games[number % len(games)], token)
        opened = time.monotonic() - began
        time.sleep(20)  # what opening left to do, and heartbeats come evenly from then on
        memory = resident(pids["api"]) - before
        cost = {name: spent(pids[name]) for name in ("api", "redis")}
        time.sleep(30)
        cost = {name: (spent(pids[name]) - was) / 300 for name, was in cost.items()}
        listening = len(admin.client_list()) - connections
        beside += (busy := commands(base, seconds))
        streams.drain()
        print(f"opened in {opened:.0f} s, {memory / count:.1f} kB, {cost}", file=sys.stderr)
        rows.append(
            {
                "streams": count,
                "opened a second": round(count / opened),
                "kB a stream": round(memory / count, 1),
                "API, idle, of a core": f"{cost['api']:.1f} %",
                "Redis": f"{cost['redis']:.1f} %",
                "connections of Redis more": listening,
                "p50 alone": round(quantiles(quiet)[0], 2),
                "p50 beside": round(quantiles(busy)[0], 2),
            }
        )
        if len(rows) < turns:
            streams.close()
            time.sleep(12)
    table(rows)
    (low, high), (low_beside, high_beside) = quantiles(alone), quantiles(beside)
    table(
        [
            {"ms of a command": "p50", "alone": round(low, 2), "beside": round(low_beside, 2),
             "ratio": round(low_beside / low, 2)},
            {"ms of a command": "p95", "alone": round(high, 2), "beside": round(high_beside, 2),
             "ratio": round(high_beside / high, 2)},
        ]
    )  # fmt: skip
    began = time.monotonic()
    guest_two = Person(base)
    guest_two.join("Second")
    guest_two.call("POST", f"/games/{games[0]}/seats", {})
    times = streams.told(b"event: item", 5)
    if times:
        print(f"{len(times)} streams of one game were told within {max(times) - began:.2f} s")
    streams.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
