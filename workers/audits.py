"""The jobs that somebody asked for: audits, analyses and imports.

A job names itself and nothing else. It may come late, twice, or after its worker was killed: what
there is to do stands in the store, and what is done already is left alone.
"""

import os
from functools import cache

from service.audits import Audits
from service.config import Config
from service.queue import Caller
from service.store.jobs import Job
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.table import Tables
from workers import attempts
from workers.analysis import analysed
from workers.attempts import JobFailed as JobFailed


def run(job: str) -> None:
    """The job: the next attempt at it, if there is one to be made.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        JobFailed: anything else; the sweep calls again, a few times.
    """
    attempt(_composed(), job)


def attempt(audits: Audits, name: str) -> None:
    """See `run`."""
    attempts.attempt(
        audits, name, lambda job: analyse(audits, job) if job.order.deal else audits.run(job)
    )


def analyse(audits: Audits, job: Job) -> None:
    """Looks at the deal that was asked for, and keeps what was found."""
    assert job.order.deal
    audits.keep(job, analysed(*audits.log(job.order.game), job.order.deal))


@cache
def _composed() -> Audits:
    """What this process works with; connections open at their first use."""
    config = Config.from_env(os.environ)
    store = RedisStore(config.redis_url, replicas=config.replicas)
    call = Caller(config.queue_url)
    tables = Tables(store, call, remember=0)
    return Audits(store, tables, RedisJobs(config.redis_url), call.run)
