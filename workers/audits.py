"""The jobs that somebody asked for: audits, analyses and imports.

A job names itself and nothing else. It may come late, twice, or after its worker was killed: what
there is to do stands in the store, and what is done already is left alone.
"""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Event, Thread
from typing import Final

from rq.timeouts import JobTimeoutException

from service.audits import Audits
from service.config import Config
from service.queue import Caller
from service.store import StoreUnavailable
from service.store.jobs import Job
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.table import Tables
from workers.analysis import analysed
from workers.faults import where

log = logging.getLogger(__name__)

BEAT: Final = 2.0
"""Seconds between two signs of life; a lease is several times as long."""


class JobFailed(Exception):
    """An attempt came to nothing. Says where; never repeats a message, which may name a card."""


def run(job: str) -> None:
    """The job: the next attempt at it, if there is one to be made.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        JobFailed: anything else; the sweep calls again, a few times.
    """
    attempt(_composed(), job)


def attempt(audits: Audits, name: str) -> None:
    """See `run`."""
    job = audits.begin(name)
    if job is None:
        return
    try:
        with _beating(lambda: audits.alive(job)):
            if job.order.kind == "analysis":
                analyse(audits, job)
            else:
                audits.run(job)
    except StoreUnavailable:
        raise
    except Exception as error:
        log.error("job %s, attempt %d: failed: %s", job.id, job.attempts, where(error))
        late = isinstance(error, JobTimeoutException)
        audits.give_up(job, "too_long" if late else "internal")
        raise JobFailed(where(error)) from None


def analyse(audits: Audits, job: Job) -> None:
    """Looks at the deal that was asked for, and keeps what was found."""
    assert job.order.deal
    audits.keep(job, analysed(*audits.log(job.order.game), job.order.deal))


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


@cache
def _composed() -> Audits:
    """What this process works with; connections open at their first use."""
    config = Config.from_env(os.environ)
    store = RedisStore(config.redis_url, replicas=config.replicas)
    call = Caller(config.queue_url)
    tables = Tables(store, call, remember=0)
    return Audits(store, tables, RedisJobs(config.redis_url), call.run)
