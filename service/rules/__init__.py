"""The rules of every game: pure functions over plain values, no clock, no luck, no I/O."""

from typing import Any, Final

from service.rules import botifarra, canasta
from service.rules.protocol import Rules, Variant

GAMES: Final[dict[str, Rules[Any, Any, Any]]] = {
    "canasta": canasta,
    "botifarra": botifarra,
}


def find(variant: str) -> tuple[Rules[Any, Any, Any], Variant]:
    """The rules and the data of a variant.

    Raises:
        KeyError: no game has a variant of that name.
    """
    for rules in GAMES.values():
        if variant in rules.VARIANTS:
            return rules, rules.VARIANTS[variant]
    raise KeyError(variant)
