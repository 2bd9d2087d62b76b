"""What a player of the canasta family may ask for (rules 4).

Every command names the seat that gives it; on the wire the seat is the caller's own and is
left out.
"""

from dataclasses import dataclass

from service.rules.cards import Card
from service.rules.protocol import Answer as Answer
from service.rules.protocol import DealCards, Seat


@dataclass(frozen=True, slots=True)
class Group:
    """Hand cards that become a new meld, or join the meld `target`."""

    cards: tuple[Card, ...]
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """The body of a `TakePile`, for a plan that begins with one."""

    cards: tuple[Card, ...]
    target: str | None = None
    also: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to go out: an optional take, the melds, an optional last discard."""

    groups: tuple[Group, ...] = ()
    discard: Card | None = None
    take: Take | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Take cards from the stock (3.4)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakePile:
    """Meld the pile's top card with `cards` and take the rest (3.5)."""

    seat: Seat
    cards: tuple[Card, ...]
    target: str | None = None
    also: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeTop:
    """Put only the pile's top card onto the sequence `target` (3.6)."""

    seat: Seat
    target: str


@dataclass(frozen=True, slots=True)
class Meld:
    """Lay cards on the table (3.7)."""

    seat: Seat
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    """Put one card on the pile and end the turn (3.12)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class GoOut:
    """Lay the whole hand, the last card on the pile if `discard` is given (4.6)."""

    seat: Seat
    groups: tuple[Group, ...] = ()
    discard: Card | None = None


@dataclass(frozen=True, slots=True)
class AskPartner:
    """May I go out, partner? The plan is carried out at a yes (3.13)."""

    seat: Seat
    plan: Plan


@dataclass(frozen=True, slots=True)
class Pass:
    """Take nothing at an empty stock (3.11)."""

    seat: Seat


Command = (
    Draw | TakePile | TakeTop | Meld | Discard | GoOut | AskPartner | Answer | Pass | DealCards
)
