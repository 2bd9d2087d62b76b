"""A client of a Redis Cluster: redis-py's own, with what it lacks for us.

It finds the master of a key by itself, follows MOVED and ASK, waits for TRYAGAIN, reads the map of
the slots anew when a server is gone, and then sends the command again, twice at most, as `link`
does. Where it is sent on (MOVED, ASK, TRYAGAIN) it goes out once more each time, up to sixteen
times an attempt; a write that waits for replicas is taken up to `HOPS` times. So a command may
arrive more often than three times, and must change nothing when it does.
Masters only: a replica may be behind, and a stale read would show a game that is gone.

Two things are ours. redis-py 8.1 stumbles over an ASK that names a server without slots (the first
key that a new server gets), and has no way to send a command and WAIT over one connection.
https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from redis import BlockingConnectionPool
from redis.backoff import NoBackoff
from redis.cluster import REDIS_ALLOWED_KEYS, ClusterNode, RedisCluster
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ClusterError,
    MovedError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

HOPS: Final = 8
"""How often one write is sent elsewhere before it is given up."""

FEW: Final = 4
"""Commands that are sent to a cluster one by one."""

_OPTIONS: Final = {*REDIS_ALLOWED_KEYS} - {"host", "port", "db", "retry"}
"""What of a URL is an option of connections."""


class Cluster(RedisCluster):
    """All masters as one client. Reads the map of the slots when it is made.

    `seeds` are the options of servers of the cluster, as `parse_url` gives them; one that answers
    is enough. `more` goes to every connection and to its pool. `again` is how often a command is
    sent again.
    """

    def __init__(self, seeds: Sequence[dict[str, Any]], again: int, more: dict[str, Any]) -> None:
        first = seeds[0]
        named = {name: first[name] for name in first.keys() & _OPTIONS}
        others = [_node(one["host"], one.get("port", 6379)) for one in seeds[1:]]
        super().__init__(
            # Only a client made from a URL takes a class of pools; all else comes from `more`.
            url=f"redis://{_bracketed(first['host'])}:{first.get('port', 6379)}",
            startup_nodes=others,
            retry=Retry(NoBackoff(), again),
            require_full_coverage=False,  # the games of the other masters can be played
            reinitialize_steps=5,
            connection_pool_class=BlockingConnectionPool,
            **(named | more),
        )

    def get_node(
        self, host: str | None = None, port: int | None = None, node_name: str | None = None
    ) -> ClusterNode:
        """A server of the cluster; one that the map does not show yet is added to it."""
        known = self.nodes_manager.nodes_cache
        if node_name is None:
            node_name = f"{host}:{port}"
        if node_name not in known:
            host, _, number = node_name.rpartition(":")
            return known.setdefault(node_name, _node(host, int(number)))
        return known[node_name]

    def _execute_command(self, target_node: Any, *args: Any, **kwargs: Any) -> Any:
        with _torn():
            return super()._execute_command(target_node, *args, **kwargs)  # type: ignore[no-untyped-call]

    def asked(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """The answers to some commands, a refusal among them as an exception.

        Many are sent to all their servers before an answer is awaited; two or three by themselves
        take half the processor time of that.
        """
        mine: Any = self
        if len(commands) <= FEW:
            return [self._said(command) for command in commands]
        with _torn(), mine.pipeline(transaction=False) as together:
            for command in commands:
                together.execute_command(*command)
            answers: list[Any] = together.execute(raise_on_error=False)
        return answers

    def _said(self, command: Sequence[Any]) -> Any:
        mine: Any = self
        try:
            return mine.execute_command(*command)
        except ResponseError as error:
            return error

    def witnessed(self, key: str, command: Sequence[Any], replicas: int, wait: int) -> Any:
        """The answer of a command for `key`, and how many replicas have what it wrote.

        Sends it again where it must go elsewhere, so it must change nothing when sent twice.
        `wait` is in milliseconds.
        """
        mine: Any = self  # redis-py leaves these methods untyped
        node, asking = mine.get_node_from_key(key), False
        for _ in range(HOPS):
            try:
                with _torn():
                    return pair(self.get_redis_connection(node), command, replicas, wait, asking)
            except (
                MovedError,
                TryAgainError,
                ClusterDownError,
                RedisConnectionError,
                RedisTimeoutError,
            ):
                mine.execute_command(*command)  # finds out where it belongs, or fails
                node, asking = mine.get_node_from_key(key), False
            except AskError as elsewhere:
                node = self.get_node(node_name=f"{elsewhere.host}:{elsewhere.port}")
                asking = True
        raise ClusterError("a write was sent from server to server")


@contextmanager
def _torn() -> Iterator[None]:
    """When it reads the map anew redis-py closes connections that others have just taken; one
    whose socket is gone then fails with a TypeError."""
    try:
        yield
    except TypeError as error:
        raise RedisConnectionError("a connection was closed while it was taken") from error


def pair(
    server: Any, command: Sequence[Any], replicas: int, wait: int, asking: bool = False
) -> Any:
    """A command and WAIT over one connection, since WAIT speaks of that connection's writes."""
    with server.pipeline(transaction=False) as both:
        if asking:
            both.execute_command("ASKING")
        both.execute_command(*command)
        both.execute_command("WAIT", replicas, wait)
        # redis-py would put the command's words into the message of an error.
        said, copies = both.execute(raise_on_error=False)[-2:]
    for answer in (said, copies):
        if isinstance(answer, Exception):
            raise answer
    return said, copies


def _node(host: str, port: int) -> ClusterNode:
    node: ClusterNode = ClusterNode(host, port, "primary")  # type: ignore[no-untyped-call]
    return node


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
