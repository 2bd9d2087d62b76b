"""Tests the deals that `service.fairness` makes against true chance: `./run shuffles`.

    positions     which card lies where
    neighbours    which card follows which
    fixed points  how many cards lie where they lay before the shuffle
    repeats       how many cards lie where they lay in the deal before
    inversions    how many pairs of cards lie the wrong way round
    dealer of n   who deals first at a table of n

Each is a chi-square of counts whose law under true chance is known, not simulated. The secrets
follow from a seed, so that a run can be repeated. A p-value is how often true chance would be
further off; one in a hundred lies below 0.01. One below a millionth fails the command.
"""

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service import fairness
from tests import chance

Shuffle = Callable[[bytes, Sequence[str | None], int, Sequence[str]], tuple[str, ...]]

SIZES: Final = (48, 108, 162)
"""The packs of botifarra; of canasta; of samba, bolivia and bolivie."""

TABLES: Final = (2, 3, 4)
NONCES: Final = (None, "luck")
LEAST: Final = 0.01
"""What a bin of a law must hold."""

FAULT: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome of a test."""

    what: str
    chi: float
    freedom: int

    @property
    def p(self) -> float:
        """How often true chance is further from what is expected."""
        return chance.survival(self.chi, self.freedom)


def packs(size: int, number: int, seed: str, shuffle: Shuffle = fairness.pack) -> list[Row]:
    """The tests of so many packs of a size, two of each game; `number` is even."""
    cards = [chr(n) for n in range(size)]
    before = tuple(range(size))
    ring = size + 1
    at = [0] * size * size
    after = [0] * ring * ring
    fixed, repeated, inverted = Counter[int](), Counter[int](), Counter[int]()
    for secret in _secrets(seed, number // 2):
        deals = [tuple(map(ord, shuffle(secret, NONCES, deal, cards))) for deal in (1, 2)]
        for pack in deals:
            one = size  # the edge of the table
            for place, card in enumerate(pack):
                at[place * size + card] += 1
                after[one * ring + card] += 1
                one = card
            after[one * ring + size] += 1
            fixed[_alike(before, pack)] += 1
            inverted[_inversions(pack)] += 1
        repeated[_alike(*deals)] += 1
    return [
        _positions(at, size, number),
        _neighbours(after, ring, number),
        _law("fixed points", fixed, chance.poisson(1, 9)),
        _law("repeats", repeated, chance.poisson(1, 9)),
        _law("inversions", inverted, chance.inversions(size)),
    ]


def dealers(games: int, seed: str) -> list[Row]:
    """The tests of first dealers, for each size of table."""
    rows = []
    for seats in TABLES:
        nonces = (*NONCES, None, None)[:seats]
        firsts = (fairness.first_dealer(one, nonces, seats) for one in _secrets(seed, games))
        rows.append(_law(f"dealer of {seats}", Counter(firsts), [1 / seats] * seats))
    return rows


def _secrets(seed: str, number: int) -> Iterator[bytes]:
    for game in range(number):
        yield hashlib.sha256(f"{seed}/{game}".encode()).digest()


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


def _inversions(pack: Sequence[int]) -> int:
    """Bits of one number stand for the cards seen; those above a card lie the wrong way round."""
    seen = found = 0
    for card in pack:
        found += (seen >> card).bit_count()
        seen |= 1 << card
    return found


def _positions(at: Sequence[int], size: int, number: int) -> Row:
    """In each pack a place has one card and a card one place, so the counts depend on each other.

    With n cards they have the covariance (I - J/n) ⊗ (I - J/n) / (n - 1) a pack, which has one
    eigenvalue, (n - 1)² times, beside zero.
    """
    usual = number / size
    chi = sum((count - usual) ** 2 for count in at) * (size - 1) / number
    return Row("positions", chi, (size - 1) ** 2)


def _neighbours(after: Sequence[int], ring: int, number: int) -> Row:
    """With the edge as one more card a pack is a ring of m, each ring as likely.

    One follows another with p = 1/(m - 1); two such pairs that can stand together both do with
    r = 1/((m - 1)(m - 2)). So the covariance a pack has, beside zero, the eigenvalues p for what
    does not change with the direction and p + 2r for what does.
    """
    p = 1 / (ring - 1)
    r = p / (ring - 2)
    same = other = 0.0
    for one in range(ring):
        for two in range(one):
            there = after[one * ring + two] - number * p
            back = after[two * ring + one] - number * p
            same += (there + back) ** 2 / 2
            other += (there - back) ** 2 / 2
    chi = (same / p + other / (p + 2 * r)) / number
    return Row("neighbours", chi, ring * ring - 3 * ring + 1)


def _law(what: str, counts: Counter[int], law: Sequence[float]) -> Row:
    """Counts of 0, 1, 2 … against their law, in bins of `LEAST` or more; the last has the rest."""
    bins: list[tuple[int, float]] = []
    found, weight = 0, 0.0
    for value, likely in enumerate(law):
        found += counts[value]
        weight += likely
        if weight >= LEAST:
            bins.append((found, weight))
            found, weight = 0, 0.0
    number = counts.total()
    *bins, _ = bins
    bins.append((number - sum(n for n, _ in bins), 1 - sum(w for _, w in bins)))
    chi = sum((found - number * weight) ** 2 / (number * weight) for found, weight in bins)
    return Row(what, chi, len(bins) - 1)


def main(arguments: Sequence[str]) -> int:
    """Prints the table; 1 when chance alone would hardly ever give such a one."""
    parser = argparse.ArgumentParser(prog="./run shuffles", description=__doc__.splitlines()[0])
    parser.add_argument("--packs", type=int, default=100_000, help="of each size, an even number")
    parser.add_argument("--seed", default="tapete", help="any text")
    asked = parser.parse_args(arguments)
    if asked.packs < 2000 or asked.packs % 2:
        parser.error("--packs must be even, and 2000 or more for the laws to hold")
    print(f"{asked.packs} packs of each size, {asked.packs} first dealers, seed {asked.seed!r}\n")
    print("cards  test            chi-square  freedom       p")
    least = 1.0
    for size in SIZES:
        least = min(least, *_shown(str(size), packs(size, asked.packs, asked.seed)))
    least = min(least, *_shown("", dealers(asked.packs, asked.seed)))
    return 0 if least >= FAULT else 1


def _shown(size: str, rows: Sequence[Row]) -> list[float]:
    for row in rows:
        print(f"{size:>5}  {row.what:14} {row.chi:11.2f} {row.freedom:8}  {row.p:.4f}", flush=True)
    return [row.p for row in rows]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
