"""The use cases: open a game, join it, act in it, look at it.

    load (remembered or folded) ──► decide ──► append ──► the house answers ──► summon a computer

Every write is one append that the store refuses if anybody was first, so all of this may run
in any number of processes.

What a process remembers is in `shelf`, how an entry is written in `scribe`, the lists of games in
`filing`, answers and refusals in `answers`.

Over 250 lines, since it is the one front of all use cases; each is a few lines of its own.
"""

import math
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from service import ids
from service.answers import (
    Answer,
    GameFaulted,
    GameOver,
    KeyReused,
    Moved,
    NoSeat,
    NotFaulted,
    NotInvited,
)
from service.calls import UP_TO_DATE, Behind, Call, Herald, Silent, remind, summon
from service.decision import Decision
from service.filing import Filing
from service.replay import Commit
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, Seat
from service.rules.seating import clocks
from service.rules.seating.commands import (
    ClearTable,
    CloseGame,
    OfferSeats,
    OpenGame,
    Resign,
    RevealSecret,
    SitDown,
)
from service.rules.seating.gathering import free_seat
from service.scribe import TRIES, Scribe
from service.shelf import Shelf, Table
from service.store import Conflict, Entry, EventStore, Listing, Meta, Reading


class Tables:
    """All games of one store; `most` is how many unfinished ones a player may have."""

    def __init__(
        self,
        store: EventStore,
        call: Call,
        remember: int = 1000,
        *,
        most: int | None = None,
        herald: Herald | None = None,
    ) -> None:
        herald = herald or Silent()
        self._store = store
        self._shelf = Shelf(store, remember)
        self._filing = Filing(store, self._shelf.load, most, herald.ends)
        self._scribe = Scribe(store, self._shelf, self._filing, call, herald)
        self._call = call
        self._tended: dict[str, int] = {}
        self._reminded: dict[str, tuple[int, int]] = {}

    # Looking

    def load(self, game: str) -> Table:
        """The game now. See `Shelf.load`."""
        return self._shelf.load(game)

    def remembered(self, game: str) -> Table | None:
        """The game as this process knew it last. See `Shelf.remembered`."""
        return self._shelf.remembered(game)

    def loaded(self, game: str, table: Table, reading: Reading) -> Table:
        """The game by what was read of it since `table`. See `Shelf.loaded`."""
        return self._shelf.loaded(game, table, reading)

    def newer(self, game: str, version: int) -> Table:
        """The game now, for whoever has heard that it is beyond `version`. See `Shelf.newer`."""
        return self._shelf.newer(game, version)

    @property
    def looked_up(self) -> tuple[int, int]:
        """How often a game was remembered by this process, and how often not."""
        return self._shelf.looked_up

    def forget(self, game: str | None = None) -> None:
        """Drops what this process remembers of a game, or of all."""
        self._shelf.forget(game)

    def commits(self, game: str, start: int, end: int | None = None) -> list[Commit]:
        """The commits from `start` to `end`, both included."""
        return self._shelf.commits(game, start, end)

    def at(self, table: Table, version: int) -> Table:
        """The table as it was at a version. See `Shelf.at`."""
        return self._shelf.at(table, version)

    def follow(self, game: str, after: int, timeout: float) -> bool:
        """Waits up to `timeout` seconds until the game is beyond version `after`."""
        return self._shelf.follow(game, after, timeout)

    def listed(
        self, status: str, player: str | None, before: Listing | None, limit: int
    ) -> Iterator[tuple[Listing, Table]]:
        """Games newest first: those of `player`, or public ones of `status`. See `Shelf.listed`."""
        return self._shelf.listed(status, player, before, limit)

    def check_room(self, player: str, game: str) -> None:
        """Raises TooManyGames if the player may not have that game too. See `Filing.check_room`."""
        self._filing.check_room(player, game)

    # Changing

    def open(self, player: str, command: OpenGame, key: str = "", digest: str = "") -> Answer:
        """Opens a game for `player`; the same key opens the same game.

        `command` comes without a commitment: that is made here, with the secret.

        Raises:
            IllegalMove: the variant does not allow such a table.
            KeyReused: the key opened another game before.
            TooManyGames: the player has as many as one may have.
        """
        game = ids.derived(player, key) if key else ids.fresh()
        if first := self._scribe.begin(game, player, command, key, digest):
            return self._scribe.begun(first)
        return self.opened(game, player, command, key, digest, 1, replayed=True)

    def opened(
        self,
        game: str,
        player: str,
        asked: OpenGame,
        key: str,
        digest: str,
        version: int,
        replayed: bool,
    ) -> Answer:
        """What whoever opened a game by a log up to `version` is told. See `Scribe.opened`."""
        return self._scribe.opened(game, player, asked, key, digest, version, replayed)

    def begin(
        self, game: str, player: str, command: OpenGame, key: str = "", digest: str = ""
    ) -> bool:
        """Opens a game of that id; False when there is one already. See `Scribe.begin`."""
        return self._scribe.begin(game, player, command, key, digest) is not None

    def offer(self, table: Table, command: OfferSeats) -> None:
        """Keeps the seats of a new game for some people.

        Raises:
            Conflict: the game moved on.
        """
        self._scribe.write(table, command, Meta(secrets.token_hex(8)))

    def join(
        self,
        game: str,
        player: str,
        invite: str = "",
        seat: Seat | None = None,
        nonce: str | None = None,
        key: str = "",
        digest: str = "",
        found: Table | None = None,
    ) -> Answer | None:
        """Sits the player down on `seat`, or the first free one, with their `nonce`.

        None when the player sits there already: joining again changes nothing. `found` is the
        game if it was loaded just now; see `act`.

        Raises:
            NoSuchGame, NotInvited, GameOver, GameFaulted, TooManyGames
            IllegalMove: no such seat, or nothing is free.
        """
        for _ in range(TRIES):
            table, found = self._scribe.ready(game, found), None
            if table.seat_of(player) is not None:
                self._scribe.confirm(game, table.version)
                return None
            if table.game.visibility == "private" and not table.admits(invite):
                raise NotInvited
            if table.game.result:
                raise GameOver
            if table.fault:
                raise GameFaulted(table)
            self.check_room(player, game)
            free = free_seat(table.game, player, table.now) if seat is None else seat
            try:
                meta = Meta(secrets.token_hex(8), player, key, digest)
                return self._scribe.write(table, SitDown(free, player, nonce), meta)
            except Conflict:
                continue
        raise Moved(self.load(game).version)

    def has_nonce(self, game: str, player: str, seat: Seat, nonce: str) -> bool:
        """Whether the player's seat has that nonce already: to set it again would change nothing.

        The log grows by what changes, not by how often it is asked for.
        """
        table = self._scribe.ready(game)
        if table.status != "waiting" or table.seat_of(player) != seat:
            return False
        if table.game.nonces[seat] != nonce:
            return False
        self._scribe.confirm(game, table.version)
        return True

    def act(
        self,
        game: str,
        player: str,
        make: Callable[[Seat], Any],
        key: str = "",
        digest: str = "",
        expected: int | None = None,
        found: Table | None = None,
    ) -> Answer:
        """Carries out the command that `make` builds for the player's seat.

        Checks in this order: a known key, the end of the game, the seat, the version, the rules.
        In a faulted game to resign is to close it, and all else is refused.
        `found` is the game if it was loaded just now, which spares a read: nothing is written
        unless it still is the newest, and else it is loaded again.

        Raises:
            NoSuchGame, KeyReused, GameOver, NoSeat, Moved, GameFaulted
            IllegalMove: a rule says no.
        """
        for _ in range(TRIES):
            table, found = self._scribe.ready(game, found), None
            if key and (known := table.keys.get((player, key))):
                if known[1] != digest:
                    raise KeyReused
                self._scribe.confirm(game, known[0])
                return replace(self._scribe.answer(table, player, known[0]), replayed=True)
            if table.game.result:
                raise GameOver
            seat = table.seat_of(player)
            if seat is None:
                raise NoSeat
            if expected is not None and expected != table.version:
                raise Moved(table.version)
            meta = Meta(secrets.token_hex(8), player, key, digest)
            command = make(seat)
            _check_stand_in(table, seat, command)
            try:
                if not table.fault:
                    return self._scribe.write(table, command, meta)
                if not isinstance(command, Resign):
                    raise GameFaulted(table)
                return self._scribe.close(table, CloseGame(seat, table.fault.version), meta)
            except Conflict:
                continue
        raise Moved(self.load(game).version)

    def close(self, game: str) -> Table:
        """Ends a faulted game for who runs the service, and opens its secret.

        Raises:
            NoSuchGame
            NotFaulted: its log is whole.
            GameOver: it has ended, and its secret is open.
            GameFaulted: nothing can be written behind the last entry.
        """
        for _ in range(TRIES):
            table = self._scribe.ready(game)
            if not table.fault:
                raise NotFaulted(game)
            if table.game.secret:
                raise GameOver
            # What is over only wants its secret opened.
            over, fault = table.game.result, table.fault.version
            due = RevealSecret(table.secret.hex()) if over else CloseGame(HOUSE, fault)
            try:
                return self._scribe.close(table, due, Meta(secrets.token_hex(8))).table
            except Conflict:
                continue
        raise Moved(self.load(game).version)

    def play(self, table: Table, command: Any, decision: Decision | None = None) -> Table:
        """Carries out a computer player's command on the table it was chosen for, and keeps how.

        Nobody is summoned: the next computer player is the caller's to go on with, or to call.

        Raises:
            Conflict: the game moved on; the command is dropped.
            IllegalMove: a rule says no.
        """
        meta = Meta(secrets.token_hex(8))
        return self._scribe.write(table, command, meta, decision, call=False).table

    def tend(
        self,
        game: str,
        patience: float,
        waiting: float = math.inf,
        behind: Behind = UP_TO_DATE,
    ) -> Table:
        """Brings a game on that was left standing: the house's part, the lists, a lost turn.

        A computer player that has not moved for `patience` seconds is summoned again, unless its
        call waits in a queue that is so far `behind`. A game that
        waits for people is filed again once for each of its versions, and given up when nothing
        happened for `waiting` seconds.
        """
        table = self._scribe.on_time(self.load(game))
        if not table.waits_for_computer():
            self._reminded.pop(game, None)
        if table.to_act() == HOUSE:
            table = self._scribe.settle(table)
        elif table.waits_for_computer():
            version, called = self._reminded.get(game, (0, 0))
            called = called if version == table.version else 0
            if remind(self._call, table, patience, behind, called):
                self._reminded[game] = table.version, table.now
        elif table.status == "waiting" and table.now - table.changed >= waiting * 1000:
            with suppress(Conflict):  # somebody came at the last moment
                table = self._scribe.write(table, ClearTable(), Meta(secrets.token_hex(8))).table
        elif table.fault or self._tended.get(game) != table.version:
            self._filing.file(table)
            self._tended[game] = table.version
        return table

    def retry(self, game: str, attempts: int) -> None:
        """Summons the computer player that is to act, after so many attempts came to nothing."""
        summon(self._call, self.load(game), again=-attempts)

    def expire(self, game: str) -> Table:
        """Says that a time is up if it is, and corrects the hint of when the next one will be."""
        table = self._scribe.on_time(self.load(game))
        self._filing.hint(table)
        return table

    def adopt(self, game: str, entries: Sequence[Entry], player: str) -> None:
        """Takes in a whole game that came as a record: over, in no public list, `player`'s own.

        Raises:
            Conflict: there is another game of that id.
        """
        self._store.plant(game, entries)
        self._filing.file_imported(self.load(game), player)

    def refile(self, game: str) -> Table:
        """Puts a game into the lists in which its log says that it belongs."""
        table = self.load(game)
        self._filing.file(table)
        return table


def _check_stand_in(table: Table, seat: Seat, command: Any) -> None:
    """Raises IllegalMove where a computer player acts for the person, as the time was up."""
    try:
        clocks.by_owner(table.game, seat, command)
    except IllegalMove as no:
        no.version = table.version
        raise
