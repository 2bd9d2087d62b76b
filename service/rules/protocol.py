"""What a game is: one module with nine names.

A game's package satisfies `Rules`; there is no base class and no registration. Everything
else in Tapete knows games only through this page, so a game that satisfies it is played,
kept, replayed and audited without another line.

    command ──► decide ──► events ──► evolve ──► state ──► view ──► one seat's eyes
                (rules)               (change)             (hides)
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, Self, TypeVar

Seat = int
"""A place at the table, from 0 in the direction of play; seat + 1 plays after seat."""

HOUSE: Final = -1
"""The seat of chance: it deals, names the first dealer and opens the secret."""

Why = Literal["target", "deal_cap", "resigned", "abandoned"]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: `winner` is a side, or None for a drawn game; one score a side."""

    winner: int | None
    scores: tuple[int, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over. The one event that every game shares.

    `hands`, one a seat, lie open from now on; empty where no card was ever dealt.
    """

    winner: int | None
    scores: tuple[int, ...]
    why: Why
    hands: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class DealCards:
    """The house deals: `pack` is the whole pack in the order in which it is dealt.

    The one command that every game shares; its seat is always HOUSE.
    """

    seat: Seat
    pack: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question that was put to another seat; it binds.

    Shared by the games in which one may ask: an answer that does not come in time is a no.
    """

    seat: Seat
    answer: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class Option:
    """One choice that a game is opened with: its default, every value allowed, and in words for
    people what is chosen."""

    default: int
    allowed: tuple[int, ...]
    title: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that statistics count for a seat.

    Attributes:
        name: what it was, in snake case, as statistics show it.
        amount: what it brought, where that is more than that it happened; its unit belongs to
            the name.
    """

    seat: Seat
    name: str
    amount: int = 0


class State(Protocol):
    """The whole truth of a game's cards and scores, or one seat's view of it."""

    def copy(self) -> Self:
        """A state that shares nothing that changes with this one."""

    def table(self) -> Mapping[str, Any]:
        """What lies on the table as JSON values; call it on a view, never on the truth."""

    def cards(self) -> Iterable[str]:
        """Every card of the deal wherever it lies, in no order; none before the first deal."""

    @property
    def deal(self) -> int:
        """Number of the current deal, 0 before the first."""

    @property
    def this_turn(self) -> tuple[Seat, Hashable]:
        """Whose turn it is, and what tells it from every other turn of that seat, for the clock.

        While another seat is to act within it, that one was asked a question; while the house is
        to act, it is nobody's.
        """

    @property
    def scores(self) -> Sequence[int]:
        """Points before the current deal, one a side."""

    @property
    def hands(self) -> Sequence[tuple[str, ...]]:
        """The cards each seat holds; `GameEnded` opens them."""


class Variant(Protocol):
    """One set of rules of a game, as data."""

    @property
    def name(self) -> str:
        """The variant's name in the catalogue and on the wire."""

    @property
    def rules_version(self) -> int:
        """Which edition of the rules this is; stamped on every game opened under it."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The table sizes allowed."""

    def sides(self, seats: int) -> tuple[int, ...]:
        """The side of each seat at a table of `seats`."""

    def options(self, seats: int) -> Mapping[str, Option]:
        """The options of a game with `seats` players."""

    def pack(self) -> tuple[str, ...]:
        """Every card of the pack, repeats included, in a fixed order."""

    def parameters(self) -> Mapping[str, Any]:
        """Everything that distinguishes this variant, as JSON values for the catalogue."""

    def start(
        self, seats: int, options: Mapping[str, int], dealer: Seat, scores: Sequence[int]
    ) -> State:
        """The state before the first deal; HOUSE is to act."""


S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


class Rules(Protocol[S, C, E]):
    """The nine names of a game, and the two lists the codec reads.

    `COMMANDS` and `EVENTS` are the dataclasses of `commands.py` and `events.py` (with
    `DealCards` and `GameEnded`); their wire name is the class name in snake case.
    """

    COMMANDS: tuple[type, ...]
    EVENTS: tuple[type, ...]

    @property
    def __name__(self) -> str:
        """The package, as every module knows it; `rules.md` in it is the text for players."""

    @property
    def VARIANTS(self) -> Mapping[str, Variant]:
        """Every variant by its name."""

    def decide(self, state: S, command: C) -> tuple[E, ...]:
        """What happens if `command` is given now.

        Raises:
            IllegalMove: a rule says no; nothing changed.
        """

    def evolve(self, state: S, event: E) -> None:
        """Applies a decided event in place. Knows no rule, works on views too."""

    def to_act(self, state: S) -> Seat | None:
        """Who must act: a seat, HOUSE, or None when the game is over."""

    def legal(self, state: S, seat: Seat) -> tuple[C, ...]:
        """Commands `seat` may give now, in a fixed order; empty when it is not to act."""

    def view(self, state: S, seat: Seat | None) -> S:
        """A new state with every card that `seat` (None: a spectator) may not see as `??`."""

    def seen(self, event: E, seat: Seat | None) -> E:
        """The event as `seat` (None: a spectator) may see it."""

    def result(self, state: S) -> Result | None:
        """How the game ended, or None while it goes on."""

    def tally(self, state: S, events: Sequence[E]) -> tuple[Mark, ...]:
        """What statistics count of one commit: `state` is the whole one before its `events`."""
