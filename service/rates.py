"""How much one caller may ask for in a while: buckets that run empty and fill up again.

A rate `moves=1000/10` is a bucket of 1,000 requests that fills up within 10 seconds: so many at
once, and 100 a second in the long run. Each process counts for itself, and forgets when it ends.

The way of counting is the generic cell rate algorithm (ITU-T I.371): of each caller one number is
kept, the time at which their bucket will be full again.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from heapq import nlargest
from typing import Final, NamedTuple

MOST: Final = 20_000
"""Callers that one bucket's process remembers; whose bucket is fullest is forgotten first."""

_RATE: Final = re.compile(r"([a-z]+)=(?:([0-9]{1,9})/([0-9]{1,9})|off)")


@dataclass(frozen=True, slots=True)
class Rate:
    """A bucket's name, its size in requests, and in how many seconds it fills up."""

    name: str
    quota: int
    window: int

    def __str__(self) -> str:
        return f"{self.name}={self.quota}/{self.window}"


USUAL: Final = (
    Rate("moves", 1000, 10),
    Rate("reads", 2000, 10),
    Rate("hints", 60, 60),
    Rate("makes", 600, 60),
    Rate("guests", 600, 60),
    Rate("codes", 60, 60),
    Rate("strangers", 2000, 10),
)
"""The usual rates. They are far above what people and bots need, and stop programs gone wild."""


def parse(text: str) -> tuple[Rate, ...]:
    """The usual rates with those changed that are named; none for `off`.

    Raises:
        ValueError: the text is no list of rates.
    """
    if text == "off":
        return ()
    rates: dict[str, Rate | None] = {rate.name: rate for rate in USUAL}
    for word in text.split():
        match = _RATE.fullmatch(word)
        if not match or match[1] not in rates:
            raise ValueError(word)
        quota, window = int(match[2] or 0), int(match[3] or 0)
        if match[2] and not (quota and 1 <= window <= 86_400):
            raise ValueError(word)
        rates[match[1]] = Rate(match[1], quota, window) if quota else None
    return tuple(rate for rate in rates.values() if rate)


def written(rates: tuple[Rate, ...]) -> str:
    """The text from which `parse` reads these rates."""
    if not rates:
        return "off"
    known = {rate.name: str(rate) for rate in rates}
    return " ".join(known.get(rate.name, f"{rate.name}=off") for rate in USUAL)


class Taken(NamedTuple):
    """What came of asking: `left` requests, `full` seconds until the bucket is full again.

    `wait` is 0 when one was taken, else the seconds until there will be one.
    """

    left: int
    full: float
    wait: float


class Buckets:
    """The buckets of one rate, one a caller. `clock` tells seconds that only go forward."""

    def __init__(
        self, rate: Rate, clock: Callable[[], float] = time.monotonic, most: int = MOST
    ) -> None:
        self.rate = rate
        self._clock = clock
        self._most = most
        self._step = rate.window / rate.quota
        self._full: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._full)

    def take(self, caller: str) -> Taken:
        """Takes one request out of the caller's bucket, if one is in it.

        Two threads at once may count one request less, which does no harm.
        """
        now = self._clock()
        before = max(self._full.get(caller, now) - now, 0.0)
        after = before + self._step
        window = self.rate.window
        # A millionth more, or the last request in a bucket would depend on rounding.
        if after > window + self._step * 1e-6:
            return Taken(0, before, after - window)
        if len(self._full) >= self._most and caller not in self._full:
            self._forget(now)
        self._full[caller] = now + after
        return Taken(int((window - after) / self._step + 1e-6), after, 0.0)

    def _forget(self, now: float) -> None:
        """Keeps the emptier half: a full bucket that is forgotten is a full one still."""
        low = ((caller, full) for caller, full in self._full.items() if full > now)
        self._full = dict(nlargest(self._most // 2, low, key=lambda one: one[1]))
