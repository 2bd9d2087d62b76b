"""Who acts, what each seat may see, and how the game ended (rules 5.4)."""

from collections.abc import Sequence
from dataclasses import replace

from service.rules.botifarra.events import Event
from service.rules.botifarra.state import State
from service.rules.cards import UNSEEN, Card
from service.rules.deals import DealStarted
from service.rules.protocol import HOUSE, Result, Seat


def to_act(state: State) -> Seat | None:
    """Who must act: a seat, HOUSE while the deal is due, None when the game is over."""
    match state.phase:
        case "dealing":
            return HOUSE
        case "over":
            return None
        case _:
            return state.turn


def result(state: State) -> Result | None:
    """How the game ended, or None while it goes on."""
    return state.result


def view(state: State, seat: Seat | None) -> State:
    """A new state as `seat` (None: a spectator) may see it.

    Other hands are hidden until the game is over. Tricks stay whole: everybody saw them.
    """
    seen_state = state.copy()
    if state.phase != "over":
        seen_state.hands = _hands(state.hands, seat)
    return seen_state


def seen(event: Event, seat: Seat | None) -> Event:
    """The event as `seat` (None: a spectator) may see it."""
    if isinstance(event, DealStarted):
        return replace(event, hands=tuple(_hands(event.hands, seat)))
    return event


def _hands(hands: Sequence[tuple[Card, ...]], seat: Seat | None) -> list[tuple[Card, ...]]:
    return [hand if owner == seat else (UNSEEN,) * len(hand) for owner, hand in enumerate(hands)]
