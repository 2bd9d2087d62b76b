"""Worlds: deals of the hidden cards among the other seats, each possible one equally likely.

What is certain is a set of possible cards for each seat (`known`). A hidden card is of one of seven
kinds, by which of three seats may hold it, and within a kind all cards are alike. So the possible
deals are counted exactly: over how many cards of each kind of two seats go to the first of them.

    Worlds(seat, hidden, able, sizes) ──► draw ──► hands, a mask a seat
"""

from bisect import bisect_right
from collections.abc import Sequence
from math import comb
from random import Random
from typing import Final, final

from mypy_extensions import i64

from workers.strategies.botifarra.core import bit

WORD: Final[i64] = 0xFFFFFFFF


@final
class Luck:
    """Numbers by chance from a seed: the xorshift generator of 32 bits (Marsaglia, 2003)."""

    def __init__(self, seed: int) -> None:
        self.word: i64 = seed or 1

    def below(self, bound: i64) -> i64:
        """A number from 0 to `bound` - 1, where that is small."""
        word = self.word
        word ^= (word << 13) & WORD
        word ^= word >> 17
        word ^= (word << 5) & WORD
        self.word = word
        return (word * bound) >> 32


@final
class Worlds:
    """All deals of `hidden` cards into hands of `sizes` among the seats but `seat`, of which each
    holds only cards in its mask of `able`.

    Attributes:
        total: how many there are.
        hands: the hands of the last one that was drawn; that of `seat` is as given in `able`.

    Raises:
        ValueError: there is none.
    """

    def __init__(
        self,
        seat: int,
        hidden: int,
        able: Sequence[int],
        sizes: Sequence[int],
        rng: Random,
    ) -> None:
        self._rng = rng
        self._luck = Luck(rng.getrandbits(32))
        self._seats = [(seat + step) % 4 for step in (1, 2, 3)]
        self._fixed = [0, 0, 0, 0]
        self._fixed[seat] = able[seat]
        self.hands = list(self._fixed)
        kinds: list[list[int]] = [[] for _ in range(8)]
        for card in range(48):
            if hidden >> card & 1:
                kind = 0
                for place, other in enumerate(self._seats):
                    kind |= (able[other] >> card & 1) << place
                kinds[kind].append(card)
        need = [sizes[other] - len(kinds[1 << place]) for place, other in enumerate(self._seats)]
        for place, other in enumerate(self._seats):
            for card in kinds[1 << place]:
                self._fixed[other] |= 1 << card
        self._first_second, self._first_third = kinds[3], kinds[5]
        self._second_third, self._any = kinds[6], kinds[7]
        self._ways: list[tuple[int, int, int]] = []
        self._sums: list[int] = []
        self.total = 0
        self._need = need
        if not kinds[0]:
            self._count()
        if not self.total:
            raise ValueError("no deal of the hidden cards agrees with what is known")

    def _count(self) -> None:
        """Counts the deals by how many cards of each kind of two seats go to the first of them."""
        two, three, late = len(self._first_second), len(self._first_third), len(self._second_third)
        need, free = self._need, len(self._any)
        for one in range(two + 1):
            for other in range(three + 1):
                first = need[0] - one - other
                if not 0 <= first <= free:
                    continue
                for last in range(late + 1):
                    second = need[1] - (two - one) - last
                    if not 0 <= second <= free - first:
                        continue
                    self.total += (
                        comb(two, one) * comb(three, other) * comb(late, last)
                        * comb(free, first) * comb(free - first, second)
                    )  # fmt: skip
                    self._ways.append((one, other, last))
                    self._sums.append(self.total)

    def draw(self) -> None:
        """One of the worlds, each as likely, into `hands`."""
        one, other, last = self._ways[bisect_right(self._sums, self._rng.randrange(self.total))]
        two, three, late = len(self._first_second), len(self._first_third), len(self._second_third)
        first, second, third = self._seats
        self.hands[:] = self._fixed
        self._give(self._first_second, 0, one, first)
        self._give(self._first_second, one, two, second)
        self._give(self._first_third, 0, other, first)
        self._give(self._first_third, other, three, third)
        self._give(self._second_third, 0, last, second)
        self._give(self._second_third, last, late, third)
        middle = self._need[0] - one - other
        end = middle + self._need[1] - (two - one) - last
        self._give(self._any, 0, middle, first)
        self._give(self._any, middle, end, second)
        self._give(self._any, end, len(self._any), third)

    def _give(self, cards: list[int], start: i64, end: i64, seat: i64) -> None:
        """Gives the seat the cards from `start` to `end`, by chance from those from `start` on."""
        hand: i64 = self.hands[seat]
        size: i64 = len(cards)
        while start < end:
            place = start + self._luck.below(size - start)
            card: i64 = cards[place]
            cards[place] = cards[start]
            cards[start] = card
            hand |= bit(card)
            start += 1
        self.hands[seat] = hand
