"""What somebody asked for and a worker does: taken down, called for, begun, and ended.

    open ──► kept as a job ──► a worker is called ──► begin ──► the work ──► settled
                                     ▲                  └─ failed or killed: the sweep calls again
                                     └──────────────────────────────────────┘

A job may run twice, so what comes of it must not depend on how often it is done.
"""

import logging
from dataclasses import dataclass
from typing import Protocol

from service.calls import calls_due
from service.store.jobs import ATTEMPTS, Error, Job, Jobs, Order

log = logging.getLogger(__name__)


class Call(Protocol):
    """Asks a worker for the next attempt at a job."""

    def __call__(self, job: str, attempts: int, again: int = 0) -> None:
        """Asks for the attempt after `attempts`; another `again` is another call."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A job, and whether it had been asked for before under the same key."""

    job: Job
    replayed: bool = False


class Desk:
    """The jobs of one keeper."""

    def __init__(self, jobs: Jobs, call: Call) -> None:
        self._jobs = jobs
        self._call = call

    def find(self, job: str) -> Job | None:
        """The job, if there is one."""
        return self._jobs.find(job)

    def begin(self, job: str) -> Job | None:
        """The job as this worker's own; None when there is nothing to do for it."""
        return self._jobs.begin(job)

    def alive(self, job: Job) -> None:
        """Says that the worker is at it."""
        self._jobs.alive(job)

    def give_up(self, job: Job, error: Error) -> None:
        """Ends an attempt without a result; the last one ends the job."""
        if job.attempts < ATTEMPTS:
            self._jobs.settle(job, "queued")
        else:
            self._jobs.settle(job, "failed", error=error)

    def tend(self, patience: float) -> None:
        """Calls again for jobs that waited `patience` seconds, or whose worker is gone."""
        for job in self._jobs.unfinished():
            if job.abandoned and job.attempts >= ATTEMPTS:
                self._jobs.settle(job, "failed", error="lost")
                continue
            waited = max(1, job.now - (job.until if job.abandoned else job.changed)) / 1000
            if job.abandoned or (job.state == "queued" and waited >= patience):
                self._summon(job, calls_due(max(waited, patience), patience))

    def _open(self, name: str, order: Order, raw: bytes = b"") -> Asked:
        """The job of that id, made and called for now if there is none.

        Raises:
            Crowded: the player, or everybody together, has too many unfinished jobs.
        """
        job, fresh = self._jobs.add(name, order, raw)
        if fresh:
            self._summon(job, 0)
        return Asked(job, not fresh)

    def _summon(self, job: Job, again: int) -> None:
        try:
            self._call(job.id, job.attempts, again)
        except Exception:
            # The job is kept already; the sweep finds it.
            log.exception("no worker could be called to job %s", job.id)
