"""What a request costs in processor time: `./run rates [--turns N]`.

Two people play on the real stack, and computer players beside them on another table. Counted is
the processor time of the API's process, of the server that keeps the games and of the process
that plays for computers (`/proc`, so Linux only), which does not depend on what else the machine
does; its reciprocal is requests a second that one core serves. The floor is Flask saying hello
under the same gunicorn worker, measured in the same run.
"""

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask

from benchmarks.measures import Fields, spent, table
from service.config import Config
from service.embedded import EmbeddedServer
from service.rules.seating.commands import Chair, OpenGame
from service.stack import Stack
from service.store.redis import RedisStore
from service.table import Tables
from workers.sweep import Sweep

GAMES: Final = 200
FLOOR: Final = "floor"
SECONDS: Final = 15.0


def hello() -> Flask:
    """The least that Flask can do."""
    app = Flask(__name__)
    app.add_url_rule("/v1/hello", view_func=lambda: "hello")
    return app


class Meter:
    """Adds up what each kind of request cost, by process."""

    def __init__(self, pids: dict[str, int]) -> None:
        self.pids = pids
        self.count: defaultdict[str, int] = defaultdict(int)
        self.cost: defaultdict[str, defaultdict[str, float]] = defaultdict(
            lambda: defaultdict(float)
        )

    def measure(self, kind: str, ask: Callable[[], Any]) -> Any:
        """Asks, and counts what it cost."""
        before = {name: spent(pid) for name, pid in self.pids.items()}
        answer = ask()
        for name, pid in self.pids.items():
            self.cost[kind][name] += spent(pid) - before[name]
        self.count[kind] += 1
        return answer

    def row(self, kind: str, floor: float) -> Fields:
        """One row of the table."""
        cost = {name: self.cost[kind][name] / self.count[kind] for name in self.pids}
        return {
            "request": kind,
            "times": self.count[kind],
            "API ms": round(cost["api"], 2),
            "a second and core": round(1000 / cost["api"]),
            "of the floor": f"{100 * floor / cost['api']:.0f} %",
            "Redis ms": round(cost.get("redis", 0.0), 3),
        }


