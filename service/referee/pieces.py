"""A file of records cut into single ones, so that every line of it is judged."""

from collections.abc import Iterable, Iterator
from typing import Final

_HEADER: Final = b'{"type":"header"'
_FOOTER: Final = b'{"type":"footer"'
_OTHER: Final = b'{"type":"'


def pieces(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The records in the lines of a file, each with the number of lines before it.

    Nothing is passed over but a line of an export that is of another type than a record's: what
    has no header or footer is a piece too, so that the referee says so.
    """
    before = number = 0
    parts: list[bytes] = []
    for number, line in enumerate(lines):
        if line.startswith(_HEADER) and parts:
            yield before, b"".join(parts)
            parts = []
        if not parts:
            before = number
            if line.startswith(_OTHER) and not line.startswith((_HEADER, _FOOTER)):
                continue
        parts.append(line)
        if line.startswith(_FOOTER):
            yield before, b"".join(parts)
            parts = []
    if parts:
        yield before, b"".join(parts)
