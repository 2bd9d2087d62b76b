"""Highest: eight hearts, two players, the higher card takes both."""

from typing import Final, get_args

from service.rules.highest import commands, events
from service.rules.highest.decide import decide
from service.rules.highest.evolve import evolve
from service.rules.highest.legal import legal
from service.rules.highest.tally import tally
from service.rules.highest.variants import VARIANTS
from service.rules.highest.view import result, seen, to_act, view

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
