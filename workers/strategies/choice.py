"""What a computer player is given, and what it answers with.

    Situation, luck, Budget ──► a strategy ──► Choice

A situation holds what its seat sees and has heard, and nothing else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from time import monotonic
from typing import Any, Final, Protocol

from service.rules.protocol import Rules, Seat

SHOWN: Final = 5
"""How many candidates a choice names at most, the chosen one among them."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one choice may cost.

    Attributes:
        seconds: by the clock, on one core. A strategy looks at the clock itself.
        samples: at most that many worlds (or whatever a strategy counts); where it is given the
            clock is not looked at, so that the choice can be made again.
        clock: tells the seconds. The arena's is the processor time of its thread, so that a
            level is not weaker where the machine has other things to do.
    """

    seconds: float
    samples: int | None = None
    clock: Callable[[], float] = monotonic


class Situation:
    """One seat that is to act, with all that it may know.

    Attributes:
        rules: the game.
        view: the state as the seat may see it.
        seat: who is to act.
    """

    def __init__(
        self, rules: Rules[Any, Any, Any], view: Any, seat: Seat, hear: Callable[[], Sequence[Any]]
    ) -> None:
        self.rules = rules
        self.view = view
        self.seat = seat
        self._hear = hear

    @cached_property
    def feed(self) -> tuple[Any, ...]:
        """The events of this deal as the seat saw them, from its `DealStarted` on."""
        return tuple(self._hear())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A command that was considered.

    `value` is what it is expected to bring the seat's side, in points of this deal's score above
    the best of the other sides.
    """

    command: Any
    value: float


@dataclass(frozen=True, slots=True)
class Choice:
    """What a strategy does, and why.

    Attributes:
        samples: how many worlds it looked at; with as many it chooses the same again.
        candidates: the best commands, best first, `SHOWN` at most; none where none were weighed.
    """

    command: Any
    samples: int = 0
    candidates: tuple[Candidate, ...] = ()


class Strategy(Protocol):
    """Chooses one command for the seat that is to act; `rng` is all the luck there is."""

    def __call__(self, situation: Situation, rng: Random, budget: Budget) -> Choice: ...


@dataclass(frozen=True, slots=True)
class Player:
    """A strategy under the name that records keep beside what it chose.

    `name` ends in a number, its version: whoever changes what it chooses from the same situation,
    luck and samples counts that up, so that nobody takes the change for a fault.
    """

    name: str
    choose: Strategy
