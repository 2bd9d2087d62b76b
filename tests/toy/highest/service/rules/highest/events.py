"""What happened in a game of highest."""

from dataclasses import dataclass

from service.rules.cards import Card
from service.rules.deals import DealScored, DealStarted
from service.rules.protocol import GameEnded, Seat


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card went from the hand to the table."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class PairTaken:
    """`seat` laid the higher card and took both."""

    seat: Seat


Event = DealStarted | CardLaid | PairTaken | DealScored | GameEnded
