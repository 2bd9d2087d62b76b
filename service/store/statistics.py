"""Where statistics and ratings are kept. All of it follows from the logs and can be made anew.

    sums       numbers of a player or a variant, each game counted once
    results    of a variant, by day: who played whom
    entries    a player's rating at the end of each day on which they played, made of the results
    board      the players of a variant by their newest rating
    place      how far in the order of endings all games are counted

Results, entries and board of one variant change together. `mark` tells who computes entries what
they have read: they are written only if no result has come since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from service.glicko import Standing
from service.tally import Played

Board = Literal["people", "bots"]


@dataclass(frozen=True, slots=True)
class Book:
    """Whose sums they are: a player's or a variant's."""

    kind: Literal["player", "variant"]
    name: str


@dataclass(frozen=True, slots=True)
class Unsettled:
    """The first day of which entries may be wrong, and the mark under which they are made."""

    day: int
    mark: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's standing at the end of a day on which they played so many rated games."""

    day: int
    standing: Standing
    games: int


@dataclass(frozen=True, slots=True)
class Rank:
    """A place on a board: ratings in hundredths, best first, equal ones by the player's id."""

    player: str
    points: int


@dataclass(frozen=True, slots=True)
class Change:
    """A player's entry, and where it puts them: on no board, or on one up to the day `until`."""

    player: str
    entry: Entry
    board: Board | None
    until: int = 0


class Ledger(Protocol):
    """Keeps all that. Every method may raise `StoreUnavailable`."""

    def count(self, book: Book, game: str, sums: Mapping[str, int]) -> bool:
        """Adds to a book's sums what the game counts; False, and nothing, if that was done."""

    def sums(self, book: Book) -> dict[str, int]:
        """A book's sums; empty for one in which nothing was counted."""

    def note(self, variant: str, day: int, game: str, played: Played) -> bool:
        """Keeps the result of a game, and that the day is unsettled; False if it was there."""

    def unsettled(self, variant: str) -> Unsettled | None:
        """From which day on a variant's entries are to be made anew; None when all are right."""

    def days(self, variant: str, first: int) -> list[int]:
        """The days from `first` on that have results, in order."""

    def results(self, variant: str, day: int) -> dict[str, Played]:
        """The results of a day, by game."""

    def newest(self, variant: str, players: Sequence[str], before: int) -> dict[str, Entry]:
        """Of each player who has one the newest entry of a day before that."""

    def settle(self, variant: str, mark: int, changes: Sequence[Change], left: int | None) -> bool:
        """Writes entries, puts their players on their boards, and keeps `left` as the first
        unsettled day, None for none. False, and nothing, if a result has come since `mark`.
        """

    def history(self, variant: str, player: str, before: int | None, limit: int) -> list[Entry]:
        """A player's entries, the newest first, of days before `before`."""

    def board(
        self, variant: str, board: Board, today: int, after: Rank | None, limit: int
    ) -> tuple[int, list[Rank]]:
        """A page of a board behind a place (excluded), and how many stand before the page.

        Whose time on the board was over before `today` is taken from it.
        """

    def hide(self, player: str, hidden: bool) -> None:
        """Keeps whether a player wants to be seen in statistics by nobody else."""

    def hidden(self, players: Sequence[str]) -> set[str]:
        """Those of the players who want that."""

    def place(self) -> int:
        """Up to which moment of filing (ms since 1970, at first 0) all that ended is counted."""

    def advance(self, place: int) -> None:
        """Moves that on; it never goes back."""

    def clear(self) -> None:
        """Forgets all sums, results and entries; wishes and the place stay."""

    def today(self) -> int:
        """The day by the store's clock: days since 1970, in UTC."""


def points(entry: Entry) -> int:
    """What a rating is on a board."""
    return round(entry.standing.rating * 100)
