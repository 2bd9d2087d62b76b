"""What one process knows of the games: read from the log, remembered, read on.

What is remembered is only thrift: it may be forgotten at any moment without changing an answer.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock

from service import fairness, replay
from service.replay import Commit
from service.rules.protocol import HOUSE
from service.rules.seating import Game
from service.store import Entry, EventStore, Reading, Unreadable, codec


class NoSuchGame(Exception):
    """There is no game of that id, or the caller may not know of it."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game as one process knows it. Shared: whoever evolves the game copies it first.

    Attributes:
        head: hash of the newest record line.
        secret: the game's secret; leaves the process only by `RevealSecret`.
        keys: (player, Idempotency-Key) -> (version, digest of the body). Only ever added to, so
            tables of one game share it: what an older one finds too early, the log has.
        created, changed: times of the first and the newest commit, in ms since 1970.
        opener: the player who opened the game, with a seat or without.
        now: the store's clock when the game was read.
    """

    id: str
    game: Game
    version: int
    head: str
    secret: bytes
    keys: dict[tuple[str, str], tuple[int, str]]
    created: int
    changed: int
    opener: str
    now: int

    @property
    def invite(self) -> str:
        """The code that admits to the table."""
        return fairness.invite(self.secret)

    def waits_for_computer(self) -> bool:
        """Whether a computer player is to act."""
        seat = self.game.to_act()
        return seat is not None and seat != HOUSE and self.game.chairs[seat].kind == "ai"


class Shelf:
    """The newest state of games, the last used ones remembered."""

    def __init__(self, store: EventStore, remember: int) -> None:
        self._store = store
        self._remember = remember
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = Lock()

    def load(self, game: str) -> Table:
        """The game now.

        Raises:
            NoSuchGame: there is none of that id.
            codec.Unreadable: its log is damaged.
        """
        table = self._tables.get(game)
        if table:
            reading = self._read(game, table.version)
            if reading.entries and reading.entries[0].hash == table.head:
                return self.advance(replace(table, now=reading.now), reading.entries[1:])
            self.forget(game)
        reading = self._read(game)
        if not reading.entries:
            raise NoSuchGame(game)
        first, *rest = reading.entries
        commit = codec.decode(first.line)
        table = Table(
            id=game,
            game=replay.open_game(commit),
            version=1,
            head=first.hash,
            secret=bytes.fromhex(first.meta.secret),
            keys=_keys(first),
            created=commit.at,
            changed=commit.at,
            opener=first.meta.player,
            now=reading.now,
        )
        return self.advance(table, tuple(rest))

    def forget(self, game: str | None = None) -> None:
        """Drops what this process remembers of a game, or of all."""
        with self._lock:
            if game is None:
                self._tables.clear()
            else:
                self._tables.pop(game, None)

    def commits(self, game: str, start: int, end: int | None = None) -> list[Commit]:
        """The commits from `start` to `end`, both included."""
        return [codec.decode(entry.line) for entry in self._read(game, start, end).entries]

    def _read(self, game: str, start: int = 1, end: int | None = None) -> Reading:
        reading = self._store.read(game, start, end)
        if reading.broken:
            raise Unreadable(reading.broken)
        return reading

    def advance(self, table: Table, entries: tuple[Entry, ...]) -> Table:
        """The table after further entries, remembered."""
        if entries:
            commits = [codec.decode(entry.line) for entry in entries]
            game = table.game.copy()
            replay.advance(game, commits)
            for entry in entries:
                table.keys.update(_keys(entry))
            table = replace(
                table,
                game=game,
                version=entries[-1].version,
                head=entries[-1].hash,
                changed=commits[-1].at,
            )
        with self._lock:
            self._tables[table.id] = table
            self._tables.move_to_end(table.id)
            while len(self._tables) > self._remember:
                self._tables.popitem(last=False)
        return table


def _keys(entry: Entry) -> dict[tuple[str, str], tuple[int, str]]:
    meta = entry.meta
    return {(meta.player, meta.key): (entry.version, meta.digest)} if meta.key else {}
