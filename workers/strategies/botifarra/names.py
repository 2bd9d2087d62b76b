"""Between the cards of the rules and the numbers of `core`, both ways."""

from collections.abc import Iterable, Sequence
from typing import Final

from service.rules.botifarra.cards import RANKS, SUITS
from service.rules.botifarra.commands import TRUMPS, Trump
from service.rules.botifarra.state import State
from service.rules.cards import Card
from workers.strategies.botifarra.core import Position

CARDS: Final[tuple[Card, ...]] = tuple(
    f"{suit}{rank}" for suit in SUITS for rank in reversed(RANKS)
)
"""The cards by number."""

NUMBER: Final[dict[Card, int]] = {card: number for number, card in enumerate(CARDS)}

TRUMP: Final[dict[Trump, int]] = {trump: number for number, trump in enumerate(TRUMPS)}
"""The number of trumps: that of the suit, or 4."""


def as_set(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    return sum(1 << NUMBER[card] for card in cards)


def position(state: State, hands: Sequence[Iterable[Card]] | None = None) -> Position:
    """Where the play of a deal stands; instead of the state's hands, these, seat 0's first."""
    assert state.trump
    return Position(
        [as_set(hand) for hand in hands or state.hands],
        TRUMP[state.trump],
        state.leader,
        [NUMBER[card] for card in state.trick],
    )
