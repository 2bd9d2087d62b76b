"""How a check ends: it holds, it found something wrong, or it could not be made.

And the words for it, which know no game: commands, events and values as they stand in the file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from service.replay import FAILURES

LONGEST: Final = 60
"""Characters of one value in a sentence; the whole of it is in `expected` and `found`."""

TOLD: Final = 500
"""Characters of one sentence: more could only be what a forger wants to have repeated."""

ABSENT: Final = "(nothing)"
"""Stands in sentences where one of two has a field or item, and the other has not."""


class Wrong(Exception):
    """A check found a fault.

    Attributes:
        place: the commit where it shows, by its place from 0; None if it is in no commit.
        line: of the file, where the fault is in no commit.
    """

    def __init__(
        self,
        what: str,
        place: int | None = None,
        line: int | None = None,
        expected: Any = None,
        found: Any = None,
    ) -> None:
        what = what if len(what) <= TOLD else what[:TOLD] + "…"
        super().__init__(what)
        self.what = what
        self.place = place
        self.line = line
        self.expected = expected
        self.found = found


class NotMade(Exception):
    """A check cannot be made, since what it needs is not there; the text says what."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A check's name and outcome: `wrong` if something is, else `ok` or not made."""

    name: str
    ok: bool
    detail: str
    wrong: Wrong | None = None


def make(name: str, check: Callable[[], str]) -> Finding:
    """Makes a check, which gives its detail or raises `Wrong` or `NotMade`; raises nothing."""
    try:
        return Finding(name, True, check())
    except NotMade as missing:
        return Finding(name, False, f"cannot be made: {missing}")
    except Wrong as wrong:
        return Finding(name, False, wrong.what, wrong)
    except FAILURES as error:
        # A forger found what nobody thought of: it is a fault all the same, and ends nothing.
        failed = Wrong(f"The check {name} fails on what is there ({type(error).__name__}).")
        return Finding(name, False, failed.what, failed)


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Where two JSON values begin to differ, as a path (`hands.2.0`), and the two there.

    None when they are the same to the byte, so the order of an object's keys counts as well.
    """
    if msgspec.json.encode(expected) == msgspec.json.encode(found):
        return None
    if isinstance(expected, dict) and isinstance(found, dict):
        if set(expected) == set(found) and list(expected) != list(found):
            return path, list(expected), list(found)
        inner = [
            first_difference(expected.get(key, ABSENT), found.get(key, ABSENT), _step(path, key))
            for key in {**expected, **found}
        ]
    elif isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        inner = [
            first_difference(
                expected[place] if place < len(expected) else ABSENT,
                found[place] if place < len(found) else ABSENT,
                _step(path, place),
            )
            for place in range(max(len(expected), len(found)))
        ]
    else:
        return path, expected, found
    return next((one for one in inner if one), (path, expected, found))


def said(thing: Mapping[str, Any]) -> str:
    """A command or event for people: `card_discarded (seat 2, card 4d)`."""
    words = [f"{name} {short(value)}" for name, value in thing.items() if name != "type"]
    return f"{short(thing.get('type'))} ({', '.join(words)})" if words else short(thing.get("type"))


def short(value: Any) -> str:
    """A JSON value in a sentence, its end left out where it is long."""
    if isinstance(value, str):
        text = value if value.isprintable() and value else repr(value)
    elif isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        text = " ".join(value) if value else "none"
    else:
        text = msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def many(number: int, thing: str) -> str:
    """So many of a thing: `1 deal`, `2 deals`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _step(path: str, key: Any) -> str:
    return f"{path}.{key}" if path else str(key)
