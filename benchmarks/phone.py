"""`./run phone`: phones on a bad network play games, and prove that no move was lost or doubled.

    phones ──► wire ──► API (two processes), workers, sweep, server
    (journal)  loses, halves, delays, repeats and tears requests and answers; falls silent

Each phone plays as an app would: it follows its game by a stream of events, comes back to it with
`Last-Event-ID`, gives commands with `If-Match` and `Idempotency-Key`, and repeats what was not
answered. Tables are of every variant and size, one phone among computer players or phones only,
with scores so near to the target that a deal or two end it. At the end

- every command that was answered with 201 is in the log once, and no other with a phone's key;
- every phone's stream is what its feed is from the first view on: nothing missed, doubled, changed;
- every game is over, and a referee finds its log sound.

Ends with code 1 if there is anything else to tell. Linux, as all benchmarks.
"""

import argparse
import http.client
import json
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from benchmarks.soak import proof
from benchmarks.soak.clients import GivenUp, Journal, Json, Person
from benchmarks.soak.wire import Wire
from service.config import Config
from service.rules import GAMES
from service.stack import Stack
from service.store.redis import RedisStore

LEFT: Final = 100
"""Points to the target at the start, on all sides."""


class Phone(Person):
    """Somebody who plays one game on a bad network. `view` and `items` are what the stream said.

    A stream without a word for `silence` seconds is given up; a heartbeat comes every 15.
    """

    waits: ClassVar[float] = 3.0
    silence: ClassVar[float] = 17.0
    careful: ClassVar[float] = 1.0

    def __init__(self, port: int, name: str, journal: Journal, rng: random.Random) -> None:
        super().__init__(port, name, journal, rng)
        self.view: Json = {}
        self.items: list[Json] = []
        self.connections = 0
        self._news = threading.Event()
        self._over = threading.Event()

    def play(self, game: str) -> None:
        """Plays until the stream says that the game is over."""
        failures: list[Exception] = []

        def follow() -> None:
            try:
                self.follow(game)
            except Exception as error:
                failures.append(error)
            self._over.set()
            self._news.set()

        stream = threading.Thread(target=follow, daemon=True)
        stream.start()
        while not self._over.is_set():
            self._news.clear()
            if not self.move(game):
                self._news.wait(1.0)
        stream.join()
        if failures:
            raise failures[0]

    def follow(self, game: str) -> None:
        """Keeps the stream open, and opens it again behind what came, until the game is over."""
        while True:
            self.connections += 1
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self.silence)
            try:
                if self._listen(connection, game):
                    return
            except (OSError, ValueError, http.client.HTTPException) as error:
                self._journal.retries[f"stream: {type(error).__name__}"] += 1
            finally:
                connection.close()
            time.sleep(self._rng.uniform(0.05, 0.4))

    def _listen(self, connection: http.client.HTTPConnection, game: str) -> bool:
        """Takes what one connection brings; True when it said that nothing follows.

        Raises:
            GivenUp: the service will not have it, and never will.
        """
        last = self.items[-1]["id"] if self.items else str(self.view.get("version", ""))
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "text/event-stream"}
        if last:
            headers["Last-Event-ID"] = last
        connection.request("GET", f"/v1/games/{game}/events", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            if answer.status < 500 and answer.status != 429:
                raise GivenUp(f"the stream of {game}: {answer.status} {answer.read()!r}")
            return False
        for event, data in events(answer):
            if event == "over":
                return True
            if event == "problem":
                if data["status"] < 500:
                    raise GivenUp(f"the stream of {game}: {data}")
                return False
            if event == "view":
                self.view = data
            else:
                self.items.append(data)
            self._news.set()
        return False


def events(lines: Any) -> Iterator[tuple[str, Any]]:
    """The events of a stream that came whole; one that is torn off counts for nothing."""
    fields: dict[bytes, bytes] = {}
    for line in lines:
        if not line.endswith(b"\n"):
            return
        name, _, value = line.rstrip(b"\n").partition(b": ")
        if name:
            fields[name] = value
        elif fields:
            if b"event" in fields:
                yield fields[b"event"].decode(), json.loads(fields[b"data"])
            fields = {}


def orders(number: int) -> list[Json]:
    """So many tables, over all variants and sizes: with one phone, and with phones only."""
    kinds = [
        (variant, seats)
        for rules in GAMES.values()
        for variant in rules.VARIANTS.values()
        for seats in variant.seats
    ]
    made = []
    for place in range(number):
        variant, seats = kinds[place % len(kinds)]
        target = min(variant.options(seats)["target_score"].allowed)
        sides = len(set(variant.sides(seats)))
        phones = 1 if place // len(kinds) % 2 == 0 else seats
        people: list[Json] = [{"kind": "human"}] * phones
        computers: list[Json] = [{"kind": "ai", "level": "casual"}] * (seats - phones)
        made.append(
            {
                "variant": variant.name,
                "options": {"target_score": target},
                "seats": people + computers,
                "setup": {"dealer": 0, "scores": [max(0, target - LEFT)] * sides},
            }
        )
    return made


class Trial:
    """Games on a bad network before a running service; what was found stands in `faults`."""

    def __init__(self, stack: Stack, seed: int, rate: float) -> None:
        self._rng = random.Random(seed)
        self._redis = stack.redis_url
        self._port = urlsplit(stack.base_url).port or 0
        self.wire = Wire(self._connect, random.Random(seed), repeats=True, radio=True)
        self.wire.rate = rate
        self.journal = Journal()
        self.phones: list[Phone] = []
        self.faults: list[str] = []
        self.entries = 0

    def _connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._port), timeout=30)

    def play(self, wanted: list[Json], together: int) -> None:
        """Plays all, so many at a time, and compares what the phones know with the logs."""
        seeds = [self._rng.random() for _ in wanted]
        with ThreadPoolExecutor(together) as tables:
            self.faults += filter(None, tables.map(self._play, wanted, seeds))
        self.wire.close()
        store = RedisStore(self._redis)
        self.faults += proof.losses(self.journal, store)
        self.entries = sum(len(store.read(game).entries) for game in self.journal.games)

    def _play(self, order: Json, seed: float) -> str:
        """One game; what is wrong with it, or nothing."""
        rng = random.Random(seed)
        people = sum(seat["kind"] == "human" for seat in order["seats"])
        try:
            phones = [
                Phone(self.wire.port, f"Phone {seat}", self.journal, random.Random(rng.random()))
                for seat in range(people)
            ]
            game = phones[0].open(order)
            for phone in phones[1:]:
                phone.join(game)
            with ThreadPoolExecutor(people) as hands:
                list(hands.map(lambda phone: phone.play(game), phones))
            self.phones += phones
            return "; ".join(filter(None, (self._compare(phone, game) for phone in phones)))
        except Exception as error:
            return f"a table stopped: {type(error).__name__}: {error}"

    def _compare(self, phone: Phone, game: str) -> str:
        """What the stream brought, against the whole feed as it is asked for."""
        feed: list[Json] = []
        while True:
            after = feed[-1]["id"] if feed else phone.view["version"]
            path = f"/games/{game}/events?limit=500&after={after}"
            status, said = phone.ask("GET", path)
            if status != 200:
                return f"the feed of {game}: {status} {said}"
            if not said["items"]:
                break
            feed += said["items"]
        if phone.items == feed:
            return ""
        return f"a phone at game {game} got {len(phone.items)} items of {len(feed)}, or others"


