"""Items of a game's feed after a place, as somebody may see them: for answers and for streams."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec import Raw

from service.api import show
from service.api.edge import edge
from service.api.eyes import Eyes, Named, look, through
from service.languages.catalogue import Sentence
from service.shelf import Table

Place = tuple[int, int | None]
"""A version, and a place in its commit; None is behind all of it."""

BEGINNING: Final[Place] = (0, None)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which game, with which invite and through whose eyes; asked again as often as one looks."""

    game: str
    player: str
    invite: str = ""
    eyes: Named | None = None

    def look(self, table: Table | None = None) -> tuple[Table, Eyes]:
        """The game now, or as it was just read, and the eyes that the caller has now.

        Raises:
            NoSuchGame, Problem: it is not to be seen, or not through those eyes.
        """
        table, eyes = look(self.game, self.player, self.invite, table)
        return table, through(table, eyes, self.eyes)


class Item(NamedTuple):
    """One thing that happened: its version, its place there, and the item in JSON."""

    version: int
    place: int
    text: Raw

    @property
    def id(self) -> str:
        """The place as `place` reads it."""
        return f"{self.version}.{self.place}"


def items(table: Table, eyes: Eyes, after: Place, limit: int) -> list[Item]:
    """At most `limit` items behind a place; fewer only where the game has no more."""
    version, place = after
    start = version + 1 if place is None else version
    # Each commit has an event, so `limit` commits beyond the first are enough.
    # Behind a fault there may be a gap before those that count.
    last = table.version if table.fault else min(table.version, start + limit)
    if start > last:
        return []
    found = [
        Item(commit.version, number, item)
        for commit in edge().tables.commits(table.id, start, last)
        for number, item in enumerate(show.items(table, commit, eyes))
        if place is None or commit.version > version or number > place
    ]
    return found[:limit]


def place(text: str) -> Place:
    """Reads an item's id, `17.0`, or a version, `17`."""
    match = re.fullmatch(r"([0-9]{1,15})(?:\.([0-9]{1,6}))?", text)
    if not match:
        raise ValueError(Sentence("Must be an item's id or a version."))
    return int(match[1]), None if match[2] is None else int(match[2])


def text(after: Place) -> str:
    """The place as `place` reads it."""
    version, number = after
    return str(version) if number is None else f"{version}.{number}"
