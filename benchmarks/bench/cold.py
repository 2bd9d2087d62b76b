"""Cold loads of a long game and of a shorter one, by a process with nothing else in its memory.

    python -m benchmarks.bench.cold REDIS_URL LONG 10000 SHORT 1000 BRACKETS
    [[41.2, 40.5], …]     ► microseconds of processor time of a commit

    short short short │ long, one load of as many commits │ short short short

Both sides load as many commits: else the full passes of the garbage collector, which come once in
some ten thousand, would fall on the long game alone. The short one is loaded before and after, so
that a machine that grows slower or faster does so for both.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.bench.corpus import ROOT
from service.garbage import settle
from service.shelf import Shelf
from service.store.redis import RedisStore

Game = tuple[str, int]
"""A game, and how many commits it has."""


def loads(url: str, long: Game, short: Game, brackets: int) -> list[tuple[float, float]]:
    """Microseconds of a commit of the long game and of one of the short, in so many brackets.

    A process that is started for it measures them.
    """
    asked = map(str, (url, *long, *short, brackets))
    command = [sys.executable, "-m", "benchmarks.bench.cold", *asked]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [(ours, theirs) for ours, theirs in json.loads(done.stdout)]


def bracket(load: Callable[[str], Any], long: Game, short: Game) -> tuple[float, float]:
    """Microseconds of a commit of the long game, and of the loads of the short around it."""
    times = long[1] // short[1]
    before = _spent(load, short[0], times // 2)
    ours = _spent(load, long[0], 1)
    after = _spent(load, short[0], times - times // 2)
    return ours / long[1], (before + after) / (times * short[1])


def _spent(load: Callable[[str], Any], game: str, times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        load(game)
    return (time.process_time() - began) * 1e6


def main(arguments: Sequence[str]) -> None:
    """Loads each once unmeasured, then prints the brackets."""
    settle()  # as all processes of ours
    url, long, longer, short, shorter, brackets = arguments
    store = RedisStore(url)

    def load(game: str) -> None:
        Shelf(store, 0).load(game)

    load(short)
    load(long)
    sides = (long, int(longer)), (short, int(shorter))
    print(json.dumps([bracket(load, *sides) for _ in range(int(brackets))]))


if __name__ == "__main__":
    main(sys.argv[1:])
