"""What statistics count of a game of the canasta family.

opening                              the first meld of a side's deal, and the value of its cards
canasta_mixed|natural|seq|wild       closed by that seat, and its bonus; each meld once
pile_taken                           the pile, and how many cards it was
went_out, went_out_concealed         and the bonus
"""

from collections.abc import Sequence

from service.rules.canasta.events import (
    CanastaClosed,
    Event,
    MeldExtended,
    MeldLaid,
    PileTaken,
    WentOut,
)
from service.rules.canasta.melds import canasta_of, points
from service.rules.canasta.state import State
from service.rules.protocol import Mark


def tally(state: State, events: Sequence[Event]) -> tuple[Mark, ...]:
    """See `Rules.tally`."""
    laid = [event for event in events if isinstance(event, MeldLaid | MeldExtended)]
    found = []
    if laid and not state.melds[state.side(laid[0].seat)]:
        worth = sum(points(event.cards) for event in laid)
        found.append(Mark(laid[0].seat, "opening", worth))
    closed = {
        meld.id for melds in state.melds for meld in melds if canasta_of(meld.kind, meld.cards)
    }
    for event in events:
        match event:
            case PileTaken(seat, _, cards):
                found.append(Mark(seat, "pile_taken", len(cards)))
            case CanastaClosed(seat, meld, kind) if meld not in closed:
                closed.add(meld)
                found.append(Mark(seat, f"canasta_{kind}", state.variant.canasta_bonus[kind]))
            case WentOut(seat, concealed):
                variant = state.variant
                bonus = variant.concealed if concealed else variant.going_out
                found.append(Mark(seat, "went_out_concealed" if concealed else "went_out", bonus))
    return tuple(found)
