"""People at tables, who write down what they were told.

A client asks until it gets an answer that settles the matter: whatever is lost on the way is asked
again, a command under the same Idempotency-Key. What was answered with 201 stands in the journal.
"""

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, ClassVar

Json = dict[str, Any]

PATIENCE = 120.0
"""Seconds for which a client asks again before it gives up on the service."""


class GivenUp(Exception):
    """No answer came for too long, or one that must never come."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A command that the service said it has accepted: as it was told to its player."""

    game: str
    player: str
    key: str
    command: Json
    version: int
    head: str


@dataclass(slots=True)
class Journal:
    """What all clients were told, together. Lists are only appended to, by many threads."""

    games: list[str] = field(default_factory=list)
    commands: list[Acknowledged] = field(default_factory=list)
    feeds: dict[str, list[str]] = field(default_factory=dict)
    retries: Counter[str] = field(default_factory=Counter)


class Person:
    """A guest behind a bad wire, who waits so many seconds for an answer, and names the version
    that a command is meant for in so many of all cases."""

    waits: ClassVar[float] = 20.0
    careful: ClassVar[float] = 0.5

    def __init__(self, port: int, name: str, journal: Journal, rng: random.Random) -> None:
        self._port, self._journal, self._rng = port, journal, rng
        self._token = ""
        _, made = self.ask("POST", "/players", {"name": name})
        self._token, self.id = made["token"], made["id"]

    def ask(
        self, method: str, path: str, body: Json | None = None, **headers: str
    ) -> tuple[int, Json]:
        """The status and the JSON of the answer that finally came; 503 counts as none.

        Raises:
            GivenUp: none came for two minutes, or it was a 500.
        """
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent |= {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self.waits)
            try:
                connection.request(method, "/v1" + path, data, {**sent, "Connection": "close"})
                answer = connection.getresponse()
                # Where the wire tore the head of an answer, an empty body is left: no JSON.
                said: Json = json.loads(answer.read())
                if answer.status == 500:
                    raise GivenUp(f"{method} {path}: {said}")
                if answer.status not in (429, 503):
                    return answer.status, said
                self._journal.retries[str(answer.status)] += 1
            except (OSError, ValueError, http.client.HTTPException) as error:
                self._journal.retries[type(error).__name__] += 1
            finally:
                connection.close()
            time.sleep(self._rng.uniform(0.05, 0.4))
        raise GivenUp(f"{method} {path}: no answer")

    def open(self, order: Json) -> str:
        """Opens a game."""
        status, game = self.ask("POST", "/games", order, Idempotency_Key=str(uuid.uuid4()))
        if status != 201:
            raise GivenUp(f"a game was refused: {game}")
        self._journal.games.append(game["id"])
        return str(game["id"])

    def join(self, game: str) -> None:
        """Takes a seat."""
        status, said = self.ask("POST", f"/games/{game}/seats", {})
        if status not in (200, 201):
            raise GivenUp(f"a seat was refused: {said}")

    def move(self, game: str) -> bool:
        """Does something that is allowed now; False when nothing is."""
        status, allowed = self.ask("GET", f"/games/{game}/commands")
        if status != 200 or not allowed["commands"]:
            return False
        kind = self._rng.choice(sorted({each["type"] for each in allowed["commands"]}))
        command = self._rng.choice([each for each in allowed["commands"] if each["type"] == kind])
        key, headers = str(uuid.uuid4()), {}
        if self._rng.random() < self.careful:
            headers["If_Match"] = f'"{allowed["version"]}"'
        path = f"/games/{game}/commands"
        status, said = self.ask("POST", path, command, Idempotency_Key=key, **headers)
        if status == 201:
            self._journal.commands.append(
                Acknowledged(game, self.id, key, command, said["version"], said["head"])
            )
        elif status not in (409, 410, 412):
            raise GivenUp(f"{path}: {status} {said}")
        return True

    def watch(self, game: str) -> None:
        """Follows the feed to the end of the game, and writes down which items came."""
        came = self._journal.feeds.setdefault(game, [])
        while True:
            after = came[-1] if came else "0"
            status, news = self.ask("GET", f"/games/{game}/events?after={after}&limit=50&wait=5")
            if status != 200:
                raise GivenUp(f"the feed of {game}: {news}")
            came += [item["id"] for item in news["items"]]
            if news["over"]:
                return


class Table(threading.Thread):
    """Games one after the other at one table, until `closing` is set; then the last is finished.

    `failure` says why it had to stop before that.
    """

    def __init__(
        self,
        port: int,
        journal: Journal,
        seed: int,
        orders: list[Json],
        closing: threading.Event,
    ) -> None:
        super().__init__(daemon=True)
        self._port, self._journal, self._orders = port, journal, orders
        self._closing = closing
        self._rng = random.Random(seed)
        self.failure: str | None = None

    def run(self) -> None:
        """See the class."""
        try:
            while not self._closing.is_set():
                self._play(self._rng.choice(self._orders))
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"

    def _play(self, order: Json) -> None:
        people = sum(seat["kind"] == "human" for seat in order["seats"])
        sitting = [self._person(f"Person {number}") for number in range(people)]
        game = sitting[0].open(order)
        for person in sitting[1:]:
            person.join(game)
        watcher = threading.Thread(target=self._watch, args=(game,), daemon=True)
        watcher.start()
        while watcher.is_alive():
            if not sum(person.move(game) for person in sitting):
                time.sleep(0.05)

    def _watch(self, game: str) -> None:
        try:
            self._person("Watcher").watch(game)
        except GivenUp as error:
            self.failure = str(error)

    def _person(self, name: str) -> Person:
        return Person(self._port, name, self._journal, random.Random(self._rng.random()))
