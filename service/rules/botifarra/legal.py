"""What a seat may do now, all of it (rules 3 to 5)."""

from service.rules.botifarra.commands import (
    TRUMPS,
    ChooseTrump,
    Command,
    Delegate,
    Double,
    NoDouble,
    Play,
)
from service.rules.botifarra.state import State
from service.rules.botifarra.tricks import legal_cards
from service.rules.botifarra.view import to_act
from service.rules.protocol import Seat


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    """The commands `seat` may give, cards in the hand's order; empty when it is not to act."""
    if seat != to_act(state):
        return ()
    match state.phase:
        case "dealing":
            return ()  # the house's pack is no choice
        case "trump":
            choices = tuple(ChooseTrump(seat, trump) for trump in TRUMPS)
            return (*choices, Delegate(seat)) if seat == state.dealer else choices
        case "play":
            assert state.trump
            cards = legal_cards(state.hands[seat], state.trick, state.trump)
            return tuple(Play(seat, card) for card in cards)
        case _:
            return (Double(seat), NoDouble(seat))
