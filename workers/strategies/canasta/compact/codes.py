"""Cards as small numbers: what the compact state is made of.

0 to 43 are the naturals, `4 * step + suit` with step 0 for a four; then a two, a joker, a black
three and a red three, whose suits no rule asks for.
"""

from typing import Final

from service.rules.canasta.melds import POINTS as CARD_POINTS
from service.rules.cards import JOKER as JOKER_CARD
from service.rules.cards import RANKS, SUITS, Card

STEPS: Final = 11
TWO: Final = 44
JOKER: Final = 45
BLACK: Final = 46
RED: Final = 47
KINDS: Final = 48

CARDS: Final[list[list[Card]]] = [
    *([rank + suit] for rank in RANKS for suit in SUITS),
    ["2" + suit for suit in SUITS],
    [JOKER_CARD],
    ["3c", "3s"],
    ["3d", "3h"],
]
"""The cards that a code stands for."""

CODES: Final[dict[Card, int]] = {card: code for code, cards in enumerate(CARDS) for card in cards}

POINTS: Final[list[int]] = [CARD_POINTS[cards[0]] for cards in CARDS]
"""What a card is worth on the table, by its code."""

BITS: Final[list[int]] = [number.bit_count() for number in range(1 << STEPS)]
"""How many steps a set of steps holds."""

WINDOWS: Final[list[int]] = [0b1111111 << low for low in range(STEPS - 6)]
"""The sequences of seven, as sets of steps."""