class Person:
    """A guest on one connection that is kept."""

    def __init__(self, base: str) -> None:
        where = urlsplit(base)
        self._connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
        self._token = ""

    def call(self, method: str, path: str, body: Fields | None = None, **extra: str) -> Any:
        headers = {name.replace("_", "-"): value for name, value in extra.items()}
        headers |= {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        self._connection.request(method, "/v1" + path, data, headers)
        answer = self._connection.getresponse()
        raw = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {raw!r}")
        return json.loads(raw) if raw.startswith(b"{") else raw

    def hang_up(self) -> None:
        self._connection.close()

    def join(self, name: str) -> None:
        self._token = self.call("POST", "/players", {"name": name})["token"]


def floor(turns: int) -> float:
    """Milliseconds of hello world, under the worker class that serves the API."""
    command = [sys.executable, "-m", "gunicorn", "--worker-class", "service.gateway.Worker"]
    command += ["--bind", "127.0.0.1:0", "--no-control-socket", "benchmarks.rates:hello()"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        address = next(
            line.split("http://")[1].split()[0] for line in server.stderr if "http://" in line
        )
        try:
            person = Person(f"http://{address}")
            for _ in range(50):
                person.call("GET", "/hello")
            meter = Meter({"api": server.pid})
            for _ in range(turns):
                meter.measure(FLOOR, lambda: person.call("GET", "/hello"))
        finally:
            server.terminate()
    return meter.cost[FLOOR]["api"] / turns


def people(base: str, meter: Meter, turns: int) -> None:
    """Two people take turns at one table; each looks first, as a client does."""
    rng, seats = random.Random(3), [{"kind": "human"}] * 2
    pair = [Person(base), Person(base)]
    for person, name in zip(pair, ("Ada", "Ben"), strict=True):
        person.join(name)
    game = ""
    for _ in range(turns):
        if not game or pair[0].call("GET", f"/games/{game}")["result"]:
            game = pair[0].call("POST", "/games", {"variant": "canasta", "seats": seats})["id"]
            pair[1].call("POST", f"/games/{game}/seats", {})
        path = f"/games/{game}"
        for person in pair:
            state = meter.measure("GET game", lambda: person.call("GET", path))  # noqa: B023
            tag = f'"{state["version"]}"'
            meter.measure(
                "GET game, unchanged",
                lambda: person.call("GET", path, If_None_Match=tag),  # noqa: B023
            )
            allowed = meter.measure(
                "GET commands",
                lambda: person.call("GET", f"{path}/commands"),  # noqa: B023
            )
            if allowed["commands"]:
                kind = rng.choice(sorted({one["type"] for one in allowed["commands"]}))
                body = rng.choice([one for one in allowed["commands"] if one["type"] == kind])
                headers = {"If_Match": tag, "Idempotency_Key": str(uuid.uuid4())}
                meter.measure(
                    "POST command",
                    lambda: person.call("POST", f"{path}/commands", body, **headers),  # noqa: B023
                )


def computers(base: str, pids: dict[str, int]) -> Fields:
    """Four computer players play one whole game after the other for a while."""
    person = Person(base)
    person.join("Eve")
    seats = [{"kind": "ai", "level": "casual"}] * 4
    before = {name: spent(pid) for name, pid in pids.items()}
    moves, until = 0, time.monotonic() + SECONDS
    while time.monotonic() < until:
        game = person.call("POST", "/games", {"variant": "canasta", "seats": seats})["id"]
        while not (state := person.call("GET", f"/games/{game}"))["result"]:
            time.sleep(0.1)
        moves += state["version"]
    cost = {name: spent(pids[name]) - before[name] for name in ("worker-1", "redis", "queue")}
    return {
        "moves": moves,
        "worker ms a move": round(cost["worker-1"] / moves, 2),
        "moves a second and core": round(1000 * moves / cost["worker-1"]),
        "Redis ms a move": round(cost["redis"] / moves, 3),
        "queue ms a move": round(cost["queue"] / moves, 3),
    }


def sweeping(url: str) -> Fields:
    """One look at each of some games that wait for people, remembered or not."""
    row: Fields = {"games": GAMES}
    for name, remember in (("ms a game", GAMES), ("ms a game not remembered", 0)):
        store = RedisStore(url, prefix=f"{remember}:")
        tables = Tables(store, lambda *_: None, remember)
        for number in range(GAMES):
            chairs = (Chair("human", None, "p"), Chair("ai", "casual"))
            opened = OpenGame("canasta", 1, chairs, {}, "private", "", "")
            table = tables.open(f"p{number}", opened).table
            while table.waits_for_computer():
                seat = table.game.to_act()
                assert seat is not None
                table = tables.play(table, table.game.legal(seat)[0])
        sweep = Sweep(store, tables, 5.0)
        sweep._walk = None
        sweep.once()
        began = time.process_time()
        sweep.once()
        row[name] = round((time.process_time() - began) * 1000 / GAMES, 2)
    return row


def main(arguments: Sequence[str]) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        prog="./run rates", description=(__doc__ or "").split("\n\n")[1]
    )
    parser.add_argument("--turns", type=int, default=300, help="of the two people (300)")
    turns = parser.parse_args(arguments).turns
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedServer(Path(folder) / "queue", fsync="everysec") as queue,
    ):
        # The sweep looks for lost turns and costs Redis something; it may wait.
        config = Config(port=0, data=Path(folder), api_workers=1, workers=1, ai_pace=0.0)
        config = replace(config, sweep_seconds=600.0, queue_url=queue.url)
        with Stack(config, quiet=True) as stack:
            pids = {**stack.pids, "queue": queue.pid or 0}
            meter = Meter({name: pids[name] for name in ("api", "redis")})
            people(stack.base_url, Meter(meter.pids), 10)  # warm up
            people(stack.base_url, meter, turns)
            least = floor(turns)
            print(f"hello world: {least:.2f} ms, {1000 / least:.0f} a second and core")
            table([meter.row(kind, least) for kind in meter.count])
            table([computers(stack.base_url, pids)])
            table([sweeping(stack.redis_url)])
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
