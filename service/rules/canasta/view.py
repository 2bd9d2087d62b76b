"""Who acts, what each seat may see, and how the game ended (rules 4.10)."""

from collections.abc import Sequence
from dataclasses import replace

from service.rules.canasta.events import (
    CardsDrawn,
    Event,
    PartnerAsked,
    PileTaken,
    RedThreesReplaced,
)
from service.rules.canasta.state import State
from service.rules.cards import UNSEEN, Card
from service.rules.deals import DealStarted
from service.rules.protocol import HOUSE, Result, Seat


def to_act(state: State) -> Seat | None:
    """Who must act: a seat, HOUSE while the deal is due, None when the game is over."""
    match state.phase:
        case "dealing":
            return HOUSE
        case "ask":
            return state.partner(state.turn)
        case "over":
            return None
        case _:
            return state.turn


def result(state: State) -> Result | None:
    """How the game ended, or None while it goes on."""
    return state.result


def view(state: State, seat: Seat | None) -> State:
    """A new state as `seat` (None: a spectator) may see it.

    Other hands, the stock and somebody else's plan are hidden; the hands lie open once the
    game is over. The pile, seen face up card by card, stays whole.
    """
    seen_state = state.copy()
    seen_state.stock = _hidden(state.stock)
    if state.phase != "over":
        seen_state.hands = _hands(state.hands, seat)
    if seat != state.turn:
        seen_state.plan = None
    return seen_state


def seen(event: Event, seat: Seat | None) -> Event:
    """The event as `seat` (None: a spectator) may see it."""
    match event:
        case DealStarted():
            hands = tuple(_hands(event.hands, seat))
            return replace(event, hands=hands, stock=_hidden(event.stock))
        case RedThreesReplaced() | CardsDrawn() | PileTaken() if event.seat != seat:
            return replace(event, cards=_hidden(event.cards))
        case PartnerAsked() if event.seat != seat:
            return replace(event, plan=None)
        case _:
            return event


def _hands(hands: Sequence[tuple[Card, ...]], seat: Seat | None) -> list[tuple[Card, ...]]:
    return [hand if owner == seat else _hidden(hand) for owner, hand in enumerate(hands)]


def _hidden(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return (UNSEEN,) * len(cards)
