"""Writing into a game's log, and what is due after each entry.

    decide ──► append ──► the house answers ──► the lists ──► a computer player is summoned

Every write is one append that the store refuses if anybody was first. Who dies between two of
these steps leaves what `settle` makes good.

Over 250 lines, since the steps of one write belong side by side.
"""

import logging
import secrets
from dataclasses import replace
from typing import Any, Final

from service import fairness, house
from service.answers import Answer, GameFaulted, GameOver, KeyReused, Moved
from service.calls import Call, Herald, summon
from service.decision import Decision
from service.filing import NOWHERE, Filing
from service.replay import Commit
from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE
from service.rules.seating.commands import CloseGame, OpenGame, RevealSecret
from service.shelf import Shelf, Table
from service.standing import opened
from service.store import (
    Conflict,
    Entry,
    EventStore,
    Meta,
    Reading,
    StoreUnavailable,
    Unreadable,
    codec,
)

log = logging.getLogger(__name__)

TRIES: Final = 20
"""How often a command without a version is decided anew when others are faster."""


class Scribe:
    """Writes into the logs of one store."""

    def __init__(
        self, store: EventStore, shelf: Shelf, filing: Filing, call: Call, herald: Herald
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._filing = filing
        self._call = call
        self._herald = herald

    def begin(
        self, game: str, player: str, command: OpenGame, key: str, digest: str
    ) -> Answer | None:
        """Writes the first entry of a game with a fresh secret; None when it has one already.

        What is due then is left to `begun`, or to whoever touches the game next.

        Raises:
            IllegalMove: the variant does not allow such a table.
            TooManyGames: the player has as many as one may have.
        """
        secret = secrets.token_bytes(fairness.SECRET_BYTES)
        command = replace(
            command, algorithm=fairness.ALGORITHM, commitment=fairness.commitment(secret)
        )
        events = seating.opening(command)
        reading = self._store.read(game)
        if reading.entries:
            return None
        self._filing.check_room(player, game)
        commit = Commit(1, "", fairness.salt(secret, 1), reading.now, command, events)
        entry = entry_of(commit, Meta(secrets.token_hex(8), player, key, digest, secret.hex()))
        # First the fold: what cannot be folded must not be written.
        table = opened(game, Reading(reading.now, (entry,)))
        # Listed first, so that the sweep finds it if this process dies in between.
        self._filing.mark(game, reading.now, table.game, opener=player, known=NOWHERE)
        try:
            self._store.append(game, entry, "")
        except Conflict:
            return None
        self._shelf.remember(table)
        return Answer(table.seat_of(player), (commit,), table.head, table)

    def begun(self, first: Answer) -> Answer:
        """The answer to who opened a game just now, and brings that on its way."""
        settled, more, head = self._house(first.table)
        self._filing.update(first.table, settled)
        summon(self._call, settled)
        self._herald.moved(first.table, settled)
        return replace(first, commits=(*first.commits, *more), head=head, table=settled)

    def ready(self, game: str, table: Table | None = None) -> Table:
        """The game now, with the house's part done that an interrupted request or time left.

        `table` is the game if it was loaded just now.
        """
        table = table or self._shelf.load(game)
        if table.to_act() == HOUSE:
            table = self.settle(table)
        return self.on_time(table)

    def on_time(self, table: Table) -> Table:
        """The table after the house said that a time is up, if it is; once, whoever says it."""
        while due := table.time_up():
            try:
                return self.write(table, due, Meta(secrets.token_hex(8))).table
            except Conflict:  # somebody said it first, or a move came in time
                table = self._shelf.load(table.id)
        return table

    def write(
        self,
        table: Table,
        command: Any,
        meta: Meta,
        decision: Decision | None = None,
        *,
        call: bool = True,
    ) -> Answer:
        """Decides and appends one command, and lets the house answer.

        Without `call` the next computer player is the caller's to go on with, or to call.
        """
        after, commit = self._append(table, command, meta, decision)
        settled, more, head = self._house(after)
        self._filing.update(table, settled)
        if call:
            summon(self._call, settled)
        self._herald.moved(table, settled)
        return Answer(command.seat, (commit, *more), head, settled)

    def close(self, table: Table, command: CloseGame | RevealSecret, meta: Meta) -> Answer:
        """Ends a faulted game and opens its secret."""
        if not table.fault or not table.tail:
            raise GameFaulted(table)
        if not table.imported:
            # Among the unfinished ones, so that the sweep goes on should this process die here.
            self._filing.mark(table.id, table.created, table.game, opener=table.opener)
        try:
            answer = self.write(table, command, meta)
        except Conflict:
            if self._shelf.load(table.id).tail != table.tail:
                raise
            # Nobody was faster: the log is kept in a form to which nothing can be added.
            fault = replace(table.fault, tail=None)
            raise GameFaulted(replace(table, fault=fault)) from None
        self._filing.file(answer.table)
        log.error("game %s is closed at its fault in version %d", table.id, table.fault.version)
        return answer

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
        """Answers whoever opened a game, with a log up to `version`, and brings it on its way.

        `asked` is what the game was to be opened with; `replayed` says that the log was there
        already.

        Raises:
            KeyReused: the key opened another game before.
            GameFaulted: the log is damaged before that version.
        """
        table = self._shelf.load(game)
        if replayed and not self._same(table, player, asked, key, digest):
            raise KeyReused
        if version > table.whole:
            raise GameFaulted(table)
        if replayed:
            self.confirm(game, 1)
        table = self.settle(table)
        return replace(self.answer(table, player, version), replayed=replayed)

    def settle(self, table: Table) -> Table:
        """The house's part, the lists and the next computer player, after an interruption too."""
        settled, *_ = self._house(table)
        self._filing.file(settled)
        summon(self._call, settled)
        self._herald.moved(table, settled)
        return settled

    def answer(self, table: Table, player: str, version: int) -> Answer:
        """The answer that the command at `version` got, read back from the log."""
        if version > table.version:
            # A key of a newer entry than this table's: tables of one game share their keys.
            table = self._shelf.load(table.id)
        last = table.whole if version <= table.whole else table.version
        read = self._shelf.commits(table.id, version, min(version + 4, last))
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
            self._shelf.forget(game)
            raise StoreUnavailable("the log is no longer what was read") from None
        except Unreadable:
            return  # a damaged log is read only

    # Inside

    def _same(self, table: Table, player: str, asked: OpenGame, key: str, digest: str) -> bool:
        """Whether the game was opened by the request that is here again."""
        if known := table.keys.get((player, key)):
            return known == (1, digest)
        # A compact game has forgotten its keys; its id follows from this one.
        (first,) = self._shelf.commits(table.id, 1, 1)
        return _wish(first.command) == _wish(asked)

    def _append(
        self, table: Table, command: Any, meta: Meta, decision: Decision | None = None
    ) -> tuple[Table, Commit]:
        if table.sealed:
            raise GameOver
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
        commit = Commit(version, tail.hash, salt, table.now, command, events, decision)
        entry = entry_of(commit, meta)
        if table.fault:
            self._store.append(table.id, entry, tail.hash)
            return self._shelf.load(table.id), commit
        # First the fold: what cannot be folded must not be written.
        after = self._shelf.after(table, entry)
        self._store.append(table.id, entry, tail.hash)
        self._shelf.remember(after, (entry,))
        return after, commit

    def _house(self, table: Table) -> tuple[Table, tuple[Commit, ...], str]:
        """Gives the house's commands for as long as the house is to act.

        The table then, these commits, and the hash of the last of them (of none: the table's).

        Raises:
            GameFaulted: nothing can be written behind the last entry, though nobody was faster.
            Moved: others were faster all the time.
        """
        commits: list[Commit] = []
        head = table.head
        tries = TRIES
        while table.to_act() == HOUSE and not table.sealed:
            command = house.command(table.game, table.secret)
            try:
                table, commit = self._append(table, command, Meta(secrets.token_hex(8)))
                commits.append(commit)
                head = table.head
            except Conflict:
                # Somebody else gave the house's command: it is the same one, so go on from it.
                known, tail = table.version, table.tail
                table = self._shelf.load(table.id)
                tries -= 1
                if table.tail == tail:
                    raise GameFaulted(table) from None
                if not tries:
                    raise Moved(table.version) from None
                read = self._shelf.commits(table.id, known + 1, table.version)
                theirs = house.run(read)
                head = _head(read, len(theirs), table)
                commits += theirs
        return table, tuple(commits), head


def _wish(command: OpenGame) -> OpenGame:
    """What a caller asked for: less what follows from chance and from the day."""
    return replace(command, rules_version=0, algorithm="", commitment="")


def _head(read: list[Commit], count: int, table: Table) -> str:
    """The hash of the last of the first `count` commits, which need not be in today's shapes.

    It is named by the commit after it, or else is the table's.
    """
    if count < len(read):
        return read[count].prev
    return table.whole_head if count and read[-1].version == table.whole else table.head


def entry_of(commit: Commit, meta: Meta) -> Entry:
    """The commit as the log's entry, with its line and its hash."""
    line = codec.encode(commit)
    return Entry(commit.version, line, codec.digest(line), meta)
