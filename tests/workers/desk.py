"""A table of computer players over a store in memory, with the calls written down."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from service.config import Config
from service.replay import Commit
from service.rules.seating.commands import Chair, OpenGame, Terms
from service.shelf import Table
from service.store import codec
from service.store.memory import MemoryStore
from service.store.turns import MemoryTurns
from service.table import Tables
from workers import playing
from workers.playing import Post, take_turn

PERSON = Chair("human", None, "anna")
CASUAL = Chair("ai", "casual")
NOVICE = Chair("ai", "novice")
USUAL = Terms()


class Desk:
    """One process on a store. `now` is the store's clock in ms, unless it runs by itself.

    How quick the machine is takes no part: no time goes by in a job but what is added to `now`, and
    a job plays one command, or for so long as its `slice` says.
    """

    def __init__(self, store: MemoryStore | None = None, tables: Tables | None = None) -> None:
        self.now = 1_000_000
        self.store = store or MemoryStore(lambda: self.now)
        self.calls: list[tuple[str, int, int]] = []
        self.naps: list[float] = []
        self.tables = tables or Tables(self.store, self.call)
        self.turns = MemoryTurns(lambda: self.now)
        self.later: Callable[[float, Callable[[], None], Callable[[], None]], None] = self.nap

    def call(self, game: str, version: int, again: int, people: bool) -> None:
        self.calls.append((game, version, again))

    def nap(self, seconds: float, do: Callable[[], None], give_back: Callable[[], None]) -> None:
        """Lets so much time go by, and does it."""
        self.naps.append(seconds)
        self.now += round(seconds * 1000)
        do()

    def open(self, *chairs: Chair, variant: str = "bolivia", **options: int) -> Table:
        order = OpenGame(variant, 1, chairs, options, "public", "", "")
        return self.tables.open("anna", order).table

    def beside_people(self, *chairs: Chair, terms: Terms = USUAL) -> Table:
        """A table at which the house dealt and a computer player is to act."""
        order = OpenGame("bolivia", 1, chairs, {}, "public", "", "", terms=terms)
        while True:
            table = self.tables.open("anna", order).table
            if table.waits_for_computer():
                self.calls.clear()
                return table

    def load(self, game: str) -> Table:
        return self.tables.load(game)

    def played(self, game: str) -> list[Commit]:
        """What computer players gave in a game, decisions included."""
        commits = (codec.decode(entry.line) for entry in self.store.read(game).entries)
        return [commit for commit in commits if commit.decision]

    def turn(
        self, game: str, version: int, pace: float = 0.0, slice: float = 0.0, **more: Any
    ) -> None:
        config = Config(ai_pace=pace, **more)
        post = Post(self.tables, self.call, self.turns, config, self.later)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(playing, "SLICE", slice)
            patch.setattr(playing, "time", SimpleNamespace(monotonic=lambda: self.now / 1000))
            take_turn(post, game, version)

    def work(self, until: int = 10**9, pace: float = 0.0) -> None:
        """Does the calls in their order, as a worker would, until the game has come so far."""
        while self.calls:
            game, version, _ = self.calls.pop(0)
            self.turn(game, version, pace)
            if self.load(game).version >= until:
                return
