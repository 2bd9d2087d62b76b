"""Commands a second beside bare Flask appending to Redis, and how long the slowest take."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import cycle
from statistics import median
from typing import Final

from benchmarks.bench.figure import Figure, at_least, at_most
from benchmarks.bench.games import MIXED, Guest, House, Played, Seated, command, played, script
from benchmarks.bench.http1 import ask
from benchmarks.bench.load import Crowd, percentile
from benchmarks.bench.peer import Peer
from benchmarks.bench.plan import (
    CLIENTS,
    Plan,
    Side,
    Sides,
    compared,
    flask,
    nothing_yet,
    service,
)
from service import ids

LOAD: Final = f"{CLIENTS} clients, each asks again when answered, all variants"

SAMPLES: Final = 1_600
FEW: Final = 30
"""Commands in a slice of the paced load: as many tell a 99th percentile; and as few there may be
where slices are short."""

LONGEST: Final = 6.0
"""Seconds of such a slice on a slow machine."""

AHEAD: Final = 400
"""Commands for which each client has games before each slice: more than it can give in one."""

SHOWN: Final = 60
"""Commands that show the peer how large entries and answers are."""


def figures(plan: Plan) -> Iterator[Figure]:
    """The rows of the table that are about commands."""
    found, slow = nothing_yet(), Sides([], [])
    for _ in range(plan.rounds):
        with service() as (stack, house), flask(stack) as peer:
            _show(peer, house, stack.base_url)
            peer.start()
            crowd = _crowd(stack.base_url, house.seat)
            other = _crowd(peer.base_url, _made_up)
            own = Side(crowd, (stack.pids["api"], stack.pids["redis"]))
            found.add(compared(plan, own, Side(other, peer.pids)))
            half = median(found.rates.ours) / 2
            slow.add(_paced(plan, crowd, half))
            crowd.close()
            other.close()
    for name, what, unit, bar, (ours, theirs) in (
        ("commands", "commands a second", "/s", at_least(0.60), found.rates),
        (
            "commands.cost",
            "processor time of a command, API and its Redis",
            "ms",
            None,
            found.costs,
        ),
    ):
        yield Figure(
            name=name,
            what=what,
            beside="a bare Flask app, one append",
            unit=unit,
            bar=bar,
            load=LOAD,
            ours=ours,
            theirs=theirs,
        )
    yield Figure(
        name="commands.slow",
        what="p99 of a command's time at half that rate",
        beside="its own p50",
        unit="ms",
        bar=at_most(6),
        load=f"{half:,.0f} a second at random times, {CLIENTS} connections",
        ours=slow.ours,
        theirs=slow.theirs,
    )


def _paced(plan: Plan, crowd: Crowd, rate: float) -> Sides:
    """The slowest commands beside the usual ones, when the service is half busy."""
    wanted = min(SAMPLES / rate, LONGEST) if plan.seconds >= 1 else FEW / rate
    seconds = max(plan.seconds, wanted)
    found = Sides([], [])
    for number in range(plan.slices):
        times = crowd.run(seconds, rate, number).latencies
        found.ours.append(percentile(times, 0.99) * 1000)
        found.theirs.append(percentile(times, 0.50) * 1000)
    return found


def _show(peer: Peer, house: House, base: str) -> None:
    """Lets the peer see what our entries and answers are like, by one game's first commands."""
    game = house.seat(played("canasta", 4, 7))
    given = game.played.moves[:SHOWN]
    answers = [ask(base, command(game, move)).body for move in given]
    entries = house.store.read(game.id, given[0].version + 1).entries
    sizes = [len(one.line) + len(one.hash) + len(str(one.meta)) for one in entries]
    size = sum(sizes) // len(sizes) - sum(len(move.body) for move in given) // len(given)
    usual = sum(map(len, answers)) / len(answers)
    peer.like(size, min(answers, key=lambda one: abs(len(one) - usual)))


class Games:
    """One client's games of different variants, one after the other, some always seated ahead.

    To seat people takes time, and so does a game that was not played yet; the load would ask
    nothing meanwhile.
    """

    def __init__(self, seat: Callable[[Played], Seated], seed: int) -> None:
        self._seat = seat
        self._coming = enumerate(cycle(MIXED[seed % len(MIXED) :] + MIXED[: seed % len(MIXED)]))
        self._seated: deque[Seated] = deque()

    def ahead(self, commands: int) -> None:
        """Seats games until those that were not begun have so many commands."""
        while sum(len(one.played.moves) for one in self._seated) < commands:
            number, table = next(self._coming)
            self._seated.append(self._seat(played(*table, seed=number % 3)))

    def __iter__(self) -> Iterator[Seated]:
        while True:
            self.ahead(1)
            yield self._seated.popleft()


def _crowd(base: str, seat: Callable[[Played], Seated]) -> Crowd:
    """Clients that play games, each ready before a slice begins."""
    games = [Games(seat, seed) for seed in range(CLIENTS)]

    def ready() -> None:
        for one in games:
            one.ahead(AHEAD)

    return Crowd(base, [script(one) for one in games], ready)


def _made_up(game: Played) -> Seated:
    """A game for the peer, which looks neither at games nor at tokens."""
    guests = tuple(Guest("p" * 16, "tpt_" + "x" * 43) for _ in range(game.seats))
    return Seated(ids.fresh(), guests, game)
