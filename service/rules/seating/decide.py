"""What may happen at a table: seats, the start, giving up, the reveal.

Refusals that no rule of the cards gives have no paragraph (`rule` is empty).
"""

from dataclasses import replace
from typing import Any

from service.rules import find
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, GameEnded, Seat
from service.rules.seating.commands import (
    GetUp,
    OpenGame,
    Resign,
    RevealSecret,
    SetNonce,
    SitDown,
    StartGame,
)
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
from service.rules.seating.game import Game, veiled

STAND_IN = "casual"
"""The level of the computer player that takes over a seat given up."""


def opening(command: OpenGame) -> tuple[GameOpened]:
    """Decides the first command of a stream.

    Raises:
        IllegalMove: the variant does not allow such a table, option or setup.
    """
    try:
        _, variant = find(command.variant)
    except KeyError:
        raise _no("unknown_variant", f"There is no variant {command.variant!r}.") from None
    seats = len(command.chairs)
    if seats not in variant.seats:
        sizes = ", ".join(map(str, variant.seats))
        raise _no("bad_table_size", f"{variant.name} is played by {sizes}.")
    allowed = variant.options(seats)
    for name, value in command.options.items():
        if name not in allowed:
            raise _no("unknown_option", f"{variant.name} has no option {name!r}.")
        if value not in allowed[name].allowed:
            values = ", ".join(map(str, allowed[name].allowed))
            raise _no("bad_option", f"{name} may be one of {values}.")
    if command.setup:
        if command.setup.dealer not in range(seats):
            raise _no("bad_setup", "The dealer of the setup is not at this table.")
        if len(command.setup.scores) != max(variant.sides(seats)) + 1:
            raise _no("bad_setup", "The setup needs one score for each side.")
        whole = sorted(variant.pack())
        if any(sorted(pack) != whole for pack in command.setup.packs):
            raise _no("wrong_pack", "A pack does not hold exactly the variant's cards.")
    options = {name: option.default for name, option in allowed.items()} | command.options
    return (
        GameOpened(
            command.variant,
            command.rules_version,
            command.chairs,
            options,
            command.visibility,
            command.algorithm,
            command.commitment,
            command.setup,
        ),
    )


def decide(game: Game, command: Any, at: int) -> tuple[Any, ...]:
    """What happens if `command` is given at the time `at` (milliseconds since 1970).

    Raises:
        IllegalMove: a rule says no; nothing changed.
    """
    match command:
        case SitDown(seat, player, nonce):
            _before_start(game)
            if seat not in range(len(game.chairs)):
                raise _no("no_such_seat", "There is no such seat at this table.")
            if game.seat_of(player) is not None:
                raise _no("already_seated", "You have a seat at this table.")
            if game.chairs[seat].kind != "human" or game.chairs[seat].player:
                raise _no("seat_taken", "That seat is taken.")
            taken = SeatTaken(seat, player)
            return (taken,) if nonce is None else (taken, NonceSet(seat, nonce))
        case GetUp(seat):
            _before_start(game)
            people = [chair for chair in game.chairs if chair.player]
            last = GameEnded(None, game.scores(), "abandoned")
            return (SeatLeft(seat), last) if len(people) == 1 else (SeatLeft(seat),)
        case SetNonce(seat, nonce):
            _before_start(game)
            return (NonceSet(seat, nonce),)
        case StartGame(dealer):
            if game.state or game.to_act() != HOUSE:
                raise _no("already_started", "The game cannot start now.")
            return (GameStarted(dealer),)
        case RevealSecret(secret):
            if not game.result or game.secret:
                raise _no("not_over", "The secret is opened once, when the game is over.")
            return (SecretRevealed(secret),)
        case Resign(seat):
            _in_play(game)
            return _resignation(game, seat)
        case _:
            _in_play(game)
            events = game.rules.decide(game.state, command)
            return tuple(_without_resigned(game, event) for event in events)


def seen(game: Game, event: Any, seat: Seat | None) -> Any:
    """The event as `seat` (None: a spectator) may see it."""
    match event:
        case GameOpened():
            return replace(event, setup=veiled(event.setup))
        case _ if type(event) in _PUBLIC:
            return event
        case _:
            return game.rules.seen(event, seat)


_PUBLIC = frozenset(
    {
        SeatTaken,
        SeatLeft,
        NonceSet,
        GameStarted,
        SeatResigned,
        SeatTakenOver,
        SecretRevealed,
        GameEnded,
    }
)


def _no(code: str, detail: str) -> IllegalMove:
    return IllegalMove(code, "", detail)


def _before_start(game: Game) -> None:
    if game.result:
        raise _no("game_over", "The game is over.")
    if game.state:
        raise _no("already_started", "The game has started.")


def _in_play(game: Game) -> None:
    if game.result:
        raise _no("game_over", "The game is over.")
    if not game.state:
        raise _no("not_started", "The game waits for players.")


def _resignation(game: Game, seat: Seat) -> tuple[Any, ...]:
    """With two sides left the other wins at once; with three a computer player takes over."""
    gone = {game.sides[other] for other in (*game.resigned, seat)}
    left = sorted(set(game.sides) - gone)
    if len(left) == 1:
        hands = tuple(game.state.hands) if game.state else ()
        return (SeatResigned(seat), GameEnded(left[0], game.scores(), "resigned", hands))
    return (SeatResigned(seat), SeatTakenOver(seat, STAND_IN))


def _without_resigned(game: Game, event: Any) -> Any:
    """A side that gave up comes last, whatever the computer player in its seat achieved."""
    if not isinstance(event, GameEnded) or not game.resigned:
        return event
    gone = {game.sides[seat] for seat in game.resigned}
    rest = {side: score for side, score in enumerate(event.scores) if side not in gone}
    best = [side for side, score in rest.items() if score == max(rest.values())]
    return replace(event, winner=best[0] if len(best) == 1 else None)
