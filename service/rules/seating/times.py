"""What a game with a clock remembers of time: all of it follows from its events.

    ClockStarted ──► running ──► ClockStopped   the bank, and what a question interrupts
                        └──────► ClockRanOut ──► a stand-in, or the end

Times are milliseconds: deadlines since 1970, banks and spare time as lengths.
"""

from dataclasses import dataclass, replace
from typing import Literal

from service.rules.protocol import Seat
from service.rules.seating.commands import Clock


@dataclass(frozen=True, slots=True)
class Running:
    """A seat's time runs until `deadline`; the last `bank` of it is taken from its bank."""

    seat: Seat
    deadline: int
    bank: int


@dataclass(frozen=True, slots=True)
class StandIn:
    """A computer player acts for a person: to the end of the `turn`, or until their `return`."""

    seat: Seat
    level: str
    until: Literal["turn", "return"]


@dataclass(frozen=True, slots=True)
class Times:
    """Where the clocks of a game stand.

    Attributes:
        banks: one a seat, as they were when its time last stopped; zeros without banks.
        running: whose time runs; None while nobody's does.
        spare: whose turn a question interrupts, and what is left of the time for the turn.
        stand_ins: the computer players that act for people.
    """

    banks: tuple[int, ...]
    running: Running | None = None
    spare: tuple[Seat, int] | None = None
    stand_ins: tuple[StandIn, ...] = ()

    def stand_in(self, seat: Seat) -> StandIn | None:
        """Who acts for a seat's owner, if anybody does."""
        return next((one for one in self.stand_ins if one.seat == seat), None)

    # How they change

    def started(self, running: Running) -> "Times":
        """A seat's time begins to run."""
        return replace(self, running=running)

    def stopped(self, seat: Seat, bank: int, spare: int | None) -> "Times":
        """It stops; `spare` is what a question leaves of it, None at the end of the turn."""
        kept = self.spare if spare is None else (seat, spare)
        return replace(self, running=None, banks=_with(self.banks, seat, bank), spare=kept)

    def seated(self, stand_in: StandIn) -> "Times":
        """A computer player acts for that seat, and no other one does."""
        return replace(self, stand_ins=(*self._others(stand_in.seat), stand_in))

    def without(self, seat: Seat) -> "Times":
        """Nobody acts for that seat."""
        return replace(self, stand_ins=self._others(seat))

    def turned(self) -> "Times":
        """Another turn has come: what was kept for the one before is void."""
        lasting = tuple(one for one in self.stand_ins if one.until == "return")
        return replace(self, spare=None, stand_ins=lasting)

    def _others(self, seat: Seat) -> tuple[StandIn, ...]:
        return tuple(one for one in self.stand_ins if one.seat != seat)


def set_up(clock: Clock | None, seats: int) -> Times | None:
    """The clocks before the start; None where there are none."""
    return Times((clock.bank or 0,) * seats) if clock else None


def _with(row: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*row[:place], value, *row[place + 1 :])
