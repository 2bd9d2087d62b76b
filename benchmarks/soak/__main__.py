"""`./run soak`: at least two hundred faults under load, and the proof that nothing was lost.

Prints faults, commands and losses; ends with code 1 if there is any loss.
"""

import argparse
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.soak import proof
from benchmarks.soak.clients import Journal, Json, Table
from benchmarks.soak.faults import Faults
from benchmarks.soak.wire import Wire
from service.config import Config
from service.embedded import EmbeddedServer
from service.stack import Stack
from service.store.redis import RedisStore

PERSON: Json = {"kind": "human"}
COMPUTER: Json = {"kind": "ai", "level": "novice"}

ORDERS: list[Json] = [
    {
        "variant": "botifarra",
        "options": {"target_score": 50},
        "seats": [PERSON, COMPUTER, PERSON, COMPUTER],
    },
    {
        "variant": "botifarra",
        "options": {"target_score": 50},
        "seats": [PERSON, PERSON, PERSON, PERSON],
    },
    {"variant": "canasta", "options": {"target_score": 2500}, "seats": [PERSON, COMPUTER]},
    {"variant": "samba", "options": {"target_score": 2500}, "seats": [PERSON, PERSON, COMPUTER]},
    {"variant": "bolivia", "options": {"target_score": 2500}, "seats": [PERSON, COMPUTER]},
]


def main() -> int:
    """Reads the arguments, soaks, proves, reports."""
    parser = argparse.ArgumentParser(
        prog="./run soak",
        description="Strikes parts of the service under load, and proves that nothing was lost.",
    )
    parser.add_argument("--faults", type=int, default=200, help="how many parts are struck")
    parser.add_argument("--tables", type=int, default=8, help="how many games go on at a time")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="any number")
    given = parser.parse_args()
    print(f"soak: {given.faults} faults, {given.tables} tables, seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tapete-soak-") as folder:
        return soak(Path(folder), given.faults, given.tables, given.seed)


def soak(data: Path, faults: int, tables: int, seed: int) -> int:
    """Returns 0 when nothing was lost, else 1."""
    rng = random.Random(seed)
    journal, closing = Journal(), threading.Event()
    with EmbeddedServer(data / "redis") as server:
        inner = Wire(lambda: _unix(server), random.Random(rng.random()))
        url = f"redis://127.0.0.1:{inner.port}/0"
        config = Config(
            redis_url=url,
            queue_url=url,
            embedded=False,
            port=0,
            data=data,
            ai_pace=0.0,
            sweep_seconds=0.5,
            lost_turn_seconds=1.0,
        )
        with Stack(config, quiet=True) as stack:
            address = urlsplit(stack.base_url)
            chance = random.Random(rng.random())
            outer = Wire(lambda: _tcp(address.port or 0), chance, repeats=True)
            seats = [
                Table(outer.port, journal, rng.randrange(2**32), ORDERS, closing)
                for _ in range(tables)
            ]
            outer.rate, inner.rate = 0.05, 0.001
            for seat in seats:
                seat.start()
            chaos = Faults(stack, server, rng)
            _strike(chaos, faults, rng, journal, seats)
            outer.rate = inner.rate = 0.0
            closing.set()
            began = time.monotonic()
            for seat in seats:
                seat.join(max(1.0, 900 - (time.monotonic() - began)))
            failures = [seat.failure or "it plays on and on" for seat in seats if _failed(seat)]
            inner.close()
            outer.close()
        found = [f"a table stopped: {failure}" for failure in failures]
        found += proof.losses(journal, RedisStore(server.url))
        entries = sum(len(RedisStore(server.url).read(game).entries) for game in journal.games)
    _report(chaos.done, outer.faults, inner.faults, journal, entries, found)
    return 1 if found else 0


def _strike(
    chaos: Faults, faults: int, rng: random.Random, journal: Journal, seats: list[Table]
) -> None:
    told = 0
    while (done := chaos.done.total()) < faults:
        time.sleep(rng.expovariate(0.5))
        chaos.strike()
        if done // 20 > told:
            told = done // 20
            commands = len(journal.commands)
            print(f"  {done} faults, {commands} commands, {len(journal.games)} games", flush=True)
        if failure := next((seat.failure for seat in seats if seat.failure), None):
            print(f"  a table stopped: {failure}", flush=True)
            return


def _failed(seat: Table) -> bool:
    return seat.is_alive() or seat.failure is not None


def _report(
    struck: Counter[str],
    outer: Counter[str],
    inner: Counter[str],
    journal: Journal,
    entries: int,
    found: list[str],
) -> None:
    rows = [
        ("faults", struck.total(), _parts(struck)),
        ("answers to clients", outer.total(), _parts(outer)),
        ("answers of Redis", inner.total(), _parts(inner)),
        ("asked again", journal.retries.total(), _parts(journal.retries)),
        ("games", len(journal.games), ""),
        ("commands acknowledged", len(journal.commands), ""),
        ("commits in the logs", entries, ""),
        ("losses", len(found), ""),
    ]
    for name, number, parts in rows:
        print(f"{name:24}{number:8}  {parts}".rstrip())
    for sentence in found[:40]:
        print(f"  {sentence}")


def _parts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))


def _unix(server: EmbeddedServer) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(unquote(urlsplit(server.url).path))
    return connection


def _tcp(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


if __name__ == "__main__":
    sys.exit(main())
