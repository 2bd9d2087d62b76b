"""The pairs of a match, each in one of several processes.

The parent alone hears Ctrl-C; the others look between two decisions whether anybody waits, and end
when the parent is gone.
"""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing.synchronize import Event
from signal import SIG_IGN, SIGINT, SIGTERM, signal

from workers.arena.match import Match, Pair, play_pair

_stop: Event | None = None


def _begin(stop: Event, parent: int) -> None:
    """Makes a process ready: it leaves Ctrl-C to the parent, and ends when that is gone."""
    global _stop
    _stop = stop
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, lambda *_: stop.set())

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _pair(match: Match, number: int) -> Pair:
    return play_pair(match, number, _stop)


class Arena:
    """Processes that play pairs; a context manager. Leaving it ends games within one decision."""

    def __init__(self, processes: int) -> None:
        self._ahead = 2 * processes  # so that none waits for its next pair
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(
            processes, mp_context=context, initializer=_begin, initargs=(self._stop, os.getpid())
        )

    def __enter__(self) -> "Arena":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def play(self, match: Match, numbers: Sequence[int]) -> Iterator[Pair | None]:
        """Those pairs, each as it ends, in no order; now and then None, when none did.

        Raises:
            BrokenProcessPool: a process died.
        """
        return ended(lambda number: self._pool.submit(_pair, match, number), numbers, self._ahead)


def ended(
    begin: Callable[[int], Future[Pair]], numbers: Sequence[int], ahead: int
) -> Iterator[Pair | None]:
    """Those pairs as they end, `ahead` of them begun at a time; None after a second without."""
    waiting = set[Future[Pair]]()
    begun = 0
    while begun < len(numbers) or waiting:
        while begun < len(numbers) and len(waiting) < ahead:
            waiting.add(begin(numbers[begun]))
            begun += 1
        done, waiting = wait(waiting, timeout=1, return_when=FIRST_COMPLETED)
        if not done:
            yield None
        for future in done:
            yield future.result()
