"""What a search may pass over, since it brings as much as something else, or nearly."""

from typing import Final

from mypy_extensions import i64

from workers.strategies.botifarra.sets import LOW, below, suit_of, worth

LOWER: Final = 0x03F03F03F03F
"""The cards that count nothing and have a neighbour above them that does not, either."""


def distinct(cards: i64, all: i64) -> i64:
    """The cards without those that bring as much as a lower one of them: next to it in its suit,
    among `all` that are still in play, and both counting nothing.

    A card moves up by one, and as a carry through the gaps to the next card in play.
    """
    return cards & ~(((cards & LOWER) << 1) + (LOW & ~all)) | cards & ~LOW


def neighbours(card: i64, all: i64, short: i64) -> i64:
    """Those next to `card` in its suit that are worth less than `short` more, or less, than it.

    Two such cards of one hand may change places, so what they bring differs by no more than
    their worth does: where one fell `short` of the goal, the other would too.
    """
    suit: i64 = all & suit_of(card)
    points: i64 = worth(card)
    near: i64 = suit & -(card << 1)
    near &= -near
    gap: i64 = worth(near) - points if near else short
    if gap >= short:
        near = 0
    down: i64 = below(suit & (card - 1))
    down &= ~(down >> 1)
    gap = points - worth(down) if down else short
    return near | down if gap < short else near


def apart(card: i64, others: i64) -> i64:
    """How much more, or less, than the card the worth of one of these is at most."""
    points: i64 = worth(card)
    most: i64 = 0
    while others:
        other: i64 = worth(others & -others)
        others &= others - 1
        by: i64 = other - points if other > points else points - other
        if by > most:
            most = by
    return most


def gathered(a: i64, b: i64, c: i64, d: i64) -> tuple[i64, i64, i64, i64]:
    """The hands with the cards that count nothing moved down over those that are gone.

    What brings the same has the same name then. First go those that have an odd way, by one; then
    those of whose way an odd number of twos is left, by two; then by four.
    """
    low: i64 = (a | b | c | d) & LOW
    gaps: i64 = ((LOW & ~low) << 1) & LOW
    by: i64 = 1
    while gaps:
        odd: i64 = gaps ^ ((gaps << 1) & LOW)
        odd ^= (odd << 2) & LOW
        odd ^= (odd << 4) & LOW
        low = (low & ~odd) | ((low & odd) >> by)
        a = (a & ~odd) | ((a & odd) >> by)
        b = (b & ~odd) | ((b & odd) >> by)
        c = (c & ~odd) | ((c & odd) >> by)
        d = (d & ~odd) | ((d & odd) >> by)
        gaps &= ~odd
        by <<= 1
    return a, b, c, d
