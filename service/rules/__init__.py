"""The rules of every game: pure functions over plain values, no clock, no luck, no I/O."""

from typing import Any, Final

from service.rules import botifarra, canasta
from service.rules.protocol import Rules, Variant

GAMES: Final[dict[str, Rules[Any, Any, Any]]] = {
    "canasta": canasta,
    "botifarra": botifarra,
}


PAST: Final[tuple[tuple[Rules[Any, Any, Any], Variant], ...]] = ()
"""Variants as they were in earlier editions of their rules, under which games were opened."""


def variants() -> tuple[str, ...]:
    """The names of the variants of all games, in their order."""
    return tuple(name for rules in GAMES.values() for name in rules.VARIANTS)


def find(variant: str, rules_version: int | None = None) -> tuple[Rules[Any, Any, Any], Variant]:
    """The rules and the data of a variant: today's, or those of that edition.

    Raises:
        KeyError: no game has a variant of that name, or it has no such edition.
    """
    for rules in GAMES.values():
        if variant in rules.VARIANTS:
            data = rules.VARIANTS[variant]
            break
    else:
        raise KeyError(variant)
    if rules_version in (None, data.rules_version):
        return rules, data
    for rules, data in PAST:
        if (data.name, data.rules_version) == (variant, rules_version):
            return rules, data
    raise KeyError(f"{variant}, rules version {rules_version}")
