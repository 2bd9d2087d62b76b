"""Who acts, what each seat may see, and how the game ended."""

from collections.abc import Sequence
from dataclasses import replace

from service.rules.cards import UNSEEN, Card
from service.rules.deals import DealStarted
from service.rules.highest.events import Event
from service.rules.highest.state import State
from service.rules.protocol import HOUSE, Result, Seat


def to_act(state: State) -> Seat | None:
    """Who must act: a seat, HOUSE while the deal is due, None when the game is over."""
    return {"dealing": HOUSE, "play": state.turn, "over": None}[state.phase]


def result(state: State) -> Result | None:
    """How the game ended, or None while it goes on."""
    return state.result


def view(state: State, seat: Seat | None) -> State:
    """A new state as `seat` (None: a spectator) may see it: the other hand until the end, and
    the stock for ever, face down."""
    seen_state = state.copy()
    seen_state.stock = (UNSEEN,) * len(state.stock)
    if state.phase != "over":
        seen_state.hands = _hands(state.hands, seat)
    return seen_state


def seen(event: Event, seat: Seat | None) -> Event:
    """The event as `seat` (None: a spectator) may see it."""
    if isinstance(event, DealStarted):
        hands, stock = tuple(_hands(event.hands, seat)), (UNSEEN,) * len(event.stock)
        return replace(event, hands=hands, stock=stock)
    return event


def _hands(hands: Sequence[tuple[Card, ...]], seat: Seat | None) -> list[tuple[Card, ...]]:
    return [hand if owner == seat else (UNSEEN,) * len(hand) for owner, hand in enumerate(hands)]
