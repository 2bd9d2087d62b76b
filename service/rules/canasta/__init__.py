"""Canasta, samba, bolivia and bolivie: one engine, four rows of parameters."""

from typing import Final, get_args

from service.rules.canasta import commands, events
from service.rules.canasta.decide import decide
from service.rules.canasta.evolve import evolve
from service.rules.canasta.legal import legal
from service.rules.canasta.tally import tally
from service.rules.canasta.variants import VARIANTS
from service.rules.canasta.view import result, seen, to_act, view

COMMANDS: Final[tuple[type, ...]] = get_args(commands.Command)
EVENTS: Final[tuple[type, ...]] = get_args(events.Event)

__all__ = [
    "COMMANDS",
    "EVENTS",
    "VARIANTS",
    "decide",
    "evolve",
    "legal",
    "result",
    "seen",
    "tally",
    "to_act",
    "view",
]
