"""The use cases: open a game, join it, act in it, look at it.

    load (remembered or folded) ──► decide ──► append ──► the house answers ──► summon a computer

Every write is one append that the store refuses if anybody was first, so all of this may run
in any number of processes.

Over 250 lines, since the steps of one write belong side by side; what a process remembers is in
`shelf`, the house's part in `house`.
"""

import logging
import math
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from service import fairness, house, ids, replay
from service.fault import Fault
from service.replay import Commit
from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, Seat
from service.rules.seating import Game
from service.rules.seating.commands import CloseGame, OpenGame, Resign, RevealSecret, SitDown
from service.shelf import NoSuchGame, Shelf, Table
from service.store import (
    Conflict,
    Entry,
    EventStore,
    Listing,
    Meta,
    StoreUnavailable,
    Unreadable,
    codec,
)

log = logging.getLogger(__name__)

TRIES: Final = 20
"""How often a command without a version is decided anew when others are faster."""

Call = Callable[[str, int, int], None]
"""Asks for a computer player's move: game, version, and how often it was asked before."""


class NoSeat(Exception):
    """The caller has no seat at this table."""


class GameOver(Exception):
    """The game takes no more commands."""


class GameFaulted(Exception):
    """The game's log cannot be folded, so that nothing but closing it is possible."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.id)
        self.table = table


class NotFaulted(Exception):
    """The game's log is whole, so that there is no reason to close it."""


class KeyReused(Exception):
    """The Idempotency-Key was used before with another body."""


class NotInvited(Exception):
    """A private table wants its invite code."""


class Moved(Exception):
    """The game is no longer at the version that the caller named."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command caused: its commit, and those of the house that follow directly.

    `head` is the hash of the last of those commits, as it stands in the log. `table` is the game
    now, which may be further on when an answer is given again, as `replayed` says.
    """

    seat: Seat | None
    commits: tuple[Commit, ...]
    head: str
    table: Table
    replayed: bool = False

    @property
    def version(self) -> int:
        """The version of the last of the commits."""
        return self.commits[-1].version


