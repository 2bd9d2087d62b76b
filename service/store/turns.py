"""Who is at which computer player's turn, and how often it was begun.

    begun ──► held by one worker ──► ended ──► begun again, if the game still stands there
                    └──► overdue: nothing was heard of that worker in time

Hints, and no truth: that is the log's, to which one command is added per version whatever is said
here. If all of it is lost a turn may be thought about twice, and its attempts count from one again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final, Literal, Protocol

from service.store.memory import wall_clock

Why = Literal["crashed", "illegal", "hung", "lost"]
"""What an attempt failed with, as `service.decision.FellBack` has it."""

KEEP: Final = 3_600_000
"""Milliseconds for which a turn is remembered after it was last heard of."""

SOME: Final = 1000
"""Turns that `overdue` names at a time."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What is known of a game's newest turn.

    Attributes:
        version: of the game, at which a computer player is to act.
        attempts: how often the turn was begun.
        until: when the newest attempt counts as lost, in ms since 1970; 0 once it has ended.
        why: what the newest attempt that failed failed with, as a code; empty if none did.
        now: the clock by which `until` is meant.
        crowded: whether people waited for some turn when this one was begun.
    """

    version: int
    attempts: int
    until: int
    why: Why | Literal[""]
    now: int
    crowded: bool = False

    @property
    def held(self) -> bool:
        """Whether a worker has it."""
        return self.now < self.until


class Turns(Protocol):
    """Every method may raise `StoreUnavailable`."""

    def begin(self, game: str, version: int, lease: float) -> Turn | None:
        """Takes the turn for `lease` seconds; None if another worker has it, or the game moved on.

        The number of the attempt is in `attempts`, and in `why` what the one before came to:
        `lost` when its worker never said.
        """

    def hold(self, game: str, turn: Turn, lease: float) -> None:
        """Keeps the turn for `lease` seconds from now; nothing if another attempt has begun."""

    def end(self, game: str, turn: Turn, why: Why | Literal[""] = "", counted: bool = True) -> None:
        """Ends an attempt, so that another may begin; nothing if another has begun.

        One that is not `counted` was nobody's fault: an outage, or a worker that is to stop.
        """

    def find(self, game: str) -> Turn | None:
        """The game's newest turn, unless it was forgotten."""

    def overdue(self) -> Sequence[str]:
        """Games whose turn is held by a worker that is late, each named once for each attempt."""


class MemoryTurns:
    """`Turns` that end with their process. `clock` tells milliseconds since 1970."""

    def __init__(self, clock: Callable[[], int] = wall_clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._turns: dict[str, Turn] = {}
        self._held: dict[str, int] = {}

    def begin(self, game: str, version: int, lease: float) -> Turn | None:
        """See `Turns.begin`."""
        with self._lock:
            before = self.find(game)
            attempts, why = 0, ""
            if before and before.version > version:
                return None
            if before and before.version == version:
                if before.held:
                    return None
                attempts, why = before.attempts, "lost" if before.until else before.why
            now = self._clock()
            until = now + round(lease * 1000)
            turn = Turn(version, attempts + 1, until, why, now)  # type: ignore[arg-type]
            self._turns[game], self._held[game] = turn, until
            return turn

    def hold(self, game: str, turn: Turn, lease: float) -> None:
        """See `Turns.hold`."""
        with self._lock:
            if self._is_newest(game, turn):
                until = self._clock() + round(lease * 1000)
                self._turns[game] = replace(self._turns[game], until=until)
                self._held[game] = until

    def end(self, game: str, turn: Turn, why: Why | Literal[""] = "", counted: bool = True) -> None:
        """See `Turns.end`."""
        with self._lock:
            if self._is_newest(game, turn):
                attempts = turn.attempts if counted else turn.attempts - 1
                said = why or self._turns[game].why
                self._turns[game] = replace(turn, attempts=attempts, until=0, why=said)
                self._held.pop(game, None)

    def find(self, game: str) -> Turn | None:
        """See `Turns.find`."""
        turn = self._turns.get(game)
        return replace(turn, now=self._clock()) if turn else None

    def overdue(self) -> Sequence[str]:
        """See `Turns.overdue`."""
        with self._lock:
            now = self._clock()
            games = [game for game, until in self._held.items() if until <= now][:SOME]
            for game in games:
                del self._held[game]
            return games

    def _is_newest(self, game: str, turn: Turn) -> bool:
        known = self._turns.get(game)
        return (
            known is not None
            and known.version == turn.version
            and (known.attempts == turn.attempts)
        )
