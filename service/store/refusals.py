"""What a server refuses, in the store's own errors: it is away, or a key holds something else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from redis.exceptions import (
    AskError,
    ClusterError,
    InvalidResponse,
    RedisClusterException,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.store import Foreign, StoreUnavailable, Unreadable

_OURS: Final = frozenset({"CROSSSLOT", "ERR"})
"""Refusals of a command that makes no sense, so a fault of ours. Every other says that the server
cannot or may not serve now; nothing was written.
https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors"""

_NOT_OURS: Final = ("ACL failure", "can't run this command", "Script killed", "unknown command")
"""What servers say as ERR though it is of the second kind: a user who may not, a script that was
ended for being slow, a command that was taken away."""

_IN_PIPELINE: Final = " of pipeline caused error: "
"""What redis-py puts between a command of several and what the server says to it."""


def good(answer: Any) -> Any:
    """The answer that `ask` gave.

    Raises:
        StoreUnavailable, Foreign: it is a refusal.
    """
    if isinstance(answer, Exception):
        with translated():
            raise answer
    return answer


class _Log:
    """Around whatever is asked of the keys of one game: to be entered costs next to nothing."""

    def __enter__(self) -> None:
        """Nothing."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Raises Unreadable: what stands there is foreign."""
        if isinstance(error, Foreign):
            raise Unreadable(str(error)) from error


LOG: Final = _Log()
"""What stands in the place of a game's log is the game's damage, whatever it is."""


@contextmanager
def translated() -> Iterator[None]:
    """Turns the errors of redis-py into the store's own.

    Raises:
        StoreUnavailable: no connection, no answer in time, or a server that cannot or may not
            serve now.
        Foreign: a key holds something else than it should.
    """
    try:
        yield
    except (RedisConnectionError, RedisTimeoutError, InvalidResponse, OSError) as error:
        raise StoreUnavailable(str(error), getattr(error, "status_code", None) or "") from error
    except (ClusterError, AskError, RedisClusterException) as error:
        # It is down or being rearranged. The message may hold the words of the command.
        code = getattr(error, "status_code", None) or ""
        raise StoreUnavailable(f"the cluster cannot serve: {type(error).__name__}", code) from error
    except ResponseError as error:
        # redis-py cuts the code off the message where it has a class for it, and names the command
        # before it where that was one of several.
        said = str(error).rpartition(_IN_PIPELINE)[2]
        code = error.status_code or said.partition(" ")[0]
        if code == "WRONGTYPE":
            raise Foreign(str(error)) from error
        if code.isupper() and code not in _OURS:
            raise StoreUnavailable(f"{code}: {said.removeprefix(f'{code} ')}", code) from error
        for why in _NOT_OURS:
            if why in said:  # and no more of it: it may hold the words of the command
                raise StoreUnavailable(f"{code}: {why}", f"{code} {why}") from None
        raise
