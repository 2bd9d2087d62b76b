"""How a state changes. Knows no rule; what it is told has been decided.

On a view the same lines hold: hidden hands and the stock are only `??`, and so is every card
that an event brings to or takes from them unseen.
"""

from service.rules.canasta.events import (
    CardDiscarded,
    CardsDrawn,
    Event,
    MeldExtended,
    MeldLaid,
    PartnerAnswered,
    PartnerAsked,
    PileTaken,
    RedThreesReplaced,
    TopTaken,
    TurnPassed,
)
from service.rules.canasta.state import Meld, State
from service.rules.cards import Card, arranged, without
from service.rules.deals import DealScored, DealStarted
from service.rules.protocol import GameEnded, Result, Seat


def evolve(state: State, event: Event) -> None:
    """Applies a decided event to the state, or to a view as that seat has seen it."""
    match event:  # what happens most comes first
        case CardDiscarded(seat, card):
            _lose(state, seat, (card,))
            state.pile = (*state.pile, card)
            _next_turn(state)
        case CardsDrawn(seat, cards, red_threes):
            state.stock = state.stock[len(cards) + len(red_threes) :]
            _gain(state, seat, cards, red_threes)
            if cards:
                state.phase = "play"
        case MeldExtended(seat, meld, cards):
            _lose(state, seat, cards)
            _grow(state, seat, meld, cards)
        case MeldLaid(seat, meld, kind, cards):
            _lose(state, seat, cards)
            side = state.side(seat)
            state.melds[side] = (*state.melds[side], Meld(meld, kind, cards))
            state.next_meld += 1
            state.laid_now = True
        case DealStarted():
            _start_deal(state, event)
        case RedThreesReplaced(seat, red_threes, cards):
            state.stock = state.stock[len(red_threes) :]
            _lose(state, seat, red_threes[: len(cards)])
            _gain(state, seat, cards, red_threes)
        case PileTaken(seat, _, cards, red_threes):
            state.pile = ()
            _gain(state, seat, cards, red_threes)
            state.phase = "play"
            state.passes = 0
        case TopTaken(seat, card, meld):
            state.pile = state.pile[:-1]
            _grow(state, seat, meld, (card,))
            state.phase = "play"
        case TurnPassed():
            state.passes += 1
            _next_turn(state)
        case PartnerAsked(_, plan):
            state.plan = plan
            state.asked = True
            state.asked_in = state.phase
            state.phase = "ask"
        case PartnerAnswered(_, answer):
            state.plan = None
            state.refused = answer == "no"
            state.phase = state.asked_in
        case DealScored():
            state.deal = event.deal
            state.scores = list(event.scores)
            state.last_deal = event
            state.phase = "dealing"
        case GameEnded(winner, scores, why, hands):
            state.scores = list(scores)
            if hands:
                state.hands = list(hands)
            state.result = Result(winner, scores, why)
            state.phase = "over"
        case _:  # CanastaClosed, WentOut: told for the reader, kept by nobody
            pass


def _start_deal(state: State, event: DealStarted) -> None:
    sides = len(event.scores)
    state.deal = event.deal
    state.dealer = event.dealer
    state.hands = list(event.hands)
    state.pile = event.pile
    state.stock = event.stock
    state.scores = list(event.scores)
    state.melds = [()] * sides
    state.red_threes = [()] * sides
    state.laid = [False] * state.players
    state.laid_now = False
    state.next_meld = 1
    state.passes = 0
    state.turn = event.dealer
    _next_turn(state)


def _next_turn(state: State) -> None:
    state.laid[state.turn] |= state.laid_now
    state.laid_now = False
    state.asked = False
    state.refused = False
    state.turn = (state.turn + 1) % state.players
    state.melded_before = state.melded(state.side(state.turn))
    state.phase = "draw"


def _gain(state: State, seat: Seat, cards: tuple[Card, ...], red_threes: tuple[Card, ...]) -> None:
    state.hands[seat] = arranged((*state.hands[seat], *cards))
    side = state.side(seat)
    state.red_threes[side] = (*state.red_threes[side], *red_threes)


def _lose(state: State, seat: Seat, cards: tuple[Card, ...]) -> None:
    state.hands[seat] = without(state.hands[seat], cards)


def _grow(state: State, seat: Seat, name: str, cards: tuple[Card, ...]) -> None:
    side = state.side(seat)
    state.melds[side] = tuple(
        Meld(meld.id, meld.kind, arranged((*meld.cards, *cards))) if meld.id == name else meld
        for meld in state.melds[side]
    )
    state.laid_now = True
