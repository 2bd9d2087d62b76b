"""How the naturals of one rank, or the wilds left, become melds (rules 3.7.1, 3.7.3).

Both functions count cards only. They are exact (every split is tried) and remembered, since a
game asks the same small questions over and over.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from service.rules.canasta.melds import CANASTA_SIZE, SMALLEST

ANY: Final = 99
"""More melds, or cards, than a hand can fill."""


class Base(NamedTuple):
    """A set on the table."""

    naturals: int
    wilds: int


class Filling(NamedTuple):
    """One way: canastas gained, and (naturals, wilds) for each base, then each new meld."""

    canastas: int
    parts: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1 << 12)
def set_fillings(
    shape: tuple[int, ...], fresh: int, bases: tuple[Base, ...], naturals: int
) -> dict[int, Filling]:
    """Ways to lay all of `naturals` cards of one rank as sets, by the wilds that go with them.

    `shape` is the variant's `naturals_for_wilds`, `fresh` the most new sets allowed. For each
    number of wilds, ascending, the filling that gains most canastas; of equals the one that
    puts most into the first meld.
    """
    best: dict[int, Filling] = {}
    if bases:
        base, others, left = bases[0], bases[1:], fresh
        sizes = range(naturals, -1, -1)
    else:
        if not naturals:
            return {0: Filling(0, ())}
        if not fresh:
            return {}
        base, others, left = Base(0, 0), (), fresh if fresh == ANY else fresh - 1
        sizes = range(naturals, 0, -1)
    old = base.naturals + base.wilds
    for size in sizes:
        for wild in range(len(shape) - base.wilds):
            now = old + size + wild
            if now < SMALLEST or base.naturals + size < shape[base.wilds + wild]:
                continue
            gained = old < CANASTA_SIZE <= now
            for more, rest in set_fillings(shape, left, others, naturals - size).items():
                found = best.get(wild + more)
                if found is None or found.canastas < gained + rest.canastas:
                    parts = ((size, wild), *rest.parts)
                    best[wild + more] = Filling(gained + rest.canastas, parts)
    return dict(sorted(best.items()))


@lru_cache(maxsize=1 << 12)
def wild_filling(
    largest: int, fresh: int, bases: tuple[int, ...], wilds: int
) -> tuple[int, tuple[int, ...]] | None:
    """How to lay all of `wilds` cards as wild melds: canastas gained, and cards for each meld.

    `bases` are the sizes of those on the table, `largest` the most cards one may hold. None
    where it cannot be done.
    """
    if not bases and not wilds:
        return 0, ()
    if not bases and not fresh:
        return None
    old = bases[0] if bases else 0
    best: tuple[int, tuple[int, ...]] | None = None
    for size in range(min(wilds, largest - old), -1 if bases else SMALLEST - 1, -1):
        left = fresh if bases or fresh == ANY else fresh - 1
        rest = wild_filling(largest, left, bases[1:], wilds - size)
        if rest:
            gained = rest[0] + (old < CANASTA_SIZE <= old + size)
            if best is None or best[0] < gained:
                best = gained, (size, *rest[1])
    return best
