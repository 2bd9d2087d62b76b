"""Every shape that a command or an event ever had, as long as a log may hold it: for ever.

    open_game      OpenGame1 ──newer──► OpenGame      today's, `open_game@2` in a log

A class of today with n shapes here is version n + 1 of its wire name. Version 1 has the bare name
in a log, each later one `name@version`. A shape here never changes; what is nested in one and
changes later comes here too, under a name of its own. How to add one: CONTRIBUTING.md. Decisions
have theirs in `decided`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from service.rules.protocol import HOUSE, Seat
from service.rules.seating.commands import Chair, OpenGame, Setup, Terms
from service.rules.seating.events import GameOpened


class Shape(Protocol):
    """A dataclass as it was; its fields in the order in which they stand in a line."""

    def newer(self) -> Any:
        """The same in the next shape, which says no more and no less."""


@dataclass(frozen=True, slots=True)
class OpenGame1:
    """Before a practice game could go on from another game, and before tables had terms."""

    variant: str
    rules_version: int
    chairs: tuple[Chair, ...]
    options: dict[str, int]
    visibility: Literal["public", "private"]
    algorithm: str
    commitment: str
    setup: Setup | None = None
    seat: Seat = HOUSE

    def newer(self) -> OpenGame:
        """It went on from none, without haste and before everybody's eyes."""
        return OpenGame(
            self.variant,
            self.rules_version,
            self.chairs,
            self.options,
            self.visibility,
            self.algorithm,
            self.commitment,
            self.setup,
            origin=None,
            terms=Terms(),
            seat=self.seat,
        )


@dataclass(frozen=True, slots=True)
class GameOpened1:
    """Before a practice game could go on from another game, and before tables had terms."""

    variant: str
    rules_version: int
    chairs: tuple[Chair, ...]
    options: dict[str, int]
    visibility: Literal["public", "private"]
    algorithm: str
    commitment: str
    setup: Setup | None

    def newer(self) -> GameOpened:
        """It went on from none, without haste and before everybody's eyes."""
        return GameOpened(
            self.variant,
            self.rules_version,
            self.chairs,
            self.options,
            self.visibility,
            self.algorithm,
            self.commitment,
            self.setup,
            origin=None,
            terms=Terms(),
        )


PAST: Final[Mapping[type, tuple[type[Shape], ...]]] = {
    OpenGame: (OpenGame1,),
    GameOpened: (GameOpened1,),
}
"""Today's class -> the shapes before it, oldest first."""


def today(thing: Any) -> Any:
    """A command or event in today's shape, step by step; what has it already is given back."""
    while type(thing) in _OLD:
        thing = thing.newer()
    return thing


_OLD: Final = frozenset(shape for shapes in PAST.values() for shape in shapes)