class Tables:
    """All games of one store."""

    def __init__(self, store: EventStore, call: Call, remember: int = 1000) -> None:
        self._store = store
        self._shelf = Shelf(store, remember)
        self._call = call
        self._tended: dict[str, int] = {}

    # Looking

    def load(self, game: str) -> Table:
        """The game now. See `Shelf.load`."""
        return self._shelf.load(game)

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
        return self._store.follow(game, after, timeout)

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

    # Changing

    def open(self, player: str, command: OpenGame, key: str = "", digest: str = "") -> Answer:
        """Opens a game for `player`; the same key opens the same game.

        `command` comes without a commitment: the secret is made here.

        Raises:
            IllegalMove: the variant does not allow such a table.
            KeyReused: the key opened another game before.
        """
        game = ids.derived(player, key) if key else ids.fresh()
        secret = secrets.token_bytes(fairness.SECRET_BYTES)
        command = replace(
            command, algorithm=fairness.ALGORITHM, commitment=fairness.commitment(secret)
        )
        opened = seating.opening(command)
        now = self._store.read(game)
        replayed = bool(now.entries)
        if not replayed:
            commit = Commit(1, "", fairness.salt(secret, 1), now.now, command, opened)
            fresh = replay.open_game(commit)
            self._mark(game, now.now, fresh)
            meta = Meta(secrets.token_hex(8), player, key, digest, secret.hex())
            try:
                self._store.append(game, entry_of(commit, meta), "")
            except Conflict:
                replayed = True
        table = self.load(game)
        # A compact game has forgotten its keys; its id follows from this one.
        if key and table.keys.get((player, key), (1, digest)) != (1, digest):
            raise KeyReused
        if replayed:
            self.confirm(game, 1)
        table = self.settle(table)
        return replace(self.answer(table, player, 1), replayed=replayed)

    def join(
        self,
        game: str,
        player: str,
        invite: str = "",
        seat: Seat | None = None,
        nonce: str | None = None,
    ) -> Answer | None:
        """Sits the player down on `seat`, or the first free one, with their `nonce`.

        None when the player sits there already: joining again changes nothing.

        Raises:
            NoSuchGame, NotInvited, GameOver, GameFaulted
            IllegalMove: no such seat, or nothing is free.
        """
        for _ in range(TRIES):
            table = self._ready(game)
            if table.seat_of(player) is not None:
                self.confirm(game, table.version)
                return None
            private = table.game.visibility == "private"
            if private and not secrets.compare_digest(invite.encode(), table.invite.encode()):
                raise NotInvited
            if table.game.result:
                raise GameOver
            if table.fault:
                raise GameFaulted(table)
            free = _free_seat(table.game) if seat is None else seat
            try:
                meta = Meta(secrets.token_hex(8), player)
                return self._commit(table, SitDown(free, player, nonce), meta)
            except Conflict:
                continue
        raise Moved(self.load(game).version)

    def act(
        self,
        game: str,
        player: str,
        make: Callable[[Seat], Any],
        key: str = "",
        digest: str = "",
        expected: int | None = None,
    ) -> Answer:
        """Carries out the command that `make` builds for the player's seat.

        Checks in this order: a known key, the end of the game, the seat, the version, the rules.
        In a faulted game to resign is to close it, and all else is refused.

        Raises:
            NoSuchGame, KeyReused, GameOver, NoSeat, Moved, GameFaulted
            IllegalMove: a rule says no.
        """
        for _ in range(TRIES):
            table = self._ready(game)
            if key and (known := table.keys.get((player, key))):
                if known[1] != digest:
                    raise KeyReused
                self.confirm(game, known[0])
                return replace(self.answer(table, player, known[0]), replayed=True)
            if table.game.result:
                raise GameOver
            seat = table.seat_of(player)
            if seat is None:
                raise NoSeat
            if expected is not None and expected != table.version:
                raise Moved(table.version)
            meta = Meta(secrets.token_hex(8), player, key, digest)
            command = make(seat)
            try:
                if not table.fault:
                    return self._commit(table, command, meta)
                if not isinstance(command, Resign):
                    raise GameFaulted(table)
                return self._close(table, CloseGame(seat, table.fault.version), meta)
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
            table = self._ready(game)
            if not table.fault:
                raise NotFaulted(game)
            if table.game.secret:
                raise GameOver
            # What is over only wants its secret opened.
            over, fault = table.game.result, table.fault.version
            due = RevealSecret(table.secret.hex()) if over else CloseGame(HOUSE, fault)
            try:
                return self._close(table, due, Meta(secrets.token_hex(8))).table
            except Conflict:
                continue
        raise Moved(self.load(game).version)

    def play(self, table: Table, command: Any) -> Table:
        """Carries out a computer player's command on the table it was chosen for.

        The next computer player is summoned, unless it is the same seat's turn still: that
        is the caller's to go on with.

        Raises:
            Conflict: the game moved on; the command is dropped.
            IllegalMove: a rule says no.
        """
        return self._commit(table, command, Meta(secrets.token_hex(8))).table

    def tend(self, game: str, patience: float) -> Table:
        """Brings a game on that was left standing: the house's part, the lists, a lost turn.

        A computer player that has not moved for `patience` seconds is summoned again. A game that
        waits for people is filed again once for each of its versions.
        """
        table = self.load(game)
        if table.to_act() == HOUSE:
            table = self.settle(table)
        elif table.waits_for_computer():
            waited = max(1, table.now - table.changed) / 1000  # the clock counts milliseconds
            if waited >= patience:
                self._summon(table, again=calls_due(waited, patience))
        elif table.fault or self._tended.get(game) != table.version:
            self._file(table)
            self._tended[game] = table.version
        return table

    def adopt(self, game: str, entries: Sequence[Entry], player: str) -> None:
        """Takes in a whole game that came as a record: over, in no public list, `player`'s own.

        Raises:
            Conflict: there is another game of that id.
        """
        self._store.plant(game, entries)
        self._file_imported(self.load(game), player)

    def refile(self, game: str) -> Table:
        """Puts a game into the lists in which its log says that it belongs."""
        table = self.load(game)
        self._file(table)
        return table

    def settle(self, table: Table) -> Table:
        """The house's part, the lists and the next computer player, after an interruption too."""
        settled, *_ = self._house(table)
        self._file(settled)
        self._summon(settled)
        return settled

    def answer(self, table: Table, player: str, version: int) -> Answer:
        """The answer that the command at `version` got, read back from the log."""
        last = table.whole if version <= table.whole else table.version
        read = self.commits(table.id, version, min(version + 4, last))
        commit, *after = read
        own = (commit, *house.run(after))
        seat = commit.seat if commit.seat != HOUSE else table.game.seat_of(player)
        return Answer(seat, own, _head(read, len(own), table), table)

    def confirm(self, game: str, version: int) -> None:
        """Returns once an entry of the log, and all before it, is as safe as a new one would be.

        Before a command is answered again: its first answer may have been that too few replicas
        had it. To write an entry again changes nothing.

        Raises:
            StoreUnavailable: too few have it still, or it is gone and the caller may look again.
        """
        try:
            for entry in self._store.read(game, version, version).entries:
                if entry.meta.attempt:  # a compact game has none, and has been over for long
                    self._store.append(game, entry, "")
        except Conflict:
            self.forget(game)
            raise StoreUnavailable("the log is no longer what was read") from None
        except Unreadable:
            return  # a damaged log is read only

    # Inside

    def _commit(self, table: Table, command: Any, meta: Meta) -> Answer:
        """Decides and appends one command, and lets the house answer."""
        after, commit = self._append(table, command, meta)
        settled, more, head = self._house(after)
        self._remark(table, settled)
        seat = command.seat
        played = seat != HOUSE and table.game.chairs[seat].kind == "ai"
        if not played or settled.game.to_act() != seat:
            self._summon(settled)
        return Answer(command.seat, (commit, *more), head, settled)

    def _close(self, table: Table, command: CloseGame | RevealSecret, meta: Meta) -> Answer:
        """Ends a faulted game and opens its secret."""
        if not table.fault or not table.tail:
            raise GameFaulted(table)
        if not table.imported:
            # Among the unfinished ones, so that the sweep goes on should this process die here.
            self._mark(table.id, table.created, table.game)
        try:
            answer = self._commit(table, command, meta)
        except Conflict:
            if self.load(table.id).tail != table.tail:
                raise
            # Nobody was faster: the log is kept in a form to which nothing can be added.
            fault = replace(table.fault, tail=None)
            raise GameFaulted(replace(table, fault=fault)) from None
        self._file(answer.table)
        log.error("game %s is closed at its fault in version %d", table.id, table.fault.version)
        return answer

    def _append(self, table: Table, command: Any, meta: Meta) -> tuple[Table, Commit]:
        tail = table.tail
        if tail is None or (table.fault and type(command) not in (CloseGame, RevealSecret)):
            raise GameFaulted(table)
        try:
            events = seating.decide(table.game, command, table.now)
        except IllegalMove as no:
            no.version = table.version
            raise
        version = tail.version + 1
        salt = fairness.salt(table.secret, version)
        commit = Commit(version, tail.hash, salt, table.now, command, events)
        entry = entry_of(commit, meta)
        if table.fault:
            self._store.append(table.id, entry, tail.hash)
            return self.load(table.id), commit
        # First the fold: what cannot be folded must not be written.
        after = self._shelf.after(table, entry)
        self._store.append(table.id, entry, tail.hash)
        self._shelf.remember(after, (entry,))
        return after, commit

    def _house(self, table: Table) -> tuple[Table, tuple[Commit, ...], str]:
        """Gives the house's commands for as long as the house is to act.

        The table then, these commits, and the hash of the last of them (of none: the table's).
        """
        commits: list[Commit] = []
        head = table.head
        while table.to_act() == HOUSE:
            command = house.command(table.game, table.secret)
            try:
                table, commit = self._append(table, command, Meta(secrets.token_hex(8)))
                commits.append(commit)
                head = table.head
            except Conflict:
                # Somebody else gave the house's command: it is the same one, so go on from it.
                known = table.version
                table = self.load(table.id)
                read = self.commits(table.id, known + 1, table.version)
                theirs = house.run(read)
                head = _head(read, len(theirs), table)
                commits += theirs
        return table, tuple(commits), head

    def _ready(self, game: str) -> Table:
        """The game now, with the house's part done that an interrupted request left."""
        table = self.load(game)
        return self.settle(table) if table.to_act() == HOUSE else table

    def _summon(self, table: Table, again: int = 0) -> None:
        if not table.waits_for_computer():
            return
        try:
            self._call(table.id, table.version, again)
        except Exception:
            # The command is kept already; the sweep finds the waiting turn.
            log.exception("no computer player could be called to game %s", table.id)

    def _remark(self, before: Table, after: Table) -> None:
        status, players = _filed(before.game)
        if (status, players) != _filed(after.game):
            # Who gives up a game under way keeps it among their own; who gets up before does not.
            left = set() if after.game.state else set(players) - set(_filed(after.game)[1])
            self._mark(after.id, after.created, after.game, tuple(left), after.fault)

    def _file_imported(self, table: Table, player: str) -> None:
        listing = Listing(table.id, table.created)
        self._store.mark(listing, table.status, False, (player,))

    def _file(self, table: Table) -> None:
        if table.imported:
            self._file_imported(table, table.opener)
        else:
            self._mark(table.id, table.created, table.game, fault=table.fault)

    def _mark(
        self,
        game: str,
        created: int,
        state: Game,
        left: tuple[str, ...] = (),
        fault: Fault | None = None,
    ) -> None:
        status, players = _filed(state)
        if fault and not fault.owes(state):
            status = "faulted"
        public = state.visibility == "public"
        self._store.mark(Listing(game, created), status, public, players, left)


