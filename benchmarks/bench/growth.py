"""How commands, reads and cold loads grow with the length of a game."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median
from typing import Final

from benchmarks.bench import cold
from benchmarks.bench.figure import Figure, at_most
from benchmarks.bench.games import ENDLESS, Guest, House, Move, moves, order, play
from benchmarks.bench.http1 import Line, request
from benchmarks.bench.plan import Plan, service
from service import ids
from service.rules.seating.commands import Setup
from service.store import Entry

LENGTHS: Final = (100, 1_000, 10_000)
"""Commits that a game has before it is measured. No variant's games are as long as the last."""

WARM: Final = 10
MEASURED: Final = 40
"""Requests of each kind that a game gets in a slice, before and while it is measured."""

BRACKETS: Final = 3
"""Cold loads of the longest game in a slice, each beside as many commits of the one before."""


@dataclass(frozen=True, slots=True)
class Long:
    """A game of some length, to be planted again and again, and the commands that may follow."""

    guests: tuple[Guest, ...]
    entries: list[Entry]
    moves: list[Move]


def figures(plan: Plan, lengths: tuple[int, ...] = LENGTHS) -> Iterator[Figure]:
    """The rows of the table about long games."""
    times: dict[tuple[str, int], list[float]] = {}
    loaded: list[tuple[float, float]] = []
    first, *longer = lengths
    with service() as (stack, house):
        games = {length: _long(house, length) for length in lengths}
        for _ in range(plan.slices):
            there = {length: ids.fresh() for length in games}
            for length, game in games.items():
                house.store.plant(there[length], game.entries)
            if len(longer) > 1:
                short, long = ((there[length], length) for length in longer[-2:])
                loaded += cold.loads(stack.redis_url, long, short, BRACKETS)
            for length, values in _slice(there, stack.base_url, games).items():
                for what, value in values.items():
                    times.setdefault((what, length), []).append(value)
    for what, name in (
        ("command", "p50 of a command's time"),
        ("read", "p50 of a state read's time"),
    ):
        for length in longer:
            yield Figure(
                name=f"growth.{what}.{length}",
                what=f"{name} in a game of {length:,} commits",
                beside=f"in a game of {first}",
                unit="ms",
                bar=at_most(1.2),
                load=f"one client, {MEASURED} requests a slice, botifarra, warm",
                ours=times[what, length],
                theirs=times[what, first],
            )
    if len(longer) > 1:
        yield Figure(
            name="growth.cold",
            what=f"processor time of a cold load, a commit, game of {longer[-1]:,}",
            beside=f"a commit, game of {longer[-2]:,}",
            unit="µs",
            bar=at_most(1.2),
            load="a process that remembers nothing, botifarra",
            ours=[ours for ours, _ in loaded],
            theirs=[theirs for _, theirs in loaded],
        )


def _long(house: House, length: int) -> Long:
    guests = house.guests(4)
    asked = order("botifarra", [one.id for one in guests], Setup(0, (ENDLESS, ENDLESS)))
    log = play(asked, length + WARM + MEASURED + 20)
    return Long(guests, log[:length], [one for one in moves(log) if one.version >= length])


def _slice(there: dict[int, str], base: str, games: dict[int, Long]) -> dict[int, dict[str, float]]:
    """Milliseconds of a command and of a read of games planted just now, by length.

    One request of each in turn, so that all meet the same machine.
    """
    given: dict[int, list[float]] = {length: [] for length in games}
    looked: dict[int, list[float]] = {length: [] for length in games}
    with ExitStack() as stack:
        lines = {length: stack.enter_context(Line(base)) for length in games}
        for number in range(WARM + MEASURED):
            for length, game in games.items():
                move, path = game.moves[number], f"/v1/games/{there[length]}"
                token, version = game.guests[move.seat].token, f'"{move.version}"'
                asked = request("POST", f"{path}/commands", token, move.body, If_Match=version)
                given[length].append(_timed(lines[length], asked))
                asked = request("GET", path, game.guests[move.seat].token)
                looked[length].append(_timed(lines[length], asked))
    return {
        length: {
            "command": median(given[length][WARM:]),
            "read": median(looked[length][WARM:]),
        }
        for length in games
    }


def _timed(line: Line, asked: bytes) -> float:
    """Milliseconds until the answer is there."""
    began = time.perf_counter()
    line.ask(asked)
    return (time.perf_counter() - began) * 1000
