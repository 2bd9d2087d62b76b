"""How a state changes. Knows no rule; what it is told has been decided.

On a view the same lines hold: a card played from a hand that is not seen takes away a `??`.
"""

from typing import Final

from service.rules.botifarra.events import (
    CardPlayed,
    Doubled,
    Event,
    NotDoubled,
    PlayStarted,
    Stake,
    TrickWon,
    TrumpChosen,
    TrumpDelegated,
)
from service.rules.botifarra.state import Phase, State
from service.rules.botifarra.tricks import Trick
from service.rules.cards import without
from service.rules.deals import DealScored, DealStarted
from service.rules.protocol import GameEnded, Result

LADDER: Final[tuple[Phase, ...]] = ("contro", "recontro", "sant_vicenc", "play")
"""What follows when the stake stands at level 0, 1, 2, 3."""


def evolve(state: State, event: Event) -> None:
    """Applies a decided event to the state, or to a view as that seat has seen it."""
    match event:  # what happens most comes first
        case CardPlayed(seat, card):
            state.hands[seat] = without(state.hands[seat], (card,))
            state.trick = (*state.trick, card)
            state.turn = (seat + 1) % 4
        case TrickWon(seat, points):
            state.tricks = (*state.tricks, Trick(state.leader, state.trick, seat, points))
            state.trick = ()
            state.leader = state.turn = seat
        case DealStarted():
            _start_deal(state, event)
        case TrumpDelegated(seat):
            state.turn = (seat + 2) % 4
        case TrumpChosen(seat, trump, stake):
            state.maker = seat
            state.trump = trump
            _raise(state, seat, stake)
        case Doubled(seat, stake):
            _raise(state, seat, stake)
        case NotDoubled(seat):
            state.turn = (seat + 2) % 4
        case PlayStarted(seat):
            state.phase = "play"
            state.leader = state.turn = seat
        case DealScored():
            state.scores = event.scores
            state.last_deal = event
            state.phase = "dealing"
        case _:
            _end_game(state, event)


def _start_deal(state: State, event: DealStarted) -> None:
    state.deal = event.deal
    state.dealer = event.dealer
    state.phase = "trump"
    state.turn = state.leader = event.dealer
    state.maker = state.caller = state.trump = None
    state.stake = Stake(0, 1)
    state.hands = list(event.hands)
    state.trick = ()
    state.tricks = ()
    state.scores = event.scores


def _raise(state: State, caller: int, stake: Stake) -> None:
    """The other side speaks next, the caller's neighbour first."""
    state.caller = caller
    state.stake = stake
    state.turn = (caller + 1) % 4
    state.phase = LADDER[stake.level]


def _end_game(state: State, event: GameEnded) -> None:
    state.scores = event.scores
    if event.hands:
        state.hands = list(event.hands)
    state.result = Result(event.winner, event.scores, event.why)
    state.phase = "over"
