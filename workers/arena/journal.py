"""A match's pairs in a file, so that it may be broken off and taken up again.

    {"match": {"variant": "botifarra", "seats": 4, "seed": 0, …}}      all that a pair depends on
    {"pair": 3, "games": [{"won": 1.0, "margin": 34.0, …}, {…}], "lost": []}    one that has ended

A line is written at once, and whole: what has no end was torn, and is passed over.
"""

import fcntl
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from service.rules import find
from workers.arena.match import PROGRAM, Game, Match, Pair
from workers.arena.players import Cost, strategy
from workers.strategies import Budget


class JournalError(Exception):
    """Why pairs cannot be kept there. One line."""


class Journal:
    """The file of a match; a context manager.

    Attributes:
        pairs: those that it had when it was opened, by number; their costs are not kept.

    Raises:
        JournalError: it has another match or something else, is in use, or cannot be written.
        PlayerGone: a player of another folder does not say what it is.
    """

    def __init__(self, path: Path, match: Match, program: str | None = None) -> None:
        self._path = path
        self.pairs: dict[int, Pair] = {}
        here = identity(match, program)
        try:
            self._file = path.open("a+b")
        except OSError as error:
            raise self._wrong(str(error.strerror)) from None
        try:
            self._take_up(here)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def add(self, pair: Pair) -> None:
        """Writes a pair that has ended. Raises JournalError."""
        games = [game._asdict() for game in pair.games]
        self._write({"pair": pair.number, "games": games, "lost": pair.lost})

    def _take_up(self, here: dict[str, Any]) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._wrong("in use by another arena") from None
        self._file.seek(0)
        *lines, torn = self._file.read().split(b"\n")
        if not lines and not _line({"match": here}).startswith(torn):
            raise self._wrong("no match of the arena's")
        if lines:
            self._agree(lines[0], here)
        for number, line in enumerate(lines[1:], 2):
            try:
                pair = _pair(json.loads(line))
            except (ValueError, LookupError, TypeError):
                raise self._wrong(f"line {number} is no pair") from None
            self.pairs[pair.number] = pair
        self._file.truncate(self._file.tell() - len(torn))
        if not lines:
            self._write({"match": here})

    def _agree(self, line: bytes, here: dict[str, Any]) -> None:
        """Refuses a file whose first line tells of another match."""
        try:
            there = dict(json.loads(line)["match"])
        except (ValueError, LookupError, TypeError):
            raise self._wrong("no match of the arena's") from None
        differs = [
            f"{name} {json.dumps(there.get(name))} there, {json.dumps(here.get(name))} asked for"
            for name in {**here, **there}
            if there.get(name) != here.get(name)
        ]
        if differs:
            raise self._wrong("another match: " + "; ".join(differs))

    def _write(self, fields: dict[str, Any]) -> None:
        try:
            self._file.write(_line(fields))
            self._file.flush()
        except OSError as error:
            raise self._wrong(str(error.strerror)) from None

    def _close(self) -> None:
        # What could not be written is tried once more, and was told already.
        with suppress(OSError):
            self._file.close()

    def _wrong(self, why: str) -> JournalError:
        return JournalError(f"{self._path}: {why}")


def identity(match: Match, program: str | None) -> dict[str, Any]:
    """All that a pair of the match depends on beside its number, as JSON values.

    Raises:
        PlayerGone: a player of another folder does not say what it is.
    """
    names = [match.one, match.two]
    return {
        "variant": match.variant,
        "rules": find(match.variant)[1].rules_version,
        "seats": match.seats,
        "options": dict(match.options),
        "deals": match.deals,
        "seed": match.seed,
        "players": names,
        "strategies": [
            program if name == PROGRAM else strategy(name, match.variant) for name in names
        ],
        "budgets": [_budget(budget) for budget in match.budgets],
    }


def _budget(budget: Budget) -> dict[str, float]:
    """Where worlds are counted no clock is read."""
    if budget.samples is None:
        return {"seconds": budget.seconds}
    return {"samples": budget.samples}


def _line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def _pair(fields: Any) -> Pair:
    """The inverse of `Journal.add`, but for the costs."""
    one, two = (Game(**game) for game in fields["games"])
    return Pair(fields["pair"], (one, two), (Cost(), Cost()), tuple(fields["lost"]))
