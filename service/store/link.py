"""Connections to Redis: when they are opened, how long they wait, what they try again.

Two clients. `Link.client` is for commands that answer at once: a command that gets no answer
in `timeout` seconds, or loses its connection, is sent again twice, after 0.1 and 0.2 seconds.
That is safe since everything sent over it changes nothing when sent twice. (redis-py's own
defaults are ten retries and five seconds.) Three seconds, because a write may wait two for a
slow disk under `appendfsync everysec`. `Link.waiting` is for blocking reads: it waits longer
than they do and tries nothing again.

Nothing is opened before its first use, and a process opens its own after a fork.
https://redis.readthedocs.io/en/stable/retry.html
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from redis import BlockingConnectionPool, ConnectionPool, Redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.connection import parse_url
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from service.store import StoreUnavailable, Unreadable

BLOCK: Final = 10.0
"""Seconds that one blocking read may take; whoever waits longer asks again."""

CONNECTIONS: Final = 64
"""Connections of one process for commands; who finds none free waits for one."""

FOLLOWERS: Final = 10_000
"""Blocking reads of one process at a time."""

_PASSING: Final = frozenset(
    [
        "BUSY",
        "CLUSTERDOWN",
        "LOADING",
        "MASTERDOWN",
        "MISCONF",
        "NOREPLICAS",
        "OOM",
        "READONLY",
        "TRYAGAIN",
        "UNBLOCKED",
    ]
)
"""Refusals of a server that cannot serve now; nothing was written.
https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors"""


class Link:
    """The clients of one Redis URL (`redis://`, `rediss://` or `unix://`)."""

    def __init__(self, url: str, timeout: float) -> None:
        self._options: dict[str, Any] = parse_url(url)  # type: ignore[no-untyped-call]
        self._timeout = timeout
        self._clients: tuple[int, Redis, Redis] | None = None

    @property
    def client(self) -> Redis:
        """For commands that answer at once and may be sent twice."""
        return self._mine()[1]

    @property
    def waiting(self) -> Redis:
        """For reads that block up to `BLOCK` seconds."""
        return self._mine()[2]

    def _mine(self) -> tuple[int, Redis, Redis]:
        clients = self._clients
        if clients is None or clients[0] != os.getpid():
            # No lock, which a fork could leave locked: of two threads that come here at once
            # one's clients are dropped after a single use.
            clients = self._clients = (os.getpid(), self._quick(), self._patient())
        return clients

    def _quick(self) -> Redis:
        mine = {
            "max_connections": CONNECTIONS,
            "socket_timeout": self._timeout,
            "socket_connect_timeout": self._timeout,
            "retry": Retry(ExponentialBackoff(cap=1, base=0.05), 2),
        }
        pool: ConnectionPool = BlockingConnectionPool(  # type: ignore[no-untyped-call]
            **{**self._options, **_COMMON, **mine, "timeout": self._timeout}
        )
        return Redis(connection_pool=pool)

    def _patient(self) -> Redis:
        mine = {
            "max_connections": FOLLOWERS,
            "socket_timeout": BLOCK + 5,
            "socket_connect_timeout": self._timeout,
            "retry": Retry(NoBackoff(), 0),
        }
        return Redis(connection_pool=ConnectionPool(**{**self._options, **_COMMON, **mine}))


_COMMON: Final = {
    # Under protocol 3 redis-py 8.1 no longer looks whether a connection taken from the pool
    # was closed or holds an answer to somebody else, unless told to do without notifications.
    "protocol": 2,
    "decode_responses": False,
}


@contextmanager
def translated() -> Iterator[None]:
    """Turns the errors of redis-py into the store's own.

    Raises:
        StoreUnavailable: no connection, no answer in time, or a server that cannot serve now.
        Unreadable: a key holds something else than it should.
    """
    try:
        yield
    except (RedisConnectionError, RedisTimeoutError, InvalidResponse, OSError) as error:
        raise StoreUnavailable(str(error)) from error
    except ResponseError as error:
        # redis-py cuts the code off the message where it has a class for it.
        code = error.status_code or str(error).partition(" ")[0]
        if code in _PASSING:
            raise StoreUnavailable(f"{code}: {error}") from error
        if code == "WRONGTYPE":
            raise Unreadable(str(error)) from error
        raise
