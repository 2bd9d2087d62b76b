"""A table of computer players over a store in memory, with the calls written down."""

from service.rules.seating.commands import Chair, OpenGame
from service.shelf import Table
from service.store.memory import MemoryStore
from service.table import Tables
from workers import jobs

PERSON = Chair("human", None, "anna")
CASUAL = Chair("ai", "casual")
NOVICE = Chair("ai", "novice")


class Desk:
    """One process on a store. `now` is the store's clock in ms, unless it runs by itself."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.now = 1_000_000
        self.store = store or MemoryStore(lambda: self.now)
        self.calls: list[tuple[str, int, int]] = []
        self.naps: list[float] = []
        self.tables = Tables(self.store, self.call)

    def call(self, game: str, version: int, again: int) -> None:
        self.calls.append((game, version, again))

    def nap(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now += round(seconds * 1000)

    def open(self, *chairs: Chair, variant: str = "bolivia", **options: int) -> Table:
        order = OpenGame(variant, 1, chairs, options, "public", "", "")
        return self.tables.open("anna", order).table

    def beside_people(self, *chairs: Chair) -> Table:
        """A table at which the house dealt and a computer player is to act."""
        while True:
            table = self.open(*chairs)
            if table.waits_for_computer():
                self.calls.clear()
                return table

    def load(self, game: str) -> Table:
        return self.tables.load(game)

    def turn(self, game: str, version: int, pace: float = 0.0) -> None:
        jobs.take_turn(self.tables, self.call, game, version, pace, self.nap)

    def work(self, until: int = 10**9) -> None:
        """Does the calls in their order, as a worker would, until the game has come so far."""
        while self.calls:
            game, version, _ = self.calls.pop(0)
            self.turn(game, version)
            if self.load(game).version >= until:
                return
