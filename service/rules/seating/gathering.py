"""How people come to sit as they like: moving, swapping, computer players, readiness, invitations,
offered seats; and how they end a game together.

What comes of the commands for it; all but the last happen before the start. The *host* is the first
who sat down; when that person gets up, the one on the lowest seat.
"""

from typing import Any, Final

from service.rules.protocol import GameEnded, Seat
from service.rules.seating.commands import (
    Abandon,
    Chair,
    ChangeInvite,
    FillSeat,
    MoveSeat,
    OfferSeats,
    Ready,
    SwapSeats,
)
from service.rules.seating.events import (
    AbandonSet,
    InviteChanged,
    ReadySet,
    SeatFilled,
    SeatMoved,
    SeatsOffered,
    SeatsSwapped,
)
from service.rules.seating.game import Game
from service.rules.seating.reasons import refuse

OFFERED: Final = 10 * 60_000
"""Milliseconds for which an offered seat is kept."""

MOST_MINUTES: Final = 30 * 24 * 60
"""The longest life of an invitation that has an end."""


BY_PERSON: Final = (MoveSeat, SwapSeats, FillSeat, Ready, ChangeInvite, Abandon)
COMMANDS: Final = (*BY_PERSON, OfferSeats)
EVENTS: Final = (
    SeatMoved,
    SeatsSwapped,
    SeatFilled,
    ReadySet,
    InviteChanged,
    SeatsOffered,
    AbandonSet,
)


def decide(game: Game, command: Any, at: int) -> tuple[Any, ...]:
    """What happens if one of these commands is given at the time `at`.

    Raises:
        IllegalMove: a rule says no; nothing changed.
    """
    if game.result:
        raise refuse("game_over")
    if isinstance(command, Abandon):
        return _abandoning(game, command)
    if game.state:
        raise refuse("already_started")
    match command:
        case MoveSeat(seat, to):
            _check_free(game, to)
            check_offer(game, to, game.chairs[seat].player, at)
            return (SeatMoved(seat, to),)
        case SwapSeats(seat, one, other):
            _check_host(game, seat)
            if one == other or not {one, other} <= set(range(len(game.chairs))):
                raise refuse("no_such_seat")
            return (SeatsSwapped(one, other),)
        case FillSeat(seat, place, level):
            _check_host(game, seat)
            _check_free(game, place)
            return (SeatFilled(place, level),)
        case Ready(seat, ready):
            if not game.terms.ready:
                raise refuse("ready_not_asked")
            return (ReadySet(seat, ready),)
        case ChangeInvite(seat, minutes):
            _check_host(game, seat)
            if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
                raise refuse("bad_invite", most=str(MOST_MINUTES))
            return (InviteChanged(seat, None if minutes is None else at + minutes * 60_000),)
        case OfferSeats(other, players):
            if len(players) != len(game.chairs) or game.offers:
                raise refuse("no_such_seat")
            return (SeatsOffered(other, players, at + OFFERED),)
    raise TypeError(f"{type(command).__name__} is not of gathering")


def _abandoning(game: Game, command: Abandon) -> tuple[Any, ...]:
    if not game.state:
        raise refuse("not_started")
    said = AbandonSet(command.seat, command.agree)
    agreed = {command.seat, *game.agreed} if command.agree else set()
    if not agreed >= {seat for seat, chair in enumerate(game.chairs) if chair.player}:
        return (said,)
    return said, GameEnded(None, game.scores(), "abandoned", tuple(game.state.hands))


def check_offer(game: Game, seat: Seat, player: str | None, at: int) -> None:
    """Raises IllegalMove: the place is kept for somebody else."""
    if _kept(game, seat, at) not in (None, player):
        raise refuse("seat_offered")


def free_seat(game: Game, player: str, at: int) -> Seat:
    """The place kept for the player, else the first free one, else seat 0, which is refused."""
    free = [seat for seat in range(len(game.chairs)) if _is_free(game, seat)]
    own = [seat for seat in free if game.offers and game.offers[seat] == player]
    others = [seat for seat in free if _kept(game, seat, at) is None]
    return (*own, *others, *free, 0)[0]


def evolve(game: Game, event: Any) -> None:
    """Applies one of these events in place."""
    match event:
        case SeatMoved(seat, to):
            _swap(game, seat, to)
            game.ready = tuple(one for one in game.ready if one != seat)
        case SeatsSwapped(one, other):
            _swap(game, one, other)
            if game.offers:
                game.offers = _exchanged(game.offers, one, other)
            game.ready = ()
        case SeatFilled(seat, level):
            game.chairs = (*game.chairs[:seat], Chair("ai", level), *game.chairs[seat + 1 :])
        case ReadySet(seat, ready):
            game.ready = _noted(game.ready, seat, ready)
        case InviteChanged(_, until):
            game.invites += 1
            game.invite_until = until
        case SeatsOffered(_, players, until):
            game.offers = players
            game.offers_until = until
        case _:  # AbandonSet
            game.agreed = _noted(game.agreed, event.seat, event.agree)


def taken(game: Game, seat: Seat) -> None:
    """A person sat down: the first is the host."""
    if game.host is None:
        game.host = seat


def left(game: Game, seat: Seat) -> None:
    """A person got up: ready no more, and host no more."""
    game.ready = _noted(game.ready, seat, False)
    if game.host == seat:
        game.host = next((other for other, one in enumerate(game.chairs) if one.player), None)


def _check_host(game: Game, seat: Seat) -> None:
    if seat != game.host:
        raise refuse("not_host")


def _check_free(game: Game, seat: Seat) -> None:
    if seat not in range(len(game.chairs)):
        raise refuse("no_such_seat")
    if not _is_free(game, seat):
        raise refuse("seat_taken")


def _is_free(game: Game, seat: Seat) -> bool:
    return game.chairs[seat].kind == "human" and not game.chairs[seat].player


def _kept(game: Game, seat: Seat, at: int) -> str | None:
    return game.offers[seat] if game.offers and at < game.offers_until else None


def _swap(game: Game, one: Seat, other: Seat) -> None:
    """What belongs to the people goes along: their words, and being host."""
    game.chairs = _exchanged(game.chairs, one, other)
    game.nonces = _exchanged(game.nonces, one, other)
    assert game.host is not None  # who asked for it
    game.host = {one: other, other: one}.get(game.host, game.host)


def _exchanged(row: tuple[Any, ...], one: Seat, other: Seat) -> tuple[Any, ...]:
    order = {one: other, other: one}
    return tuple(row[order.get(place, place)] for place in range(len(row)))


def _noted(seats: tuple[Seat, ...], seat: Seat, there: bool) -> tuple[Seat, ...]:
    return tuple(sorted({*seats, seat} if there else set(seats) - {seat}))
