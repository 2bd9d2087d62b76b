"""The 48 Spanish cards: what beats what within a suit, and what counts (rules 1.2 to 1.4).

A card is written suit, then number: `O9` is the nine of oros, the manilla. 10 is the sota,
11 the cavall, 12 the rei.
"""

from collections.abc import Iterable
from typing import Final

from service.rules.cards import Card

SUITS: Final = {"O": "oros", "C": "copes", "E": "espases", "B": "bastons"}
"""The suits by their letters, in the order of the pack and of a hand."""

RANKS: Final = (9, 1, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2)
"""The numbers from the highest to the lowest, the same in every suit."""

WORTH: Final = {9: 5, 1: 4, 12: 3, 11: 2, 10: 1}
"""Points of a card by its number; the others count nothing."""

PACK: Final[tuple[Card, ...]] = tuple(
    f"{suit}{number}" for suit in SUITS for number in range(1, 13)
)
"""Every card, by suit and number."""

RANK: Final[dict[Card, int]] = {
    f"{suit}{number}": rank for suit in SUITS for rank, number in enumerate(reversed(RANKS))
}
"""How high a card stands in its suit: the two 0, the manilla 11."""

POINTS: Final[dict[Card, int]] = {card: WORTH.get(int(card[1:]), 0) for card in PACK}
"""What a card counts in a trick."""

_PLACE: Final = {
    card: place
    for place, card in enumerate(f"{suit}{number}" for suit in SUITS for number in RANKS)
}


def arranged(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in a hand's order: by suit, from the highest to the lowest."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))
