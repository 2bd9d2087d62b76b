"""What happened in a game of botifarra.

Decisions are recorded, not only moves: an old game replays the same after a rule is mended.
"""

from dataclasses import dataclass
from typing import Literal

from service.rules.botifarra.commands import Trump
from service.rules.cards import Card
from service.rules.protocol import GameEnded, Seat


@dataclass(frozen=True, slots=True)
class Stake:
    """How far the ladder was climbed, 0 to 3, and by what the deal's points are multiplied (4)."""

    level: int
    factor: int


@dataclass(frozen=True, slots=True)
class DealStarted:
    """All cards were dealt (2): all that a deal needs to be read from here.

    Of `hands` each seat sees its own; the others hold `??`. `scores` are those before the
    deal, one a side.
    """

    deal: int
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrumpDelegated:
    """The dealer left the choice of trumps to the partner."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrumpChosen:
    """`seat` made trumps; `stake` is what the deal is played for before anyone doubles."""

    seat: Seat
    trump: Trump
    stake: Stake


@dataclass(frozen=True, slots=True)
class Doubled:
    """`seat` raised the stake to `stake`."""

    seat: Seat
    stake: Stake


@dataclass(frozen=True, slots=True)
class NotDoubled:
    """`seat` left the stake as it is."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayStarted:
    """The stake stands; `seat` leads to the first trick."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card went from the hand to the trick."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickWon:
    """`seat` took the trick, worth `points` with the one for the trick itself."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score sheet; `detail` is a few words of why.

    In their order: points of the `cards` taken, one point for each of the `tricks`, less the
    `half` of all 72 (or what one has of it), and what the `stake` adds to the rest.
    """

    name: Literal["cards", "tricks", "half", "stake"]
    points: int
    detail: str


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's deal: `lines` that add up to `total`."""

    lines: tuple[Line, ...]
    total: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal is over (6): one sheet a side, and the new scores."""

    deal: int
    why: Literal["played_out"]
    stake: Stake
    sides: tuple[SideScore, ...]
    scores: tuple[int, ...]


Event = (
    DealStarted
    | TrumpDelegated
    | TrumpChosen
    | Doubled
    | NotDoubled
    | PlayStarted
    | CardPlayed
    | TrickWon
    | DealScored
    | GameEnded
)
