"""What processes count for those who watch the service; nothing depends on it.

    Tallies         numbers by name, the same for all processes
    MemoryTallies   for tests
    RedisTallies    in Redis, one hash: tallies

Names: `fallback LEVEL`, how often a computer player's strategy had to be replaced; `failure LEVEL
WHY`, how often an attempt at a turn came to nothing; `sweep ended` (seconds since 1970), `sweep
seconds` and `sweep games` of the newest round of the sweep.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from service.store.link import Link
from service.store.refusals import translated


class Tallies(Protocol):
    """Every method may raise `StoreUnavailable`."""

    def add(self, name: str) -> None:
        """Counts one more; two, when the first answer got lost."""

    def put(self, numbers: Mapping[str, float]) -> None:
        """Sets some numbers."""

    def all(self) -> dict[str, float]:
        """All numbers there are."""


class MemoryTallies:
    """`Tallies` that end with their process."""

    def __init__(self) -> None:
        self._numbers: dict[str, float] = {}

    def add(self, name: str) -> None:
        """See `Tallies.add`."""
        self._numbers[name] = self._numbers.get(name, 0.0) + 1

    def put(self, numbers: Mapping[str, float]) -> None:
        """See `Tallies.put`."""
        self._numbers |= numbers

    def all(self) -> dict[str, float]:
        """See `Tallies.all`."""
        return dict(self._numbers)


class RedisTallies:
    """`Tallies` on one Redis. Opens nothing before its first use; safe to fork."""

    def __init__(self, url: str, *, prefix: str = "", timeout: float = 3.0) -> None:
        self._link = Link(url, timeout)
        self._key = f"{prefix}tallies"

    def add(self, name: str) -> None:
        """See `Tallies.add`."""
        with translated():
            self._link.client.hincrby(self._key, name, 1)

    def put(self, numbers: Mapping[str, float]) -> None:
        """See `Tallies.put`."""
        pairs = [word for name, number in numbers.items() for word in (name, repr(float(number)))]
        with translated():
            self._link.client.hset(self._key, items=pairs)

    def all(self) -> dict[str, float]:
        """See `Tallies.all`."""
        with translated():
            found = cast("dict[bytes, bytes]", self._link.client.hgetall(self._key))
        return {name.decode(): float(number) for name, number in found.items()}
