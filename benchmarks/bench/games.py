"""Games that were played beforehand, to be played again over HTTP without a thought.

    people, packs from a seed ──► commands in order ──► the same packs, other people, HTTP

The packs are given with the game (`setup`), so whoever plays it again meets the same table and may
give the same commands. The strategy of `novice` chose them; none of that is measured.
"""

import secrets
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any, Final

import msgspec

from benchmarks.bench.http1 import LoadFailed, request
from benchmarks.bench.load import Script
from service import ids
from service.players import Guests
from service.rules import find
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating.commands import Chair, OpenGame, Setup
from service.shelf import Table
from service.store import Entry, codec
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople
from service.table import Tables
from workers import strategies
from workers.choosing import heard
from workers.strategies import Budget, Situation

MIXED: Final = (
    ("botifarra", 4), ("canasta", 4), ("samba", 4), ("bolivia", 4),
    ("bolivie", 4), ("canasta", 2), ("samba", 3), ("botifarra", 4),
)  # fmt: skip
"""The tables of mixed load."""

PACKS: Final = 60
"""Deals that a game may have here."""

ENDLESS: Final = -1_000_000
"""Points at the start from which no game comes to its target."""


@dataclass(frozen=True, slots=True)
class Move:
    """A command as its player sends it, and the version that it is meant for."""

    seat: int
    version: int
    command: Any
    body: bytes


@dataclass(frozen=True, slots=True)
class Played:
    """A game as it was played: how its table is opened, and what was given then."""

    variant: str
    seats: int
    setup: Setup
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Guest:
    """A player of the service, and their token."""

    id: str
    token: str


@dataclass(frozen=True, slots=True)
class Seated:
    """A game that people sit in, to be played."""

    id: str
    guests: tuple[Guest, ...]
    played: Played


def order(
    variant: str, players: Sequence[str], setup: Setup | None = None, **options: int
) -> OpenGame:
    """The command that opens a public game with all seats taken."""
    row = find(variant)[1]
    chairs = tuple(Chair("human", None, player) for player in players)
    usual = {name: option.default for name, option in row.options(len(players)).items()}
    command = OpenGame(variant, row.rules_version, chairs, usual | options, "public", "", "", setup)
    return command


def play(asked: OpenGame, most: int = 10**6, seed: int = 1) -> list[Entry]:
    """The log of a game, to its end or until it has so many commits; each command has a key."""
    store, rng = MemoryStore(), Random(seed)
    tables = Tables(store, lambda *_: None)
    players = [chair.player or "" for chair in asked.chairs]
    table = tables.open(players[0], asked).table
    while not table.over and table.version < most:
        seat = table.game.to_act()
        assert seat is not None and seat != HOUSE
        command = _choice(tables, table, seat, rng)
        key, digest = str(uuid.UUID(int=rng.getrandbits(128))), secrets.token_hex(32)
        given = tables.act(table.id, players[seat], lambda _: command, key, digest)  # noqa: B023
        table = given.table
    return list(store.read(table.id).entries)


def moves(entries: Sequence[Entry]) -> Iterator[Move]:
    """What people gave in a log."""
    for commit in (codec.decode(one.line) for one in entries):
        if commit.seat != HOUSE:
            wire = codec.to_wire(commit.command)
            del wire["seat"]
            yield Move(commit.seat, commit.version - 1, commit.command, msgspec.json.encode(wire))


@cache
def played(variant: str, seats: int, seed: int = 1, most: int | None = None) -> Played:
    """A whole game, its packs from a seed; with `most` one that ends with so many commits, and
    not at its target."""
    rng, row = Random(seed), find(variant)[1]
    pack = list(row.pack())
    packs = tuple(tuple(rng.sample(pack, len(pack))) for _ in range(PACKS))
    setup = Setup(0, (ENDLESS if most else 0,) * (max(row.sides(seats)) + 1), packs)
    asked = order(variant, [f"p{seat}" for seat in range(seats)], setup)
    entries = play(asked, most or 10**6, seed)
    # Fewer packs need not be carried along; what was dealt stays the same.
    commands = [codec.decode(one.line).command for one in entries]
    dealt = sum(isinstance(one, DealCards) for one in commands)
    setup = replace(setup, packs=packs[:dealt])
    return Played(variant, seats, setup, tuple(moves(entries)))


class House:
    """Makes guests and games on the service's own Redis, past the API: for what is not measured."""

    def __init__(self, url: str) -> None:
        self.store = RedisStore(url)
        self._guests = Guests(RedisPeople(url))
        self._tables = Tables(self.store, lambda *_: None)

    def guests(self, count: int) -> tuple[Guest, ...]:
        """New guests with tokens."""
        made = [self._guests.welcome(f"Guest {number}") for number in range(count)]
        return tuple(Guest(player.id, token) for player, token in made)

    def seat(self, game: Played, guests: Sequence[Guest] | None = None) -> Seated:
        """The game as it begins, for guests of its own or for those."""
        guests = tuple(guests or self.guests(game.seats))
        asked = order(game.variant, [guest.id for guest in guests], game.setup)
        return Seated(self._tables.open(guests[0].id, asked).table.id, guests, game)

    def live(self, variant: str, commits: int, guests: Sequence[Guest], seed: int = 1) -> Seated:
        """A game under way that has come to that many commits, or a few more; filed like others."""
        game, asked = ids.fresh(), order(variant, [guest.id for guest in guests])
        self.store.plant(game, play(asked, commits, seed))
        self._tables.tend(game, 60.0)
        setup = Setup(0, ())
        return Seated(game, tuple(guests), Played(variant, len(guests), setup, ()))


def script(games: Iterable[Seated]) -> Script:
    """Gives the commands of one game after the other, as a careful client does."""
    for game in games:
        for move in game.played.moves:
            yield command(game, move)
    raise LoadFailed("all games were played")


def command(game: Seated, move: Move) -> bytes:
    """The request that gives a command once, for the version it is meant for."""
    return request(
        "POST",
        f"/v1/games/{game.id}/commands",
        game.guests[move.seat].token,
        move.body,
        If_Match=f'"{move.version}"',
        Idempotency_Key=str(uuid.uuid4()),
    )


def _choice(tables: Tables, table: Table, seat: int, rng: Random) -> Any:
    view = table.game.view(seat).state
    assert view
    situation = Situation(table.game.rules, view, seat, lambda: heard(tables, table, seat))
    player = strategies.player("novice", table.game.rules)
    return player.choose(situation, rng, Budget(0.1)).command
