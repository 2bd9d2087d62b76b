"""Round trips to one server, as short as they can be.

    commands ──► a connection that nobody uses ──► sent together ──► their answers, in order
                         └──────── kept only when all of them were read ◄────────┘

redis-py's client takes four times the processor time of one trip here (docs/performance.md). Its
pool asks the system about each connection before it lends it, in gevent with a timer. Here that is
not needed. A connection waits for its next use only if every answer that it owed was read; after
anything else, a greenlet that was killed in the middle too, it is closed and never seen again.
And one that the server closed meanwhile is found out by using it: what may be sent twice is then
sent over a new one.

Scripts go by their hash; a server that does not know one is sent its text.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Any, Final

from hiredis import pack_command
from redis.connection import Connection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

Command = tuple[Any, ...]
"""A command's words. What it does must be the same when it is sent twice."""

PAUSES: Final = (0.1, 0.2)
"""Seconds before a command is sent again to a server that gave no answer."""


class Exchange:
    """The connections of one process to one server.

    `make` gives a new connection that does not try again by itself, `most` is how many there may
    be at a time, and `patience` the wait in seconds for one of them.
    """

    def __init__(self, make: Callable[[], Connection], most: int, patience: float) -> None:
        self._make = make
        # To put something back waits for nobody, so who is killed then does not keep it.
        self._room: SimpleQueue[None] = SimpleQueue()
        for _ in range(most):
            self._room.put(None)
        self._patience = patience
        self._idle: list[Connection] = []  # the last used one first; its methods are atomic

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to some commands, one round trip. A refusal is among them as an exception.

        Raises:
            redis.exceptions.ConnectionError, TimeoutError: no answer, or no connection free.
        """
        try:
            self._room.get(timeout=self._patience)
        except Empty:
            raise RedisConnectionError("no connection is free") from None
        try:
            answers = self._asked([*map(_short, commands)])
            unknown = [n for n, said in enumerate(answers) if isinstance(said, NoScriptError)]
            if unknown:
                texts = self._asked([commands[number] for number in unknown])
                for number, said in zip(unknown, texts, strict=True):
                    answers[number] = said
            return answers
        finally:
            self._room.put(None)

    def _asked(self, commands: Sequence[Command]) -> list[Any]:
        pauses = iter(PAUSES)
        while True:
            try:
                connection, fresh = self._idle.pop(), False
            except IndexError:
                connection, fresh = self._make(), True
            try:
                answers = _answers(connection, commands)
            except (RedisConnectionError, RedisTimeoutError) as error:
                if not fresh and not isinstance(error, RedisTimeoutError):
                    self._hang_up()  # those that wait are as old, so the server closed them, too
                    continue
                pause = next(pauses, None)
                if pause is None:
                    raise
                time.sleep(pause)
            else:
                self._idle.append(connection)
                return answers

    def _hang_up(self) -> None:
        idle, self._idle = self._idle, []
        for connection in idle:
            connection.disconnect()  # type: ignore[no-untyped-call]


def _answers(connection: Any, commands: Sequence[Command]) -> list[Any]:
    """What the server says to each; the connection is closed unless it said all of it."""
    try:
        # redis-py would look at each word several times to make the same of them.
        connection.send_packed_command([b"".join(map(pack_command, commands))])
        answers: list[Any] = []
        for _ in commands:
            try:
                answers.append(connection.read_response())
            except ResponseError as error:
                answers.append(error)
    except BaseException:
        connection.disconnect()
        raise
    return answers


def _short(command: Command) -> Command:
    """The command with a script's hash in the place of its text."""
    return ("EVALSHA", _hash(command[1]), *command[2:]) if command[0] == "EVAL" else command


@lru_cache(64)
def _hash(script: str) -> str:
    return hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
