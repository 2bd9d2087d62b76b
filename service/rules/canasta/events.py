"""What happened in a game of the canasta family.

Decisions are recorded, not only moves: an old game replays the same after a rule is mended.
Fields marked *hidden* hold `??` in the eyes of seats that may not see them.
"""

from dataclasses import dataclass
from typing import Literal

from service.rules.canasta.commands import Plan
from service.rules.cards import Card
from service.rules.deals import DealScored, DealStarted
from service.rules.protocol import GameEnded, Seat

MeldKind = Literal["set", "seq", "wild", "b3"]
CanastaKind = Literal["mixed", "natural", "seq", "wild"]


@dataclass(frozen=True, slots=True)
class RedThreesReplaced:
    """Dealt red threes went to the side's row and `cards` (hidden) came from the stock.

    `red_threes` are first those that lay in the hand, one for each of the `cards`, then
    those that the stock gave in their place.
    """

    seat: Seat
    red_threes: tuple[Card, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """`cards` (hidden) came to the hand from the stock; red threes met were laid down."""

    seat: Seat
    cards: tuple[Card, ...]
    red_threes: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PileTaken:
    """The whole pile was picked up: `cards` (hidden), `top` among them, came to the hand.

    The meld that justified it follows as its own event and takes `top` from the hand again.
    """

    seat: Seat
    top: Card
    cards: tuple[Card, ...]
    red_threes: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TopTaken:
    """The pile's top card went straight onto the sequence `meld`."""

    seat: Seat
    card: Card
    meld: str


@dataclass(frozen=True, slots=True)
class MeldLaid:
    """Hand cards became the new meld `meld`."""

    seat: Seat
    meld: str
    kind: MeldKind
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class MeldExtended:
    """Hand cards joined `meld`."""

    seat: Seat
    meld: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CanastaClosed:
    """A meld reached seven cards, or a natural canasta turned mixed."""

    seat: Seat
    meld: str
    canasta: CanastaKind


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A card ended the turn on the pile."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """Nothing was taken at an empty stock; in variants that play on, the turn moved on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PartnerAsked:
    """The question was put. Only the one who asked sees the `plan`."""

    seat: Seat
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class PartnerAnswered:
    """The question was answered by `seat`."""

    seat: Seat
    answer: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class WentOut:
    """The last card left a hand with the requirement met."""

    seat: Seat
    concealed: bool


Event = (
    DealStarted
    | RedThreesReplaced
    | CardsDrawn
    | PileTaken
    | TopTaken
    | MeldLaid
    | MeldExtended
    | CanastaClosed
    | CardDiscarded
    | TurnPassed
    | PartnerAsked
    | PartnerAnswered
    | WentOut
    | DealScored
    | GameEnded
)
