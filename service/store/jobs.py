"""Work that a worker does and somebody asks after: audits, analyses, imports of records, hints.

    queued ──► running ──► done
       ▲          ├──────► failed
       │          ├──────► stale: the game moved on, so that nobody needs it any more
       └──────────┘ given back

A worker that has a job says again and again that it lives; a running job of which nothing was
heard for `LEASE` may be begun anew. Jobs are forgotten a while after they were last changed.

Hints have a keeper of their own, so that they and audits never take each other's places.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from service.rules.protocol import Seat

Kind = Literal["audit", "import", "analysis", "hint"]
Depth = Literal["record", "rules"]
"""`record`: it is sound in itself; `rules`: and the game's rules would decide the same."""

State = Literal["queued", "running", "done", "failed", "stale"]
End = Literal["queued", "done", "failed", "stale"]
"""What an attempt may end with."""

Error = Literal["internal", "too_long", "lost"]
"""Why a job failed: a fault of ours, the time for it was up, or its workers were killed."""

LEASE: Final = 10_000
"""Milliseconds after its last sign of life at which a worker counts as gone."""

ATTEMPTS: Final = 3
"""How often a job is begun before it has failed."""

UNWRITTEN: Final = 60_000
"""Milliseconds after which a job that has a place, and was never written, comes no more."""


class Crowded(Exception):
    """The player, or the service, has too many unfinished jobs."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one keeper holds.

    Attributes:
        keep: seconds for which a job is kept after its last change.
        by_player: unfinished jobs that one player may have.
        by_all: unfinished jobs in all.
    """

    keep: int
    by_player: int
    by_all: int


AUDITS: Final = Limits(keep=86_400, by_player=4, by_all=64)
"""For audits and imports, whose records lie in the server's memory."""

HINTS: Final = Limits(keep=3600, by_player=4, by_all=256)
"""For hints, of which nobody needs more than one at a time, and none for long."""


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for.

    Attributes:
        owner: the player who asked.
        digest: hash of all that was asked, by which a repeated request is known.
        game: id of the stored game to audit; empty when a record came along.
        depth, head: as `service.referee` takes them; no head is empty.
        deal: the one to analyse; None for other kinds.
        version, seat: whom a hint is for and when; None for other kinds.
    """

    kind: Kind
    owner: str
    digest: str
    game: str = ""
    depth: Depth = "rules"
    head: str = ""
    deal: int | None = None
    version: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """An order and how far it came.

    Attributes:
        attempts: how often it was begun.
        created, changed: in ms since 1970, as all times here; `changed` of the state.
        until: the end of the lease while it runs.
        result: JSON, once done.
        error: an `Error`, once failed.
        now: the store's clock when it was read.
    """

    id: str
    order: Order
    state: State
    attempts: int
    created: int
    changed: int
    until: int
    result: bytes
    error: str
    now: int

    @property
    def over(self) -> bool:
        """Whether nothing more will be done."""
        return self.state in ("done", "failed", "stale")

    @property
    def abandoned(self) -> bool:
        """Whether a worker has it and is gone."""
        return self.state == "running" and self.now > self.until


class Jobs(Protocol):
    """Keeps jobs and the records that came with them. Every method may raise `StoreUnavailable`."""

    def add(self, job: str, order: Order, record: bytes) -> tuple[Job, bool]:
        """The job under that id, and whether it was made now; one that is there stays as it is.

        Raises:
            Crowded: it would be one too many; nothing was kept.
        """

    def find(self, job: str) -> Job | None:
        """The job, if there is one."""

    def named(self, name: str, job: str = "") -> str:
        """The job that a name stands for: of all that were given for it the first, kept as long as
        a job; empty while none was given.
        """

    def record(self, job: str) -> bytes:
        """The record that came with it, until it is over; empty when none did."""

    def begin(self, job: str) -> Job | None:
        """Makes a queued or abandoned job running and counts the attempt; None for others.

        Of several who begin a job at once one gets it.
        """

    def alive(self, job: Job) -> None:
        """Lengthens the lease of the attempt; does nothing if another attempt has begun."""

    def settle(
        self,
        job: Job,
        state: End,
        result: bytes = b"",
        error: Error | Literal[""] = "",
    ) -> bool:
        """Ends the attempt that `job` is of; False, and no change, if it is not the newest."""

    def unfinished(self) -> Iterator[Job]:
        """The jobs that are queued or running."""
