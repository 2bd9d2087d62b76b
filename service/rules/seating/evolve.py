"""How a table changes. Knows no rule; works on views too."""

from dataclasses import replace
from typing import Any, Final, get_args

from service.rules.protocol import GameEnded, Result
from service.rules.seating import gathering
from service.rules.seating.commands import Chair
from service.rules.seating.events import (
    ClockRanOut,
    ClockStarted,
    ClockStopped,
    Event,
    GameOpened,
    GameStarted,
    NonceSet,
    OwnerReturned,
    SeatLeft,
    SeatMinded,
    SeatResigned,
    SeatTaken,
    SeatTakenOver,
    SecretRevealed,
    TurnTakenOver,
)
from service.rules.seating.game import Game
from service.rules.seating.times import Running, StandIn, Times


def opened(event: GameOpened) -> Game:
    """The game as its first event leaves it."""
    return Game(
        event.variant,
        event.rules_version,
        event.chairs,
        event.options,
        event.visibility,
        event.algorithm,
        event.commitment,
        event.setup,
        event.origin,
        event.terms,
    )


def evolve(game: Game, event: Any) -> None:
    """Applies a decided event in place; those of the cards go on to the game's own rules."""
    if type(event) not in _OF_TABLE:
        _evolve_cards(game, event)
        return
    match event:
        case SeatTaken(seat, player):
            _place(game, seat, Chair("human", None, player))
            gathering.taken(game, seat)
        case SeatLeft(seat):
            _place(game, seat, Chair("human"))
            game.nonces = _with(game.nonces, seat, None)
            gathering.left(game, seat)
        case NonceSet(seat, nonce):
            game.nonces = _with(game.nonces, seat, nonce)
        case GameStarted(dealer):
            game.state = game.variant.start(len(game.chairs), game.options, dealer, game.scores())
        case SeatResigned(seat):
            game.resigned = (*game.resigned, seat)
            game.agreed = ()  # to another table than this
        case SeatTakenOver(seat, level):
            _place(game, seat, Chair("ai", level))
            if game.times:
                game.times = game.times.without(seat)
        case SecretRevealed(secret):
            game.secret = secret
        case GameEnded(winner, scores, why):
            game.result = Result(winner, scores, why)
            if game.times:
                game.times = replace(game.times, running=None)
            if game.state:
                game.rules.evolve(game.state, event)
        case _ if type(event) in gathering.EVENTS:
            gathering.evolve(game, event)
        case _:
            assert game.times
            game.times = _evolved(game.times, event)


_OF_TABLE: Final = frozenset(get_args(Event))


def _evolve_cards(game: Game, event: Any) -> None:
    state = game.state
    if not game.times or not state:
        game.rules.evolve(state, event)
        return
    before = state.this_turn
    game.rules.evolve(state, event)
    if state.this_turn != before:
        game.times = game.times.turned()


def _evolved(times: Times, event: Any) -> Times:
    match event:
        case ClockStarted(seat, deadline, bank):
            return times.started(Running(seat, deadline, bank))
        case ClockStopped(seat, bank, spare):
            return times.stopped(seat, bank, spare)
        case ClockRanOut(seat, bank):
            return times.stopped(seat, bank, None)
        case TurnTakenOver(seat, level):
            return times.seated(StandIn(seat, level, "turn"))
        case SeatMinded(seat, level):
            return times.seated(StandIn(seat, level, "return"))
        case OwnerReturned(seat):
            return times.without(seat)
        case _:
            raise TypeError(f"{type(event).__name__} changes no clock")


def _place(game: Game, seat: int, chair: Chair) -> None:
    game.chairs = _with(game.chairs, seat, chair)


def _with(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])
