"""Asking for a computer player's move, and how often for the same one.

What is asked is kept nowhere: truth is in the log, where the sweep finds whose turn was lost.
"""

import logging
import math
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from service.rules.seating import Game
from service.standing import Table

log = logging.getLogger(__name__)

Call = Callable[[str, int, int, bool], None]
"""Asks for a computer player's move: game, version, how often it was asked before (below 0: minus
the attempts that failed), and whether people sit at the table."""

Behind = Mapping[bool, float]
"""Seconds for which the first call in a queue has waited: of tables with people, and without."""

UP_TO_DATE: Final[Behind] = {True: 0.0, False: 0.0}
"""Nobody waits in any queue."""


class Herald(Protocol):
    """Hears of what happened, to tell those who asked for it."""

    def moved(self, before: Table, after: Table) -> None:
        """A game has moved on. Never fails, and takes no time to speak of."""

    def ends(self, game: str, state: Game) -> None:
        """A game is about to leave the lists of the unfinished.

        Raises:
            StoreUnavailable: it must stay there.
        """


class Silent:
    """A `Herald` where nobody asked for anything."""

    def moved(self, before: Table, after: Table) -> None:
        """See `Herald.moved`."""

    def ends(self, game: str, state: Game) -> None:
        """See `Herald.ends`."""


def summon(call: Call, table: Table, again: int = 0) -> None:
    """Calls the computer player that is to act, if one is. Never fails."""
    if not table.waits_for_computer():
        return
    try:
        call(table.id, table.version, again, table.has_people)
    except Exception:
        # The command is kept already; the sweep finds the waiting turn.
        log.exception("no computer player could be called to game %s", table.id)


def remind(
    call: Call, table: Table, patience: float, behind: Behind = UP_TO_DATE, called: int = 0
) -> bool:
    """Calls again for a turn that has waited `patience` seconds, and says whether; see `calls_due`.

    `called` is when that was done last, in ms since 1970. Queues are served in their order, so a
    call is not lost while an older one waits: one more would only make a long queue longer.
    """
    patience_now = patience + behind[table.has_people]
    if table.now - max(table.changed, called) < patience_now * 1000:
        return False
    waited = max(1, table.now - table.changed) / 1000  # the clock counts milliseconds
    summon(call, table, again=calls_due(max(waited, patience), patience))
    return True


def calls_due(waited: float, patience: float) -> int:
    """How many calls a turn has earned: one more at each doubling of the wait, up to a minute,
    then one a minute. So a busy queue is not flooded, and no turn waits for long."""
    brisk = min(waited, max(60.0, patience))
    return 1 + int(math.log2(brisk / patience)) + int((waited - brisk) / 60)
