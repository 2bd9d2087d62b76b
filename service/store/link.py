"""Connections to Redis: when they are opened, how long they wait, what they try again.

A server is asked at the first use whether it belongs to a Redis Cluster; if so, the clients are
those of the whole cluster. `Link.client` and `Link.ask` are for commands that answer at once: a
command that gets no answer in `timeout` seconds, or loses its connection, is sent again twice,
after 0.1 and 0.2 seconds (at once to a cluster, after a look at who is master now). That is safe
since everything sent over it changes nothing when sent twice. (redis-py's own defaults are ten
retries and five seconds.) Three seconds, because a write may wait two for a slow disk under
`appendfsync everysec`. Nothing blocks longer; who waits for something listens (`hearing`).

What every request needs goes through `ask`, which is quicker (`exchange`); all else may take the
client, which knows more.

Nothing is opened before its first use, and a process opens its own after a fork.
https://redis.readthedocs.io/en/stable/retry.html
"""

import os
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, cast

from redis import BlockingConnectionPool, Redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.connection import UnixDomainSocketConnection, parse_url
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from service.servers import seeds
from service.store import StoreUnavailable
from service.store.cluster import Cluster, pair
from service.store.exchange import Command, Exchange
from service.store.refusals import good, translated

CONNECTIONS: Final = 64
"""Connections of one process for commands, of the client and of `ask` so many each; who finds none
free waits for one."""


class Link:
    """The clients of one Redis URL (`redis://`, `rediss://` or `unix://`).

    `timeout` is the wait for one answer in seconds. `replicas` is how many replicas must have a
    `write` before it counts.
    """

    def __init__(self, url: str, timeout: float, replicas: int = 0) -> None:
        self.url = url
        self._seeds: list[dict[str, Any]] = [_options(one) for one in seeds(url)]
        self._timeout = timeout
        self._replicas = replicas
        # By process. A parent's clients are kept in its forks: taking them down there
        # would wait for locks that nobody holds any more.
        self._clients: dict[int, Any] = {}
        self._exchanges: dict[int, Exchange] = {}
        self._locks: dict[int, Lock] = {}

    @property
    def client(self) -> Redis:
        """For commands that answer at once and may be sent twice. May raise StoreUnavailable."""
        pid = os.getpid()
        client = self._clients.get(pid)
        if client is None:
            # A lock of this process: a fork could find its parent's locked for ever.
            with self._locks.setdefault(pid, Lock()):
                client = self._clients.get(pid)
                if client is None:
                    client = self._clients[pid] = self._open()
        return cast("Redis", client)

    @property
    def clustered(self) -> bool:
        """Whether the keys are on several servers. May raise StoreUnavailable."""
        return not self._exchanges.get(os.getpid()) and isinstance(self.client, Cluster)

    def ask(self, *commands: Command) -> list[Any]:
        """The answers to some commands, one round trip where one server has all the keys.

        They are as the server gave them, refusals as exceptions among them: `good` raises those.
        To be asked so are only commands whose answers redis-py does not make into something else
        (on a cluster it would), and that may be sent twice.

        Raises:
            StoreUnavailable
        """
        try:
            if exchange := self._exchanges.get(os.getpid()):
                return exchange.ask(commands)
            client: Any = self.client
            if isinstance(client, Cluster):
                return client.asked(commands)
            exchange = self._exchanges.setdefault(os.getpid(), self._exchange(client))
            return exchange.ask(commands)
        except Exception:
            with translated():  # only now: to enter it costs more than to find the connection
                raise

    def home(self, key: bytes) -> tuple[str, Callable[[], Any]]:
        """The name of the server that has a key, and how a connection of one's own is made to it.

        As far as is known here: the map of a cluster may be old.
        """
        client: Any = self.client
        name = ""
        if isinstance(client, Cluster):
            node: Any = client.get_node_from_key(key)  # type: ignore[no-untyped-call]
            name, client = node.name, client.get_redis_connection(node)
        pool = client.connection_pool
        return name, lambda: pool.connection_class(**pool.connection_kwargs)

    def write(self, key: str, *command: Any) -> Any:
        """Sends a command for one key that changes nothing when sent twice.

        Returns its answer once the asked number of replicas has what it wrote, and all that the
        key's server wrote before. A command that finds its work done must write something all the
        same, or WAIT has nothing to wait for.

        Raises:
            StoreUnavailable: too few replicas have it; it may be kept and it may get lost.
        """
        if not self._replicas:
            return good(self.ask(command)[0])
        client: Any = self.client
        wait = max(1, int(self._timeout * 500))  # half the time that an answer may take
        with translated():
            if isinstance(client, Cluster):
                said, copies = client.witnessed(key, command, self._replicas, wait)
            else:
                said, copies = pair(client, command, self._replicas, wait)
        if copies < self._replicas:
            raise StoreUnavailable(f"{copies} of {self._replicas} replicas have the write")
        return said

    def _open(self) -> Any:
        with translated():
            options, clustered = self._found()
            more = self._quick()
            again: Retry = more.pop("retry")
            if clustered:
                others = [one for one in self._seeds if one is not options]
                # No subclass of Redis, but it has the same methods.
                return Cluster([options, *others], again.get_retries(), more)
            pool = BlockingConnectionPool  # redis-py leaves it untyped
            return Redis(connection_pool=pool(**{**options, **more, "retry": again}))  # type: ignore[no-untyped-call]

    def _exchange(self, client: Redis) -> Exchange:
        pool = client.connection_pool
        options = {**pool.connection_kwargs, "retry": Retry(NoBackoff(), 0)}
        return Exchange(lambda: pool.connection_class(**options), CONNECTIONS, self._timeout)

    def _found(self) -> tuple[dict[str, Any], bool]:
        """The options of the first server that answers, and whether it is part of a cluster."""
        quick = self._quick() | {"max_connections": 1}
        for options in self._seeds:
            pool = BlockingConnectionPool(**{**options, **quick})  # type: ignore[no-untyped-call]
            try:
                said = Redis(connection_pool=pool).info("cluster")
                clustered = bool(said.get("cluster_enabled"))
            except ResponseError:  # a server that does not tell
                clustered = False
            except (RedisConnectionError, RedisTimeoutError, OSError):
                if options is self._seeds[-1]:
                    raise
                continue
            finally:
                pool.disconnect()
            if len(self._seeds) > 1 and not clustered:
                raise StoreUnavailable("several servers are named, and one is no cluster's")
            return options, clustered
        raise StoreUnavailable("no server is named")

    def _quick(self) -> dict[str, Any]:
        return _COMMON | {
            "max_connections": CONNECTIONS,
            "timeout": self._timeout,
            "socket_timeout": self._timeout,
            "socket_connect_timeout": self._timeout,
            "retry": Retry(ExponentialBackoff(cap=1, base=0.05), 2),
        }


class _Unix(UnixDomainSocketConnection):
    """A connection to a Unix socket that can say that it came to nothing.

    redis-py 8.1 names the port of what it cannot reach in time, and a socket has none.
    """

    port = None


def _options(url: str) -> dict[str, Any]:
    """What redis-py makes of the URL of one server."""
    options: dict[str, Any] = parse_url(url)  # type: ignore[no-untyped-call]
    if options.get("connection_class") is UnixDomainSocketConnection:
        options["connection_class"] = _Unix
    return options


_COMMON: Final = {
    # Under protocol 3 redis-py 8.1 no longer looks whether a connection taken from the pool
    # was closed or holds an answer to somebody else, unless told to do without notifications.
    "protocol": 2,
    "decode_responses": False,
}
