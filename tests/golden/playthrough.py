"""A whole game as text, so that a change of a rule shows as a diff. Names no game.

The packs follow from a fixed secret (`service/fairness.py`) and the choices from SHA-256, so the
text is the same on every machine. The first deal is told in full, a step as

    12 seat 3 draw {}            the command
      < cards_drawn {…}          an event that it caused
      012- < cards_drawn {…}     what seats 0, 1, 2 and a spectator see of it, where that is less
      0123- stock = 74           a place of the table that changed in the eyes of those
      3 hands.3 = ["4c",…]
      3 ? discard {"card":"4c"}  a command that seat 3 may give now

and the rest as one line a step: number, seat, command, and a digest of all that.
"""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from service import fairness
from service.rules.cards import UNSEEN
from service.rules.protocol import HOUSE, DealCards
from service.store import codec
from tests.rules.tables import Table

SHORT: Final = 2500
"""No side starts further from the target than this, so that a game is short."""

Eyes = tuple[int | None, ...]

_WORDS: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_HIDDEN: Final = re.compile(r'"\?\?"(,"\?\?")+')


class Play:
    """A game played by chance that is the same for ever."""

    def __init__(self, table: Table) -> None:
        seats, options = table.seats, table.variant.options(table.seats)
        sides = max(table.variant.sides(seats)) + 1
        target = min(options["target_score"].allowed)
        self.table = table
        self.secret = sha256(f"tapete/golden/{table}".encode()).digest()
        self.nonces = (None,) * seats
        self.dealer = fairness.first_dealer(self.secret, self.nonces, seats)
        self.scores = (max(0, target - SHORT),) * sides
        self.options = {name: option.default for name, option in options.items()}
        self.options["target_score"] = target
        self.state: Any = table.variant.start(seats, self.options, self.dealer, self.scores)
        self.step = 0

    def choose(self) -> Any:
        """The next command: of any kind that is legal, any one."""
        table, seat = self.table, self.table.rules.to_act(self.state)
        assert seat is not None
        if seat == HOUSE:
            deal, cards = self.state.deal + 1, table.variant.pack()
            return DealCards(HOUSE, fairness.pack(self.secret, self.nonces, deal, cards))
        commands = table.rules.legal(self.state, seat)
        kinds = list(dict.fromkeys(map(type, commands)))
        luck = int.from_bytes(sha256(f"{table} {self.step}".encode()).digest()[:8], "big")
        luck, place = divmod(luck, len(kinds))
        alike = [command for command in commands if type(command) is kinds[place]]
        return alike[luck % len(alike)]

    def give(self, command: Any) -> tuple[Any, ...]:
        """Plays the command; the events that it caused."""
        events = self.table.rules.decide(self.state, command)
        for event in events:
            self.table.rules.evolve(self.state, event)
        self.step += 1
        return events


def path(table: Table) -> Path:
    """Where the text is kept."""
    return Path(__file__).with_name(f"{table}.txt")


def text(table: Table) -> str:
    """The game at that table, line by line."""
    return "".join(f"{line}\n" for line in _lines(Play(table)))


def _lines(play: Play) -> Iterator[str]:
    rules = play.table.rules
    yield f"{play.table} {_json(play.options)} dealer {play.dealer} scores {_json(play.scores)}"
    yield f"secret {play.secret.hex()} {fairness.ALGORITHM}"
    shown: dict[str, dict[str, Eyes]] = {}
    while rules.to_act(play.state) is not None:
        command = play.choose()
        events = play.give(command)
        shown, before = _places(play), shown
        told = [
            *(line for event in events for line in _event(play.table, event)),
            *_changes(before, shown),
            *(f"{each.seat} ? {_command(each)}" for each in _legal(play)),
        ]
        seat = "house" if command.seat == HOUSE else f"seat {command.seat}"
        if play.state.deal == 1:
            yield f"{play.step} {seat} {_command(command)}"
            yield from (f"  {line}" for line in told)
        else:
            words = "deal_cards" if command.seat == HOUSE else _command(command)
            digest = sha256("\n".join(told).encode()).hexdigest()[:10]
            yield f"{play.step} {seat} {words} {digest}"
    yield f"end {rules.result(play.state)}"


def _legal(play: Play) -> tuple[Any, ...]:
    seat = play.table.rules.to_act(play.state)
    return () if seat is None else play.table.rules.legal(play.state, seat)


def _command(command: Any) -> str:
    """As it comes over the wire, where the caller's seat is left out."""
    wire = codec.to_wire(command)
    return f"{wire.pop('type')} {_json({k: v for k, v in wire.items() if k != 'seat'})}"


def _event(table: Table, event: Any) -> Iterator[str]:
    """The event, and what those see of it who see less."""
    versions: dict[str, Eyes] = {_wire(event): ()}
    for viewer in table.viewers:
        seen = _wire(table.rules.seen(event, viewer))
        versions[seen] = (*versions.get(seen, ()), viewer)
    whole, *less = versions
    yield f"< {whole}"
    yield from (f"{_eyes(versions[seen])} < {seen}" for seen in less)


def _wire(event: Any) -> str:
    wire = codec.to_wire(event)
    return f"{wire.pop('type')} {_json(wire)}"


def _places(play: Play) -> dict[str, dict[str, Eyes]]:
    """For each place of the table what lies there, and in whose eyes."""
    places: dict[str, dict[str, Eyes]] = {}
    for viewer in play.table.viewers:
        for place, words in _flat("", play.table.rules.view(play.state, viewer).table()):
            seen = places.setdefault(place, {})
            seen[words] = (*seen.get(words, ()), viewer)
    return places


def _changes(
    before: Mapping[str, Mapping[str, Eyes]], after: Mapping[str, Mapping[str, Eyes]]
) -> Iterator[str]:
    for place in {**before, **after}:
        now = after.get(place, {})
        if now != before.get(place):
            yield from (f"{_eyes(eyes)} {place} = {words}" for words, eyes in now.items())
            if not now:
                yield f"{place} is gone"


def _eyes(eyes: Eyes) -> str:
    return "".join("-" if viewer is None else str(viewer) for viewer in eyes)


def _flat(place: str, value: Any) -> Iterator[tuple[str, str]]:
    """The places of a JSON value: a row of cards is one, and so is an object with such rows."""
    if not _nests(value):
        yield place, _json(value)
        return
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
    for name, each in pairs:
        yield from _flat(f"{place}.{name}" if place else str(name), each)


def _nests(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(isinstance(each, Mapping) or _nests(each) for each in value.values())
    return isinstance(value, list) and any(isinstance(each, list | Mapping) for each in value)


def _json(value: Any) -> str:
    words = _WORDS.encode(value)
    return _HIDDEN.sub(lambda run: f'"{UNSEEN}"×{run[0].count(UNSEEN)}', words)
