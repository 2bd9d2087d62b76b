"""`./run turns`: whether computer players' turns are served fairly, and answered within their time.

    fairness    a queue full of games of computer players, two workers: who waits for how long, and
                how soon a table with people is served that comes last
    pace        tables with people, two workers: how long after the one before it a command came
    budgets     two workers that think all the time: how long choices took, by their budget

A level that has no strategy yet is played by one that looks at the clock until its time is up.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from redis import Redis

from benchmarks.measures import table
from service import ids
from service.config import Config
from service.embedded import EmbeddedServer
from service.processes import Child, end, spawn
from service.queue import ALONE, LEVELS, Caller
from service.rules.seating.commands import Chair, OpenGame
from service.store.redis import RedisStore
from service.table import Tables
from workers import __main__, strategies
from workers.strategies import Budget, Choice, Player, Situation, novice

ROOT = Path(__file__).resolve().parent.parent
LATE = 1.2
"""Budgets within which 99 of 100 choices are to be made."""


def main() -> int:
    """Reads the arguments, measures, prints tables of Markdown."""
    if sys.argv[1:2] == ["--worker"]:
        return worker(Path(sys.argv[2]), sys.argv[3:])
    parser = argparse.ArgumentParser(prog="./run turns", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000, help="games that wait for a turn")
    parser.add_argument("--people", type=int, default=20, help="tables with people that come last")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each level's budget")
    parser.add_argument("--levels", default="club,master", help="whose budgets are looked at")
    given = parser.parse_args()
    if given.games:
        with server() as (url, folder):
            fairness(url, folder, given.games, given.people)
    if given.people:
        with server() as (url, folder):
            pace(url, folder, given.people)
    for level in filter(None, given.levels.split(",")):
        with server() as (url, folder):
            budgets(url, folder, level, given.seconds)
    return 0


@contextmanager
def server() -> Iterator[tuple[str, Path]]:
    """A server with nothing on it, and a folder."""
    with tempfile.TemporaryDirectory(prefix="tapete-turns-") as name:
        folder = Path(name)
        with EmbeddedServer(folder / "redis", fsync="everysec") as running:
            yield running.url, folder


# Fairness


def fairness(url: str, folder: Path, games: int, people: int) -> None:
    """Serves a queue of so many games once, and a few tables with people in between."""
    store = RedisStore(url)
    names = [*copies(store, games)]
    version = Tables(store, lambda *_: None).load(names[0]).version
    call = Caller(url)
    with Redis.from_url(url) as client:
        before, began = _memory(client), time.monotonic()
        for game in names:
            call(game, version, 0, False)
        spent, after = time.monotonic() - began, _memory(client)
        assert client.llen(f"rq:queue:{ALONE}") == games
        started = _now(client)
        with working(url, folder, [], ["turns"], sweep=False):
            waits = [served(url) for _ in range(people)]
            while (left := client.llen(f"rq:queue:{ALONE}")) and not _all_served(store, names):
                print(f"  {left} jobs in the queue", file=sys.stderr, flush=True)
                time.sleep(5)
        ended = _now(client)
    firsts, counts = [], []
    for game in names:
        commits = [json.loads(entry.line) for entry in store.read(game).entries[version:]]
        firsts.append((commits[0]["at"] - started) / 1000 if commits else ended - started)
        counts.append(len(commits))
    gap = statistics.median(firsts)
    rank = sorted(range(games), key=firsts.__getitem__)
    moved = max(abs(place - game) for place, game in enumerate(rank))
    row = {
        "games": games,
        "a call, ms": round(spent / games * 1000, 2),
        "a call, bytes": (after - before) // games,
        "longest / median wait": round(max(firsts) / gap, 2),
        "places moved at most": moved,
        "turns a game": f"{min(counts)} to {max(counts)}",
    }
    table([row])
    mean = (ended - started) / 1000 / max(1, sum(counts))
    waits.sort()
    table(
        [
            {
                "tables with people": people,
                "median wait / mean turn": round(statistics.median(waits) / mean, 1),
                "longest / mean turn": round(waits[-1] / mean, 1),
                "longest wait / what the queue took": round(waits[-1] / max(firsts), 4),
            }
        ]
    )


def copies(store: RedisStore, games: int) -> Iterator[str]:
    """So many games of novices that are to lead in their first deal: one, copied."""
    chairs = (Chair("ai", "novice"),) * 4
    order = OpenGame("botifarra", 1, chairs, {"target_score": 50}, "public", "", "")
    first = Tables(store, lambda *_: None).open("a" * 16, order).table
    entries = store.read(first.id).entries
    for _ in range(games):
        game = ids.fresh()
        store.plant(game, entries)
        yield game


def served(url: str) -> float:
    """Seconds until a computer player moves at a new table with a person."""
    tables = Tables(RedisStore(url), Caller(url))
    game, version = beside(tables)
    began = time.monotonic()
    while tables.load(game).version == version:
        time.sleep(0.005)
    return time.monotonic() - began


def beside(tables: Tables) -> tuple[str, int]:
    """A new table with a person at which a computer player is to act, and its version."""
    while True:
        chairs = (Chair("human", None, "b" * 16), *(Chair("ai", "novice"),) * 3)
        order = OpenGame("botifarra", 1, chairs, {}, "public", "", "")
        opened = tables.open("b" * 16, order).table
        if opened.waits_for_computer():
            return opened.id, opened.version


def _all_served(store: RedisStore, names: Sequence[str]) -> bool:
    return all(len(store.read(game, 4).entries) > 0 for game in names[-50:])


def _memory(client: "Redis") -> int:
    return int(client.info("memory")["used_memory"])


def _now(client: "Redis") -> float:
    seconds, micros = client.time()
    return seconds * 1000 + micros / 1000


# Pace


def pace(url: str, folder: Path, people: int) -> None:
    """Opens tables one after the other, and lets computer players move until a person is to act."""
    tables, wanted = Tables(RedisStore(url), Caller(url)), 0.2
    gaps = []
    with working(url, folder, [], ["turns"], pace=wanted):
        served(url)  # the workers have started
        for _ in range(people):
            game, version = beside(tables)
            while tables.load(game).waits_for_computer():
                time.sleep(0.02)
            times = [commit.at for commit in tables.commits(game, version)]
            gaps += [later - one for one, later in pairwise(times)]
    parts = sorted(gap / 1000 / wanted for gap in gaps)
    table(
        [
            {
                "commands": len(parts),
                "least gap / pace": round(parts[0], 2),
                "median": round(statistics.median(parts), 2),
                "p95": round(parts[int(len(parts) * 0.95)], 2),
            }
        ]
    )


# Budgets


def budgets(url: str, folder: Path, level: str, seconds: float) -> None:
    """Lets two workers think for so long, each about one game after the other."""
    tables = Tables(RedisStore(url), Caller(url))
    for _ in range(4):
        chairs = (Chair("ai", level),) * 4
        for variant in ("botifarra", "canasta"):
            tables.open("a" * 16, OpenGame(variant, 1, chairs, {}, "public", "", ""))
    logs = [folder / f"{level}-{number}" for number in (1, 2)]
    with working(url, folder, [str(logs[0]), level], [str(logs[1]), level], measured=True):
        time.sleep(seconds)
    with Redis.from_url(url) as client:
        client.delete(f"rq:queue:{ALONE}")
    parts = sorted(float(line) for log in logs for line in log.read_text().split())
    table(
        [
            {
                "level": level,
                "strategy": "its own" if level in LEVELS else "looks at the clock",
                "choices": len(parts),
                "median / budget": round(statistics.median(parts), 3),
                "p99 / budget": round(parts[int(len(parts) * 0.99)], 3),
                f"within {LATE}": f"{sum(part <= LATE for part in parts) / len(parts):.2%}",
            }
        ]
    )


def worker(log: Path, levels: Sequence[str]) -> int:
    """A worker that writes down which part of its budget each choice took."""
    player = strategies.player
    parts: list[float] = []

    def found(level: str, rules: Any) -> Player:
        known = player(level, rules) if level in LEVELS else Player("clock 1", search)

        def timed(situation: Situation, rng: Random, budget: Budget) -> Choice:
            began = time.monotonic()
            choice = known.choose(situation, rng, budget)
            parts.append((time.monotonic() - began) / budget.seconds)
            return choice

        return Player(known.name, timed)

    vars(strategies)["player"] = found
    sys.argv[1:] = ["turns"]
    code = __main__.main()
    log.write_text("\n".join(map(str, parts)))
    return code


def search(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """Plays the seat's possibilities through in its head until the time is up."""
    until, samples = time.monotonic() + budget.seconds, 0
    choice = novice.choose(situation, rng, budget)
    while time.monotonic() < until:
        choice = novice.choose(situation, rng, budget)
        samples += 1
    return Choice(choice.command, samples)


@contextmanager
def working(
    url: str,
    folder: Path,
    *arguments: Sequence[str],
    measured: bool = False,
    sweep: bool = True,
    pace: float = 0.0,
) -> Iterator[None]:
    """Workers on that server, and a sweep."""
    config = Config(embedded=False, redis_url=url, queue_url=url, data=folder, ai_pace=pace)
    env = {**os.environ, **config.to_env(), "PYTHONPATH": str(ROOT)}
    module = ["-m", "benchmarks.turns", "--worker"] if measured else ["-m", "workers"]
    children: list[Child] = [spawn([sys.executable, *module, *more], env=env) for more in arguments]
    if sweep:
        children.append(spawn([sys.executable, "-m", "workers.sweep"], env=env))
    try:
        yield
    finally:
        end(children)


if __name__ == "__main__":
    sys.exit(main())
