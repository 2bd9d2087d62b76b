"""What may be asked about the table itself: the same for every game."""

from dataclasses import dataclass
from typing import Annotated, Literal

from service.rules.protocol import HOUSE, Seat


@dataclass(frozen=True, slots=True)
class Chair:
    """A place at the table, and who has it.

    `level` is a computer player's; `player` a person's id, None while the place is free.
    """

    kind: Literal["human", "ai"]
    level: str | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """A practice game's given dealer, scores (one a side) and packs in dealing order."""

    dealer: Seat
    scores: tuple[int, ...]
    packs: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """The finished game and its version from which a practice game goes on."""

    game: str
    version: int


@dataclass(frozen=True, slots=True)
class Clock:
    """Time to act, in milliseconds.

    Attributes:
        turn: for each turn; None without such a limit.
        bank: for all of a seat's turns together, used up beyond `turn`; None without.
        increment: what a finished turn adds to the bank.
        expiry: what happens when the time is up: a computer player takes the turn (`play`), or the
            seat until its owner comes back (`take_over`), or the side loses (`forfeit`).
    """

    turn: int | None
    bank: int | None
    increment: int
    expiry: Literal["play", "take_over", "forfeit"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table agreed on beside the game itself.

    Attributes:
        clock: None for a game without haste.
        spectators: how many events those without a seat are behind; None keeps them out until
            the game is over.
        ready: whether play waits, when all seats are taken, until each person has said so.
        hints: whether persons may ask a computer player for advice.
    """

    clock: Clock | None = None
    spectators: int | None = 0
    ready: bool = False
    hints: bool = False


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Open a game. `commitment` stands for the secret from which the packs follow."""

    variant: str
    rules_version: int
    chairs: tuple[Chair, ...]
    options: dict[str, int]
    visibility: Literal["public", "private"]
    algorithm: str
    commitment: str
    setup: Setup | None = None
    origin: Origin | None = None
    terms: Terms = Terms()
    seat: Seat = HOUSE


@dataclass(frozen=True, slots=True)
class SitDown:
    """Take a free place, with a word for the deals if one is at hand."""

    seat: Seat
    player: str
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class GetUp:
    """Leave a place before the game starts."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SetNonce:
    """Mix a word of one's own into the deals; possible until the game starts."""

    seat: Seat
    nonce: str


@dataclass(frozen=True, slots=True)
class StartGame:
    """The house names the first dealer; every place is taken."""

    dealer: Seat
    seat: Seat = HOUSE


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RevealSecret:
    """The house opens the secret of a finished game, so that anyone can check the deals."""

    secret: str
    seat: Seat = HOUSE


@dataclass(frozen=True, slots=True)
class CloseGame:
    """End a game whose log cannot be folded from the version `fault` on. Nobody wins.

    `seat` is the player who asks for it, or HOUSE for who runs the service.
    """

    seat: Seat
    fault: int


@dataclass(frozen=True, slots=True)
class RunOut:
    """The house says that the time of seat `whose` was up at `deadline` (ms since 1970)."""

    whose: Seat
    deadline: int
    seat: Seat = HOUSE


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Take one's seat back from the computer player that has it since the time ran out."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MoveSeat:
    """Go over to a free place."""

    seat: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class SwapSeats:
    """The host exchanges two places, whoever has them."""

    seat: Seat
    one: Seat
    other: Seat


@dataclass(frozen=True, slots=True)
class FillSeat:
    """The host gives a free place to a computer player."""

    seat: Seat
    place: Seat
    level: Annotated[str, "level"]


@dataclass(frozen=True, slots=True)
class Ready:
    """Say that play may begin, or take that back."""

    seat: Seat
    ready: bool = True


@dataclass(frozen=True, slots=True)
class ChangeInvite:
    """The host makes a new invitation, good for so many minutes; earlier ones count no more."""

    seat: Seat
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class OfferSeats:
    """Keep places for those who had them in another game; one entry a seat."""

    game: str
    players: tuple[str | None, ...]
    seat: Seat = HOUSE


@dataclass(frozen=True, slots=True)
class ClearTable:
    """The house gives up a table at which people were awaited for too long. Nobody wins."""

    seat: Seat = HOUSE


@dataclass(frozen=True, slots=True)
class Abandon:
    """Agree to end the game without a winner, or take that back."""

    seat: Seat
    agree: bool = True


Command = (
    OpenGame
    | SitDown
    | GetUp
    | SetNonce
    | StartGame
    | Resign
    | RevealSecret
    | CloseGame
    | RunOut
    | ComeBack
    | MoveSeat
    | SwapSeats
    | FillSeat
    | Ready
    | ChangeInvite
    | OfferSeats
    | ClearTable
    | Abandon
)
