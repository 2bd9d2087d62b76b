"""The lists a game belongs in, and whose it is: all follows from its log.

    open ──► waiting ──► playing ──► finished or abandoned, once its secret is open
                 └──────────┴──► faulted, where its log cannot be folded

So a list that is wrong is only late: whoever files the game again mends it. What keeps a player
busy is looked through before it keeps them from another game: who was killed half way may have
listed a game that was never written, or left one there whose player is gone.
"""

import time
from collections.abc import Callable, Iterable
from typing import Final

from service.fault import Fault
from service.rules.seating import Game
from service.standing import NoSuchGame, Table
from service.store import UNFINISHED, EventStore, Listing, Unreadable

LOOKED: Final = 30.0
"""Seconds for which a process does not look again through the games of somebody at the limit."""

_MOST: Final = 10_000

Ends = Callable[[str, Game], None]
"""Hears of a game that is about to be filed as over, before it is."""

Filed = tuple[str, tuple[str, ...]]
"""A status, and whose the game is: the lists that it belongs in."""

NOWHERE: Final[Filed] = "", ()
"""Where a new game is filed."""

Load = Callable[[str], Table]
"""The game now. Raises NoSuchGame and Unreadable."""


def _unheard(_game: str, _state: Game) -> None:
    pass


class TooManyGames(Exception):
    """The player has as many unfinished games as one may have."""


class Filing:
    """The lists of one store.

    `load` reads a game; `most` is how many unfinished ones a player may have; `ends` is called
    before a game is filed as over.
    """

    def __init__(
        self, store: EventStore, load: Load, most: int | None = None, ends: Ends = _unheard
    ) -> None:
        self._store = store
        self._load = load
        self._most = most
        self._ends = ends
        self._looked: dict[str, float] = {}

    def check_room(self, player: str, game: str) -> None:
        """Returns if the player may have one more unfinished game, or has that one already.

        Some at once may have a few too many; it is a limit, and no rule.

        Raises:
            TooManyGames
        """
        if self._most is None:
            return
        games = self._store.busy(player)
        if len(games) < self._most or game in games:
            return
        now = time.monotonic()
        if self._looked.get(player, now) > now:
            raise TooManyGames
        stale = [one for one in games if not self._keeps_busy(one, player)]
        self._store.free(player, stale)
        if len(games) - len(stale) >= self._most:
            if len(self._looked) >= _MOST:
                self._looked.clear()
            self._looked[player] = now + LOOKED
            raise TooManyGames

    def file(self, table: Table) -> None:
        """Puts a game into the lists in which its log says that it belongs."""
        if table.imported:
            self.file_imported(table, table.opener)
        else:
            self.mark(table.id, table.created, table.game, fault=table.fault, opener=table.opener)
            if table.game.times:
                self.hint(table)

    def hint(self, table: Table) -> None:
        """Notes when the time is up of who is to act, for the sweep to look then."""
        self._store.expect(table.id, table.deadline)

    def file_imported(self, table: Table, player: str) -> None:
        """Puts a game that came as a record among `player`'s own, and into no public list."""
        listing = Listing(table.id, table.created)
        self._store.mark(listing, table.status, False, (player,))

    def update(self, before: Table, after: Table) -> None:
        """Files a game again if what was written in between moved it to other lists."""
        was = _filed(before.game)
        status, players = _filed(after.game)
        if was == (status, players):
            return
        if after.imported:
            self.file(after)
        else:
            # Who gives up a game under way keeps it among their own; who gets up before does not.
            gone = set(was[1]) - set(players)
            left = set() if after.game.state else gone
            known = None if before.fault or after.fault or status not in UNFINISHED else was
            self.mark(after.id, after.created, after.game, left, after.fault, after.opener, known)
            for player in gone - {*left, after.opener}:
                self._store.free(player, [after.id])
        if before.deadline != after.deadline:
            self.hint(after)

    def mark(
        self,
        game: str,
        created: int,
        state: Game,
        left: Iterable[str] = (),
        fault: Fault | None = None,
        opener: str = "",
        known: Filed | None = None,
    ) -> None:
        """Files a game by its state alone, so also one that is not written yet.

        It is taken from the lists of those who `left`. `known` is what it is filed under already;
        None is for what is not known, and goes through all lists.
        """
        status, players = _filed(state)
        if fault and not fault.owes(state):
            status = "faulted"
        if status not in UNFINISHED:
            self._ends(game, state)
        public = state.visibility == "public"
        was, there = known or (None, ())
        players = tuple(player for player in players if player not in there)
        listing = Listing(game, created)
        self._store.mark(listing, status, public, players, tuple(left), opener, was)

    def _keeps_busy(self, game: str, player: str) -> bool:
        """Whether the player made that game or has a seat in it, and it is not over."""
        try:
            table = self._load(game)
        except (NoSuchGame, Unreadable):  # never begun, or beyond what anybody could finish
            return False
        status, players = _filed(table.game)
        return not table.fault and status in UNFINISHED and player in (*players, table.opener)


def _filed(game: Game) -> Filed:
    """The list a game belongs in, unfinished until its secret is open, and whose it is."""
    status = "playing" if game.result and not game.secret else game.status
    return status, tuple(chair.player for chair in game.chairs if chair.player)
