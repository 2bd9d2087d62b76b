"""What comes of a command: the answer to it, or the refusal by a use case.

What a rule refuses is an `IllegalMove`; what the store refuses stands in `service.store`.
"""

from dataclasses import dataclass

from service.replay import Commit
from service.rules.protocol import Seat
from service.standing import Table


class NoSeat(Exception):
    """The caller has no seat at this table."""


class GameOver(Exception):
    """The game takes no more commands."""


class GameFaulted(Exception):
    """The game's log cannot be folded, so that nothing but closing it is possible."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.id)
        self.table = table


class NotFaulted(Exception):
    """The game's log is whole, so that there is no reason to close it."""


class KeyReused(Exception):
    """The Idempotency-Key was used before with another body."""


class NotInvited(Exception):
    """A private table wants its invite code."""


class Moved(Exception):
    """The game is no longer at the version that the caller named."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command caused: its commit, and those of the house that follow directly.

    `head` is the hash of the last of those commits, as it stands in the log. `table` is the game
    now, which may be further on when an answer is given again, as `replayed` says.
    """

    seat: Seat | None
    commits: tuple[Commit, ...]
    head: str
    table: Table
    replayed: bool = False

    @property
    def version(self) -> int:
        """The version of the last of the commits."""
        return self.commits[-1].version