def main() -> int:
    """Reads the arguments, plays, proves, reports."""
    parser = argparse.ArgumentParser(
        prog="./run phone",
        description="Plays games over a bad network, and proves that no move was lost or doubled.",
    )
    parser.add_argument("--games", type=int, default=50, help="how many games are played")
    parser.add_argument("--together", type=int, default=10, help="how many at a time")
    parser.add_argument("--rate", type=float, default=0.1, help="how often the network fails")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="any number")
    given = parser.parse_args()
    print(f"phone: {given.games} games, rate {given.rate}, seed {given.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tapete-phone-") as folder:
        config = Config(port=0, data=Path(folder), ai_pace=0.0, sweep_seconds=0.5)
        with Stack(config, quiet=True) as stack:
            trial = Trial(stack, given.seed, given.rate)
            trial.play(orders(given.games), given.together)
    report(trial, time.monotonic() - began)
    return 1 if trial.faults else 0


def report(trial: Trial, seconds: float) -> None:
    """Prints what happened."""
    rows: list[tuple[str, int, Counter[str]]] = [
        ("faults of the network", trial.wire.faults.total(), trial.wire.faults),
        ("asked again", trial.journal.retries.total(), trial.journal.retries),
        ("streams opened", sum(phone.connections for phone in trial.phones), Counter()),
        ("items by stream", sum(len(phone.items) for phone in trial.phones), Counter()),
        ("games", len(trial.journal.games), Counter()),
        ("phones", len(trial.phones), Counter()),
        ("commands acknowledged", len(trial.journal.commands), Counter()),
        ("commits in the logs", trial.entries, Counter()),
        ("seconds", round(seconds), Counter()),
        ("lost, doubled, changed", len(trial.faults), Counter()),
    ]
    for name, number, parts in rows:
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(parts.items()))
        print(f"{name:24}{number:8}  {told}".rstrip())
    for sentence in trial.faults[:40]:
        print(f"  {sentence}")


if __name__ == "__main__":
    sys.exit(main())
