"""What a seat may do now."""

from service.rules.highest.commands import Lay
from service.rules.highest.decide import why_not
from service.rules.highest.state import State
from service.rules.protocol import Seat


def legal(state: State, seat: Seat) -> tuple[Lay, ...]:
    """The commands `seat` may give, in the hand's order; empty when it is not to act."""
    if state.phase != "play" or seat != state.turn:
        return ()
    return tuple(Lay(seat, card) for card in state.hands[seat] if not why_not(state, seat, card))
