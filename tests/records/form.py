"""How a dataclass stands in JSON, as text: each field with its type and default.

What is nested is told in full, so a change of it shows wherever it is used.
"""

import json
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec


def shape(cls: type) -> tuple[str, ...]:
    """The fields of a class, in the order of a line."""
    return tuple(_fields(cls))


def _fields(cls: Any) -> Iterator[str]:
    hints = get_type_hints(cls, include_extras=True)
    listed = msgspec.structs.fields(cls) if issubclass(cls, msgspec.Struct) else fields(cls)
    for each in listed:
        default = each.default
        left_out = default is MISSING or default is msgspec.NODEFAULT
        yield f"{each.name}: {_type(hints[each.name])}" + (
            "" if left_out else f" = {_json(default)}"
        )


def _type(hint: Any) -> str:
    """How values of a field stand in JSON; what is nested is told in full."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(inner[0])
    if origin in (Union, UnionType):
        return " | ".join(map(_type, inner))
    if origin is Literal:
        return " | ".join(map(_json, inner))
    if origin is list or (origin is tuple and inner[-1] is Ellipsis):
        return f"[{_type(inner[0])}]"
    if origin is tuple:
        return f"({', '.join(map(_type, inner))})"
    if origin is dict:
        return f"{{{_type(inner[0])}: {_type(inner[1])}}}"
    if is_dataclass(hint) or (isinstance(hint, type) and issubclass(hint, msgspec.Struct)):
        return f"{{{', '.join(_fields(hint))}}}"
    return _WORDS[hint]


def _json(value: Any) -> str:
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


_WORDS: Final = {int: "int", str: "str", bool: "bool", NoneType: "null", msgspec.Raw: "command"}
