"""The lists a game belongs in, and whose it is: all follows from its log.

    open ──► waiting ──► playing ──► finished or abandoned, once its secret is open
                 └──────────┴──► faulted, where its log cannot be folded

So a list that is wrong is only late: whoever files the game again mends it.
"""

from collections.abc import Callable

from service.fault import Fault
from service.rules.seating import Game
from service.standing import Table
from service.store import UNFINISHED, EventStore, Listing

Ends = Callable[[str, Game], None]
"""Hears of a game that is about to be filed as over, before it is."""


def _unheard(_game: str, _state: Game) -> None:
    pass


class TooManyGames(Exception):
    """The player has as many unfinished games as one may have."""


class Filing:
    """The lists of one store.

    `most` is how many unfinished games a player may have; `ends` is called before a game is
    filed as over.
    """

    def __init__(self, store: EventStore, most: int | None = None, ends: Ends = _unheard) -> None:
        self._store = store
        self._most = most
        self._ends = ends

    def check_room(self, player: str, game: str) -> None:
        """Returns if the player may have one more unfinished game, or has that one already.

        Some at once may have a few too many; it is a limit, and no rule.

        Raises:
            TooManyGames
        """
        if self._most is None:
            return
        games = self._store.busy(player)
        if len(games) >= self._most and game not in games:
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
        status, players = _filed(before.game)
        if (status, players) == _filed(after.game):
            return
        if after.imported:
            self.file(after)
        else:
            # Who gives up a game under way keeps it among their own; who gets up before does not.
            left = set() if after.game.state else set(players) - set(_filed(after.game)[1])
            self.mark(after.id, after.created, after.game, tuple(left), after.fault, after.opener)
        if before.deadline != after.deadline:
            self.hint(after)

    def mark(
        self,
        game: str,
        created: int,
        state: Game,
        left: tuple[str, ...] = (),
        fault: Fault | None = None,
        opener: str = "",
    ) -> None:
        """Files a game by its state alone, so also one that is not written yet.

        It is taken from the lists of those who `left`.
        """
        status, players = _filed(state)
        if fault and not fault.owes(state):
            status = "faulted"
        if status not in UNFINISHED:
            self._ends(game, state)
        public = state.visibility == "public"
        self._store.mark(Listing(game, created), status, public, players, left, opener)


def _filed(game: Game) -> tuple[str, tuple[str, ...]]:
    """The list a game belongs in, unfinished until its secret is open, and whose it is."""
    status = "playing" if game.result and not game.secret else game.status
    return status, tuple(chair.player for chair in game.chairs if chair.player)
