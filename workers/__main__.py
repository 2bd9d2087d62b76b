"""One worker: `python -m workers` does what the queues hold, one job after another.

Turns for which people wait come first, then hints, statistics, audits and imports, and last the
turns of games of computer players only; but of each five jobs one is such a turn, if there is any,
so that these games go on however much people play. `python -m workers turns` does turns of both
kinds only, so that no computer player waits for an audit that may take minutes, or for a hint.
`python -m workers webhooks` has a process of its own: it speaks with other people's servers, and
waits for them.

It forks for no job (2 ms instead of 10 to 250 each) and has everything loaded before the
first. SIGTERM lets it finish the job at hand; a second one makes it give up. A choice that takes
too long is ended by an alarm, or where that is not heard the supervisor kills this process
(`service.pulse`). A worker that is killed loses nothing but time: the sweep calls again.
"""

import logging
import math
import os
import sys
import time
from collections.abc import Sequence
from typing import Final

from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.client import Pipeline
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from service.config import Config, ConfigError
from service.garbage import settle
from service.queue import (
    ALONE,
    AUDITS,
    COUNT_GAMES,
    DELIVER,
    GIVE_HINT,
    HINTS,
    PLAY_TURN,
    RUN_AUDIT,
    STATISTICS,
    TELL,
    TURNS,
    WEBHOOKS,
)
from workers import audits, hints, jobs, statistics, webhooks

NO_SERVER: Final = 75
"""Exit code while the queue's server is away (EX_TEMPFAIL): start me again later."""

QUEUES: Final = (TURNS, HINTS, STATISTICS, AUDITS, ALONE)
"""What a worker does unless told, the first first."""

SHARE: Final = 5
"""Of so many jobs one comes from `ALONE`, if there is any."""

BEAT: Final = 10.0
"""Seconds between two notes that a worker lives; rq's own are six for each job."""

LAST_WORDS: Final = 3.0
"""Seconds for which a process that is to end waits for what it is sending."""


class Worker(SimpleWorker):
    """A worker that looks for its server again within seconds after an outage.

    What rq notes of it for those who look is written seldom: each note waits for the server's disk.
    """

    max_connection_wait_time = 2.0
    _taken = 0
    _beaten = -math.inf

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Says that it lives, if it did not within the last `BEAT` seconds.

        It counts as dead after `worker_ttl`, which is longer than any wait and any job.
        """
        if time.monotonic() - self._beaten >= BEAT:
            self._beaten = time.monotonic()
            super().heartbeat(max(timeout or 0, self.worker_ttl + 60), pipeline)

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Says what it does, if that is new."""
        if pipeline is not None or state != self.get_state():
            super().set_state(state, pipeline)

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Puts `ALONE` before the others for every fifth job, and else in its place."""
        self._taken += 1
        turn = self._taken % SHARE == 0
        # `sorted` keeps the order of what is equal; False comes first.
        self._ordered_queues = sorted(self.queues, key=lambda one: turn and one.name != ALONE)


def make_worker(url: str, names: Sequence[str] = QUEUES) -> Worker:
    """A worker on those queues, with a client of its own: rq wants bytes, not text.

    Raises:
        RedisError, OSError: the server is away.
    """
    retry = Retry(ExponentialBackoff(cap=1, base=0.05), 3)
    connection = Redis.from_url(url, decode_responses=False, retry=retry)
    connection.ping()
    queues = [Queue(name, connection=connection, serializer=JSONSerializer) for name in names]
    return Worker(queues, connection=connection, serializer=JSONSerializer)


def main() -> int:
    """Works until a signal says stop; returns the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s worker %(message)s")
    known = (
        *((jobs, PLAY_TURN), (audits, RUN_AUDIT), (statistics, COUNT_GAMES)),
        *((webhooks, TELL), (webhooks, DELIVER), (hints, GIVE_HINT)),
    )
    for module, name in known:
        assert module.__name__ == name.rpartition(".")[0]  # loaded before the first job
    try:
        config = Config.from_env(os.environ)
        names = sys.argv[1:] or QUEUES
        if names == [TURNS]:
            names = [TURNS, ALONE]
        worker = make_worker(config.queue_url, names)
        settle()
        worker.work(logging_level="WARNING")
        jobs.leave()
        if WEBHOOKS in names:
            webhooks.postroom().close(LAST_WORDS)
    except ConfigError as error:
        logging.error("%s", error)
        return 2
    except (RedisError, OSError) as error:
        logging.error("no queue: %s", error)
        return NO_SERVER
    return 0


if __name__ == "__main__":
    sys.exit(main())
