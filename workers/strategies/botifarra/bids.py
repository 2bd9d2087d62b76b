"""What a hand is worth before a card is played, and what players say of it.

`expects` is a linear regression on random deals that the quick player played out.
From it follows how likely a seat is to choose trumps, to delegate and to double, so that what it
said tells something of its hand, and how far the others would climb the ladder of stakes.
"""

from collections.abc import Sequence
from math import exp
from typing import Final, final

from mypy_extensions import i64

from workers.strategies.botifarra.deal import COUNT, FULL, NONE

DELEGATED: Final = 0
CHOSEN: Final = 1
DOUBLED: Final = 2
NOT_DOUBLED: Final = 3

PARTNER: Final = 2.0
"""Points above 36 that a dealer expects of leaving the choice to the partner."""

SURE: Final = [4.5, 7.0, 12.0]
"""Points above 36 that a hand expects for contro, recontro and Sant Vicenç, as `master` doubles."""

VAGUE: Final = 2.5
"""Points that make one choice e times as likely as another."""

ANY: Final = 0.05
"""How often something else is said."""


def expects(hand: i64, trump: i64) -> float:
    """Points above 36 that a side may expect for one of its hands, 12 cards, with such trumps."""
    voids: i64 = 0
    singles: i64 = 0
    doubles: i64 = 0
    nines: i64 = 0
    ones: i64 = 0
    twelves: i64 = 0
    elevens: i64 = 0
    total: float = 0.0
    suit: i64 = 0
    while suit < 4:
        cards = (hand >> (12 * suit)) & FULL
        count: i64 = COUNT[cards]
        if suit == trump:
            total += TRUMPS[count]
            total += TRUMP_HONOURS[cards >> 8]
        else:
            if count == 0:
                voids += 1
            elif count == 1:
                singles += 1
            elif count == 2:
                doubles += 1
            nines += cards >> 11
            ones += cards >> 10 & 1
            twelves += cards >> 9 & 1
            elevens += cards >> 8 & 1
        suit += 1
    if trump == NONE:
        return (
            -12.4 + 5.4 * float(nines) + 3.8 * float(ones) + 1.6 * float(twelves)
            + 0.7 * float(elevens) + float(voids)
        )  # fmt: skip
    return (
        total - 15.5 + 4.7 * float(nines) + 2.0 * float(ones) + 0.8 * float(twelves)
        + 6.8 * float(voids) + 2.5 * float(singles) + 0.5 * float(doubles)
    )  # fmt: skip


TRUMPS: Final = [1.5 * count for count in range(13)]

TRUMP_HONOURS: Final = [
    6.0 * (top >> 3) + 4.0 * (top >> 2 & 1) + 2.3 * (top >> 1 & 1) + 1.2 * (top & 1)
    for top in range(16)
]
"""What manilla, as, rei and cavall of trumps add, by their four bits."""


def chosen(hand: i64) -> i64:
    """The trumps from which a hand expects most."""
    best: i64 = NONE
    most = 2 * expects(hand, NONE)
    trump: i64 = 0
    while trump < 4:
        worth = expects(hand, trump)
        if worth > most:
            best = trump
            most = worth
        trump += 1
    return best


@final
class Bids:
    """What was said in a deal: (what, seat, which) in order.

    `which` is the trumps that were chosen, 5 more if the seat could have delegated; or the level
    of the ladder before somebody doubled, or did not.
    """

    def __init__(self, said: Sequence[tuple[int, int, int]]) -> None:
        self._said = list(said)
        self._trump: i64 = NONE
        for what, _, which in said:
            if what == CHOSEN:
                self._trump = which % 5

    def odds(self, hands: Sequence[int], seat: i64) -> float:
        """How likely all that the others than `seat` said is, with these hands of 12 cards."""
        total: float = 1.0
        for what, who, which in self._said:
            if who == seat:
                continue
            hand: i64 = hands[who]
            if what >= DOUBLED:
                needs = SURE[which] - expects(hand, self._trump)
                calls = 1.0 / (1.0 + exp(needs / VAGUE))
                total *= ANY + (1.0 - 2 * ANY) * (calls if what == DOUBLED else 1.0 - calls)
            else:
                total *= ANY / 6 + (1.0 - ANY) * _choice(hand, what, which)
        return total


def _choice(hand: i64, what: i64, which: i64) -> float:
    """That a hand delegates, or chooses these trumps."""
    may = what == DELEGATED or which >= 5
    sums: float = exp(PARTNER / VAGUE) if may else 0.0
    ours: float = sums if what == DELEGATED else 0.0
    trump: i64 = 0
    while trump < 5:
        worth = expects(hand, trump) * (2.0 if trump == NONE else 1.0)
        weight = exp(max(-30.0, worth / VAGUE))
        sums += weight
        if what == CHOSEN and which % 5 == trump:
            ours = weight
        trump += 1
    return ours / sums


def climbed(hands: Sequence[int], trump: i64, level: i64, caller: i64, first: bool) -> i64:
    """The level at which the stakes stand if each seat doubles when its hand is sure enough.

    `caller` raised them to `level`, or chose trumps; the seat after it speaks first, and has
    spoken already unless `first`.
    """
    top: i64 = 2 if trump == NONE else 3
    while level < top:
        one = (caller + 1) & 3
        other = (caller + 3) & 3
        needs = SURE[level]
        if first and expects(hands[one], trump) >= needs:
            caller = one
        elif expects(hands[other], trump) >= needs:
            caller = other
        else:
            return level
        level += 1
        first = True
    return level
