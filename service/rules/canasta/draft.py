"""A command while it is being decided."""

from typing import final

from service.rules.canasta.events import Event
from service.rules.canasta.evolve import evolve
from service.rules.canasta.state import State


@final
class Draft:
    """What a command has caused so far, thrown away if a rule says no.

    Attributes:
        state: the state after `events`; a copy, so the true state stays as it was.
        permitted: whether the partner's yes is given or, in a dry run, assumed.
    """

    __slots__ = ("events", "permitted", "state")

    def __init__(self, state: State, permitted: bool = False) -> None:
        self.state = state.copy()
        self.permitted = permitted
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Records that `event` happens now."""
        evolve(self.state, event)
        self.events.append(event)
