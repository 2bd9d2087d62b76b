"""Who may see a game, and through which seat's eyes."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from service import replay
from service.api import requests
from service.api.edge import edge
from service.api.problems import Problem
from service.languages.catalogue import Sentence
from service.rules import seating
from service.rules.protocol import Seat
from service.rules.seating import Game
from service.rules.seating.commands import StartGame
from service.shelf import NoSuchGame, Table


@dataclass(frozen=True, slots=True)
class Eyes:
    """One caller's eyes on one game.

    Attributes:
        seat: the seat whose cards the caller sees or has seen, None for a spectator.
        until: the last version at which the caller held it, None while holding it still.
        whole: whether every card lies open.
    """

    seat: Seat | None
    until: int | None = None
    whole: bool = False

    def at(self, version: int) -> Seat | None:
        """The seat as which the caller sees what happened at `version`."""
        return self.seat if self.until is None or version <= self.until else None

    def view(self, game: Game, version: int) -> Game:
        """The game at `version` with what is not to be seen face down."""
        return game if self.whole else game.view(self.at(version))

    def seen(self, game: Game, event: Any, version: int) -> Any:
        """The event of `version` with what is not to be seen face down."""
        return event if self.whole else seating.seen(game, event, self.at(version))


Named = Seat | Literal["all"]
"""The eyes a caller may ask for: a seat's, or everybody's at once."""


def named(text: str) -> Named:
    """Reads the query parameter `as`."""
    if text == "all":
        return "all"
    if not re.fullmatch("[0-9]{1,2}", text):
        raise ValueError(Sentence("Must be a seat's number, or all."))
    return int(text)


def look(
    game: str, player: str, invite: str = "", table: Table | None = None
) -> tuple[Table, Eyes]:
    """The game as far as the caller may see it now, and through which eyes.

    Who has no seat sees a game under way as late as its terms say: the table is then that of an
    earlier version. Whoever has just read the game gives it as `table`.

    Raises:
        NoSuchGame: also when the caller may not know of it.
        Problem: 403, the game is not for spectators while it is played.
    """
    table, eyes = find(game, player, invite, table)
    last = last_seen(table, eyes)
    if last is None:
        raise Problem("no_spectators")
    return (table if last == table.version else edge().tables.at(table, last)), eyes


def find(
    game: str, player: str, invite: str = "", table: Table | None = None
) -> tuple[Table, Eyes]:
    """The game now, for what shows nothing of how it stands, and how the caller would see it.

    Public games are open to everyone with a token; private ones to who opened it, has or had
    a seat there, or knows the invite code; imported ones to who knows their id.

    Raises:
        NoSuchGame: also when the caller may not know of it.
    """
    table = table or requests.table(game)
    eyes = eyes_of(table, player)
    belongs = eyes.seat is not None or table.opener == player
    stranger = table.game.visibility == "private" and not (belongs or table.imported)
    if stranger and not table.admits(invite):
        raise NoSuchGame(game)
    return table, eyes


def eyes_of(table: Table, player: str) -> Eyes:
    """How a player sees a game, private or not.

    Hidden cards exist only while seats are fixed: after the start a seat is lost by giving it
    up and never won. So the seat held now was held all along, and the log is searched only for
    somebody who has none at a table where somebody gave up. A seat that was left before the start
    was never played from, and leaves nothing behind.
    """
    seat = table.seat_of(player)
    if seat is not None or table.imported or not table.game.resigned:
        return Eyes(seat)
    eyes = Eyes(None)
    commits = edge().tables.commits(table.id, 1, table.whole)
    for commit, game in replay.steps(commits):
        held = game.seat_of(player) if game.state else None
        if held is not None:
            eyes = Eyes(held, commit.version)
    return eyes


def last_seen(table: Table, eyes: Eyes) -> int | None:
    """The last version that may be shown to the caller; None for none at all.

    What everybody saw while people were awaited stays seen, and so does what one saw from a seat.
    """
    behind = table.game.terms.spectators
    held = eyes.seat is not None and eyes.until is None
    if behind == 0 or held or not table.game.state or table.game.secret:
        return table.version
    if behind is None:
        return eyes.until
    # Each commit has an event, so this many commits are enough.
    late, shown = 0, table.version
    first = max(1, table.version - behind)
    for commit in reversed(edge().tables.commits(table.id, first, table.version)):
        if late >= behind or commit.version <= (eyes.until or 0):
            break
        if isinstance(commit.command, StartGame):
            return commit.version - 1
        late += len(commit.events)
        shown = commit.version - 1
    return shown


def late(table: Table, player: str) -> Table:
    """The table as lists may show it to the player: as by `look`, or as it was before it began."""
    last = last_seen(table, eyes_of(table, player))
    if last is None:
        commits = edge().tables.commits(table.id, 1, table.whole)
        last = next(one.version for one in commits if isinstance(one.command, StartGame)) - 1
    return table if last == table.version else edge().tables.at(table, last)


def through(table: Table, eyes: Eyes, wanted: Named | None) -> Eyes:
    """The eyes the caller wants to look through: any at a finished game, else the own ones only.

    Through a seat's eyes one sees what that seat could see at the time, and nothing that lies
    open only since.

    Raises:
        Problem: 422, the table has no such seat; 409, the secret is not open yet.
    """
    if wanted is None:
        return eyes
    if wanted != "all" and wanted >= len(table.game.chairs):
        detail = Sentence("There is no such seat at this table.")
        errors = [{"path": "?as", "detail": detail}]
        raise Problem("invalid", errors=errors)
    if table.game.secret:
        return Eyes(None, whole=True) if wanted == "all" else Eyes(wanted)
    if wanted != eyes.seat:
        raise Problem("not_over")
    return eyes
