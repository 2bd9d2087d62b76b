"""A view that the rules can be asked about: what a command of its seat would cause."""

from service.rules.canasta.state import State
from service.rules.protocol import Seat


def blind(view: State, seat: Seat) -> State:
    """A copy of the view in which the other hands are empty.

    Their cards are not known, and no rule asks for them as long as the seat draws nothing.
    """
    twin = view.copy()
    twin.hands = [hand if other == seat else () for other, hand in enumerate(view.hands)]
    return twin
