"""A file taken apart as far as it can be: its outer lines, and between them the commits' frames.

    Sheet.lines     the commits' bytes, which were hashed
         .frames    the same as JSON values, None where a line is not in its one form

Needs no rules: of a command or event it knows that it has a `type`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from service import record
from service.record import Footer, Header
from service.referee.finding import Wrong
from service.store import Unreadable

T = TypeVar("T")


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A commit as JSON values; one that is no computer player's has no `decision`."""

    version: int
    prev: str
    salt: str
    at: int
    command: dict[str, Any]
    events: list[dict[str, Any]]
    decision: dict[str, Any] | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the checks are made on.

    Attributes:
        header, footer: None where they are missing or not in their one form, and in a stored
            game that is not over.
        sealed: every byte before the footer.
        before: lines of the file before the first commit; None in a stored game.
        pack: the order from which deals are shuffled; None where nobody says.
        hashes: those kept with a stored game's lines, else empty.
        kept: the secret kept with a stored game, in hex; else empty.
        wrong: what is wrong with the form, the first of it.
    """

    lines: tuple[bytes, ...]
    frames: tuple[Frame | None, ...]
    header: Header | None = None
    footer: Footer | None = None
    sealed: bytes = b""
    before: int | None = None
    pack: tuple[str, ...] | None = None
    hashes: tuple[str, ...] = ()
    kept: str = ""
    wrong: Wrong | None = None

    def line(self, wrong: Wrong) -> int | None:
        """The line of the file on which something is wrong; None where there is none."""
        return None if self.before is None else _line(wrong, self.before)

    def version(self, place: int) -> int:
        """What a commit calls itself, else what its place demands."""
        frame = self.frames[place] if place < len(self.frames) else None
        return frame.version if frame else place + 1


def take_apart(raw: bytes) -> Sheet:
    """One record's bytes as a sheet, whatever they are."""
    if raw.count(b"\n") - 2 > MOST_COMMITS:
        # Nothing of it is looked at: a file of line ends alone would cost gigabytes.
        what = f"There are more than {MOST_COMMITS} commits."
        return Sheet((), (), before=0, wrong=Wrong(what, line=MOST_COMMITS + 2))
    lines = raw.split(b"\n")
    wrongs: list[Wrong] = []
    if lines.pop():
        lines = raw.split(b"\n")
        wrongs.append(Wrong("The last line has no line end.", line=len(lines)))
    if not lines:
        return Sheet(
            (), (), before=0, wrong=wrongs[0] if wrongs else Wrong("The file is empty.", line=1)
        )
    middle, before, sealed = lines, 0, raw
    header = footer = None
    if not lines[0].startswith(_COMMIT):
        middle, before = middle[1:], 1
        try:
            header = _outer(lines[0], Header)
        except (Unreadable, OverflowError) as error:
            wrongs.append(Wrong(f"Line 1 is no header: {_reason(error, lines[0])}", line=1))
    else:
        wrongs.append(Wrong("The header is missing.", line=1))
    if middle and not middle[-1].startswith(_COMMIT):
        middle, last = middle[:-1], middle[-1]
        sealed = raw[: len(raw) - len(last) - raw.endswith(b"\n")]
        try:
            footer = _outer(last, Footer)
        except (Unreadable, OverflowError) as error:
            what = f"The last line is no footer: {_reason(error, last)}"
            wrongs.append(Wrong(what, line=len(lines)))
    else:
        wrongs.append(Wrong("The footer is missing.", line=len(lines)))
    if not middle:
        wrongs.append(Wrong("There is no commit.", line=len(lines)))
    frames, fault = _frames(middle, before)
    wrongs += [fault] if fault else []
    first = min(wrongs, key=lambda wrong: _line(wrong, before) or 0, default=None)
    pack = header.pack if header else None
    return Sheet(tuple(middle), frames, header, footer, sealed, before, pack, wrong=first)


def frames_of(lines: Sequence[bytes]) -> tuple[tuple[Frame | None, ...], Wrong | None]:
    """The frames of a stored game's lines, and what is wrong with the first that has none."""
    return _frames(lines, None)


def _frames(
    lines: Sequence[bytes], before: int | None
) -> tuple[tuple[Frame | None, ...], Wrong | None]:
    frames: list[Frame | None] = []
    fault: Wrong | None = None
    for place, line in enumerate(lines):
        try:
            frames.append(_frame(line))
        except (ValueError, OverflowError, RecursionError) as error:
            frames.append(None)
            if fault is None:
                where = f"Commit {place + 1}" if before is None else f"Line {before + place + 1}"
                fault = Wrong(f"{where} is no commit: {_reason(error, line)}", place)
    return tuple(frames), fault


def _frame(line: bytes) -> Frame:
    if _deep(line):
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    frame = _DECODER.decode(line)
    if msgspec.json.encode(frame) != line:
        raise ValueError("it is not in its one form")
    if not _numbers_fit(line, frame):
        raise ValueError("a number is too large")
    decision = () if frame.decision is UNSET else (frame.decision,)
    for thing in (frame.command, *frame.events, *decision):
        if next(iter(thing), None) != "type" or not isinstance(thing["type"], str):
            raise ValueError("a command, event or decision whose type does not stand first")
        if _numbered(thing) or _numbered(thing.get("options")):
            raise ValueError("a name that looks like a number")
    return frame


def _outer(line: bytes, form: type[T]) -> T:
    read = record.decode(line, form)
    if not _numbers_fit(line, read):
        raise Unreadable("a number is too large")
    if isinstance(read, Header) and _numbered(read.options):
        raise Unreadable("a name that looks like a number")
    return read


def _deep(line: bytes) -> bool:
    """Whether objects and lists stand in each other deeper than `DEEPEST`, the line being one."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for bracket in _BRACKET.findall(_TEXT.sub(b"", line)):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            return True
    return False


def _numbered(thing: Any) -> bool:
    """Whether a name is digits alone: some programs put such names first, whatever is written."""
    return isinstance(thing, dict) and any(map(_DIGITS.fullmatch, thing))


def _whole_only(text: str) -> Any:
    raise ValueError("a number that is not whole")


def _numbers_fit(line: bytes, value: Any) -> bool:
    """Whether every number is one that a program in any language can hold: below 2 to the 53rd."""
    if not _LONG.search(line):
        return True
    todo = [msgspec.to_builtins(value)]
    while todo:
        item = todo.pop()
        if isinstance(item, dict | list | tuple):
            todo.extend(item.values() if isinstance(item, dict) else item)
        elif isinstance(item, int) and abs(item) >= 1 << 53:
            return False
    return True


def _line(wrong: Wrong, before: int) -> int | None:
    return wrong.line if wrong.place is None else before + wrong.place + 1


def _reason(error: Exception, line: bytes) -> str:
    if line.endswith(b"\r"):
        return "line ends are CR LF; was the file converted?"
    return str(error).rstrip(".") + "."


MOST_COMMITS: Final = 100_000
"""Commits of a record; a game has some thousand at most."""

DEEPEST: Final = 32
"""How deep objects and lists may stand in each other in a line; in games it is less than ten."""

_LONG: Final = re.compile(rb"[0-9]{16}")
_DIGITS: Final = re.compile("[0-9]+")
_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?')
_BRACKET: Final = re.compile(rb"[][{}]")
_COMMIT: Final = b'{"version":'
_DECODER: Final = msgspec.json.Decoder(Frame, float_hook=_whole_only)
