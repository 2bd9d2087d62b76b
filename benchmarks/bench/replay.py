"""A cold replay beside reading and decoding alone: what checking and folding add.

The longest real game in the corpus of records, planted as a stream in a Redis of its own.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.bench.corpus import longest
from benchmarks.bench.figure import Figure, at_most
from benchmarks.bench.plan import Plan, turns
from service import ids
from service.embedded import EmbeddedServer
from service.shelf import Shelf
from service.store import codec
from service.store.redis import RedisStore

LEAST: Final = 3
"""Replays in a slice, as few as there may be."""


def figures(plan: Plan) -> Iterator[Figure]:
    """The row of the table about cold replays."""
    log = longest()
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        store, game = RedisStore(server.url), ids.fresh()
        store.plant(game, log)

        def replayed() -> None:
            assert Shelf(store, 0).load(game).version == len(log)

        def decoded() -> None:
            for entry in store.read(game).entries:
                codec.decode(entry.line, decisions=False)

        replayed()
        decoded()
        ours, theirs = turns(
            plan, lambda: each(replayed, plan.seconds / 2), lambda: each(decoded, plan.seconds / 2)
        )
    yield Figure(
        name="replay",
        what="processor time of a cold replay: read, check, fold",
        beside="reading and decoding alone",
        unit="ms",
        bar=at_most(3),
        load=f"the longest recorded game, {len(log)} commits, one process",
        ours=ours,
        theirs=theirs,
    )


def each(work: Callable[[], None], seconds: float) -> float:
    """Milliseconds of processor time that it takes once, here; the mean over so many seconds.

    The server's time is the same on both sides and left out, which makes a ratio larger, not less.
    """
    began, times = time.process_time(), 0
    while times < LEAST or time.process_time() - began < seconds:
        work()
        times += 1
    return (time.process_time() - began) * 1000 / times
