"""Botifarra: 48 Spanish cards, two fixed pairs, tricks and a ladder of doublings."""

from typing import Final, get_args

from service.rules.botifarra import commands, events
from service.rules.botifarra.decide import decide
from service.rules.botifarra.evolve import evolve
from service.rules.botifarra.legal import legal
from service.rules.botifarra.tally import tally
from service.rules.botifarra.variants import VARIANTS
from service.rules.botifarra.view import result, seen, to_act, view

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
