"""The clock of a table: asked for in seconds, kept in milliseconds, shown in seconds."""

from typing import Any, Final, get_args, get_type_hints

from service.api.fields import OneOf, Record, integer
from service.rules.seating import Game
from service.rules.seating.commands import Clock

LEAST: Final = 5
MOST: Final = 14 * 86_400
MOST_BANK: Final = 90 * 86_400

POLICIES: Final[tuple[str, ...]] = get_args(get_type_hints(Clock)["expiry"])


def _made(turn: int | None, bank: int | None, increment: int, expiry: Any) -> Clock:
    return Clock(_ms(turn), _ms(bank), increment * 1000, expiry)


def _ms(seconds: int | None) -> int | None:
    return None if seconds is None else seconds * 1000


class TimeControl(Record):
    """`clock` in the body of `POST /games`: live play and play by correspondence."""

    made = staticmethod(_made)

    turn = integer(LEAST, MOST, load_default=None, allow_none=True)
    bank = integer(LEAST, MOST_BANK, load_default=None, allow_none=True)
    increment = integer(0, MOST, load_default=0)
    expiry = OneOf(POLICIES, load_default="play")


def shown(game: Game) -> dict[str, Any] | None:
    """What was agreed, and what each seat's bank held when its time last stopped."""
    clock = game.terms.clock
    if clock is None or game.times is None:
        return None
    return {
        "turn": None if clock.turn is None else clock.turn / 1000,
        "bank": None if clock.bank is None else clock.bank / 1000,
        "increment": clock.increment / 1000,
        "expiry": clock.expiry,
        "banks": None if clock.bank is None else [bank / 1000 for bank in game.times.banks],
    }
