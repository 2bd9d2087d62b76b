"""Commit <-> the exact bytes of its record line, and the names of things on the wire.

    {"version":17,"prev":"…","salt":"…","at":1764452345123,
     "command":{"type":"discard","seat":2,"card":"4d"},
     "events":[{"type":"card_discarded","seat":2,"card":"4d"}],
     "decision":{"type":"chosen","level":"casual","strategy":"canasta.casual 1","budget":100,
                 "samples":0,"candidates":[]}}

(on one line; most have no `decision`: see `decided`). A line has one form only: fields in the
order of their dataclass, none left out but a `decision` that is not there, no spaces. Its hash is
over these bytes, so whatever encodes differently is no line of ours.
The wire name of a command or event is its class name in snake case. A line names its shape as well:
`game_opened` is the first that there was, `game_opened@2` the second. All are read, each in its
own one form, and come as today's class (`past`); today's are written.
"""

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from service.replay import Commit
from service.rules import GAMES, seating
from service.store import Unreadable as Unreadable
from service.store import decided, past


def encode(commit: Commit) -> bytes:
    """The record line of a commit, without a line end; equal commits give equal bytes.

    Today's classes are written in today's shape.

    Raises:
        KeyError: a command or event of an unknown class.
        UnicodeEncodeError: a text holds a lone surrogate; nothing such may come so far.
    """
    it = commit
    decision = decided.write(it.decision, _raw)
    return _line(it.version, it.prev, it.salt, it.at, it.command, it.events, decision)


def decode(line: bytes, decisions: bool = True) -> Commit:
    """The commit of a record line, in the shapes of today.

    `encode` gives these bytes again, unless the line is in an older shape: hash what was read.
    Without `decisions` the line's is left out and not looked into, which takes a third of the
    time; whoever only folds needs none, and cannot tell it by mistake.

    Raises:
        Unreadable: unknown type, unknown or missing field, wrong type, or not our form.
    """
    try:
        read = _DECODER.decode(line)
        command = _typed(read.command, COMMAND_SHAPES)
        events = tuple(_typed(event, EVENT_SHAPES) for event in read.events)
        decision = decided.read(read.decision, _command) if decisions else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"not a record line: {error}") from None
    kept = decided.write(decision, _raw) if decisions else read.decision
    if _line(read.version, read.prev, read.salt, read.at, command, events, kept) != line:
        raise Unreadable(
            "it is not in the one form of a record line: "
            "a field too many or too few, another order, or spaces"
        )
    command, events = past.today(command), tuple(map(past.today, events))
    decision = decided.today(decision, past.today)
    return Commit(read.version, read.prev, read.salt, read.at, command, events, decision)


def digest(line: bytes) -> str:
    """The hash of a record line: SHA-256 as base64url (RFC 4648, 5) without padding, 43 letters."""
    return urlsafe_b64encode(hashlib.sha256(line).digest()).rstrip(b"=").decode()


def to_wire(thing: Any) -> dict[str, Any]:
    """A command or event as JSON values, its `type` first.

    Raises:
        KeyError: it is neither.
    """
    return {"type": WIRE_NAMES[type(thing)], **msgspec.to_builtins(thing)}


def from_wire(wire: Mapping[str, Any]) -> Any:
    """The command of JSON values with a `type`; what has a default may be left out.

    Raises:
        Unreadable: unknown type, unknown or missing field at any depth, wrong type.
    """
    given = dict(wire)
    name = given.pop("type", None)
    cls = _COMMANDS.get(name) if isinstance(name, str) else None
    if cls is None:
        raise Unreadable("unknown type of command")
    try:
        command: Any = msgspec.convert(given, cls)
    except msgspec.ValidationError as error:
        raise Unreadable(str(error)) from None
    _refuse_surplus(given, msgspec.to_builtins(command))
    return command


def _refuse_surplus(given: Any, made: Any) -> None:
    """msgspec passes over fields that a dataclass does not have; we do not."""
    if isinstance(made, dict):
        for key, value in given.items():
            if key not in made:
                raise Unreadable(f"unknown field {key!r}")
            _refuse_surplus(value, made[key])
    elif isinstance(made, list | tuple):
        for one, other in zip(given, made, strict=True):
            _refuse_surplus(one, other)


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The frame of a line; what stands in it is decoded by its type."""

    version: int
    prev: str
    salt: str
    at: int
    command: Raw
    events: list[Raw]
    decision: Raw | UnsetType = UNSET


def _line(
    version: int,
    prev: str,
    salt: str,
    at: int,
    command: Any,
    events: Iterable[Any],
    decision: Raw | UnsetType,
) -> bytes:
    raws = [_raw(event) for event in events]
    return _ENCODER.encode(_Line(version, prev, salt, at, _raw(command), raws, decision))


def _raw(thing: Any) -> Raw:
    body = _ENCODER.encode(thing)
    separator = b"," if len(body) > 2 else b""
    return Raw(b'{"type":"' + _SHAPES[type(thing)].encode() + b'"' + separator + body[1:])


def _command(raw: Raw) -> Any:
    return _typed(raw, COMMAND_SHAPES)


def _typed(raw: Raw, types: Mapping[str, type]) -> Any:
    match = _TYPE.match(raw)
    if not match:
        raise Unreadable("a command or event whose type does not stand first")
    name = match[1].decode()
    if name not in types:
        raise Unreadable(f"unknown type {name!r}")
    try:
        return _DECODERS[types[name]].decode(raw)
    except msgspec.ValidationError as error:
        raise Unreadable(f"{name}: {error}") from None


def _snake(cls: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def _registry(classes: Iterable[type]) -> dict[str, type]:
    """Wire name -> class; games share a class, or else have other names."""
    registry: dict[str, type] = {}
    for cls in classes:
        if registry.setdefault(_snake(cls), cls) is not cls:
            raise TypeError(f"two classes are called {_snake(cls)!r} on the wire")
    return registry


def _shapes(types: Mapping[str, type]) -> dict[str, type]:
    """Name in a line -> the class of that shape, old ones and today's."""
    shapes: dict[str, type] = {}
    for name, cls in types.items():
        for version, shape in enumerate((*past.PAST.get(cls, ()), cls), 1):
            shapes[name if version == 1 else f"{name}@{version}"] = shape
    return shapes


_MODULES: Final[tuple[Any, ...]] = (seating, *GAMES.values())
_COMMANDS: Final = _registry(cls for module in _MODULES for cls in module.COMMANDS)
_EVENTS: Final = _registry(cls for module in _MODULES for cls in module.EVENTS)

COMMAND_SHAPES: Final = _shapes(_COMMANDS)
EVENT_SHAPES: Final = _shapes(_EVENTS)
"""Name in a line -> class of that shape, of commands and of events, old ones and today's."""

_SHAPES: Final = {
    cls: name for types in (COMMAND_SHAPES, EVENT_SHAPES) for name, cls in types.items()
}

WIRE_NAMES: Final = {cls: name for types in (_COMMANDS, _EVENTS) for name, cls in types.items()}
"""The wire name of each class of command and event, the same for all its shapes."""

_TYPE: Final = re.compile(rb'\{"type":"([a-z_]+(?:@[0-9]+)?)"[,}]')
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(_Line)
_DECODERS: Final[dict[type, msgspec.json.Decoder[Any]]] = {
    cls: msgspec.json.Decoder(cls) for cls in _SHAPES
}
