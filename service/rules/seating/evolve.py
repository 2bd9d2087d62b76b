"""How a table changes. Knows no rule; works on views too."""

from typing import Any

from service.rules.protocol import GameEnded, Result
from service.rules.seating.commands import Chair
from service.rules.seating.events import (
    GameOpened,
    GameStarted,
    NonceSet,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeatTakenOver,
    SecretRevealed,
)
from service.rules.seating.game import Game


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
    match event:
        case SeatTaken(seat, player):
            _place(game, seat, Chair("human", None, player))
        case SeatLeft(seat):
            _place(game, seat, Chair("human"))
            game.nonces = _with(game.nonces, seat, None)
        case NonceSet(seat, nonce):
            game.nonces = _with(game.nonces, seat, nonce)
        case GameStarted(dealer):
            game.state = game.variant.start(len(game.chairs), game.options, dealer, game.scores())
        case SeatResigned(seat):
            game.resigned = (*game.resigned, seat)
        case SeatTakenOver(seat, level):
            _place(game, seat, Chair("ai", level))
        case SecretRevealed(secret):
            game.secret = secret
        case GameEnded(winner, scores, why):
            game.result = Result(winner, scores, why)
            if game.state:
                game.rules.evolve(game.state, event)
        case _:
            game.rules.evolve(game.state, event)


def _place(game: Game, seat: int, chair: Chair) -> None:
    game.chairs = _with(game.chairs, seat, chair)


def _with(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])
