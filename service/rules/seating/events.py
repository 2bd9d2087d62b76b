"""What happened at the table itself: the same for every game."""

from dataclasses import dataclass
from typing import Literal

from service.rules.protocol import GameEnded, Seat
from service.rules.seating.commands import Chair, Origin, Setup, Terms


@dataclass(frozen=True, slots=True)
class GameOpened:
    """The first event of every stream. `setup` is hidden but for its being there."""

    variant: str
    rules_version: int
    chairs: tuple[Chair, ...]
    options: dict[str, int]
    visibility: Literal["public", "private"]
    algorithm: str
    commitment: str
    setup: Setup | None
    origin: Origin | None = None
    terms: Terms = Terms()  # noqa: RUF009  # it is frozen


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A person took a place."""

    seat: Seat
    player: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A person left a place before the game started."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class NonceSet:
    """A person's word that the deals of a fair game depend on."""

    seat: Seat
    nonce: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Every place is taken; `dealer` deals first."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A person gave up; the end of the game or `SeatTakenOver` follows."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """A computer player plays the seat to the end."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class SecretRevealed:
    """The secret behind the commitment, in hex."""

    secret: str


@dataclass(frozen=True, slots=True)
class ClockStarted:
    """A seat's time runs until `deadline` (ms since 1970); the last `bank` ms are its bank's."""

    seat: Seat
    deadline: int
    bank: int


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """A seat's time stands still, with so much in its bank (ms).

    `spare` is what a question leaves of the time for the turn; None when the turn is over.
    """

    seat: Seat
    bank: int
    spare: int | None


@dataclass(frozen=True, slots=True)
class ClockRanOut:
    """A seat's time was up, with so much left in its bank (ms). What comes of it follows."""

    seat: Seat
    bank: int


@dataclass(frozen=True, slots=True)
class TurnTakenOver:
    """A computer player plays this one turn for the seat's owner."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class SeatMinded:
    """A computer player has the seat until its owner comes back."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class OwnerReturned:
    """The owner has the seat again, from the next turn on if this one was begun."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A person went over to a free place."""

    seat: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class SeatsSwapped:
    """Two places were exchanged. Nobody is ready any more."""

    one: Seat
    other: Seat


@dataclass(frozen=True, slots=True)
class SeatFilled:
    """A computer player has the place."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class ReadySet:
    """A person is ready, or no more."""

    seat: Seat
    ready: bool


@dataclass(frozen=True, slots=True)
class InviteChanged:
    """A new invitation counts, until then in milliseconds since 1970, or without an end."""

    seat: Seat
    until: int | None


@dataclass(frozen=True, slots=True)
class SeatsOffered:
    """Places are kept for those who had them in `game`, until then in ms since 1970."""

    game: str
    players: tuple[str | None, ...]
    until: int


@dataclass(frozen=True, slots=True)
class AbandonSet:
    """A person agrees to end the game, or no more; once all do, it ends."""

    seat: Seat
    agree: bool


Event = (
    GameOpened
    | SeatTaken
    | SeatLeft
    | NonceSet
    | GameStarted
    | SeatResigned
    | SeatTakenOver
    | SecretRevealed
    | ClockStarted
    | ClockStopped
    | ClockRanOut
    | TurnTakenOver
    | SeatMinded
    | OwnerReturned
    | SeatMoved
    | SeatsSwapped
    | SeatFilled
    | ReadySet
    | InviteChanged
    | SeatsOffered
    | AbandonSet
    | GameEnded
)
