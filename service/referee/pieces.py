"""A file of records cut into single ones, so that every line of it is judged.

An export has lines of its own between records: these are known exactly, and what is not quite one
of them is judged as part of a record.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

_HEADER: Final = b'{"type":"header"'
_FOOTER: Final = b'{"type":"footer"'
_OTHER: Final = b'{"type":"'


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes of one record, with the number of lines before it in the file."""

    before: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Skipped:
    """A game that an export has no record of, and why."""

    game: str
    code: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The file holds lines of an export and does not end with its `end`: it is not whole.

    `code` is that of the error that it ends with, empty where it just breaks off.
    """

    code: str


class _Next(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="next"):
    cursor: str


class _Skip(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="skipped"):
    game: str
    code: str


class _End(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="end"):
    cursor: str | None
    more: bool


class _Error(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="error"):
    code: str


_Own = _Next | _Skip | _End | _Error


def pieces(lines: Iterable[bytes]) -> Iterator[Piece | Skipped | Cut]:
    """The records in the lines of a file, the games skipped among them, and last if it is cut.

    What has no header or footer is a piece too, so that the referee says so.
    """
    before = number = 0
    parts: list[bytes] = []
    exported, last = False, None
    for number, line in enumerate(lines):
        last = _own(line)
        if parts and (last or line.startswith(_HEADER)):
            yield Piece(before, b"".join(parts))
            parts = []
        if last:
            exported = True
            if isinstance(last, _Skip):
                yield Skipped(last.game, last.code)
            continue
        if not parts:
            before = number
        parts.append(line)
        if line.startswith(_FOOTER):
            yield Piece(before, b"".join(parts))
            parts = []
    if parts:
        yield Piece(before, b"".join(parts))
    if exported and not isinstance(last, _End):
        yield Cut(last.code if isinstance(last, _Error) else "")


def _own(line: bytes) -> _Own | None:
    """A line of the export's own; its line end may be missing, as where an answer was cut off."""
    line = line.removesuffix(b"\n")
    if not line.startswith(_OTHER) or line.startswith((_HEADER, _FOOTER)):
        return None
    try:
        own = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return own if msgspec.json.encode(own) == line else None


_DECODER: Final = msgspec.json.Decoder(_Own)
