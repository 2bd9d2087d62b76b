"""Audits, analyses and imports that somebody asked for: jobs of `service.desk`.

No verdict depends on when or how often it is made, so a job may run twice.
"""

import hashlib
import secrets
from dataclasses import replace
from typing import Any, Final

import msgspec

from service import ids, record
from service.answers import KeyReused
from service.desk import Asked as Asked
from service.desk import Call as Call
from service.desk import Desk
from service.record import Record
from service.referee import Check, Depth, Fault, Verdict, referee, referee_stored
from service.replay import FAILURES, Commit
from service.rules.protocol import HOUSE
from service.store import IMPORT, PLANTED, Entry, EventStore, Meta, Unreadable, codec
from service.store.jobs import Job, Jobs, Kind, Order
from service.table import Tables

LATEST: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, beyond which no time can be shown."""


class Audits(Desk):
    """The audits and imports of one store."""

    def __init__(self, store: EventStore, tables: Tables, jobs: Jobs, call: Call) -> None:
        super().__init__(jobs, call)
        self._store = store
        self._tables = tables

    # Asking

    def upload(
        self, kind: Kind, player: str, raw: bytes, depth: Depth, head: str = "", key: str = ""
    ) -> Asked:
        """Asks for the audit or the import of a record; the same key, the same job.

        Raises:
            KeyReused: the key came with something else before.
            Crowded: the player has too many unfinished jobs.
        """
        return self._ask(player, key, Order(kind, player, "", "", depth, head), raw)

    def own(self, player: str, game: str, depth: Depth, head: str = "", key: str = "") -> Asked:
        """Asks for an audit of a stored game that is this player's alone. See `upload`."""
        return self._ask(player, key, Order("audit", player, "", game, depth, head), b"")

    def shared(self, player: str, game: str, version: int, depth: Depth, head: str = "") -> Job:
        """The one audit of a stored game at its last version that everybody gets.

        It is asked for now if nobody has yet.

        Raises:
            Crowded: see `upload`.
        """
        job = ids.derived("audit", f"{game} {version} {depth} {head}")
        return self._open(job, Order("audit", player, "", game, depth, head), b"").job

    def analysis(self, player: str, game: str, version: int, deal: int) -> Job:
        """The one analysis of a deal of a finished game that everybody gets.

        It is asked for now if nobody has yet.

        Raises:
            Crowded: see `upload`.
        """
        job = ids.derived("analysis", f"{game} {version} {deal}")
        return self._open(job, Order("analysis", player, "", game, deal=deal), b"").job

    # Doing

    def run(self, job: Job) -> None:
        """Does the job. Whatever it raises, the attempt is open still."""
        done = self._imported(job) if job.order.kind == "import" else self._verdict(job).to_json()
        self.keep(job, done)

    def log(self, game: str) -> tuple[list[Commit], bytes]:
        """The commits of a finished game as far as they are whole, decisions too, and its secret.

        Raises:
            NoSuchGame, Unreadable
            ValueError: the secret is not open.
        """
        table = self._tables.load(game)
        if not table.game.secret:
            raise ValueError("the game is not over")
        entries = self._store.read(game, 1, table.whole).entries
        return [codec.decode(entry.line) for entry in entries], table.secret

    def keep(self, job: Job, done: Any) -> None:
        """Ends the job with what was done, as JSON values."""
        self._jobs.settle(job, "done", msgspec.json.encode(done))

    # Inside

    def _ask(self, player: str, key: str, order: Order, raw: bytes) -> Asked:
        words = f"{order.kind}\n{order.game}\n{order.depth}\n{order.head}\n"
        order = replace(order, digest=hashlib.sha256(words.encode() + raw).hexdigest())
        # A key belongs to its route, as in games; no key has a space.
        job = ids.derived(player, f"{order.kind}s {key}") if key else ids.fresh()
        asked = self._open(job, order, raw)
        if asked.job.order.digest != order.digest:
            raise KeyReused
        return asked

    def _verdict(self, job: Job) -> Verdict:
        order = job.order
        depth, head = order.depth, order.head or None
        if not order.game:
            return referee(self._jobs.record(job.id), depth, head)
        read = self._store.read(order.game)
        return referee_stored(
            order.game, read.entries, read.broken, depth, head, beyond=read.beyond
        )

    def _imported(self, job: Job) -> dict[str, Any]:
        """Takes the record in as a game, if it is sound; the same record is the same game.

        It is asked of the rules, however shallow an audit would do: what nobody decided might be
        shown in any way.
        """
        raw = self._jobs.record(job.id)
        verdict = _too_long(raw) or _showable(raw, referee(raw, "rules"))
        game = None
        if verdict.ok:
            read = record.read(raw)
            game = ids.derived(IMPORT, read.footer.head)
            first = Meta(
                secrets.token_hex(8), job.order.owner, secret=read.footer.secret, source=IMPORT
            )
            later = Meta(first.attempt)
            entries = [
                Entry(version, line, codec.digest(line), later if version > 1 else first)
                for version, line in enumerate(read.lines, 1)
            ]
            self._tables.adopt(game, entries, job.order.owner)
        return {"ok": verdict.ok, "game": game, "verdict": verdict.to_json()}


def _too_long(raw: bytes) -> Verdict | None:
    """The verdict over a record that could not be kept, however sound; None for all others."""
    if raw.count(b"\n") - 2 <= PLANTED:
        return None
    what = f"A record of more than {PLANTED} commits is not taken in."
    return Verdict(False, (Check("shown", False, what),), Fault("shown", None, None, what))


def _showable(raw: bytes, verdict: Verdict) -> Verdict:
    """The verdict with one check more, `shown`: that what will be shown is such as can be shown,
    and is what the record says.

    A record may be sound, and have been made up.
    """
    if not verdict.ok:
        return verdict
    read = record.read(raw)
    commits = (codec.decode(line) for line in read.lines)
    odd = next((one.version for one in commits if not _plain(one, len(read.header.seats))), None)
    if odd:
        what = f"Commit {odd} names a seat or a time that there cannot be."
    elif not _own(read, raw):
        what = "What the log comes to is not what the record says."
    else:
        return Verdict(True, (*verdict.checks, Check("shown", True, "as it must be")), None)
    fault = Fault("shown", odd, odd and odd + 1, what)
    return Verdict(False, (*verdict.checks, Check("shown", False, what)), fault)


def _plain(commit: Commit, seats: int) -> bool:
    """Whether time and seats are such as there may be; only commands are the house's."""
    named = (
        least <= getattr(thing, name, 0) < seats
        for things, first in (((commit.command,), HOUSE), (commit.events, 0))
        for thing in things
        for name, least in (("seat", first), ("dealer", 0))
    )
    return 0 <= commit.at <= LATEST and all(named)


def _own(read: Record, raw: bytes) -> bool:
    """Whether the record that will be written of these commits is this one, to the byte."""
    try:
        return b"".join(record.write(read.header.game, read.lines)) == raw
    except (record.NotOver, Unreadable, *FAILURES):
        return False
