"""What a log says of seats, luck and the end, read without knowing any rule.

These few commands and events are the same in every game and in each of their shapes (`open_game`,
`open_game@2`): docs/record.md lists the fields that are read here, and no other is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from service.referee.finding import NotMade, Wrong
from service.referee.form import Frame, Sheet

T = TypeVar("T")


class Chair(msgspec.Struct, frozen=True):
    """A seat and who has it."""

    kind: str
    level: str | None
    player: str | None


class Setup(msgspec.Struct, frozen=True):
    """What a practice game is given."""

    dealer: int
    packs: list[list[str]]


class Opening(msgspec.Struct, frozen=True):
    """The command of the first commit."""

    variant: str
    rules_version: int
    chairs: list[Chair]
    options: dict[str, int]
    algorithm: str
    commitment: str
    setup: Setup | None


@dataclass(frozen=True, slots=True)
class Story:
    """What the checks without rules need.

    Attributes:
        options: with defaults filled in.
        chairs, nonces: when play started; at the end, if it never did.
        dealers, packs: with the places of their commits.
        results: `winner`, `scores` and `why` of each `game_ended`, with the places.
        secret: of the last commit, if that is a `reveal_secret`.
    """

    opening: Opening
    options: dict[str, int]
    chairs: tuple[Chair, ...]
    nonces: tuple[str | None, ...]
    dealers: tuple[tuple[int, int], ...]
    packs: tuple[tuple[int, tuple[str, ...]], ...]
    results: tuple[tuple[int, dict[str, Any]], ...]
    secret: str | None


class _Options(msgspec.Struct, frozen=True):
    options: dict[str, int]


class _Dealer(msgspec.Struct, frozen=True):
    dealer: int


class _Pack(msgspec.Struct, frozen=True):
    pack: tuple[str, ...]


class _Secret(msgspec.Struct, frozen=True):
    secret: str


class _Taken(msgspec.Struct, frozen=True):
    seat: int
    player: str


class _Left(msgspec.Struct, frozen=True):
    seat: int


class _Nonce(msgspec.Struct, frozen=True):
    seat: int
    nonce: str


class _Result(msgspec.Struct, frozen=True):
    winner: int | None
    scores: list[int]
    why: str


def told(sheet: Sheet) -> Story:
    """What the log of a sheet says.

    Raises:
        NotMade: a commit is not in its one form, or there is none.
        Wrong: a field that is needed is missing or of another type.
    """
    frames = [frame for frame in sheet.frames if frame]
    if not frames or len(frames) < len(sheet.frames):
        raise NotMade("a commit is not in its one form, see `form`")
    first = frames[0]
    if kind(first.command) != "open_game" or not first.events:
        raise Wrong("The first commit does not open a game.", 0)
    opening = _read(first.command, Opening, 0)
    chairs, nonces = _as_it_began(frames, opening.chairs)
    results = [
        (place, msgspec.to_builtins(_read(event, _Result, place)))
        for place, frame in enumerate(frames)
        for event in frame.events
        if kind(event) == "game_ended"
    ]
    last = frames[-1].command
    return Story(
        opening,
        _read(first.events[0], _Options, 0).options,
        chairs,
        nonces,
        tuple((place, read.dealer) for place, read in _given(frames, "start_game", _Dealer)),
        tuple((place, read.pack) for place, read in _given(frames, "deal_cards", _Pack)),
        tuple(results),
        _read(last, _Secret, len(frames) - 1).secret if kind(last) == "reveal_secret" else None,
    )


def kind(thing: dict[str, Any]) -> str:
    """The wire name of a command or event without the number of its shape."""
    name: str = thing["type"]
    return name.partition("@")[0]


def _as_it_began(
    frames: Sequence[Frame], opened: Sequence[Chair]
) -> tuple[tuple[Chair, ...], tuple[str | None, ...]]:
    chairs = list(opened)
    nonces: list[str | None] = [None] * len(chairs)
    for place, frame in enumerate(frames):
        for event in frame.events:
            match kind(event):
                case "game_started":
                    return tuple(chairs), tuple(nonces)
                case "seat_taken":
                    taken = _read(event, _Taken, place)
                    chairs[_seat(taken.seat, chairs, place)] = Chair("human", None, taken.player)
                case "seat_left":
                    left = _seat(_read(event, _Left, place).seat, chairs, place)
                    chairs[left], nonces[left] = Chair("human", None, None), None
                case "nonce_set":
                    word = _read(event, _Nonce, place)
                    nonces[_seat(word.seat, chairs, place)] = word.nonce
    return tuple(chairs), tuple(nonces)


def _seat(seat: int, chairs: Sequence[Chair], place: int) -> int:
    if seat not in range(len(chairs)):
        raise Wrong(f"There is no seat {seat}.", place)
    return seat


def _given(frames: Sequence[Frame], name: str, form: type[T]) -> list[tuple[int, T]]:
    return [
        (place, _read(frame.command, form, place))
        for place, frame in enumerate(frames)
        if kind(frame.command) == name
    ]


def _read(thing: dict[str, Any], form: type[T], place: int) -> T:
    try:
        return msgspec.convert(thing, form)
    except msgspec.ValidationError as error:
        raise Wrong(f"{thing['type']} lacks what it should hold: {error}.", place) from None
