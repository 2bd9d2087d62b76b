"""Every game, variant and table size, and random play on them. Names no game."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from inspect import isdatadescriptor
from random import Random
from typing import Any, Final

from service.rules import GAMES
from service.rules.deals import DealScored
from service.rules.protocol import HOUSE, DealCards, Rules, Variant

DEALS: Final = 1 if os.environ.get("TAPETE_QUICK") else 2
"""The length of a random game: in `./run check` (see tests/conftest.py) a deal is enough."""


Sheet = Mapping[str, tuple[int, Sequence[str]]]
"""A side's deal counted anew: of each line the points, and words that its detail must have."""


@dataclass(frozen=True)
class Table:
    """One game at one table size, with what `tests/rules/<game>/census.py` knows of the game."""

    rules: Rules[Any, Any, Any]
    variant: Variant
    seats: int
    census: Callable[[Any], Iterable[str]]
    """Every card of a state, seen or not."""

    hidden: Callable[[Any, int | None], int]
    """How many of a state's cards a seat (None: a spectator) may not see."""

    sheets: Callable[[Any, Sequence[Any]], Sequence[Sheet]]
    """One a side, from a state at the end of a deal and the events that led there."""

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


def _tables() -> Iterator[Table]:
    for game, rules in GAMES.items():
        census = import_module(f"tests.rules.{game}.census")
        for variant in rules.VARIANTS.values():
            for seats in variant.seats:
                yield Table(rules, variant, seats, census.cards, census.hidden, census.sheets)


TABLES = list(_tables())


def contents(state: Any) -> dict[str, Any]:
    """All that a state holds, as values to compare: they do not change with the state."""
    kind: Any = type(state)
    values = {name: getattr(state, name) for name in _slots(kind)}
    return {
        name: _kept(value) if isinstance(value, list | dict | set) else value
        for name, value in values.items()
    }


def _kept(value: Any) -> Any:
    """A copy of what can change. Copying cards and melds, too, took most of the laws' time."""
    match value:
        case list():
            return [_kept(each) for each in value]
        case dict():
            return {key: _kept(each) for key, each in value.items()}
        case set():
            return set(value)
        case _:
            hash(value)  # raises a TypeError if a list, dict or set is in it
            return value


@cache
def _slots(kind: Any) -> tuple[str, ...]:
    """The names of what an object of a class with slots holds, compiled or not."""
    named = {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}
    slots = tuple(
        name
        for name, value in named.items()
        if isdatadescriptor(value) and not isinstance(value, property)
    )
    assert slots
    return slots


def fingerprint(state: Any) -> str:
    """Equal for equal states, in every process."""
    shown = {**contents(state), "variant": state.variant.name}
    return sha256(repr(shown).encode()).hexdigest()[:16]


def check_sheets(table: Table, state: Any, events: Sequence[Any], scored: DealScored) -> None:
    """The sheets of a scored deal add up, and agree with a second count line by line.

    `state` is the table at the deal's end, before `scored` is applied; `events` are those of the
    last command.
    """
    for side, (sheet, expected) in enumerate(
        zip(scored.sides, table.sheets(state, events), strict=True)
    ):
        assert {line.name: line.points for line in sheet.lines} == {
            name: points for name, (points, _) in expected.items()
        }, f"{table}: side {side}"
        for line in sheet.lines:
            for words in expected[line.name][1]:
                assert words in line.detail, f"{table}: side {side}, {line.name}"
            assert not line.parts or sum(line.parts.values()) == line.points
        assert sum(line.points for line in sheet.lines) == sheet.total
        assert scored.scores[side] == state.scores[side] + sheet.total


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
