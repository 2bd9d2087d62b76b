"""Why a command may be a good one, in the words of the game: what it opens, saves, blocks or risks.

    reason(situation, command) ──► REASONS[family] ──► one Sentence

A reason is read from the view and the command alone and not from a search, so that it says what the
player can check on the table. It names no card: that is in the command.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.languages.catalogue import Sentence
from service.rules import GAMES
from workers.reasons import botifarra, canasta
from workers.strategies import Situation

Reason = Callable[[Situation, Any], Sentence | None]
"""The reason for a command that its seat may give; None where nothing is to be said of it."""

REASONS: Final[Mapping[str, Reason]] = {"canasta": canasta.reason, "botifarra": botifarra.reason}
"""By family of games (a name in `GAMES`); one left out has only plain reasons."""


def reason(situation: Situation, command: Any) -> Sentence:
    """Why the seat might give that command."""
    family = next(name for name, game in GAMES.items() if game is situation.rules)
    found = REASONS[family](situation, command) if family in REASONS else None
    return found or plain(situation)


def plain(situation: Situation) -> Sentence:
    """What can be said of a command of any game."""
    number = len(situation.rules.legal(situation.view, situation.seat))
    if number == 1:
        return Sentence("It is all that the rules allow.")
    return Sentence("One of the {number} commands that the rules allow.", number=number)
