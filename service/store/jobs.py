"""Work that a worker does and somebody asks after: audits, analyses, and imports of records.

    queued ──► running ──► done
       ▲          ├──────► failed
       └──────────┘ given back

A worker that has a job says again and again that it lives; a running job of which nothing was
heard for `LEASE` may be begun anew. Jobs are forgotten a day after they were last changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

Kind = Literal["audit", "import", "analysis"]
Depth = Literal["record", "rules"]
"""`record`: it is sound in itself; `rules`: and the game's rules would decide the same."""

State = Literal["queued", "running", "done", "failed"]
Error = Literal["internal", "too_long", "lost"]
"""Why a job failed: a fault of ours, the time for it was up, or its workers were killed."""

KEEP: Final = 86_400
"""Seconds for which a job is kept after its last change."""

LEASE: Final = 10_000
"""Milliseconds after its last sign of life at which a worker counts as gone."""

ATTEMPTS: Final = 3
"""How often a job is begun before it has failed."""

BY_PLAYER: Final = 4
"""Unfinished jobs that one player may have."""

BY_ALL: Final = 64
"""Unfinished jobs in all: their records lie in the server's memory."""

UNWRITTEN: Final = 60_000
"""Milliseconds after which a job that has a place, and was never written, comes no more."""


class Crowded(Exception):
    """The player, or the service, has too many unfinished jobs."""


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for.

    Attributes:
        owner: the player who asked.
        digest: hash of all that was asked, by which a repeated request is known.
        game: id of the stored game to audit; empty when a record came along.
        depth, head: as `service.referee` takes them; no head is empty.
        deal: the one to analyse; None for other kinds.
    """

    kind: Kind
    owner: str
    digest: str
    game: str = ""
    depth: Depth = "rules"
    head: str = ""
    deal: int | None = None


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
        return self.state in ("done", "failed")

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
        state: Literal["queued", "done", "failed"],
        result: bytes = b"",
        error: Error | Literal[""] = "",
    ) -> bool:
        """Ends the attempt that `job` is of; False, and no change, if it is not the newest."""

    def unfinished(self) -> Iterator[Job]:
        """The jobs that are queued or running."""
