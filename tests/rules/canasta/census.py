"""Where the cards of the canasta family lie."""

from collections.abc import Iterable

from service.rules.canasta.state import State
from service.rules.cards import Card


def cards(state: State) -> Iterable[Card]:
    """Every card of the deal, wherever it is."""
    yield from state.stock
    yield from state.pile
    for row in (*state.hands, *state.red_threes):
        yield from row
    for melds in state.melds:
        for meld in melds:
            yield from meld.cards
