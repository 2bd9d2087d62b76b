"""Cards as they are written: French (`10h`, `Kd`, `JK`), Spanish (`O9`), unseen (`??`).

A card is its code and nothing else: copies of one card are interchangeable, so a hand is a
sorted tuple with repeats.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Final

Card = Annotated[str, "card"]
"""A card's code. The annotation is how the HTTP edge tells a card from other strings."""

UNSEEN: Final = "??"
JOKER: Final = "JK"
SUITS: Final = "cdhs"
RANKS: Final = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""The natural ranks of the canasta family, low to high."""

RANK: Final[dict[str, str]] = {
    **{rank + suit: rank for rank in ("2", "3", *RANKS) for suit in SUITS},
    JOKER: JOKER,
    UNSEEN: UNSEEN,
}
"""The rank of each French card; a joker's is `JK`."""

_SORT: Final = {
    card: place
    for place, card in enumerate(
        [*(rank + suit for rank in ("3", *RANKS, "2") for suit in SUITS), JOKER, UNSEEN]
    )
}


def french_pack(decks: int, jokers: int) -> tuple[Card, ...]:
    """`decks` decks of 52, each by rank and suit, one after the other; then the jokers."""
    deck = [rank + suit for rank in ("3", *RANKS, "2") for suit in SUITS]
    return arranged([*deck * decks, *[JOKER] * jokers])


def arranged(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in a hand's order: by rank (3, 4 … A, 2, joker), then suit, unseen last."""
    return tuple(sorted(cards, key=_SORT.__getitem__))


def without(hand: Sequence[Card], cards: Iterable[Card]) -> tuple[Card, ...]:
    """The hand less the cards; a card not in it is taken from its unseen ones.

    Raises:
        ValueError: the hand holds neither the card nor an unseen one.
    """
    left = list(hand)
    for card in cards:
        try:
            left.remove(card)
        except ValueError:
            left.remove(UNSEEN)
    return tuple(left)
