"""A deal in play for playouts, with what everybody may know of each hand.

A card is `12 * suit + rank` (suits in the order of the pack, rank 0 the two, 11 the manilla), a set
of cards a mask with bit `card`; trump 4 is none.

`core.Position` is the same deal with all cards open, made for the solver: its hands turn with
who is to act and a card is a set, which is quick, and says nothing of what a seat has told. Here
hands stay with their seats. `tests/workers/botifarra/` holds each to `service.rules`.
"""

from typing import Final, final

from mypy_extensions import i64

from workers.strategies.botifarra.core import bit, shifted

COUNT: Final = bytes(mask.bit_count() for mask in range(4096))
"""How many cards of one suit are in a mask of 12 bits."""

LOW: Final = bytes((mask & -mask).bit_length() - 1 if mask else 12 for mask in range(4096))
"""The lowest rank in a mask of 12 bits; 12 for none."""

WORTH: Final = bytes((0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5))
"""Points of a card by its rank."""

FULL: Final[i64] = 4095
"""All ranks of a suit."""

ALL: Final[i64] = 0xFFFFFFFFFFFF
"""All cards."""

NONE: Final[i64] = 4
"""Trumps of a deal without."""


def suited(suit: i64) -> i64:
    """All cards of a suit."""
    return shifted(0xFFF, 12 * suit)


@final
class Deal:
    """Four hands, a trick, and what everybody has heard of each other.

    Attributes:
        hand0 to hand3: what each seat holds.
        able0 to able3: what each may hold as far as its cards tell.
        seat: who is to play. `count` cards lie in the trick, `led` is its suit, `best` its best
            card, `owner` whose that is, `pot` the points of its cards.
        points0, points1: what the sides took, seats 0 and 2 and seats 1 and 3.
    """

    def __init__(self, trump: i64) -> None:
        self.trump: i64 = trump
        self.hand0: i64 = 0
        self.hand1: i64 = 0
        self.hand2: i64 = 0
        self.hand3: i64 = 0
        self.able0: i64 = 0
        self.able1: i64 = 0
        self.able2: i64 = 0
        self.able3: i64 = 0
        self.seat: i64 = 0
        self.count: i64 = 0
        self.led: i64 = 0
        self.best: i64 = 0
        self.owner: i64 = 0
        self.pot: i64 = 0
        self.points0: i64 = 0
        self.points1: i64 = 0

    def copy(self, other: "Deal") -> None:
        """Becomes the same as the other."""
        self.trump = other.trump
        self.hand0 = other.hand0
        self.hand1 = other.hand1
        self.hand2 = other.hand2
        self.hand3 = other.hand3
        self.able0 = other.able0
        self.able1 = other.able1
        self.able2 = other.able2
        self.able3 = other.able3
        self.seat = other.seat
        self.count = other.count
        self.led = other.led
        self.best = other.best
        self.owner = other.owner
        self.pot = other.pot
        self.points0 = other.points0
        self.points1 = other.points1

    def hand(self, seat: i64) -> i64:
        """What the seat holds."""
        if seat == 0:
            return self.hand0
        if seat == 1:
            return self.hand1
        if seat == 2:
            return self.hand2
        return self.hand3

    def able(self, seat: i64) -> i64:
        """What the seat may hold."""
        if seat == 0:
            return self.able0
        if seat == 1:
            return self.able1
        if seat == 2:
            return self.able2
        return self.able3

    def left(self) -> i64:
        """How many cards are still to be played."""
        cards = self.hand0 | self.hand1 | self.hand2 | self.hand3
        count: i64 = 0
        while cards:
            few: i64 = COUNT[cards & FULL]
            count += few
            cards >>= 12
        return count

    def beats(self, card: i64) -> bool:
        """Whether the card beats the best of the trick."""
        suit = card // 12
        if suit == self.best // 12:
            return card > self.best
        return suit == self.trump

    def legal(self) -> i64:
        """The cards that the seat to play may play (rules 5.3)."""
        hand = self.hand(self.seat)
        if self.count == 0:
            return hand
        suit = hand & suited(self.led)
        if (self.owner ^ self.seat) & 1 == 0:
            return suit if suit else hand
        higher = ~(2 * bit(self.best) - 1)
        if suit:
            if self.best // 12 == self.led and suit & higher:
                return suit & higher
            return suit & -suit
        if self.trump == NONE:
            return hand
        trumps = hand & suited(self.trump)
        if trumps == 0:
            return hand
        if self.best // 12 == self.trump and trumps & higher:
            return trumps & higher
        return trumps

    def tell(self, card: i64) -> i64:
        """The cards that the seat to play cannot hold any more if it plays that one.

        The inverse of `legal`: what would have forbidden the card.
        """
        if self.count == 0:
            return 0
        suit = card // 12
        window = suited(self.led)
        higher = ~(2 * bit(self.best) - 1)
        if (self.owner ^ self.seat) & 1 == 0:
            return 0 if suit == self.led else window
        if suit == self.led:
            if self.best // 12 != suit:
                return window & (bit(card) - 1)
            if card > self.best:
                return 0
            return window & (higher | (bit(card) - 1))
        if self.trump == NONE:
            return window
        trumps = suited(self.trump)
        if suit != self.trump:
            return window | trumps
        if self.best // 12 == suit and card < self.best:
            return window | (trumps & higher)
        return window

    def play(self, card: i64) -> None:
        """The seat to play plays the card; a full trick goes to its winner, who is to play."""
        seat = self.seat
        card_gone = ~bit(card)
        gone = card_gone & ~self.tell(card)
        if seat == 0:
            self.hand0 &= card_gone
            self.able0 &= gone
        elif seat == 1:
            self.hand1 &= card_gone
            self.able1 &= gone
        elif seat == 2:
            self.hand2 &= card_gone
            self.able2 &= gone
        else:
            self.hand3 &= card_gone
            self.able3 &= gone
        if self.count == 0:
            self.led = card // 12
            self.best = card
            self.owner = seat
            self.pot = 1
        elif self.beats(card):
            self.best = card
            self.owner = seat
        worth: i64 = WORTH[card % 12]
        self.pot += worth
        if self.count == 3:
            self.count = 0
            self.seat = self.owner
            if self.owner & 1:
                self.points1 += self.pot
            else:
                self.points0 += self.pot
        else:
            self.count += 1
            self.seat = (seat + 1) & 3

    def choices(self, hand: i64) -> list[int]:
        """The cards of this hand that the seat to play may play, the lowest first."""
        empty = Deal(self.trump)
        empty.copy(self)
        empty.hand0 = empty.hand1 = empty.hand2 = empty.hand3 = hand
        cards = empty.legal()
        return [card for card in range(48) if cards >> card & 1]


def opened(trump: i64, leader: i64) -> Deal:
    """The deal before its first card, as everybody knows it: any seat may hold any card.

    The hands are left out.
    """
    deal = Deal(trump)
    deal.able0 = deal.able1 = deal.able2 = deal.able3 = ALL
    deal.seat = leader
    return deal
