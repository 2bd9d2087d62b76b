"""Whose tokens are looked at together: those of all who listen to one game in this process.

A token that was revoked gets nothing of what happens after that. So all are looked at once more
behind each thing that happened, but one look serves all who listen to the game.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from service.api.problems import Problem
from service.store import StoreUnavailable

FRESH: Final = 1.0
"""Seconds for which a look serves others: who reads slowly may come to it minutes later."""


@dataclass(slots=True)
class _Look:
    """A look at some tokens, begun when the game was known to be at `version`."""

    version: int
    began: float
    tokens: frozenset[str]
    good: Future[set[str]] = field(default_factory=Future)

    def serves(self, version: int, token: str, now: float) -> bool:
        """Whether whoever knows of that version may have this look's answer."""
        return self.version >= version and token in self.tokens and now - self.began < FRESH


class Listening:
    """Who listens to which game. `standing` says which of some tokens, named by hash, count."""

    def __init__(self, standing: Callable[[Collection[str]], set[str]]) -> None:
        self._standing = standing
        self._tokens: dict[str, Counter[str]] = {}
        self._looks: dict[str, _Look] = {}
        self._lock = Lock()

    @contextmanager
    def to(self, game: str, token: str) -> Iterator[None]:
        """While it lasts, the token is one of those that listen to the game."""
        with self._lock:
            self._tokens.setdefault(game, Counter())[token] += 1
        try:
            yield
        finally:
            with self._lock:
                here = self._tokens[game]
                here[token] -= 1
                if not here[token]:
                    del here[token]
                if not here:
                    del self._tokens[game]
                    self._looks.pop(game, None)

    def check(self, game: str, version: int, token: str) -> None:
        """Returns if a token that listens counted still when the game had come to `version`.

        Raises:
            Problem: 401.
            StoreUnavailable: to all who share the look.
        """
        now = time.monotonic()
        with self._lock:
            look = self._looks.get(game)
            mine = look is None or not look.serves(version, token, now)
            if look is None or mine:
                look = _Look(version, now, frozenset(self._tokens[game]))
                self._looks[game] = look
        if mine:
            try:
                look.good.set_result(self._standing(look.tokens))
            except BaseException as error:
                with self._lock:
                    if self._looks.get(game) is look:  # who asks later asks the store
                        del self._looks[game]
                failed = isinstance(error, Exception)
                look.good.set_exception(error if failed else StoreUnavailable("broken off"))
                raise
        if token not in look.good.result():
            raise Problem("unauthorized")
