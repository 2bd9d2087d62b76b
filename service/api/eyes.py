"""Who may see a game, and through which seat's eyes."""

import secrets
from dataclasses import dataclass

from service import replay
from service.api.edge import edge
from service.rules.protocol import Seat
from service.shelf import NoSuchGame, Table


@dataclass(frozen=True, slots=True)
class Eyes:
    """One caller's eyes on one game.

    Attributes:
        seat: the seat whose cards the caller sees or has seen, None for a spectator.
        until: the last version at which the caller held it, None while holding it still.
    """

    seat: Seat | None
    until: int | None = None

    def at(self, version: int) -> Seat | None:
        """The seat as which the caller sees what happened at `version`."""
        return self.seat if self.until is None or version <= self.until else None


def look(game: str, player: str, invite: str = "") -> tuple[Table, Eyes]:
    """The game, and how the caller sees it.

    Public games are open to everyone with a token; private ones to who opened it, has or had
    a seat there, or knows the invite code.

    Raises:
        NoSuchGame: also when the caller may not know of it.
    """
    table = edge().tables.load(game)
    eyes = eyes_of(table, player)
    belongs = eyes.seat is not None or table.opener == player
    stranger = table.game.visibility == "private" and not belongs
    # Compared in constant time, so that nobody finds the code letter by letter.
    if stranger and not secrets.compare_digest(invite.encode(), table.invite.encode()):
        raise NoSuchGame(game)
    return table, eyes


def eyes_of(table: Table, player: str) -> Eyes:
    """How a player sees a game, private or not.

    Hidden cards exist only while seats are fixed: after the start a seat is lost by giving it
    up and never won. So the seat held now was held all along, and the log is searched only for
    somebody who has none at a table where somebody gave up.
    """
    seat = table.game.seat_of(player)
    if seat is not None or not table.game.resigned:
        return Eyes(seat)
    eyes = Eyes(None)
    commits = edge().tables.commits(table.id, 1, table.version)
    for commit, game in replay.steps(commits):
        held = game.seat_of(player)
        if held is not None:
            eyes = Eyes(held, commit.version)
    return eyes
