"""What statistics count of a game of highest: the pairs that a seat took."""

from collections.abc import Sequence

from service.rules.highest.events import Event, PairTaken
from service.rules.highest.state import State
from service.rules.protocol import Mark


def tally(state: State, events: Sequence[Event]) -> tuple[Mark, ...]:
    """See `Rules.tally`."""
    return tuple(Mark(event.seat, "pair") for event in events if isinstance(event, PairTaken))
