"""Quick matches: a player is brought to a public table that waits, or to a new one.

The quick tables of one kind are numbered, and the id of each follows from its number. So the store
lets exactly one of many open the next, and the others find it there. A table is left for the next
number once nobody can sit down at it any more, so at most one of a kind waits.
"""

from dataclasses import dataclass
from typing import Final

from service import ids
from service.answers import GameOver, Moved
from service.rules import find
from service.rules.errors import IllegalMove
from service.rules.seating.commands import Chair, OpenGame
from service.shelf import NoSuchGame, Table
from service.table import Tables

TRIES: Final = 100
"""How often another table is tried when others are faster."""

LOOKED_BACK: Final = 20
"""Tables searched for an Idempotency-Key."""


@dataclass(frozen=True, slots=True)
class Match:
    """The table, and whether the player sat down just now or did so under that key before."""

    table: Table
    seated: bool
    replayed: bool = False


class Matches:
    """Quick matches at the tables of one store."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        # Where to begin to look; forgetting it costs some reads.
        self._newest: dict[str, int] = {}

    def match(self, player: str, variant: str, seats: int, key: str) -> Match:
        """A seat for the player at a table of that kind; the one they wait at if they do.

        A `key` belongs to the player and the kind: with it comes the table that it brought before.

        Raises:
            KeyError: there is no such variant.
            IllegalMove: it is not played by so many.
            Moved: others were faster a hundred times over.
        """
        find(variant)
        kind = f"quick {variant} {seats}"
        number = 0
        for _ in range(TRIES):
            number = self._last(kind)
            if key and (known := self._by_key(kind, number, player, key)):
                return Match(known, seated=False, replayed=True)
            table = self._find(kind, number)
            try:
                if table is None or not _free(table, player):
                    game = ids.derived(kind, str(number + 1))
                    if not self._tables.begin(game, player, _command(variant, seats, player), key):
                        continue
                    return Match(self._tables.load(game), seated=True)
                sat = self._tables.join(table.id, player, key=key)
                return Match(self._tables.load(table.id), seated=sat is not None)
            except (GameOver, Moved):
                continue
            except IllegalMove as no:
                if no.code not in ("already_started", "seat_taken"):
                    raise
        raise Moved(number)

    def _by_key(self, kind: str, last: int, player: str, key: str) -> Table | None:
        for number in range(last, max(0, last - LOOKED_BACK), -1):
            table = self._find(kind, number)
            if table and (player, key) in table.keys:
                return table
        return None

    def _last(self, kind: str) -> int:
        """The highest number of a table of this kind; 0 without any. Numbers have no gaps."""
        low = self._newest.get(kind, 0)
        step = 1
        while self._find(kind, low + step):
            low, step = low + step, step * 2
        high = low + step  # which is none
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._find(kind, middle) else (low, middle)
        self._newest[kind] = low
        return low

    def _find(self, kind: str, number: int) -> Table | None:
        try:
            return self._tables.load(ids.derived(kind, str(number))) if number else None
        except NoSuchGame:
            return None


def _free(table: Table, player: str) -> bool:
    """Whether the player may sit down there, or does so already and waits."""
    if table.status != "waiting":
        return False
    free = any(chair.kind == "human" and not chair.player for chair in table.game.chairs)
    return free or table.seat_of(player) is not None


def _command(variant: str, seats: int, player: str) -> OpenGame:
    """A public table for people, with everything as usual."""
    _, data = find(variant)
    chairs = (Chair("human", None, player), *[Chair("human")] * (seats - 1))
    return OpenGame(variant, data.rules_version, chairs, {}, "public", "", "")
