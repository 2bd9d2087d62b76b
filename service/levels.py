"""What may be set for each level of computer players: the time for a choice, and pauses.

club=100,master=1000          milliseconds for a choice; a level left out keeps its usual time
club=0.5-1.5,master=2         seconds, a range or a number; a level left out makes no pause
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

LONGEST_MS: Final = 60_000
"""Most milliseconds that a choice may be given."""

LONGEST: Final = 3600.0
"""Most seconds that a pause may be made to last."""

_NUMBER: Final = r"[0-9]{1,5}(?:\.[0-9]{1,20})?"
_RANGE: Final = re.compile(f"({_NUMBER})(?:-({_NUMBER}))?")


class Budgets(NamedTuple):
    """Milliseconds that a choice of each level may cost."""

    novice: int = 50
    casual: int = 50
    club: int = 100
    master: int = 1000

    def seconds(self, level: str) -> float:
        """The seconds for a choice; a level that nobody knows has the shortest time."""
        return float(self._asdict().get(level, min(self))) / 1000

    def __str__(self) -> str:
        return ",".join(f"{level}={ms}" for level, ms in self._asdict().items())


class Pauses(NamedTuple):
    """The least and the most seconds that each level lets pass before its command."""

    novice: tuple[float, float] = (0.0, 0.0)
    casual: tuple[float, float] = (0.0, 0.0)
    club: tuple[float, float] = (0.0, 0.0)
    master: tuple[float, float] = (0.0, 0.0)

    def of(self, level: str) -> tuple[float, float]:
        """The pause of a level; none for one that nobody knows."""
        found: tuple[float, float] = self._asdict().get(level, (0.0, 0.0))
        return found

    def __str__(self) -> str:
        return ",".join(
            f"{level}={_plain(least)}-{_plain(most)}"
            for level, (least, most) in self._asdict().items()
            if most
        )


USUAL: Final = Budgets()
"""The usual times."""

NONE: Final = Pauses()
"""No pauses."""


def budgets(text: str) -> Budgets:
    """The usual budgets with those changed that are named.

    Raises:
        ValueError: the text is no list of budgets.
    """
    found = {}
    for level, value in _pairs(text, Budgets._fields).items():
        if not (re.fullmatch("[0-9]{1,5}", value) and 1 <= int(value) <= LONGEST_MS):
            raise ValueError(f"{level}={value}")
        found[level] = int(value)
    return Budgets(**found)


def pauses(text: str) -> Pauses:
    """The pauses that are named.

    Raises:
        ValueError: the text is no list of pauses.
    """
    found = {}
    for level, value in _pairs(text, Pauses._fields).items():
        match = _RANGE.fullmatch(value)
        least = float(match[1]) if match else -1.0
        most = float(match[2]) if match and match[2] else least
        if not 0 <= least <= most <= LONGEST:
            raise ValueError(f"{level}={value}")
        found[level] = least, most
    return Pauses(**found)


def _pairs(text: str, levels: tuple[str, ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for word in filter(None, (one.strip() for one in text.split(","))):
        level, _, value = word.partition("=")
        if level not in levels or level in found:
            raise ValueError(word)
        found[level] = value
    return found


def _plain(number: float) -> str:
    """All of a number's digits without an exponent, as `pauses` reads it."""
    return f"{number:.20f}".rstrip("0").rstrip(".")
