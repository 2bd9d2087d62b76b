"""One game as a process knows it, from what it read of the log.

first entry ──► opened ──► a table ──► on with each further entry
                            └──► faulted, where one does not count
"""

import secrets
from dataclasses import dataclass, replace
from typing import Final

from service import fairness, fault, replay
from service.fault import Fault, Tail
from service.replay import Commit
from service.rules.protocol import HOUSE, Seat
from service.rules.seating import Game, Status
from service.rules.seating.commands import RunOut
from service.store import IMPORT, Entry, Reading, Unreadable

RECENT: Final = 4
"""Commits that are remembered with a game: enough for who listens, and three kilobytes."""


class NoSuchGame(Exception):
    """There is no game of that id, or the caller may not know of it."""


class NoSuchVersion(Exception):
    """The game has not come to that version, or it stands behind a fault."""


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
        source: `import` for a game that came as a record, else empty.
        now: the store's clock when the game was read.
        recent: the newest commits that led to it, up to its version and without a gap; as many as
            this process happens to know, and at most `RECENT`.
        fault: where the log cannot be folded further. The game is then that of the commits before,
            as it was closed if it was; `version` is that of the newest commit that counts.
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
    source: str
    now: int
    recent: tuple[Commit, ...] = ()
    fault: Fault | None = None

    @property
    def invite(self) -> str:
        """The code that admits to the table."""
        return fairness.invite(self.secret, self.game.invites)

    def admits(self, code: str) -> bool:
        """Whether that code admits to the table now.

        Compared in constant time, so that nobody finds it letter by letter.
        """
        until = self.game.invite_until
        good = secrets.compare_digest(code.encode(), self.invite.encode())
        return good and (until is None or self.now < until)

    @property
    def imported(self) -> bool:
        """Whether the game came as a record. Its player ids are another place's then."""
        return self.source == IMPORT

    @property
    def sealed(self) -> bool:
        """Whether nothing may be written: it came as a record, which is whole."""
        return self.imported and self.fault is None

    def seat_of(self, player: str) -> Seat | None:
        """The seat that a player here holds; nobody holds one in an imported game."""
        return None if self.imported else self.game.seat_of(player)

    @property
    def status(self) -> Status:
        """Where the game stands."""
        return "faulted" if self.fault else self.game.status

    @property
    def whole(self) -> int:
        """The newest version up to which every commit counts."""
        return self.fault.version - 1 if self.fault else self.version

    @property
    def whole_head(self) -> str:
        """The hash of the line of version `whole`, the newest that counts."""
        return self.fault.head if self.fault else self.head

    @property
    def tail(self) -> Tail | None:
        """Behind what the next entry is written; None where that is no longer possible."""
        return self.fault.tail if self.fault else Tail(self.version, self.head)

    def to_act(self) -> Seat | None:
        """Who must act. In a faulted game nobody may, but the house opens a closed one's secret."""
        if self.fault:
            return HOUSE if self.fault.owes(self.game) else None
        return self.game.to_act()

    @property
    def over(self) -> bool:
        """Whether nothing will happen any more, as far as one can tell."""
        return bool(self.game.secret) or (self.fault is not None and self.to_act() is None)

    @property
    def deadline(self) -> int | None:
        """When the time of who is to act is up, in ms since 1970; None where no clock runs."""
        times = None if self.fault else self.game.times
        return times.running.deadline if times and times.running else None

    def time_up(self) -> RunOut | None:
        """What the house must say if that was passed when the game was read."""
        times = None if self.fault else self.game.times
        running = times.running if times else None
        if running is None or self.now < running.deadline:
            return None
        return RunOut(running.seat, running.deadline)

    @property
    def has_people(self) -> bool:
        """Whether anybody at the table is a person."""
        return any(chair.kind == "human" for chair in self.game.chairs)

    def waits_for_computer(self) -> bool:
        """Whether a computer player is to act."""
        seat = self.to_act()
        if seat is None or seat == HOUSE or self.sealed:
            return False
        return self.game.level(seat) is not None


def opened(game: str, reading: Reading) -> Table:
    """The table as its first entry leaves it. Raises as `Shelf.load` does."""
    if not reading.entries:
        raise Unreadable(reading.broken) if reading.broken else NoSuchGame(game)
    first = reading.entries[0]
    commits, wrong = fault.chained(0, "", [first])
    if wrong:
        raise Unreadable(f"entry 1 of game {game}: {wrong}")
    try:
        opened = replay.open_game(commits[0])
        secret = bytes.fromhex(first.meta.secret)
    except replay.FAILURES as error:
        raise Unreadable(f"entry 1 of game {game} opens none ({type(error).__name__})") from None
    return Table(
        id=game,
        game=opened,
        version=1,
        head=first.hash,
        secret=secret,
        keys=keys_of(first),
        created=commits[0].at,
        changed=commits[0].at,
        opener=first.meta.player,
        source=first.meta.source,
        now=reading.now,
    )


def faulted(table: Table, wrong: str, beyond: tuple[Entry | None, ...]) -> Table:
    """The table up to its fault, and as it was closed if it was."""
    found = Fault(table.version + 1, wrong, table.head, fault.tail(beyond))
    game, counted = fault.closed(table.game, table.secret, beyond)
    for _, entry in counted:
        table.keys.update(keys_of(entry))
    if counted:
        commit, entry = counted[-1]
        found = replace(found, closing=tuple(commit for commit, _ in counted))
        table = replace(table, game=game, version=entry.version, head=entry.hash, changed=commit.at)
    return replace(table, recent=(), fault=found)


def keys_of(entry: Entry) -> dict[tuple[str, str], tuple[int, str]]:
    """What is remembered of the Idempotency-Key of an entry; see `Table.keys`."""
    meta = entry.meta
    return {(meta.player, meta.key): (entry.version, meta.digest)} if meta.key else {}
