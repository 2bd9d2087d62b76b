"""The tests of shuffles: their laws are right, our deals pass them, and a planted bias does not.

100,000 packs of each size: `./run shuffles`; its table stands in docs/fairness.md.
"""

import hmac
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import count, permutations

import pytest

from service import fairness
from tests import chance, shuffles


@pytest.mark.parametrize(
    ("chi", "freedom", "p"),
    [
        (0, 1, 1),
        (3.841458820694124, 1, 0.05),
        (10.827566170662733, 1, 0.001),
        (18.307038053275146, 10, 0.05),
        (124.3421134, 100, 0.05),
        (2, 2, math.exp(-1)),
        (1e6, 3, 0),
    ],
)
def test_chi_square_by_the_tables(chi: float, freedom: int, p: float) -> None:
    assert chance.survival(chi, freedom) == pytest.approx(p, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("freedom", [2, 10, 500, 2_208, 25_920])
@pytest.mark.parametrize("ratio", [0.8, 0.97, 1.0, 1.03, 1.2])
def test_chi_square_of_even_freedom_is_a_sum(freedom: int, ratio: float) -> None:
    """Half of it being k, that is the chance of fewer than k events where x / 2 are expected."""
    x = freedom * ratio / 2
    terms = (math.exp(n * math.log(x) - x - math.lgamma(n + 1)) for n in range(freedom // 2))
    assert chance.survival(2 * x, freedom) == pytest.approx(math.fsum(terms), rel=1e-8)


def test_the_laws_of_small_packs_by_counting() -> None:
    packs = list(permutations(range(6)))
    counts = [0] * 16
    for pack in packs:
        counts[sum(a > b for i, a in enumerate(pack) for b in pack[i:])] += 1
    assert chance.inversions(6) == pytest.approx([n / 720 for n in counts])
    assert sum(chance.poisson(1, 20)) == pytest.approx(1)


# Shuffles, good and bad


def words(secret: bytes, deal: int, bits: int) -> Iterator[int]:
    """Numbers below 2**bits."""
    size = bits // 8
    for block in count():
        digest = hmac.digest(secret, f"{deal} {block}".encode(), "sha256")
        for start in range(0, 32, size):
            yield int.from_bytes(digest[start : start + size], "big")


def fair(cards: list[str], numbers: Iterator[int]) -> None:
    """What all of them are but for one thing. 2**32 is large enough to do without rejection."""
    for last in range(len(cards) - 1, 0, -1):
        _swap(cards, last, next(numbers) % (last + 1))


def any_place(cards: list[str], numbers: Iterator[int]) -> None:
    """Swaps each card with any other, not with one that is still to come."""
    for place in range(len(cards)):
        _swap(cards, place, next(numbers) % len(cards))


def off_by_one(cards: list[str], numbers: Iterator[int]) -> None:
    """Never leaves a card where it is (Sattolo)."""
    for last in range(len(cards) - 1, 0, -1):
        _swap(cards, last, next(numbers) % last)


def word_reused(cards: list[str], numbers: Iterator[int]) -> None:
    """Takes eight words and begins with them again."""
    few = [next(numbers) for _ in range(8)]
    for last in range(len(cards) - 1, 0, -1):
        _swap(cards, last, few[last % 8] % (last + 1))


def _swap(cards: list[str], one: int, other: int) -> None:
    cards[one], cards[other] = cards[other], cards[one]


def shuffle_by(
    way: Callable[[list[str], Iterator[int]], None], bits: int = 32, deals: bool = True
) -> shuffles.Shuffle:
    def shuffle(
        secret: bytes, _nonces: Sequence[str | None], deal: int, cards: Sequence[str]
    ) -> tuple[str, ...]:
        pack = list(cards)
        way(pack, words(secret, deal if deals else 1, bits))
        return tuple(pack)

    return shuffle


GOOD = shuffle_by(fair)
BAD = {
    "any place": shuffle_by(any_place),
    "off by one": shuffle_by(off_by_one),
    "a byte for each place": shuffle_by(fair, bits=8),
    "a word reused": shuffle_by(word_reused),
    "each deal the same": shuffle_by(fair, deals=False),
}


@pytest.mark.slow
@pytest.mark.parametrize("size", shuffles.SIZES)
@pytest.mark.parametrize("shuffle", [fairness.pack, GOOD], ids=["ours", "another"])
def test_fair_deals_pass(size: int, shuffle: shuffles.Shuffle) -> None:
    for row in shuffles.packs(size, 4000, "fair", shuffle):
        assert 0.001 < row.p < 0.999, row


@pytest.mark.slow
def test_first_dealers_pass() -> None:
    for row in shuffles.dealers(20_000, "fair"):
        assert 0.001 < row.p < 0.999, row


@pytest.mark.slow
@pytest.mark.parametrize("bias", BAD)
def test_a_bias_is_found(bias: str) -> None:
    rows = shuffles.packs(108, 2000, "biased", BAD[bias])
    assert min(row.p for row in rows) < 1e-20


@pytest.mark.slow
def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert shuffles.main(["--packs", "2000", "--seed", "again"]) == 0
    first = capsys.readouterr().out
    assert first.count("\n") == 3 + 3 * 5 + 3
    assert shuffles.main(["--packs", "2000", "--seed", "again"]) == 0
    assert capsys.readouterr().out == first
    with pytest.raises(SystemExit):
        shuffles.main(["--packs", "7"])
