"""Games and webhooks over stores in memory: one clock for all, and every call written down."""

import json
import time
from dataclasses import dataclass
from random import Random
from typing import Any

from service import ids
from service.queue import LEVELS
from service.rules.protocol import HOUSE
from service.rules.seating.commands import Chair, OpenGame, Resign
from service.shelf import Table
from service.store.memory import MemoryStore
from service.store.memory_webhooks import memory_webhooks
from service.store.webhooks import Attempt, Hook, Message
from service.table import Tables
from service.webhooks.herald import Herald
from service.webhooks.hooks import Webhooks
from service.webhooks.news import KINDS
from service.webhooks.postman import Postman
from service.webhooks.teller import Teller
from tests.webhooks.receiver import HOME
from workers.sweep import Sweep


@dataclass
class Said:
    """A message as it would be sent."""

    message: Message
    body: dict[str, Any]

    @property
    def short(self) -> tuple[str, int, int]:
        """Its kind, and of which seat and version it tells."""
        return self.message.kind, self.body["data"]["seat"], self.body["data"]["version"]


class Rig:
    """One process that does everything. `now` is the stores' clock in ms."""

    def __init__(self, url: str = "https://bot.example/") -> None:
        self.now = time.time_ns() // 1_000_000
        self.url = url
        self.store = MemoryStore(lambda: self.now)
        self.keepers = memory_webhooks(lambda: self.now)
        self.calls: list[tuple[str, int, int]] = []
        self.tells: list[tuple[str, int, int]] = []
        self.sends: list[str] = []
        self.herald = Herald(self.keepers.hooks, self.keepers.told, self.tell)
        self.tables = Tables(self.store, self.call, herald=self.herald)
        self.teller = Teller(self.tables, self.keepers, self.sends.append, "https://cards.example")
        self.webhooks = Webhooks(self.keepers, self.sends.append, self.herald.learn, HOME)
        duties = [("webhooks", self.teller.tend)]
        self.sweep = Sweep(self.store, self.tables, 5.0, herald=self.herald, duties=duties)
        self.postman = self.make_postman()

    def make_postman(self, **more: Any) -> Postman:
        usual: dict[str, Any] = {"seconds": 2.0, "chance": lambda: 0.5}
        clock = {"clock": lambda: self.now / 1000}
        return Postman(self.keepers, HOME, **(usual | clock | more))

    def call(self, game: str, version: int, again: int, people: bool) -> None:
        self.calls.append((game, version, again))

    def tell(self, game: str, version: int, again: int) -> None:
        self.tells.append((game, version, again))

    # Hooks

    def hook(self, player: str = "anna", kinds: tuple[str, ...] = KINDS, url: str = "") -> Hook:
        made = self.webhooks.make(player, url or self.url, kinds, "", "").hook
        self.now += 1
        return made

    def look(self, hook: Hook) -> Hook:
        found = self.keepers.hooks.find(hook.id)
        assert found
        return found

    def said(self, hook: Hook) -> list[Said]:
        """All messages for a hook, in the order in which they were posted."""
        kept = self.keepers.messages._shared.messages  # type: ignore[attr-defined]
        own = [one for (name, _), one in kept.items() if name == hook.id]
        return [Said(one, json.loads(one.body)) for one in own]

    def post(self, hook: Hook, version: int = 1) -> Message:
        body = json.dumps({"version": version}).encode()
        name = ids.derived(hook.id, str(version))
        message = Message(name, hook.id, "your_turn", "g", version, self.now, body)
        assert self.keepers.messages.post(message)
        return message

    def log(self, hook: Hook) -> list[Attempt]:
        """Attempts, the oldest first."""
        return [one for _, one in reversed(self.keepers.messages.log(hook.id, "", 500))]

    # Games

    def open(self, *players: str, variant: str = "canasta", computers: int = 0) -> str:
        """A game at which all of them sit."""
        people = [Chair("human", None, one if not place else None)
                  for place, one in enumerate(players)]  # fmt: skip
        chairs = (*people, *[Chair("ai", LEVELS[0])] * computers)
        order = OpenGame(variant, 1, chairs, {}, "public", "", "")
        game = self.tables.open(players[0], order).table.id
        for player in players[1:]:
            self.now += 1
            self.tables.join(game, player)
        return game

    def open_table(self, player: str, seats: int) -> str:
        """A game at which one sits and others are awaited."""
        chairs = (Chair("human", None, player), *[Chair("human")] * (seats - 1))
        order = OpenGame("canasta", 1, chairs, {}, "public", "", "")
        return self.tables.open(player, order).table.id

    def turn(self, game: str, luck: Random) -> Table:
        """Plays one command of whoever is to act."""
        self.now += 1
        table = self.tables.load(game)
        seat = table.game.to_act()
        assert seat not in (None, HOUSE)
        assert seat is not None
        command = luck.choice(table.game.legal(seat))
        player = table.game.chairs[seat].player
        if player is None:
            return self.tables.play(table, command)
        self.tables.act(game, player, lambda _: command)
        return self.tables.load(game)

    def resign(self, game: str, player: str) -> None:
        self.now += 1
        self.tables.act(game, player, Resign)

    def run(self) -> None:
        """Does the calls to tell, as a worker would."""
        while self.tells:
            self.teller.tell(self.tells.pop(0)[0])
