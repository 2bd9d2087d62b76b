"""Calls a worker by the name of what it shall do; knows nothing else of the workers.

`turns` holds the turns of computer players at tables with people, `turns-alone` those at tables
without, `hints` advice that people asked for, `statistics` the counting of games that ended,
`audits` what is slower: audits and imports; `webhooks` what goes to other people's servers, which
has a process of its own.
"""

import time
from contextlib import suppress
from functools import cached_property
from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

TURNS: Final = "turns"
"""Name of the queue of computer players' turns for which people wait."""

ALONE: Final = "turns-alone"
"""Name of the queue of their turns in games of computer players only."""

PEOPLE_WAIT: Final = f"{Queue.redis_queue_namespace_prefix}{TURNS}"
"""The list in which rq keeps the former: it is there while people wait."""

FEW: Final = 20
"""Jobs at the head of a queue that may be taken while it is looked at."""

TURN_SECONDS: Final = 200
"""Time for one of those jobs, should all else fail that limits it: three of the longest budgets,
and some."""

PLAY_TURN: Final = "workers.jobs.play_turn"

HINTS: Final = "hints"
"""Name of the queue of hints that people asked for."""

GIVE_HINT: Final = "workers.hints.run"

HINT_SECONDS: Final = TURN_SECONDS
"""Time for one attempt at a hint, which is a choice as a turn is one."""

AUDITS: Final = "audits"
"""Name of the queue of audits and imports."""

RUN_AUDIT: Final = "workers.audits.run"

AUDIT_SECONDS: Final = 300
"""Time for one attempt at an audit or import."""

STATISTICS: Final = "statistics"
"""Name of the queue of what counts games."""

COUNT_GAMES: Final = "workers.statistics.run"

COUNT_SECONDS: Final = 300
"""Time for one attempt at counting; the next one goes on from there."""
WEBHOOKS: Final = "webhooks"
"""Name of the queue of what webhooks are to tell, and of those that have something to send."""

TELL: Final = "workers.webhooks.tell"
DELIVER: Final = "workers.webhooks.deliver"

WEBHOOK_SECONDS: Final = 30
"""Time for one of those jobs. None waits for a receiver: that is a thread's."""

SLOT: Final = 30
"""Seconds after which a hook may be called again while a call for it is queued: that one may have
been lost half way into the queue."""

LEVELS: Final = ("novice", "casual", "club", "master")
"""The levels of computer players that exist, weakest first."""


class Caller:
    """Puts jobs into the queues. rq has a connection of its own, opened at the first call."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _connection(self) -> Redis:
        # A command waits for this, and the sweep repeats it: better a call lost than a long wait.
        return Redis.from_url(self._url, socket_timeout=2, retry=Retry(NoBackoff(), 1))

    def _enqueue(
        self,
        queue: str,
        name: str,
        *words: str | int,
        job_id: str,
        seconds: int,
        first: bool = False,
    ) -> None:
        with suppress(DuplicateJobError):
            Queue(queue, connection=self._connection, serializer=JSONSerializer).enqueue(
                name,
                *words,
                job_id=job_id,
                unique=True,
                job_timeout=seconds,
                result_ttl=0,
                failure_ttl=3600,
                at_front=first,
            )

    def __call__(self, game: str, version: int, again: int = 0, people: bool = True) -> None:
        """Asks for the move at `version`, once; a call with another `again` is another job.

        One that was tried already (`again` below 0) has waited, so it goes first.
        """
        queue = TURNS if people else ALONE
        name = f"{game}-{version}-{again}"
        self._enqueue(
            queue, PLAY_TURN, game, version, job_id=name, seconds=TURN_SECONDS, first=again < 0
        )

    def lengths(self) -> dict[str, int]:
        """How many jobs wait in each queue. Raises whatever its server raises."""
        client = self._connection
        names = TURNS, ALONE, HINTS, AUDITS
        return {name: Queue(name, connection=client).count for name in names}

    def behind(self) -> dict[bool, float]:
        """Seconds for which the first turn in each queue has waited: of tables with people, and
        without. Raises whatever its server raises.

        By the clocks of who called and of who asks, which had better agree to a second.
        """
        return {True: self._waited(TURNS), False: self._waited(ALONE)}

    def _waited(self, name: str) -> float:
        queue = Queue(name, connection=self._connection, serializer=JSONSerializer)
        for first in queue.get_job_ids(0, FEW):
            job = queue.fetch_job(first)
            if job and job.enqueued_at:  # else a worker has taken it meanwhile
                return max(0.0, time.time() - job.enqueued_at.timestamp())
        return 0.0

    def run(self, job: str, attempts: int, again: int = 0) -> None:
        """Asks for the next attempt at an audit or import; `again` as for a turn."""
        name = f"{job}-{attempts}-{again}"
        self._enqueue(AUDITS, RUN_AUDIT, job, job_id=name, seconds=AUDIT_SECONDS)

    def hint(self, job: str, attempts: int, again: int = 0) -> None:
        """Asks for the next attempt at a hint; `again` as for a turn."""
        name = f"{job}-{attempts}-{again}"
        self._enqueue(HINTS, GIVE_HINT, job, job_id=name, seconds=HINT_SECONDS)

    def count(self) -> None:
        """Asks for the games that ended to be counted, unless that was asked within the minute and
        is not done yet."""
        name = f"count-{int(time.time() // 60)}"
        self._enqueue(STATISTICS, COUNT_GAMES, job_id=name, seconds=COUNT_SECONDS)

    def tell(self, game: str, version: int, again: int = 0) -> None:
        """Asks to turn what is new in a game into messages; `again` as for a turn."""
        name = f"{game}-{version}-{again}-told"
        self._enqueue(WEBHOOKS, TELL, game, version, job_id=name, seconds=WEBHOOK_SECONDS)

    def deliver(self, hook: str) -> None:
        """Asks to send what is due for a hook; a call while one is queued is the same one."""
        name = f"hook-{hook}-{int(time.time()) // SLOT}"
        self._enqueue(WEBHOOKS, DELIVER, hook, job_id=name, seconds=WEBHOOK_SECONDS)
