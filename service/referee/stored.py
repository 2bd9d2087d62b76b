"""A stored game as a sheet: as its record has it when it is over, else as far as it goes."""

from collections.abc import Sequence
from dataclasses import replace

from service import fault, record, replay
from service.referee.finding import NotMade, Wrong
from service.referee.form import Sheet, frames_of, take_apart
from service.referee.story import told
from service.replay import FAILURES
from service.rules import find
from service.store import Entry, Unreadable


def sheet_of(game: str, entries: Sequence[Entry], broken: str) -> Sheet:
    """What is stored, with the hashes and the secret that were kept beside it."""
    lines = tuple(entry.line for entry in entries)
    sheet = _as_record(game, lines) or _as_log(lines)
    wrong = sheet.wrong
    if broken:
        what = f"After commit {len(lines)} the log cannot be read: {broken}."
        wrong = wrong or Wrong(what, len(lines))
    elif not entries:
        wrong = Wrong("Nothing is stored.")
    return replace(
        sheet,
        before=None,
        hashes=tuple(entry.hash for entry in entries),
        kept=entries[0].meta.secret if entries else "",
        wrong=wrong,
    )


def opened(entries: Sequence[Entry], beyond: Sequence[Entry | None]) -> bool:
    """Whether the secret is open: the game is over, or was closed behind a fault, and that counts.

    `beyond` is what the store found from a broken place on.
    """
    commits, _ = fault.chained(0, "", entries)
    try:
        secret = bytes.fromhex(entries[0].meta.secret)
        game, done, _ = fault.folded(replay.open_game(commits[0]), commits[1:])
    except FAILURES:
        return False  # no game was opened that could be closed
    closed, _ = fault.closed(game, secret, (*entries[1 + done :], *beyond))
    return closed.secret == secret.hex()


def _as_record(game: str, lines: tuple[bytes, ...]) -> Sheet | None:
    """The record's sheet; None where no record of the game can be written."""
    try:
        return take_apart(b"".join(record.write(game, lines)))
    except (record.NotOver, Unreadable, *FAILURES):
        # Not over, or damaged in any way: the checks on the bare log say how.
        return None


def _as_log(lines: tuple[bytes, ...]) -> Sheet:
    frames, wrong = frames_of(lines)
    sheet = Sheet(lines, frames, wrong=wrong)
    try:
        return replace(sheet, pack=find(told(sheet).opening.variant)[1].pack())
    except (Wrong, NotMade, *FAILURES):
        # No such variant, or no beginning that can be read.
        return sheet
