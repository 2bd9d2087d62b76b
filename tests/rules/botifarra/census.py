"""Where the cards of botifarra lie, who may see them, and what a deal is worth."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from service.rules.botifarra.state import State
from service.rules.cards import Card

WORTH: Final = {"9": 5, "1": 4, "12": 3, "11": 2, "10": 1}
"""1.3"""


def cards(state: State) -> Iterator[Card]:
    """Every card of the state, seen or not."""
    for hand in state.hands:
        yield from hand
    yield from state.trick
    for trick in state.tricks:
        yield from trick.cards


def hidden(state: State, seat: int | None) -> int:
    """The other hands until the game is over (5.4)."""
    hands = sum(len(hand) for owner, hand in enumerate(state.hands) if owner != seat)
    return 0 if state.phase == "over" else hands


def sheets(state: State, events: Sequence[Any]) -> list[dict[str, tuple[int, list[str]]]]:
    """Each side's deal, counted from the tricks and written against the rules' text (4, 6)."""
    assert len(state.tricks) == 12
    counted = [_lines(state, side) for side in (0, 1)]
    assert sum(sheet["cards"][0] + sheet["tricks"][0] for sheet in counted) == 72
    return counted


def _lines(state: State, side: int) -> dict[str, tuple[int, list[str]]]:
    taken = {
        seat: [
            sum(WORTH.get(card[1:], 0) for card in trick.cards)
            for trick in state.tricks
            if trick.winner == seat
        ]
        for seat in (side, side + 2)
    }
    cards, tricks = sum(map(sum, taken.values())), sum(map(len, taken.values()))
    above = max(0, cards + tricks - 36)
    factor = 2**state.stake.level * (2 if state.trump == "botifarra" else 1)
    return {
        "cards": (cards, [f"seat {seat}: {sum(points)}" for seat, points in taken.items()]),
        "tricks": (tricks, [f"seat {seat}: {len(points)}" for seat, points in taken.items()]),
        "half": (above - cards - tricks, ["36"]),
        "stake": (above * (factor - 1), [f"×{factor}"]),
    }