def calls_due(waited: float, patience: float) -> int:
    """How many calls a turn has earned: one more at each doubling of the wait, up to a minute,
    then one a minute. So a busy queue is not flooded, and no turn waits for long."""
    brisk = min(waited, max(60.0, patience))
    return 1 + int(math.log2(brisk / patience)) + int((waited - brisk) / 60)


def _filed(game: Game) -> tuple[str, tuple[str, ...]]:
    """The list a game belongs in, unfinished until its secret is open, and whose it is."""
    status = "playing" if game.result and not game.secret else game.status
    return status, tuple(chair.player for chair in game.chairs if chair.player)


def _head(read: list[Commit], count: int, table: Table) -> str:
    """The hash of the last of the first `count` commits, which need not be in today's shapes.

    It is named by the commit after it, or else is the table's.
    """
    if count < len(read):
        return read[count].prev
    return table.whole_head if count and read[-1].version == table.whole else table.head


def _free_seat(game: Game) -> Seat:
    """The first seat that waits for a person; seat 0, which is refused, when none does."""
    for seat, chair in enumerate(game.chairs):
        if chair.kind == "human" and not chair.player:
            return seat
    return 0


def entry_of(commit: Commit, meta: Meta) -> Entry:
    """The commit as the log's entry, with its line and its hash."""
    line = codec.encode(commit)
    return Entry(commit.version, line, codec.digest(line), meta)
