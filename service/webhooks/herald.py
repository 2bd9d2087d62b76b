"""Says that a game moved on, to who turns that into messages. Costs hardly anything, never fails.

A process remembers for a while who has hooks, so most games cost nothing but a look at that. Where
it remembers wrongly, or the queue is away, nothing is lost: the sweep finds it in the log.
"""

import logging
import time
from collections.abc import Callable, Collection
from typing import Final

from service.calls import calls_due
from service.rules.seating import Game
from service.standing import Table
from service.store.lately import Lately
from service.store.webhooks import Hooks, Told
from service.webhooks.news import concerned, waits_for

log = logging.getLogger(__name__)

REMEMBERED: Final = 30.0
"""Seconds for which a process believes that a player has hooks, or none."""

AWAY: Final = 10.0
"""Seconds for which nobody is called after a call failed, lest each command waits for it."""

_MOST: Final = 20_000

Tell = Callable[[str, int, int], None]
"""Asks to tell what is new in a game: its id, its version, and how often it was asked before."""


class Herald:
    """What one process knows of who wants to be told."""

    def __init__(self, hooks: Hooks, told: Told, tell: Tell) -> None:
        self._hooks = hooks
        self._told = told
        self._tell = tell
        self._known: Lately[bool] = Lately(_MOST, REMEMBERED)
        self._quiet_until = 0.0
        self._current: dict[str, int] = {}

    def moved(self, before: Table, after: Table) -> None:
        """Calls if what was written in between may be told to somebody. Never fails."""
        try:
            if time.monotonic() < self._quiet_until or after.imported:
                return
            if _telling(before.game) != _telling(after.game) and self._wanted(after.game):
                self._tell(after.id, after.version, 0)
        except Exception as error:
            # The command is kept already, and the sweep looks whether all was told.
            self._quiet_until = time.monotonic() + AWAY
            log.warning("nobody could be called to tell of games (%s)", type(error).__name__)

    def ends(self, game: str, state: Game) -> None:
        """Notes that the end of a game is to be told, before the game leaves the lists.

        Here nothing that is remembered is believed: from now on nobody would look at the game.

        Raises:
            StoreUnavailable: the game must stay where it is.
        """
        people = concerned(state)
        if people and self._hooks.subscribed(sorted(people)):
            self._told.watch(game)

    def tend(self, table: Table, patience: float) -> None:
        """Calls again if something was not told `patience` seconds after it happened.

        Raises:
            StoreUnavailable
        """
        waited = max(1, table.now - table.changed) / 1000
        if table.imported or self._current.get(table.id) == table.version or waited < patience:
            return
        wanted = self._wanted(table.game)
        if wanted and self._told.told(table.id) < table.version:
            try:
                self._tell(table.id, table.version, calls_due(waited, patience))
            except Exception as error:  # the queue is away; this comes by again
                log.warning("nobody could be called to tell of a game (%s)", type(error).__name__)
        elif wanted or waited > 2 * REMEMBERED:  # what is remembered is of a later time by now
            self._current[table.id] = table.version

    def forget(self, games: Collection[str]) -> None:
        """Drops what is remembered of all games but these."""
        self._current = {one: self._current[one] for one in games if one in self._current}

    def learn(self, player: str) -> None:
        """Drops what is remembered of a player, who made a hook."""
        self._known.forget(player)

    def _wanted(self, game: Game) -> bool:
        people = concerned(game)
        known = self._known.known(people)
        if unknown := [one for one in people if one not in known]:
            found = self._hooks.subscribed(unknown)
            asked = {one: one in found for one in unknown}
            self._known.keep(asked)
            known |= asked
        return any(known.values())


def _telling(game: Game) -> object:
    """What changes whenever something is to be told."""
    return game.status, waits_for(game), game.offers
