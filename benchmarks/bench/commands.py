"""Commands a second beside bare Flask appending to Redis, and how long the slowest take."""

from collections.abc import Iterator
from itertools import cycle
from typing import Final

from benchmarks.bench.figure import Figure, at_least, at_most
from benchmarks.bench.games import MIXED, Guest, House, Seated, command, played, script
from benchmarks.bench.http1 import ask
from benchmarks.bench.load import Crowd, percentile
from benchmarks.bench.peer import Peer
from benchmarks.bench.plan import CLIENTS, Plan, Side, compared, flask, service

LOAD: Final = f"{CLIENTS} clients, closed loop, mixed variants"

SAMPLES: Final = 400
"""Commands in a slice of the paced load, which tell a 99th percentile, if it is a whole bench."""

SHOWN: Final = 60
"""Commands that show the peer how large entries and answers are."""


def figures(plan: Plan) -> Iterator[Figure]:
    """The rows of the table that are about commands."""
    with service() as (stack, house), flask(stack) as peer:
        _show(peer, house, stack.base_url)
        peer.start()
        crowd = Crowd(stack.base_url, [script(_tables(house, seed)) for seed in range(CLIENTS)])
        other = Crowd(peer.base_url, [script(_made_up(seed)) for seed in range(CLIENTS)])
        own = Side(crowd, (stack.pids["api"], stack.pids["redis"]))
        (ours, theirs), costs = compared(plan, own, Side(other, peer.pids))
        yield Figure(
            name="commands",
            what="commands a second",
            beside="Flask, one append",
            unit="/s",
            bar=at_least(0.60),
            load=LOAD,
            ours=ours,
            theirs=theirs,
        )
        yield Figure(
            name="commands.cost",
            what="processor time of a command, API and Redis",
            beside="Flask, one append",
            unit="ms",
            bar=None,
            load=LOAD,
            ours=costs.ours,
            theirs=costs.theirs,
        )
        yield _paced(plan, crowd, sorted(ours)[len(ours) // 2] / 2)
        crowd.close()
        other.close()


def _paced(plan: Plan, crowd: Crowd, rate: float) -> Figure:
    """The slowest commands beside the usual ones, when the service is half busy."""
    seconds = max(plan.seconds, SAMPLES / rate) if plan.seconds >= 1 else plan.seconds
    high, low = [], []
    for number in range(plan.slices):
        times = crowd.run(seconds, rate, number).latencies
        high.append(percentile(times, 0.99) * 1000)
        low.append(percentile(times, 0.50) * 1000)
    return Figure(
        name="commands.slow",
        what="p99 of a command at half the top rate",
        beside="its p50",
        unit="ms",
        bar=at_most(6),
        load=f"{rate:,.0f} a second at random times, {CLIENTS} connections",
        ours=high,
        theirs=low,
    )


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


def _tables(house: House, seed: int) -> Iterator[Seated]:
    """One game after the other for one client, of different variants."""
    for number, table in enumerate(cycle(MIXED[seed % len(MIXED) :] + MIXED[: seed % len(MIXED)])):
        yield house.seat(played(*table, seed=number % 3))


def _made_up(seed: int) -> Iterator[Seated]:
    """The same for the peer, which looks neither at games nor at tokens."""
    while True:
        for number, table in enumerate(MIXED[seed % len(MIXED) :]):
            game = played(*table, seed=number % 3)
            guests = tuple(Guest("p" * 16, "tpt_" + "x" * 43) for _ in range(game.seats))
            yield Seated(f"{seed:04}{number:012}", guests, game)
