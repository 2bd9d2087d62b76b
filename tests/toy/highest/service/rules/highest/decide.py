"""What a command causes, and when it may be given.

dealing ─► play ─► dealing … over
"""

from service.rules.cards import Card, arranged
from service.rules.deals import DealStarted
from service.rules.errors import IllegalMove
from service.rules.highest.commands import Command, Lay
from service.rules.highest.events import CardLaid, Event, PairTaken
from service.rules.highest.reasons import refuse
from service.rules.highest.scoring import game_end, score
from service.rules.highest.state import State
from service.rules.highest.variants import PACK
from service.rules.highest.view import to_act
from service.rules.protocol import Seat


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens if `command` is given now; the state stays as it is.

    Raises:
        IllegalMove: a rule says no.
    """
    if state.phase == "over":
        raise refuse("game_over")
    if command.seat != to_act(state):
        raise refuse("not_your_turn")
    if isinstance(command, Lay) != (state.phase == "play"):
        raise refuse("wrong_phase")
    if not isinstance(command, Lay):
        return _deal(state, command.pack)
    no = why_not(state, command.seat, command.card)
    if no:
        raise no
    return _lay(state, command.seat, command.card)


def why_not(state: State, seat: Seat, card: Card) -> IllegalMove | None:
    """The refusal of a card that may not be laid now (3)."""
    if card not in state.hands[seat]:
        return refuse("card_not_in_hand")
    if card == "Ah" and not (state.laid or state.taken):
        return refuse("ace_cannot_lead")
    return None


def _deal(state: State, pack: tuple[Card, ...]) -> tuple[Event, ...]:
    """One card at a time from the seat after the dealer (2)."""
    if sorted(pack) != sorted(PACK):
        raise refuse("wrong_pack")
    dealer = 1 - state.dealer if state.deal else state.dealer
    dealt = 2 * state.variant.hand
    hands = tuple(arranged(pack[(seat - dealer - 1) % 2 : dealt : 2]) for seat in (0, 1))
    return (DealStarted(state.deal + 1, dealer, hands, (), pack[dealt:], state.scores),)


def _lay(state: State, seat: Seat, card: Card) -> tuple[Event, ...]:
    """A card; the second of a pair decides who takes both, the last one ends the deal."""
    laid = CardLaid(seat, card)
    if not state.laid:
        return (laid,)
    winner = seat if PACK.index(card) > PACK.index(state.laid[0]) else 1 - seat
    won = PairTaken(winner)
    winners = [*(other for other, _ in state.taken), winner]
    if len(winners) < state.variant.hand:
        return (laid, won)
    scored = score(state, winners)
    ended = game_end(scored.scores, state.target)
    return (laid, won, scored, ended) if ended else (laid, won, scored)
