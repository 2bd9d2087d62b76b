"""What a live game takes in Redis and in a process of the API, and what an idle stream takes.

A live game is one of `COMMITS` commits by people whose clients send an Idempotency-Key. Its
commits as compact JSON are the lines of its record and, of each, what is kept beside the line: who
gave it, under which key.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Final

import redis

from benchmarks.bench.figure import Figure, at_most
from benchmarks.bench.games import MIXED, Guest, House, Seated
from benchmarks.bench.http1 import Line, request
from benchmarks.bench.plan import WHOLE, Plan, service
from benchmarks.streams import Streams, resident
from service.store.entries import packed

COMMITS: Final = 300
GAMES: Final = 64
"""Games in a slice."""

WATCHED: Final = 16
STREAMS: Final = 200
"""Streams that are there already, and those that are measured."""


def figures(plan: Plan) -> Iterator[Figure]:
    """The rows of the table about memory."""
    count = GAMES if plan.slices >= WHOLE.slices else GAMES // 4
    kept, lines, commits, remembered, streams = [], [], [], [], []
    with service() as (stack, house), redis.Redis.from_url(stack.redis_url) as admin:
        api, open_ = stack.pids["api"], Streams(stack.base_url)
        _slice(house, stack.base_url, count)  # what is allocated once
        for _ in range(max(2, plan.slices // 2)):
            before, used = resident(api), taken(admin)
            games = _slice(house, stack.base_url, count)
            kept.append((taken(admin) - used) / count)
            remembered.append((resident(api) - before) * 1024 / count)
            sizes = [_sizes(house, game) for game in games]
            lines.append(sum(line for line, _ in sizes) / count)
            commits.append(sum(line + meta for line, meta in sizes) / count)
            streams.append(_listening(open_, api, house, games[0]))
        open_.close()
    load = f"{count} games of {COMMITS} commits a slice, mixed variants"
    for name, what, beside, bar, ours, theirs in (
        ("redis", "memory of a live game in Redis", "its commits as JSON", at_most(1.5), kept,
         commits),
        ("lines", "memory of a live game in Redis", "its record's lines alone", None, kept, lines),
        ("api", "memory of a live game in the API", "its commits as JSON", None, remembered,
         commits),
        ("stream", "memory of an idle event stream in the API", "a game's commits as JSON", None,
         streams, commits),
    ):  # fmt: skip
        yield Figure(
            name=f"memory.{name}",
            what=what,
            beside=beside,
            unit="bytes",
            bar=bar,
            load=load,
            ours=ours,
            theirs=theirs,
        )


def taken(admin: redis.Redis) -> float:
    """Bytes that a server has for its data: all that it took, less buffers that come and go."""
    told: dict[str, Any] = admin.info("memory")
    return float(told["used_memory"] - told["mem_clients_normal"] - told["mem_aof_buffer"])


def _slice(house: House, base: str, count: int) -> list[Seated]:
    """Games that a process of the API has looked at; guests, who are no part of it, came before."""
    guests = [house.guests(seats) for _, seats in islice(cycle(MIXED), count)]
    return [*_live(house, base, guests)]


def _live(house: House, base: str, guests: Sequence[tuple[Guest, ...]]) -> Iterator[Seated]:
    with Line(base) as line:
        for number, (variant, _) in enumerate(islice(cycle(MIXED), len(guests))):
            game = house.live(variant, COMMITS, guests[number], number)
            line.ask(request("GET", f"/v1/games/{game.id}", game.guests[0].token))
            yield game


def _sizes(house: House, game: Seated) -> tuple[int, int]:
    """Bytes of the lines of a game's commits, and of what is kept beside them."""
    entries = house.store.read(game.id).entries
    return sum(len(one.line) for one in entries), sum(len(packed(one.meta)) for one in entries)


def _listening(streams: Streams, api: int, house: House, game: Seated) -> float:
    """Bytes of a stream, of many that watch one game which all processes know already.

    They stay open, so that the next ones find nothing that was used before.
    """
    first, more = house.guests(WATCHED), house.guests(STREAMS)
    for guest in first:
        streams.open(game.id, guest.token)
    before = resident(api)
    for guest in more:
        streams.open(game.id, guest.token)
    return (resident(api) - before) * 1024 / STREAMS
