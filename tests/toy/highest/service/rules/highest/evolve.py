"""How a state changes. Knows no rule; works on views too."""

from service.rules.cards import without
from service.rules.deals import DealScored, DealStarted
from service.rules.highest.events import CardLaid, Event, PairTaken
from service.rules.highest.state import State
from service.rules.protocol import Result


def evolve(state: State, event: Event) -> None:
    """Applies a decided event to the state, or to a view as that seat has seen it."""
    match event:
        case DealStarted():
            state.deal, state.dealer = event.deal, event.dealer
            state.phase, state.turn = "play", 1 - event.dealer
            state.hands, state.stock = list(event.hands), event.stock
            state.laid, state.taken, state.scores = (), (), event.scores
        case CardLaid(seat, card):
            state.hands[seat] = without(state.hands[seat], (card,))
            state.laid = (*state.laid, card)
            state.turn = 1 - seat
        case PairTaken(seat):
            state.taken = (*state.taken, (seat, state.laid))
            state.laid = ()
            state.turn = seat
        case DealScored():
            state.scores, state.last_deal = event.scores, event
            state.phase = "dealing"
        case _:
            state.scores, state.phase = event.scores, "over"
            state.hands = list(event.hands)
            state.result = Result(event.winner, event.scores, event.why)
