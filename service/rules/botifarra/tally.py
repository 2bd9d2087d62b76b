"""What statistics count of a game of botifarra.

trump_o|c|e|b|botifarra    trumps that the seat made, and what that deal brought its side: points
                           of its own less those of the others
delegated, doubled         that the seat did so
trick                      won, and its points
"""

from collections.abc import Sequence

from service.rules.botifarra.events import Doubled, Event, TrickWon, TrumpDelegated
from service.rules.botifarra.state import State
from service.rules.deals import DealScored
from service.rules.protocol import Mark


def tally(state: State, events: Sequence[Event]) -> tuple[Mark, ...]:
    """See `Rules.tally`."""
    found = []
    for event in events:
        match event:
            case TrumpDelegated(seat):
                found.append(Mark(seat, "delegated"))
            case Doubled(seat):
                found.append(Mark(seat, "doubled"))
            case TrickWon(seat, points):
                found.append(Mark(seat, "trick", points))
            case DealScored(_, _, sides) if state.maker is not None:
                own = state.maker % 2
                brought = sides[own].total - sides[1 - own].total
                found.append(Mark(state.maker, f"trump_{str(state.trump).lower()}", brought))
    return tuple(found)
