"""The table around a fault: how it lay just before, all cards open, and the commands around."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from service import replay
from service.referee.form import Sheet
from service.replay import FAILURES
from service.store import Unreadable, codec

AROUND: Final = 2
"""Commands shown on either side of a fault."""

LARGEST: Final = 16_384
"""Bytes of one value as JSON; no table or command of a real game comes near it."""


def around(sheet: Sheet, place: int) -> dict[str, Any]:
    """The moment before the commit at `place` (from 0), as JSON values.

    `table` is None before play starts, and where the log cannot be followed so far; a command is
    None where it cannot be read.
    """
    near = range(max(0, place - AROUND), min(len(sheet.frames), place + AROUND + 1))
    return {
        "version": sheet.version(place - 1) if place else 0,
        "table": _table(sheet.lines[:place]),
        "commands": [
            {"version": sheet.version(one), "command": _command(sheet.lines[one])} for one in near
        ],
    }


def bounded(value: Any) -> Any:
    """The value, or None where it is larger than anything that is worth to be shown."""
    return value if len(msgspec.json.encode(value)) <= LARGEST else None


def _command(line: bytes) -> Any:
    try:
        return bounded(codec.to_wire(codec.decode(line).command))
    except (Unreadable, *FAILURES):
        return None


def _table(lines: Sequence[bytes]) -> Any:
    try:
        game = replay.fold(map(codec.decode, lines))
        return bounded(msgspec.to_builtins(game.state.table())) if game.state else None
    except (Unreadable, *FAILURES):
        # A log that cannot be followed is just what is being told; its fault has its own words.
        return None
