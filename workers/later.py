"""Does things when they are due, so that who decided on them need not wait.

One thread, begun with the first thing. What waits is in this process's memory alone.
"""

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from workers.faults import where

log = logging.getLogger(__name__)


@dataclass(order=True, slots=True)
class _Thing:
    due: float
    number: int
    do: Callable[[], None] = field(compare=False)
    give_back: Callable[[], None] = field(compare=False)


class Later:
    """Things that are due later. Safe to use from several threads."""

    def __init__(self) -> None:
        self._things: list[_Thing] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._numbers = itertools.count()
        self._over = False

    def __call__(
        self, seconds: float, do: Callable[[], None], give_back: Callable[[], None]
    ) -> None:
        """Does it in so many seconds; or gives it back, if this process is to end before."""
        thing = _Thing(time.monotonic() + seconds, next(self._numbers), do, give_back)
        with self._changed:
            if not self._over:
                heapq.heappush(self._things, thing)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="later", daemon=True)
                    self._thread.start()
                self._changed.notify()
                return
        _try(give_back)

    def close(self) -> None:
        """Gives back all that is not done; when it returns nothing is done any more."""
        with self._changed:
            self._over = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()
        for thing in self._things:
            _try(thing.give_back)
        self._things.clear()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._over and (wait := self._wait()) != 0:
                    self._changed.wait(wait)
                if self._over:
                    return
                thing = heapq.heappop(self._things)
            _try(thing.do)

    def _wait(self) -> float | None:
        """Seconds until the first thing is due; None where there is none."""
        if not self._things:
            return None
        return max(0.0, self._things[0].due - time.monotonic())


def _try(do: Callable[[], None]) -> None:
    try:
        do()
    except Exception as error:
        log.error("what was due could not be done: %s", where(error))
