"""What a player of highest may ask for."""

from dataclasses import dataclass

from service.rules.cards import Card
from service.rules.protocol import DealCards, Seat


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card on the table (3)."""

    seat: Seat
    card: Card


Command = Lay | DealCards
