"""What a game that is over counts in statistics and ratings: it follows from its log alone.

    commits ──► counted ──► what it adds to the sums of each player and of the variant
                       └──► who played whom, and how it ended: what ratings are made of

Names no game: what is particular to one, its `tally` tells.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from service.replay import Commit, advance, open_game
from service.rules.deals import DealScored
from service.rules.protocol import Mark, Seat
from service.rules.seating import Game
from service.rules.seating.commands import Chair

DAY: Final = 86_400_000
"""Milliseconds of a rating period: a day in UTC."""

PEOPLE: Final = "people"
MIXED: Final = "mixed"

Sums = Mapping[tuple[str, ...], int]
"""Numbers by what they count: ("games",), ("seats", "4", "won"), ("tally", "opening", "sum")."""


@dataclass(frozen=True, slots=True)
class Played:
    """Who met whom: the players of each side, and the sides' places, equal ones for a draw."""

    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """What one game counts.

    Attributes:
        day: of its end: days since 1970, in UTC.
        players: what it adds to each player's sums.
        all: what it adds to the variant's.
        played: what it says for ratings; None where it is none that is rated.
    """

    variant: str
    public: bool
    day: int
    players: Mapping[str, Sums]
    all: Sums
    played: Played | None


def counted(commits: Iterable[Commit]) -> Counted | None:
    """What the game counts; None for a practice game, one that never began, or is not over."""
    game: Game | None = None
    chairs: tuple[Chair, ...] = ()
    marks: list[Mark] = []
    deals: list[DealScored] = []
    ended = 0
    for commit in commits:
        if game is None:
            game = open_game(commit)
            continue
        if game.state and not game.result:
            chairs = chairs or game.chairs  # as they were when play began
            own = tuple(event for event in commit.events if type(event) in game.rules.EVENTS)
            marks += game.rules.tally(game.state, own) if own else ()
            deals += [event for event in own if isinstance(event, DealScored)]
        advance(game, (commit,))
        if game.result and not ended:
            ended = commit.at
    if game is None or game.result is None or not game.fair or not game.state:
        return None
    chairs = chairs or game.chairs
    public = game.visibility == "public"
    return Counted(
        variant=game.variant.name,
        public=public,
        day=ended // DAY,
        players={
            chair.player: _of_seat(game, chairs, seat, marks, deals)
            for seat, chair in enumerate(chairs)
            if chair.player
        },
        all=_of_all(game, chairs, marks, deals),
        played=_played(game, chairs) if public and not game.terms.hints else None,
    )


def _of_seat(
    game: Game, chairs: tuple[Chair, ...], seat: Seat, marks: list[Mark], deals: list[DealScored]
) -> Sums:
    """What the game adds for who sat there when play began."""
    assert game.result
    if game.result.why == "abandoned":
        return {("abandoned",): 1}
    side = game.sides[seat]
    sums = Counter[tuple[str, ...]]()
    against = _kind(chair for other, chair in enumerate(chairs) if game.sides[other] != side)
    how = _how(game, side)
    for path in ((), ("seats", str(len(chairs))), ("against", against)):
        sums[(*path, "games")] = sums[(*path, how)] = 1
    sums["resigned",] = int(seat in game.resigned)
    sums["deals",] = len(deals)
    sums["points",] = sum(deal.sides[side].total for deal in deals)
    _add(sums, (mark for mark in marks if mark.seat == seat))
    return {path: number for path, number in sums.items() if number}


def _of_all(
    game: Game, chairs: tuple[Chair, ...], marks: list[Mark], deals: list[DealScored]
) -> Sums:
    assert game.result
    if game.result.why == "abandoned":
        return {("abandoned",): 1}
    sums = Counter[tuple[str, ...]]()
    for path in ((), ("seats", str(len(chairs))), ("between", _kind(chairs))):
        sums[(*path, "games")] = 1
    sums["drawn",] = int(game.result.winner is None)
    sums["resigned",] = int(bool(game.resigned))
    sums["deals",] = sum(len(deal.sides) for deal in deals)
    sums["points",] = sum(side.total for deal in deals for side in deal.sides)
    _add(sums, marks)
    return {path: number for path, number in sums.items() if number}


def _add(sums: Counter[tuple[str, ...]], marks: Iterable[Mark]) -> None:
    for mark in marks:
        sums["tally", mark.name, "times"] += 1
        sums["tally", mark.name, "sum"] += mark.amount


def _kind(chairs: Iterable[Chair]) -> str:
    """`people`, a level of computer players, or `mixed`."""
    kinds = {chair.level or PEOPLE for chair in chairs}
    return kinds.pop() if len(kinds) == 1 else MIXED


def _how(game: Game, side: int) -> str:
    assert game.result
    if game.result.winner is None:
        return "lost" if _gave_up(game, side) else "drawn"
    return "won" if game.result.winner == side else "lost"


def _gave_up(game: Game, side: int) -> bool:
    return any(game.sides[seat] == side for seat in game.resigned)


def _played(game: Game, chairs: tuple[Chair, ...]) -> Played | None:
    """The game as ratings see it: None with a computer player at the start, or without an end.

    The winner comes first and who gave up last; the others by their scores, but in a drawn game
    all alike.
    """
    result: Any = game.result
    if result.why == "abandoned" or any(chair.player is None for chair in chairs):
        return None
    sides = range(max(game.sides) + 1)

    def merit(side: int) -> tuple[int, int]:
        if _gave_up(game, side):
            return (0, 0)
        if result.winner is None:
            return (1, 0)
        return (2, 0) if side == result.winner else (1, result.scores[side])

    order = sorted({merit(side) for side in sides}, reverse=True)
    return Played(
        tuple(
            tuple(str(one.player) for seat, one in enumerate(chairs) if game.sides[seat] == side)
            for side in sides
        ),
        tuple(order.index(merit(side)) for side in sides),
    )
