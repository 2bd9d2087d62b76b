"""Calls a computer player by the name of its job; knows nothing else of the workers."""

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
"""Name of the queue of computer players' turns."""

PLAY_TURN: Final = "workers.jobs.play_turn"

LEVELS: Final = ("novice", "casual")
"""The levels of computer players that exist, weakest first."""


class Caller:
    """Puts turns into the queue. rq has a connection of its own, opened at the first call."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _queue(self) -> Queue:
        # A command waits for this, and the sweep repeats it: better a call lost than a long wait.
        connection = Redis.from_url(self._url, socket_timeout=2, retry=Retry(NoBackoff(), 1))
        return Queue(TURNS, connection=connection, serializer=JSONSerializer)

    def __call__(self, game: str, version: int, again: int = 0) -> None:
        """Asks for the move at `version`, once; a call with another `again` is another job."""
        with suppress(DuplicateJobError):
            self._queue.enqueue(
                PLAY_TURN,
                game,
                version,
                job_id=f"{game}-{version}-{again}",
                unique=True,
                job_timeout=30,
                result_ttl=0,
                failure_ttl=3600,
            )
