"""Where the cards of highest lie, who may see them, and what a deal is worth."""

from collections.abc import Iterator, Sequence
from typing import Any

from service.rules.cards import Card
from service.rules.highest.state import State


def cards(state: State) -> Iterator[Card]:
    """Every card of the state, seen or not."""
    for row in (*state.hands, state.stock, state.laid, *(pair for _, pair in state.taken)):
        yield from row


def hidden(state: State, seat: int | None) -> int:
    """The stock, and the other hand until the game is over (2)."""
    hands = sum(len(hand) for owner, hand in enumerate(state.hands) if owner != seat)
    return len(state.stock) + (0 if state.phase == "over" else hands)


def sheets(state: State, events: Sequence[Any]) -> list[dict[str, tuple[int, list[str]]]]:
    """Each side's deal, counted from the pairs on the table (4)."""
    pairs = [sum(winner == side for winner, _ in state.taken) for side in (0, 1)]
    return [
        {"pairs": (won, [f"{won} of 3"]), "sweep": (won // 3, ["all of them"])} for won in pairs
    ]
