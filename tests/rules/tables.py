"""Every game, variant and table size, and random play on them. Names no game."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Final

from service.rules import GAMES
from service.rules.protocol import HOUSE, DealCards, Rules, Variant

DEALS: Final = 2
"""The length of a random game."""


@dataclass(frozen=True)
class Table:
    """One game at one table size."""

    rules: Rules[Any, Any, Any]
    variant: Variant
    seats: int
    census: Callable[[Any], Iterable[str]]
    """Every card of a state; `tests/rules/<game>/census.py` says where they lie."""

    def __str__(self) -> str:
        return f"{self.variant.name}-{self.seats}"

    def start(self, scores: Sequence[int] | None = None, target: int | None = None) -> Any:
        """A game before its first deal."""
        options = {
            name: option.default for name, option in self.variant.options(self.seats).items()
        }
        if target is not None:
            options["target_score"] = target
        sides = max(self.variant.sides(self.seats)) + 1
        return self.variant.start(self.seats, options, 0, scores or (0,) * sides)

    @property
    def viewers(self) -> tuple[int | None, ...]:
        """Each seat, and a spectator."""
        return (*range(self.seats), None)


TABLES = [
    Table(rules, variant, seats, import_module(f"tests.rules.{game}.census").cards)
    for game, rules in GAMES.items()
    for variant in rules.VARIANTS.values()
    for seats in variant.seats
]


def pack(table: Table, random: Random) -> DealCards:
    """The house's next deal."""
    cards = list(table.variant.pack())
    random.shuffle(cards)
    return DealCards(HOUSE, tuple(cards))


def choose(table: Table, state: Any, random: Random) -> Any:
    """Any legal command, often one that is not the commonest kind, so that games move on."""
    seat = table.rules.to_act(state)
    assert seat is not None
    if seat == HOUSE:
        return pack(table, random)
    commands = table.rules.legal(state, seat)
    assert commands, f"{table}: seat {seat} is to act and may do nothing"
    kinds = sorted({type(command).__name__ for command in commands})
    kind = random.choice(kinds)
    return random.choice([each for each in commands if type(each).__name__ == kind])


def play(
    table: Table, state: Any, random: Random, deals: int
) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Random play on `state` itself: each command and its events, before they are applied.

    Ends with the game, or when deal number `deals` is over.
    """
    while (seat := table.rules.to_act(state)) is not None:
        if seat == HOUSE:
            if not deals:
                return
            deals -= 1
        command = choose(table, state, random)
        events = table.rules.decide(state, command)
        yield command, events
        for event in events:
            table.rules.evolve(state, event)


@dataclass(frozen=True)
class Step:
    """A command in a random game: the state it met, and the events it caused."""

    state: Any
    command: Any
    events: tuple[Any, ...]


@cache
def played(name: str, seed: int) -> tuple[Step, ...]:
    """A random game of `DEALS` deals at the table of that name; shared, so copy its states."""
    table = next(each for each in TABLES if str(each) == name)
    state = table.start()
    steps = []
    for command, events in play(table, state, Random(f"{table} {seed}"), DEALS):
        steps.append(Step(state.copy(), command, events))
    return tuple(steps)
