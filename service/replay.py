"""From commits to states: the only way in which a state comes about.

    commits ──► fold ──► game at the newest version
                steps ─► game after every commit

A fold owns the game it builds and evolves it in place; whoever hands a game on copies first.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from service.decision import Decision
from service.rules import seating
from service.rules.protocol import Seat
from service.rules.seating import Game

FAILURES: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""How a fold may fail on events that were never decided. Not every Exception: that a worker's
time is up or memory at its end is no fault of a game."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A command with the events it caused, kept as one entry of the log.

    Attributes:
        version: place in the stream, from 1 without gaps.
        prev: hash of the record line before; empty in the first.
        salt: 128 bits that keep the hash from being undone by trying all cards.
        at: when it was accepted, in milliseconds since 1970 by the store's clock.
        decision: how a computer player came to the command; None where nobody kept it. As secret
            as the cards until the game's secret is open.
    """

    version: int
    prev: str
    salt: str
    at: int
    command: Any
    events: tuple[Any, ...]
    decision: Decision | None = None

    @property
    def seat(self) -> Seat:
        """Who gave the command; HOUSE for the house."""
        seat: Seat = self.command.seat
        return seat


def open_game(commit: Commit) -> Game:
    """The game as its first commit leaves it."""
    game = seating.opened(commit.events[0])
    for event in commit.events[1:]:
        seating.evolve(game, event)
    return game


def advance(game: Game, commits: Iterable[Commit]) -> None:
    """Applies further commits to a game in place."""
    for commit in commits:
        for event in commit.events:
            seating.evolve(game, event)


def steps(commits: Iterable[Commit]) -> Iterator[tuple[Commit, Game]]:
    """Each commit with the game after it; the game is one object that goes on changing.

    Raises:
        ValueError: the versions do not run 1, 2, 3 …
    """
    game: Game | None = None
    for version, commit in enumerate(commits, 1):
        if commit.version != version:
            raise ValueError(f"commit {commit.version} stands where {version} belongs")
        if game is None:
            game = open_game(commit)
        else:
            advance(game, (commit,))
        yield commit, game


def fold(commits: Iterable[Commit]) -> Game:
    """The game after all the commits.

    Raises:
        ValueError: there is no commit, or the versions do not run 1, 2, 3 …
    """
    last = deque(steps(commits), maxlen=1)
    if not last:
        raise ValueError("a game has at least one commit")
    return last[0][1]


def at(commits: Iterable[Commit], version: int) -> Game:
    """The game as it was at `version`.

    Raises:
        ValueError: the log does not reach that far.
    """
    for commit, game in steps(commits):
        if commit.version == version:
            return game
    raise ValueError(f"the log has no version {version}")
