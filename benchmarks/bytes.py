"""How many bytes a game takes: `./run bytes [--short] [--forms]`.

Plays one game of each variant with computer players at a pace as of people, writes it to a real
server, and asks that (MEMORY USAGE) before and after it was made compact. With `--short` under
the options that end soonest; with `--forms` also what other compressors would have made of it.
All figures are bytes, or milliseconds of processor time of client and server (`/proc`, so Linux
only).
"""

import argparse
import bz2
import lzma
import secrets
import sys
import tempfile
import time
import uuid
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import redis

from benchmarks.measures import Fields, spent, table
from service import ids
from service.config import Config
from service.embedded import EmbeddedServer
from service.players import Guests
from service.rules import GAMES, find
from service.rules.protocol import HOUSE
from service.rules.seating.commands import Chair, OpenGame
from service.store import Entry, Listing, codec, cold
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople
from service.store.turns import MemoryTurns
from service.table import Tables
from workers import playing
from workers.later import Later
from workers.playing import Post, take_turn

ROUNDS = 20
PLANTED = 2000
LISTED = 10_000


def play(variant: str, seats: int, short: bool) -> list[Entry]:
    """The log of a whole game in which a command takes some seconds, as people do."""
    rng, now = Random(7), [1_764_452_345_123]
    vars(playing)["SLICE"] = 0.0  # one command a job, however quick the machine, and each its time
    store, calls = MemoryStore(lambda: now[0]), list[tuple[str, int, int, bool]]()
    tables = Tables(store, lambda *call: calls.append(call))
    turns = MemoryTurns(lambda: now[0])
    post = Post(tables, lambda *call: calls.append(call), turns, Config(), Later())
    row = find(variant)[1]
    options = {
        name: min(option.allowed) if short else option.default
        for name, option in row.options(seats).items()
    }
    chairs = (Chair("ai", "casual"),) * seats
    order = OpenGame(variant, row.rules_version, chairs, options, "public", "", "")
    game = tables.open("a" * 16, order).table.id
    while calls:
        now[0] += round(rng.expovariate(1 / 5000))
        called, version, *_ = calls.pop(0)
        take_turn(post, called, version)
    return list(store.read(game).entries)


def as_of_people(entries: Sequence[Entry]) -> list[Entry]:
    """The same log as if people had given the commands, each with an Idempotency-Key."""
    player, given = "a" * 16, []
    for entry in entries:
        meta = entry.meta
        if b'"seat":%d}' % HOUSE not in entry.line and not meta.player:
            digest, key = secrets.token_hex(32), str(uuid.uuid4())
            meta = replace(meta, player=player, key=key, digest=digest)
        given.append(replace(entry, meta=meta))
    return given


