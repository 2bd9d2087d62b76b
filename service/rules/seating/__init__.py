"""The table around every game: seats, the start, giving up, the reveal.

One `decide` and `evolve` for all games; commands and events about the cards pass through to
the rules of the game's own variant.
"""

from typing import Final, get_args

from service.rules.seating import commands, events
from service.rules.seating.decide import decide, opening, seen
from service.rules.seating.evolve import evolve, opened
from service.rules.seating.game import Game, Status

COMMANDS: Final[tuple[type, ...]] = get_args(commands.Command)
EVENTS: Final[tuple[type, ...]] = get_args(events.Event)

__all__ = [
    "COMMANDS",
    "EVENTS",
    "Game",
    "Status",
    "decide",
    "evolve",
    "opened",
    "opening",
    "seen",
]
