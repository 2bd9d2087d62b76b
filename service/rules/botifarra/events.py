"""What happened in a game of botifarra.

Decisions are recorded, not only moves: an old game replays the same after a rule is mended.
"""

from dataclasses import dataclass

from service.rules.botifarra.commands import Trump
from service.rules.cards import Card
from service.rules.deals import DealScored, DealStarted
from service.rules.protocol import GameEnded, Seat


@dataclass(frozen=True, slots=True)
class Stake:
    """How far the ladder was climbed, 0 to 3, and by what the deal's points are multiplied (4)."""

    level: int
    factor: int


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
