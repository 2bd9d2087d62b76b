"""Sets of cards as integers: counting, and what stands above and below.

A card is a number from 0 to 47: twelve times its suit (0 oros, 1 copes, 2 espases, 3 bastons)
and its rank (0 the two, 11 the manilla). A set has the bit `1 << card` of each of its cards, and
where a function takes one card it takes the set of it: of two of a suit the greater number is the
higher card. All suits are looked at at once.

Compiled, these are a few machine instructions each; see docs/computer-players.md.
"""

from typing import Final

from mypy_extensions import i64

HONOURS: Final = 0xF80F80F80F80
"""The cards that count."""

FOURS: Final = 0xC00C00C00C00
"""Of those, manillas (5) and asos (4): their worth has a bit 4."""

TWOS: Final = 0x300300300300
"""Reis (3) and cavalls (2)."""

ONES: Final = 0xA80A80A80A80
"""Manillas, reis and sotes (1)."""

LOW: Final = 0x07F07F07F07F
"""The cards that count nothing."""


def bit(card: i64) -> i64:
    """The set of one card."""
    return shifted(1, card)


def shifted(bits: i64, by: i64) -> i64:
    """Bits moved up. Compiled, `1 << by` has 32 bits, and so has a variable known to be one."""
    return bits << by


def size(cards: i64) -> i64:
    """How many cards, by adding neighbouring fields of bits."""
    pairs: i64 = cards - ((cards >> 1) & 0x555555555555)
    fours: i64 = (pairs & 0x333333333333) + ((pairs >> 2) & 0x333333333333)
    eights: i64 = (fours + (fours >> 4)) & 0x0F0F0F0F0F0F
    sums: i64 = eights + (eights >> 24)
    return (sums + (sums >> 8) + (sums >> 16)) & 0x3F


def worth(card: i64) -> i64:
    """The points of one card (rules 1.4)."""
    if not card & HONOURS:
        return 0
    points: i64 = 0
    if card & FOURS:
        points = 4
    elif card & TWOS:
        points = 2
    return points + 1 if card & ONES else points


def worths(cards: i64) -> i64:
    """The points of a set of cards."""
    return 4 * size(cards & FOURS) + 2 * size(cards & TWOS) + size(cards & ONES)


def suit_of(card: i64) -> i64:
    """All cards of its suit."""
    if card < 0x1000000:
        return 0xFFF if card < 0x1000 else 0xFFF000
    return 0xFFF000000 if card < 0x1000000000 else 0xFFF000000000


def suits(cards: i64) -> i64:
    """All cards of their suits."""
    whole: i64 = 0
    if cards & 0xFFF:
        whole = 0xFFF
    if cards & 0xFFF000:
        whole |= 0xFFF000
    if cards & 0xFFF000000:
        whole |= 0xFFF000000
    if cards & 0xFFF000000000:
        whole |= 0xFFF000000000
    return whole


def below(cards: i64) -> i64:
    """These cards and all that are lower in their suits."""
    cards |= (cards >> 1) & 0x7FF7FF7FF7FF
    cards |= (cards >> 2) & 0x3FF3FF3FF3FF
    cards |= (cards >> 4) & 0x0FF0FF0FF0FF
    return cards | (cards >> 8) & 0x00F00F00F00F


def cheapest(cards: i64) -> i64:
    """One of those that count least."""
    pick: i64 = cards & LOW
    if not pick:
        pick = cards & 0x080080080080
        if not pick:
            pick = cards & 0x100100100100
            if not pick:
                pick = cards & 0x200200200200
                if not pick:
                    pick = cards
    return pick & -pick


def richest(cards: i64) -> i64:
    """One of those that count most."""
    pick: i64 = cards & HONOURS
    if not pick:
        return cards & -cards
    pick = cards & 0x800800800800
    if not pick:
        pick = cards & 0x400400400400
        if not pick:
            pick = cards & 0x200200200200
            if not pick:
                pick = cards & 0x100100100100
                if not pick:
                    pick = cards & 0x080080080080
    return pick & -pick
