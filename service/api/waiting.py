"""How many long polls are open, and whether somebody is still there to answer.

A poll holds a connection of the API and one of the store. So each player has a few, each process
a few hundred, and one whose client went away ends within seconds.
"""

import select
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flask import request

from service.api.problems import Problem

BY_PLAYER: Final = 8
"""Polls that one player may have open in one process."""

BY_PROCESS: Final = 400
"""Polls that one process holds open; well below gunicorn's 1,000 connections."""

SLICE: Final = 2.0
"""Seconds after which a poll looks whether its client is there."""


class Waiting:
    """The long polls of one process."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextmanager
    def place(self, player: str) -> Iterator[None]:
        """Counts one poll of the player while it lasts.

        Raises:
            Problem: 429, the player or the process has too many.
        """
        if self._open[player] >= BY_PLAYER or self._open.total() >= BY_PROCESS:
            raise Problem("too_many_polls")
        self._open[player] += 1
        try:
            yield
        finally:
            self._open[player] -= 1
            if not self._open[player]:
                del self._open[player]


def client_gone() -> bool:
    """Whether the client hung up; False where the server does not show its socket."""
    client: socket.socket | None = request.environ.get("gunicorn.socket")
    try:
        if client is None or not select.select([client], [], [], 0)[0]:
            return False
        return not client.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True