def cost(server: int, use: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of processor time that it takes, here and in the server together."""
    before = time.process_time() * 1000 + spent(server)
    for _ in range(rounds):
        use()
    return (time.process_time() * 1000 + spent(server) - before) / rounds


def usage(admin: redis.Redis, key: str) -> int:
    """What the server says that a key takes, itself included."""
    size = admin.memory_usage(key, samples=0)
    assert isinstance(size, int)
    return size


def measure(
    store: RedisStore, admin: redis.Redis, server: int, name: str, entries: list[Entry]
) -> Fields:
    """One row of the table."""
    game = ids.fresh()
    store.plant(game, as_of_people(entries))
    people = usage(admin, f"game:{{{game}}}:log")
    game = ids.fresh()
    store.plant(game, entries)
    warm = usage(admin, f"game:{{{game}}}:log")
    read = cost(server, lambda: store.read(game))
    chilling = cost(server, lambda: store.chill(game), 1)
    frozen = usage(admin, f"game:{{{game}}}:cold")
    thawing = cost(server, lambda: store.read(game))
    events = sum(len(codec.decode(one.line).events) for one in entries)
    lines = sum(len(one.line) for one in entries)
    return {
        "game": name,
        "commits": len(entries),
        "events": events,
        "lines": lines,
        "stream": warm,
        "of people": people,
        "cold": frozen,
        "per commit": round(warm / len(entries)),
        "people's": round(people / len(entries)),
        "per event": round(warm / events),
        "cold commit": round(frozen / len(entries), 1),
        "times": round(warm / frozen, 1),
        "read ms": round(read, 1),
        "cold read ms": round(thawing, 1),
        "chill ms": round(chilling),
    }


def forms(games: dict[str, list[Entry]]) -> list[Fields]:
    """What each compressor makes of the same text; the dictionary is another variant's game."""
    texts = {name: bz2.decompress(cold.chill(log)[cold.FRONT :]) for name, log in games.items()}
    rows = []
    for name, text in texts.items():
        others = [other for other in texts if other.split("-")[0] != name.split("-")[0]]
        known = b"\n".join(texts[other] for other in others)[-32_768:]
        lean = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "pb": 0}]
        packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=known)
        rows.append(
            {
                "game": name,
                "lines": sum(len(one.line) for one in games[name]),
                "kept": len(text),
                "zlib": len(zlib.compress(text, 9)),
                "zlib, dictionary": len(packer.compress(text) + packer.flush()),
                "lzma": len(lzma.compress(text, lzma.FORMAT_RAW, filters=lean)),
                "bz2": len(bz2.compress(text)),
                "zlib of all": len(zlib.compress(b"\n".join(one.line for one in games[name]), 9)),
            }
        )
    return rows


def others(store: RedisStore, admin: redis.Redis, url: str) -> Fields:
    """What there is beside the games, each a piece."""
    before = admin.info("memory")["used_memory"]
    guests = Guests(RedisPeople(url))
    for number in range(1000):
        guests.welcome(f"Guest {number}")
    guest = (admin.info("memory")["used_memory"] - before) / 1000
    with admin.pipeline(transaction=False) as filling:
        for _ in range(LISTED):
            filling.zadd("list", {ids.fresh(): 1_764_452_345_123})
        filling.execute()
    listed = usage(admin, "list") / LISTED
    store.mark(Listing("g", 1), "finished", True, ["p"])
    few = usage(admin, "player:{p}:games")
    return {"a guest": round(guest), "a place in a list": round(listed), "a list of one": few}


def blocked(store: RedisStore, server: int, entries: list[Entry]) -> float:
    """Milliseconds for which nobody else is served while `PLANTED` entries are planted."""
    lines = [entries[number % len(entries)] for number in range(PLANTED)]
    log = [replace(one, version=version) for version, one in enumerate(lines, 1)]
    before = spent(server)
    for _ in range(ROUNDS):
        store.plant(ids.fresh(), log)
    return (spent(server) - before) / ROUNDS


def main(arguments: Sequence[str]) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        prog="./run bytes", description=(__doc__ or "").split("\n\n")[1]
    )
    parser.add_argument("--short", action="store_true", help="games that end soonest")
    parser.add_argument("--forms", action="store_true", help="compare compressors, too")
    asked = parser.parse_args(arguments)
    games: dict[str, list[Entry]] = {}
    for rules in GAMES.values():
        for name, variant in rules.VARIANTS.items():
            games[f"{name}-{max(variant.seats)}"] = play(name, max(variant.seats), asked.short)
    with tempfile.TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        pid = server.pid
        assert pid
        store, admin = RedisStore(server.url), redis.Redis.from_url(server.url)
        table([measure(store, admin, pid, name, log) for name, log in games.items()])
        if asked.forms:
            table(forms(games))
        table([others(store, admin, server.url)])
        longest = max(games.values(), key=len)
        print(f"{PLANTED} entries are planted in {blocked(store, pid, longest):.0f} ms")
        print(f"allocator: {admin.info('memory')['mem_allocator']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
