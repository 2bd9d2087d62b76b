"""The promises of `Jobs` in dictionaries: for tests. Nothing is ever forgotten here."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

from service.store.jobs import AUDITS, LEASE, Crowded, End, Error, Job, Limits, Order
from service.store.memory import wall_clock


class MemoryJobs:
    """`Jobs` that end with their process. `clock` tells milliseconds since 1970."""

    def __init__(self, clock: Callable[[], int] = wall_clock, *, limits: Limits = AUDITS) -> None:
        self._clock = clock
        self._limits = limits
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._records: dict[str, bytes] = {}
        self._names: dict[str, str] = {}

    def add(self, job: str, order: Order, record: bytes) -> tuple[Job, bool]:
        """See `Jobs.add`."""
        with self._lock:
            if job in self._jobs:
                return self._now(job), False
            unfinished = [one.order.owner for one in self._jobs.values() if not one.over]
            most = self._limits
            if unfinished.count(order.owner) >= most.by_player or len(unfinished) >= most.by_all:
                raise Crowded
            now = self._clock()
            self._jobs[job] = Job(job, order, "queued", 0, now, now, 0, b"", "", now)
            self._records[job] = record
            return self._now(job), True

    def find(self, job: str) -> Job | None:
        """See `Jobs.find`."""
        with self._lock:
            return self._now(job) if job in self._jobs else None

    def named(self, name: str, job: str = "") -> str:
        """See `Jobs.named`."""
        with self._lock:
            return self._names.setdefault(name, job) if job else self._names.get(name, "")

    def record(self, job: str) -> bytes:
        """See `Jobs.record`."""
        return self._records.get(job, b"")

    def begin(self, job: str) -> Job | None:
        """See `Jobs.begin`."""
        with self._lock:
            found = self._now(job) if job in self._jobs else None
            if found is None or not (found.state == "queued" or found.abandoned):
                return None
            until = found.now + LEASE
            return self._change(found, "running", attempts=found.attempts + 1, until=until)

    def alive(self, job: Job) -> None:
        """See `Jobs.alive`."""
        with self._lock:
            if self._newest(job):
                self._jobs[job.id] = replace(self._jobs[job.id], until=self._clock() + LEASE)

    def settle(
        self,
        job: Job,
        state: End,
        result: bytes = b"",
        error: Error | Literal[""] = "",
    ) -> bool:
        """See `Jobs.settle`."""
        with self._lock:
            if not self._newest(job):
                return False
            if self._change(self._jobs[job.id], state, result=result, error=error).over:
                self._records.pop(job.id, None)
            return True

    def unfinished(self) -> Iterator[Job]:
        """See `Jobs.unfinished`."""
        with self._lock:
            return iter([self._now(job) for job, one in self._jobs.items() if not one.over])

    def _newest(self, job: Job) -> bool:
        there = self._jobs.get(job.id)
        return there is not None and (there.state, there.attempts) == ("running", job.attempts)

    def _now(self, job: str) -> Job:
        return replace(self._jobs[job], now=self._clock())

    def _change(self, job: Job, state: Any, **more: Any) -> Job:
        changed = replace(job, state=state, changed=self._clock(), **more)
        self._jobs[job.id] = changed
        return changed
