"""The schemas of all commands, derived from the dataclasses of the games.

    Discard(seat: Seat, card: Card)          {"type": "discard", "card": "4d"}
             │                                        │
             └── the caller's own, never sent         └── one of the variant's cards

A field's type says everything: `Annotated[str, "card"]` a card (a level likewise), `tuple[X, ...]`
a list, a dataclass an object, `Literal` a choice, `X | None` a value that may be null; a default
makes it optional. A type that is not foreseen stops the start, not a request.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from marshmallow import fields as ma
from marshmallow import validate

from service.api.fields import Flag, OneOf, Record, Row, integer, load
from service.api.problems import Problem
from service.api.sentences import LENGTH, choice
from service.queue import LEVELS
from service.rules import GAMES
from service.rules.protocol import DealCards, Seat
from service.rules.seating import gathering
from service.rules.seating.commands import ComeBack, Resign
from service.store.codec import WIRE_NAMES

TEXT: Final = 64
"""The longest text in a command, such as a meld's id."""

Make = Callable[[Seat], Any]
"""A command that still wants the seat that gives it."""


class CommandReader:
    """Reads the commands that a player of one variant may send."""

    def __init__(self, commands: tuple[type, ...], pack: tuple[str, ...]) -> None:
        cards = dict.fromkeys(pack)  # as a set, but in the variant's order
        own = (Resign, ComeBack, *gathering.BY_PERSON)
        asked = [cls for cls in (*commands, *own) if cls is not DealCards]
        self._schemas = {
            WIRE_NAMES[cls]: _schema(cls, cards, len(pack), _seatless(cls)) for cls in asked
        }

    def read(self, data: Mapping[str, Any]) -> Make:
        """The command of a JSON object with a `type`.

        Raises:
            Problem: 422; a card that the variant does not have is `unknown_card`.
        """
        rest = dict(data)
        name = rest.pop("type", None)
        schema = self._schemas.get(name) if isinstance(name, str) else None
        if schema is None:
            errors = [{"path": "/type", "detail": choice(self._schemas)}]
            raise Problem("invalid", errors=errors)
        make: Make = load(schema, rest)
        return make


@cache
def readers() -> Mapping[str, CommandReader]:
    """A reader for each variant of every game, made once.

    Raises:
        TypeError: a command has a field of a type that cannot be read.
    """
    return {
        variant.name: CommandReader(rules.COMMANDS, variant.pack())
        for rules in GAMES.values()
        for variant in rules.VARIANTS.values()
    }


def _seatless(cls: type) -> Any:
    def made(**data: Any) -> Make:
        return lambda seat: cls(seat=seat, **data)

    return made


def _schema(cls: type, cards: Mapping[str, None], longest: int, made: Any) -> Record:
    hints = get_type_hints(cls, include_extras=True)
    row: dict[str, Any] = {}
    for field in fields(cls):
        if field.name != "seat":
            row[field.name] = _field(hints[field.name], cards, longest, _presence(field))
    schema: type[Record] = Record.from_dict(row, name=cls.__name__)  # type: ignore[assignment]
    schema.made = staticmethod(made)
    return schema()


def _presence(field: Field[Any]) -> dict[str, Any]:
    if field.default is MISSING:
        return {"required": True}
    return {"load_default": field.default}


def _field(hint: Any, cards: Mapping[str, None], longest: int, more: dict[str, Any]) -> Any:
    if get_origin(hint) in (UnionType, Union) and NoneType in get_args(hint):
        (inner,) = (one for one in get_args(hint) if one is not NoneType)
        return _field(inner, cards, longest, more | {"allow_none": True})
    if get_origin(hint) is Annotated and get_args(hint) == (str, "card"):
        return OneOf(cards, "unknown_card", **more)
    if get_origin(hint) is Annotated and get_args(hint) == (str, "level"):
        return OneOf(LEVELS, "unknown_level", **more)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        return Row(_field(get_args(hint)[0], cards, longest, {}), longest, **more)
    if get_origin(hint) is Literal:
        return OneOf(get_args(hint), **more)
    if is_dataclass(hint) and isinstance(hint, type):
        return ma.Nested(_schema(hint, cards, longest, hint), **more)
    if hint is str:
        return ma.String(validate=validate.Length(1, TEXT, error=LENGTH), **more)
    if hint is bool:
        return Flag(**more)
    if hint is int:
        return integer(-(2**53), 2**53, **more)
    raise TypeError(f"a command cannot have a field of type {hint}")
