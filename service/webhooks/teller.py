"""Turns what happened in games into messages: from the log alone, each once, none left out.

    told up to 17 ──► commits 18 … 20 ──► news ──► messages ──► told up to 20

What is cut short is done again, and comes to the same messages, since their ids follow from what
they tell. Two at once do no harm for the same reason.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from service import ids
from service.rules.seating import Game
from service.shelf import NoSuchGame, NoSuchVersion, Table
from service.store import StoreUnavailable
from service.store.webhooks import KEEP, Hook, Keepers, Message
from service.table import Tables
from service.webhooks import payload
from service.webhooks.news import News, news

log = logging.getLogger(__name__)

WATCHED: Final = 500
"""Games that are over and looked at in one sweep."""

_REMEMBERED: Final = 200

Deliver = Callable[[str], None]
"""Asks to send what is due for a hook."""


class Teller:
    """Tells of the games of one store; `root` is the address of the API in links."""

    def __init__(self, tables: Tables, keepers: Keepers, deliver: Deliver, root: str = "") -> None:
        self._tables = tables
        self._hooks = keepers.hooks
        self._messages = keepers.messages
        self._told = keepers.told
        self._deliver = deliver
        self._root = root
        self._failed: set[str] = set()
        self._games: OrderedDict[str, tuple[int, str, Game]] = OrderedDict()

    def tell(self, game: str) -> int:
        """Tells what is new in a game; how many messages came of it.

        Raises:
            NoSuchGame
            StoreUnavailable, Unreadable: it is to be told later.
        """
        table = self._tables.load(game)
        told = self._told.told(game)
        if table.imported or told >= table.version:
            self._end(table)
            return 0
        found = self._news(table, told)
        called: list[str] = []
        if found:
            wanting = {
                player: self._hooks.of(player)
                for player in self._hooks.subscribed(sorted({one.player for one in found}))
            }
            for one in found:
                for hook in wanting.get(one.player, ()):
                    if _wants(hook, one, table) and self._messages.post(
                        self._made(hook, one, table)
                    ):
                        called.append(hook.id)
        self._told.tell(game, table.version)
        self._end(table)
        for name in dict.fromkeys(called):
            self.call(name)
        return len(called)

    def call(self, hook: str) -> None:
        """Calls somebody to send for a hook. Never fails: the sweep finds what is due."""
        try:
            self._deliver(hook)
        except Exception as error:
            log.warning("nobody could be called to send for a webhook (%s)", type(error).__name__)

    def tend(self) -> None:
        """Calls for all hooks that are due, and tells of games that are over.

        Raises:
            StoreUnavailable
        """
        for hook in self._messages.due(WATCHED):
            self.call(hook)
        for game in self._told.watched(WATCHED):
            try:
                self.tell(game)
                self._failed.discard(game)
            except NoSuchGame:
                self._told.unwatch(game)
            except StoreUnavailable:
                raise
            except Exception as error:  # its own, and told once; the others go on
                if game not in self._failed:
                    log.error("game %s cannot be told of (%s)", game, type(error).__name__)
                self._failed.add(game)

    def _news(self, table: Table, told: int) -> list[News]:
        """What of the commits after version `told` is to be told."""
        commits = self._tables.commits(table.id, told + 1, table.version)
        before = self._before(table, told, commits[0].prev if commits else "")
        if before is None and told:
            commits = self._tables.commits(table.id, 1, table.version)
        # Of what was played elsewhere and planted at once nothing is told but how it stands.
        planted = (one.version for one in commits if one.at == table.created)
        first = max(planted, default=0) if table.game.origin else 0
        found: list[News] = []
        for told_now in news(before, commits):
            found += [one for one in told_now if one.version > told and one.version >= first]
        if not table.fault:
            # Tables are shared and never evolved in place.
            self._games[table.id] = table.version, table.head, table.game
            self._games.move_to_end(table.id)
            while len(self._games) > _REMEMBERED:
                self._games.popitem(last=False)
        return found

    def _before(self, table: Table, told: int, head: str) -> Game | None:
        """The game at version `told`; None where all must be read."""
        known = self._games.get(table.id)
        if known and known[:2] == (told, head):
            return known[2]
        if not told:
            return None
        try:
            return self._tables.at(table, told).game
        except NoSuchVersion:
            return None

    def _made(self, hook: Hook, one: News, table: Table) -> Message:
        body = payload.body(one, table.id, table.game.variant.name, self._root)
        event = f"{table.id} {one.kind} {one.version} {one.seat}"
        message = ids.derived(hook.id, event)
        return Message(message, hook.id, one.kind, table.id, one.version, one.at, body)

    def _end(self, table: Table) -> None:
        if table.over:
            self._told.unwatch(table.id)


def _wants(hook: Hook, one: News, table: Table) -> bool:
    # Older messages may be forgotten, and would be made a second time.
    fresh = one.at > table.now - KEEP * 1000
    return not hook.off and one.kind in hook.kinds and one.at >= hook.since and fresh
