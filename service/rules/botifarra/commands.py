"""What a player of botifarra may ask for (rules 8).

Every command names the seat that gives it; on the wire the seat is the caller's own and is
left out.
"""

from dataclasses import dataclass
from typing import Final, Literal

from service.rules.cards import Card
from service.rules.protocol import DealCards, Seat

Trump = Literal["O", "C", "E", "B", "botifarra"]
"""A suit, or botifarra: no trumps and a doubled deal."""

TRUMPS: Final[tuple[Trump, ...]] = ("O", "C", "E", "B", "botifarra")


@dataclass(frozen=True, slots=True)
class ChooseTrump:
    """Name the trumps of the deal (3)."""

    seat: Seat
    trump: Trump


@dataclass(frozen=True, slots=True)
class Delegate:
    """Leave the choice of trumps to the partner (3)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Double:
    """Raise the stake: contro, recontro or Sant Vicenç (4)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class NoDouble:
    """Leave the stake as it is (4)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick (5)."""

    seat: Seat
    card: Card


Command = ChooseTrump | Delegate | Double | NoDouble | Play | DealCards
