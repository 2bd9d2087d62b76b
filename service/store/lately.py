"""What was found lately, so that it need not be asked for again: a few things, for some seconds.

Only for what hardly ever changes, and where an old answer does no harm.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Lately(Generic[Thing]):
    """At most `most` things, each for `seconds`; the oldest are forgotten first.

    `clock` tells seconds that only go forward.
    """

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._found: OrderedDict[str, tuple[float, Thing]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._found)

    def known(self, keys: Iterable[str]) -> dict[str, Thing]:
        """Those of the things that are remembered still."""
        now = self._clock()
        found = ((key, self._found.get(key)) for key in keys)
        return {key: kept[1] for key, kept in found if kept and now < kept[0]}

    def keep(self, things: Mapping[str, Thing]) -> None:
        """Remembers things that were asked for just now."""
        until = self._clock() + self._seconds
        with self._lock:
            for key, thing in things.items():
                self._found[key] = until, thing
                self._found.move_to_end(key)
            while len(self._found) > self._most:
                self._found.popitem(last=False)

    def forget(self, key: str) -> None:
        """Drops what is remembered under that key: it has just changed."""
        with self._lock:
            self._found.pop(key, None)
