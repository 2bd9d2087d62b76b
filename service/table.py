"""The use cases: open a game, join it, act in it, look at it.

    load (remembered or folded) ──► decide ──► append ──► the house answers ──► summon a computer

Every write is one append that the store refuses if anybody was first, so all of this may run
in any number of processes.

Over 250 lines, since the steps of one write belong side by side; what a process remembers is in
`shelf`, the house's part in `house`.
"""

import hashlib
import logging
import math
import secrets
from base64 import b32encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from service import fairness, house, replay
from service.replay import Commit
from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, Seat
from service.rules.seating import Game
from service.rules.seating.commands import OpenGame, SitDown
from service.shelf import NoSuchGame, Shelf, Table
from service.store import Conflict, Entry, EventStore, Listing, Meta, Unreadable, codec

log = logging.getLogger(__name__)

TRIES: Final = 20
"""How often a command without a version is decided anew when others are faster."""

Call = Callable[[str, int, int], None]
"""Asks for a computer player's move: game, version, and how often it was asked before."""


class NoSeat(Exception):
    """The caller has no seat at this table."""


class GameOver(Exception):
    """The game takes no more commands."""


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

    `table` is the game now, which may be further on when an answer is given again, as
    `replayed` says.
    """

    seat: Seat | None
    commits: tuple[Commit, ...]
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
        game = _derived_id(player, key) if key else _id(secrets.token_bytes(13))
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
                self._store.append(game, _entry(commit, meta), "")
            except Conflict:
                replayed = True
        table = self.load(game)
        if key and table.keys.get((player, key)) != (1, digest):
            raise KeyReused
        table = self._settle(table)
        return replace(self._answer(table, player, 1), replayed=replayed)

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
            NoSuchGame, NotInvited, GameOver
            IllegalMove: no such seat, or nothing is free.
        """
        for _ in range(TRIES):
            table = self._ready(game)
            if table.game.seat_of(player) is not None:
                return None
            private = table.game.visibility == "private"
            if private and not secrets.compare_digest(invite.encode(), table.invite.encode()):
                raise NotInvited
            if table.game.result:
                raise GameOver
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

        Raises:
            NoSuchGame, KeyReused, GameOver, NoSeat, Moved
            IllegalMove: a rule says no.
        """
        for _ in range(TRIES):
            table = self._ready(game)
            if key and (known := table.keys.get((player, key))):
                if known[1] != digest:
                    raise KeyReused
                return replace(self._answer(table, player, known[0]), replayed=True)
            if table.game.result:
                raise GameOver
            seat = table.game.seat_of(player)
            if seat is None:
                raise NoSeat
            if expected is not None and expected != table.version:
                raise Moved(table.version)
            meta = Meta(secrets.token_hex(8), player, key, digest)
            try:
                return self._commit(table, make(seat), meta)
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

    def tend(self, game: str, patience: float) -> None:
        """Brings a game on that was left standing: the house's part, the lists, a lost turn.

        A computer player that has not moved for `patience` seconds is summoned again. A game that
        waits for people is filed again once for each of its versions.
        """
        table = self.load(game)
        if table.game.to_act() == HOUSE:
            self._settle(table)
        elif table.waits_for_computer():
            waited = max(1, table.now - table.changed) / 1000  # the clock counts milliseconds
            if waited >= patience:
                self._summon(table, again=_calls_due(waited, patience))
        elif self._tended.get(game) != table.version:
            self._mark(table.id, table.created, table.game)
            self._tended[game] = table.version

    def refile(self, game: str) -> None:
        """Puts a game into the lists in which its log says that it belongs."""
        table = self.load(game)
        self._mark(table.id, table.created, table.game)

    # Inside

    def _commit(self, table: Table, command: Any, meta: Meta) -> Answer:
        """Decides and appends one command, and lets the house answer."""
        after, commit = self._append(table, command, meta)
        settled, more = self._house(after)
        self._remark(table, settled)
        seat = command.seat
        played = seat != HOUSE and table.game.chairs[seat].kind == "ai"
        if not played or settled.game.to_act() != seat:
            self._summon(settled)
        return Answer(command.seat, (commit, *more), settled)

    def _append(self, table: Table, command: Any, meta: Meta) -> tuple[Table, Commit]:
        try:
            events = seating.decide(table.game, command, table.now)
        except IllegalMove as no:
            no.version = table.version
            raise
        version = table.version + 1
        salt = fairness.salt(table.secret, version)
        commit = Commit(version, table.head, salt, table.now, command, events)
        entry = _entry(commit, meta)
        self._store.append(table.id, entry, table.head)
        return self._shelf.advance(table, (entry,)), commit

    def _house(self, table: Table) -> tuple[Table, tuple[Commit, ...]]:
        """Gives the house's commands for as long as the house is to act."""
        commits: list[Commit] = []
        while table.game.to_act() == HOUSE:
            command = house.command(table.game, table.secret)
            try:
                table, commit = self._append(table, command, Meta(secrets.token_hex(8)))
                commits.append(commit)
            except Conflict:
                # Somebody else gave the house's command: it is the same one, so go on from it.
                known = table.version
                table = self.load(table.id)
                commits += house.run(self.commits(table.id, known + 1, table.version))
        return table, tuple(commits)

    def _ready(self, game: str) -> Table:
        """The game now, with the house's part done that an interrupted request left."""
        table = self.load(game)
        return self._settle(table) if table.game.to_act() == HOUSE else table

    def _settle(self, table: Table) -> Table:
        """The house's part, the lists and the next computer player, after an interruption too."""
        settled, _ = self._house(table)
        self._mark(settled.id, settled.created, settled.game)
        self._summon(settled)
        return settled

    def _answer(self, table: Table, player: str, version: int) -> Answer:
        """The answer that the command at `version` got, read back from the log."""
        commit, *after = self.commits(table.id, version, version + 4)
        seat = commit.seat if commit.seat != HOUSE else table.game.seat_of(player)
        return Answer(seat, (commit, *house.run(after)), table)

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
            self._mark(after.id, after.created, after.game, tuple(left))

    def _mark(self, game: str, created: int, state: Game, left: tuple[str, ...] = ()) -> None:
        status, players = _filed(state)
        public = state.visibility == "public"
        self._store.mark(Listing(game, created), status, public, players, left)


def _calls_due(waited: float, patience: float) -> int:
    """How many calls a turn has earned: one more at each doubling of the wait, up to a minute,
    then one a minute. So a busy queue is not flooded, and no turn waits for long."""
    brisk = min(waited, max(60.0, patience))
    return 1 + int(math.log2(brisk / patience)) + int((waited - brisk) / 60)


def _filed(game: Game) -> tuple[str, tuple[str, ...]]:
    """The list a game belongs in, unfinished until its secret is open, and whose it is."""
    status = "playing" if game.result and not game.secret else game.status
    return status, tuple(chair.player for chair in game.chairs if chair.player)


def _free_seat(game: Game) -> Seat:
    """The first seat that waits for a person; seat 0, which is refused, when none does."""
    for seat, chair in enumerate(game.chairs):
        if chair.kind == "human" and not chair.player:
            return seat
    return 0


def _entry(commit: Commit, meta: Meta) -> Entry:
    line = codec.encode(commit)
    return Entry(commit.version, line, codec.digest(line), meta)


def _derived_id(player: str, key: str) -> str:
    return _id(hashlib.sha256(f"{player}\n{key}".encode()).digest()[:13])


def _id(data: bytes) -> str:
    return b32encode(data).decode().rstrip("=").lower()
