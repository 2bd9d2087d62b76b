"""What one process knows of the games: read from the log, remembered, read on.

What is remembered is only thrift: it may be forgotten at any moment without changing an answer.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from threading import Lock

from service import fault, replay
from service.replay import Commit
from service.standing import RECENT, faulted, keys_of, opened
from service.standing import NoSuchGame as NoSuchGame
from service.standing import NoSuchVersion as NoSuchVersion
from service.standing import Table as Table
from service.store import Entry, EventStore, Listing, Reading, Unreadable, codec


class Shelf:
    """The newest state of games, the last used ones remembered."""

    def __init__(self, store: EventStore, remember: int) -> None:
        self._store = store
        self._remember = remember
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = Lock()
        self.looked_up = (0, 0)
        """How often a game was remembered, and how often not; for those who watch."""

    def load(self, game: str) -> Table:
        """The game now. Each entry is checked when this process reads it first.

        Raises:
            NoSuchGame: there is none of that id.
            codec.Unreadable: its first entry is damaged, so that there is nothing to show.
        """
        table = self._tables.get(game)
        return self.loaded(game, table, self._store.read(game, table.version if table else 1))

    def remembered(self, game: str) -> Table | None:
        """The game as it was when this process knew it last; None when it is not remembered."""
        return self._tables.get(game)

    def loaded(self, game: str, table: Table | None, reading: Reading) -> Table:
        """The game by what was read of it: from the version of the remembered `table`, or all.

        Raises as `load` does.
        """
        if table:
            if reading.entries and reading.entries[0].hash == table.head:
                self.looked_up = (self.looked_up[0] + 1, self.looked_up[1])
                return self._read_on(replace(table, now=reading.now), reading)
            self.forget(game)
            reading = self._store.read(game)
        self.looked_up = (self.looked_up[0], self.looked_up[1] + 1)
        return self._read_on(opened(game, reading), reading)

    def newer(self, game: str, version: int) -> Table:
        """The game as this process remembers it if that is beyond `version`, or else the game now.

        For whoever has heard that it is beyond: of all who heard it at most one reads, and none
        where this process wrote what they heard of. Raises as `load` does.
        """
        table = self._tables.get(game)
        return table if table and table.version > version else self.load(game)

    def follow(self, game: str, after: int, timeout: float) -> bool:
        """Waits up to `timeout` seconds until the log is beyond version `after`.

        Where one must look for that, the game is loaded in the same look.
        """

        def length() -> int:
            table = self.load(game)
            return table.tail.version if table.tail else table.version + 1

        return self._store.follow(game, after, timeout, length)

    def forget(self, game: str | None = None) -> None:
        """Drops what this process remembers of a game, or of all."""
        with self._lock:
            if game is None:
                self._tables.clear()
            else:
                self._tables.pop(game, None)

    def commits(self, game: str, start: int, end: int | None = None) -> list[Commit]:
        """The commits from `start` to `end`, both included, as far as they count."""
        for _ in range(2):
            table = self._tables.get(game)
            if table is None or end is None or end > table.version:
                table = self.load(game)
            elif table.recent and start >= table.recent[0].version:
                return [one for one in table.recent if start <= one.version <= end]
            found, damaged = self._commits(
                table, max(start, 1), table.version if end is None else end
            )
            if not damaged:
                return found
            self.forget(game)  # it was whole when this process read it
        raise Unreadable(f"the log of game {game} changes while it is read")

    def at(self, table: Table, version: int) -> Table:
        """The table as it was at a version.

        Raises:
            NoSuchVersion: the game has not come to it, or it stands behind a fault and does not
                count.
        """
        if version == table.version:
            return table
        past = self.commits(table.id, 1, version)
        entries = self._store.read(table.id, version, version).entries
        if not past or past[-1].version != version or not entries:
            raise NoSuchVersion(version)
        count = min(version, table.whole)
        game = replay.fold(past[:count])
        replay.advance(game, past[count:])
        found = table.fault if version >= table.whole else None
        if found:
            found = replace(found, closing=tuple(past[count:]))
        last = past[-1]
        return replace(
            table,
            game=game,
            version=version,
            head=entries[0].hash,
            changed=last.at,
            recent=(),
            fault=found,
        )

    def listed(
        self, status: str, player: str | None, before: Listing | None, limit: int
    ) -> Iterator[tuple[Listing, Table]]:
        """All games newest first: those of `player`, or the public ones of `status`.

        `limit` of them are looked up at a time, when the caller comes to them. Left out are
        places without a game and games that cannot be read.
        """
        while page := self._store.listed(status, player, before, limit):
            for before in page:
                try:
                    yield before, self.load(before.game)
                except (NoSuchGame, Unreadable):
                    continue

    def after(self, table: Table, entry: Entry) -> Table:
        """The table after an entry that is still to be written.

        Raises:
            Exception: whatever the rules raise. Such an entry would be a fault: it must not be
                written.
        """
        commit = codec.decode(entry.line, decisions=False)
        game = table.game.copy()
        replay.advance(game, (commit,))
        return replace(
            table,
            game=game,
            version=entry.version,
            head=entry.hash,
            changed=commit.at,
            recent=(*table.recent, commit)[-RECENT:],
        )

    def remember(self, table: Table, entries: Iterable[Entry] = ()) -> None:
        """Keeps the table, which these written entries led to."""
        for entry in entries:
            table.keys.update(keys_of(entry))
        with self._lock:
            self._tables[table.id] = table
            self._tables.move_to_end(table.id)
            while len(self._tables) > self._remember:
                self._tables.popitem(last=False)

    def _read_on(self, table: Table, reading: Reading) -> Table:
        """The table after what was read from its own version on, remembered up to a fault."""
        entries = reading.entries[1:]
        commits, wrong = fault.chained(table.version, table.head, entries)
        if commits:
            game, done, cannot = fault.folded(table.game, commits)
            commits, entries, rest = commits[:done], entries[:done], entries[done:]
            wrong = cannot or wrong
        else:
            entries, rest = (), entries
        if commits:
            last = entries[-1]
            table = replace(
                table,
                game=game,
                version=last.version,
                head=last.hash,
                changed=commits[-1].at,
                recent=(*table.recent, *commits)[-RECENT:],
            )
        self.remember(table, entries)
        wrong = wrong or reading.broken
        return faulted(table, wrong, (*rest, *reading.beyond)) if wrong else table

    def _commits(self, table: Table, start: int, end: int) -> tuple[list[Commit], bool]:
        """See `commits`; and whether less is whole than the table knows of."""
        last = min(end, table.whole)
        entries = self._store.read(table.id, start, last).entries if start <= last else ()
        found, _ = fault.chained(start - 1, None, entries)
        damaged = len(found) < last - start + 1
        behind = table.fault.closing if table.fault else ()
        return [*found, *(one for one in behind if start <= one.version <= end)], damaged
