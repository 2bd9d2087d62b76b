"""One attempt at a job that somebody asked for: with signs of life, and ended in any case."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from rq.timeouts import JobTimeoutException

from service.desk import Desk
from service.store import StoreUnavailable
from service.store.jobs import Job
from workers.alarm import TooLong
from workers.faults import where

log = logging.getLogger(__name__)

BEAT: Final = 2.0
"""Seconds between two signs of life; a lease is several times as long."""


class JobFailed(Exception):
    """An attempt came to nothing. Says where; never repeats a message, which may name a card."""


def attempt(desk: Desk, name: str, do: Callable[[Job], None]) -> None:
    """The next attempt at the job of that name, if there is one to be made.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        JobFailed: anything else; the sweep calls again, a few times.
    """
    job = desk.begin(name)
    if job is None:
        return
    try:
        with _beating(lambda: desk.alive(job)):
            do(job)
    except StoreUnavailable:
        raise
    except Exception as error:
        log.error("job %s, attempt %d: failed: %s", job.id, job.attempts, where(error))
        late = isinstance(error, JobTimeoutException | TooLong)
        desk.give_up(job, "too_long" if late else "internal")
        raise JobFailed(where(error)) from None


@contextmanager
def _beating(alive: Callable[[], None]) -> Iterator[None]:
    """Gives a sign of life again and again; one that does not arrive is no matter."""
    done = Event()

    def beat() -> None:
        while not done.wait(BEAT):
            try:
                alive()
            except Exception as error:
                log.warning("no sign of life could be given: %s", where(error))

    thread = Thread(target=beat, name="beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
