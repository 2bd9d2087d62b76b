"""The game's rules asked once more: would they decide what the log says?

They are those of the edition that the game was opened under.

Raises nothing but `Wrong`, whatever command or state it is given.
"""

from typing import Any

import msgspec

from service.referee.finding import Wrong, first_difference, said, short
from service.replay import FAILURES, Commit
from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating import Game, gathering
from service.rules.seating.commands import (
    ClearTable,
    CloseGame,
    ComeBack,
    GetUp,
    OfferSeats,
    OpenGame,
    Resign,
    RevealSecret,
    RunOut,
    SetNonce,
    StartGame,
)
from service.store import codec


def ask_again(place: int, commit: Commit, game: Game | None) -> None:
    """Compares the events of a commit with what the rules decide; `game` is None for the first.

    Raises:
        Wrong: another decision, a refusal, or a command that was not its seat's to give.
    """
    command = commit.command
    try:
        if not _may_give(game, command):
            raise Wrong(f"{_told(commit)}, which is not that seat's to give.", place)
        if game is None:
            decided: tuple[Any, ...] = seating.opening(command)
        else:
            decided = seating.decide(game, command, commit.at)
    except IllegalMove as no:
        what = f"{_told(commit)}; the game's rules refuse it (paragraph {no.rule}): {no.detail}"
        raise Wrong(what, place, expected=no.code) from None
    except FAILURES as error:
        # Rules may fail in any way on what no rule led to.
        what = f"{_told(commit)}; the game's rules fail on it ({type(error).__name__})."
        raise Wrong(what, place) from None
    if decided != commit.events or _bytes(decided) != _bytes(commit.events):
        raise _differing(_told(commit), place, decided, commit.events)


def _may_give(game: Game | None, command: Any) -> bool:
    """Whether the command is its seat's to give, as far as the rules leave it to the table."""
    by_house = OpenGame | StartGame | DealCards | RevealSecret | RunOut | OfferSeats | ClearTable
    if isinstance(command, by_house):
        return bool(command.seat == HOUSE)
    if game is None:
        return False
    if isinstance(command, CloseGame) and command.seat == HOUSE:
        return True
    if isinstance(command, (GetUp, SetNonce, Resign, CloseGame, ComeBack, *gathering.BY_PERSON)):
        seat = command.seat
        return seat in range(len(game.chairs)) and game.chairs[seat].player is not None
    return True


def _differing(told: str, place: int, decided: tuple[Any, ...], logged: tuple[Any, ...]) -> Wrong:
    """Where the rules' decision and the log's begin to differ, in words."""
    due, found = (list(map(codec.to_wire, events)) for events in (decided, logged))
    for one, other in zip(due, found, strict=False):
        if one["type"] == other["type"] and (differ := first_difference(one, other)):
            path, expected, logs = differ
            what = (
                f"{told}, and the log says {one['type']} with {path} {short(logs)}; "
                f"the game's rules give {short(expected)}."
            )
            return Wrong(what, place, expected=expected, found=logs)
        if one != other:
            what = f"{told}, and the log says {said(other)}; the game's rules give {said(one)}."
            return Wrong(what, place, expected=one, found=other)
    more = min(len(due), len(found))
    if len(due) > more:
        what = f"{told}, and the log ends there; the game's rules give {said(due[more])} as well."
        return Wrong(what, place, expected=due[more])
    what = f"{told}, and the log adds {said(found[more])}; the game's rules do not."
    return Wrong(what, place, found=found[more])


def _told(commit: Commit) -> str:
    who = f"seat {commit.seat}" if commit.seat != HOUSE else "the house"
    wire = codec.to_wire(commit.command)
    del wire["seat"]
    return f"At version {commit.version} {who} gave {said(wire)}"


def _bytes(events: tuple[Any, ...]) -> bytes:
    return msgspec.json.encode(events)
