"""How much is measured: the whole bench takes minutes, the quick one less than one."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.bench.games import House
from benchmarks.bench.load import Crowd
from benchmarks.bench.peer import Peer
from benchmarks.measures import spent
from service.config import Config
from service.stack import Stack

CLIENTS: Final = 16
"""Clients that ask at a time, where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How often and how long.

    Attributes:
        slices: turns of ours and of what stands beside it.
        seconds: how long each of them is.
        warm: how long each side is asked before the first slice.
        rounds: how often what stands near its bar begins anew. Processes that were started at
            another time differ by more than their slices do, so one start decides nothing.
    """

    slices: int
    seconds: float
    warm: float
    rounds: int = 1


WHOLE: Final = Plan(slices=9, seconds=1.0, warm=1.0, rounds=3)
QUICK: Final = Plan(slices=5, seconds=0.4, warm=0.4)


def turns(
    plan: Plan, ours: Callable[[], float], theirs: Callable[[], float]
) -> tuple[list[float], list[float]]:
    """The values of both, slice by slice; who begins changes with each."""
    pairs = []
    for number in range(plan.slices):
        if number % 2:
            their = theirs()
            pairs.append((ours(), their))
        else:
            pairs.append((ours(), theirs()))
    return [our for our, _ in pairs], [their for _, their in pairs]


class Side(NamedTuple):
    """A crowd, and the processes that serve it: what they cost is counted with their children."""

    crowd: Crowd
    pids: tuple[int, ...] = ()

    def slice(self, seconds: float) -> tuple[float, float]:
        """Answers a second, and milliseconds of processor time of an answer."""
        before = sum(map(spent, self.pids))
        taken = self.crowd.run(seconds)
        return taken.rate, (sum(map(spent, self.pids)) - before) / len(taken.latencies)


class Sides(NamedTuple):
    """The values of two sides, slice by slice: of ours, and of what stands beside it."""

    ours: list[float]
    theirs: list[float]

    def add(self, more: "Sides") -> None:
        """Puts those of another round behind these."""
        self.ours.extend(more.ours)
        self.theirs.extend(more.theirs)


class Compared(NamedTuple):
    """Answers a second of two sides, and what an answer costs."""

    rates: Sides
    costs: Sides

    def add(self, more: "Compared") -> None:
        """Puts those of another round behind these."""
        self.rates.add(more.rates)
        self.costs.add(more.costs)


def nothing_yet() -> Compared:
    """Without any slice, to be added to."""
    return Compared(Sides([], []), Sides([], []))


def compared(plan: Plan, ours: Side, theirs: Side) -> Compared:
    """Answers a second of both, and what an answer costs, after both were warmed up."""
    for side in (ours, theirs):
        side.crowd.run(plan.warm)
    costs = Sides([], [])

    def slice_(side: Side, cost: list[float]) -> float:
        rate, spent_ = side.slice(plan.seconds)
        cost.append(spent_)
        return rate

    rates = turns(plan, lambda: slice_(ours, costs.ours), lambda: slice_(theirs, costs.theirs))
    return Compared(Sides(*rates), costs)


def settings(folder: Path, workers: int = 0) -> Config:
    """The service as it is shipped, but for the port, and with so many workers."""
    return Config(
        port=0, data=folder / "data", workers=workers, webhook_workers=0, sweep_seconds=600.0
    )


@contextmanager
def service(workers: int = 0) -> Iterator[tuple[Stack, House]]:
    """The service as processes, and a way past its API for what is not measured."""
    with (
        tempfile.TemporaryDirectory(prefix="tapete-bench-") as folder,
        Stack(settings(Path(folder), workers), quiet=True) as stack,
    ):
        yield stack, House(stack.redis_url)


@contextmanager
def flask(stack: Stack) -> Iterator[Peer]:
    """The peer with the settings of that stack, not started yet."""
    with (
        tempfile.TemporaryDirectory(prefix="tapete-bench-") as folder,
        Peer(stack.config, Path(folder)) as peer,
    ):
        yield peer
