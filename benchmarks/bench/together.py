"""Whole games over the network, every player hearing every move, beside boardgame.io."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from benchmarks.bench import boardgame
from benchmarks.bench.figure import Figure, at_least, at_most
from benchmarks.bench.games import played
from benchmarks.bench.live import Party
from benchmarks.bench.load import percentile
from benchmarks.bench.plan import Plan, service, turns

TABLES: Final = 32

LONGEST: Final = 2_900
"""Commits of a game that is played for as long as the bench wants."""

HEARD: Final = 200
PAUSE: Final = 5.0
"""Moves in a slice of one game, if a slice is a second or more; milliseconds between two."""


def figures(plan: Plan) -> Iterator[Figure]:
    """The rows of the table about playing together."""
    why = boardgame.why_not()
    if why:
        yield from _rows(why, ([], []), ([], []), ([], []))
        return
    with ExitStack() as stack:
        ours, house = stack.enter_context(service())
        peer = stack.enter_context(boardgame.server())
        games = [house.seat(played("botifarra", 4, seed, LONGEST)) for seed in range(TABLES)]
        party = Party(ours.base_url, games)
        other = stack.enter_context(boardgame.crowd(peer.first, TABLES))
        party.moves(plan.warm)
        other.ask("moves", plan.warm)
        rates = turns(
            plan, lambda: party.moves(plan.seconds), lambda: float(other.ask("moves", plan.seconds))
        )
        count = HEARD if plan.seconds >= 1 else 40
        pairs = [
            (party.heard(count, PAUSE), [float(one) for one in other.ask("heard", count, PAUSE)])
            for _ in range(plan.slices)
        ]
        party.close()
    half, most = (
        (
            [percentile(our, part) for our, _ in pairs],
            [percentile(their, part) for _, their in pairs],
        )
        for part in (0.5, 0.99)
    )
    yield from _rows("", rates, half, most)


Values = tuple[list[float], list[float]]


def _rows(why: str, rates: Values, half: Values, most: Values) -> Iterator[Figure]:
    yield Figure(
        name="moves",
        what="moves a second, each heard by all four players",
        beside="boardgame.io, which keeps nothing",
        unit="/s",
        bar=at_least(0.8),
        load=f"{TABLES} games of four clients, next move when all heard",
        ours=rates[0],
        theirs=rates[1],
        why=why,
    )
    for name, values in (("p50", half), ("p99", most)):
        yield Figure(
            name=f"heard.{name}",
            what=f"{name} of the time until another player hears a move",
            beside="boardgame.io, which keeps nothing",
            unit="ms",
            bar=at_most(1),
            load=f"one game of four clients, {PAUSE:.0f} ms between two moves",
            ours=values[0],
            theirs=values[1],
            why=why,
        )
