"""Whole games of computer players through queue, worker and Redis, beside the same in one process.

Luck makes games of different lengths, so their commits are counted; all are played to the end.
"""

import time
from collections.abc import Iterator
from typing import Final

from benchmarks.bench.figure import Figure, at_least
from benchmarks.bench.http1 import LoadFailed
from benchmarks.bench.plan import WHOLE, Plan, service, turns
from service.config import Config
from service.queue import Caller
from service.rules import find
from service.rules.seating.commands import Chair, OpenGame
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from service.store.turns import MemoryTurns
from service.table import Tables
from workers.later import Later
from workers.playing import Post, take_turn

LEVEL: Final = "novice"
VARIANT: Final = "botifarra"
GAMES: Final = 4
"""Games at a time in a slice."""

PATIENCE: Final = 300.0


def figures(plan: Plan) -> Iterator[Figure]:
    """The row of the table about computer players."""
    games = GAMES if plan.slices >= WHOLE.slices else 1
    with service(workers=1) as (stack, _):
        tables = Tables(RedisStore(stack.redis_url), Caller(stack.redis_url))
        _queued(tables, 1)
        ours, theirs = turns(plan, lambda: _queued(tables, games), lambda: _alone(games))
    yield Figure(
        name="computers",
        what=f"commands a second of computer players ({LEVEL}), one worker",
        beside="the same in one process, no queue, no Redis",
        unit="/s",
        bar=at_least(0.1),
        load=f"whole games of {VARIANT}, {games} at a time",
        ours=ours,
        theirs=theirs,
    )


def _order() -> OpenGame:
    row = find(VARIANT)[1]
    options = {name: min(option.allowed) for name, option in row.options(4).items()}
    chairs = (Chair("ai", LEVEL),) * 4
    return OpenGame(VARIANT, row.rules_version, chairs, options, "public", "", "")


def _queued(tables: Tables, count: int) -> float:
    """Commits a second of so many games that the worker plays."""
    began = time.perf_counter()
    games = [tables.open("0" * 16, _order()).table.id for _ in range(count)]
    now = [tables.load(game) for game in games]
    while not all(one.over for one in now):
        if time.perf_counter() - began > PATIENCE:
            raise LoadFailed("the worker did not finish its games")
        time.sleep(0.05)
        now = [tables.load(game) for game in games]
    return sum(one.version for one in now) / (time.perf_counter() - began)


def _alone(count: int) -> float:
    """Commits a second of so many games that are played here."""
    began, commits = time.perf_counter(), 0
    for _ in range(count):
        calls: list[tuple[str, int]] = []
        call = lambda game, version, *_: calls.append((game, version))  # noqa: B023, E731
        tables = Tables(MemoryStore(), call)
        post = Post(tables, call, MemoryTurns(), Config(), Later())
        game = tables.open("0" * 16, _order()).table.id
        while calls:
            take_turn(post, *calls.pop())
        table = tables.load(game)
        assert table.over
        commits += table.version
    return commits / (time.perf_counter() - began)
