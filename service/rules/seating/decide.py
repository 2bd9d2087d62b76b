"""What may happen at a table: seats, the start, giving up, the reveal."""

from dataclasses import replace
from typing import Any

from service.rules import find
from service.rules.protocol import HOUSE, GameEnded, Seat
from service.rules.seating import clocks, gathering
from service.rules.seating.commands import (
    ClearTable,
    CloseGame,
    ComeBack,
    GetUp,
    OpenGame,
    Resign,
    RevealSecret,
    RunOut,
    SetNonce,
    SitDown,
    StartGame,
)
from service.rules.seating.events import (
    ClockRanOut,
    ClockStarted,
    ClockStopped,
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
from service.rules.seating.game import Game, veiled
from service.rules.seating.reasons import refuse


def opening(command: OpenGame) -> tuple[GameOpened]:
    """Decides the first command of a stream.

    Raises:
        IllegalMove: the variant does not allow such a table, option or setup.
    """
    try:
        _, variant = find(command.variant, command.rules_version)
    except KeyError as unknown:
        raise refuse("unknown_variant", variant=unknown.args[0]) from None
    seats = len(command.chairs)
    if seats not in variant.seats:
        sizes = ", ".join(map(str, variant.seats))
        raise refuse("bad_table_size", variant=variant.name, sizes=sizes)
    allowed = variant.options(seats)
    for name, value in command.options.items():
        if name not in allowed:
            raise refuse("unknown_option", variant=variant.name, option=name)
        if value not in allowed[name].allowed:
            values = ", ".join(map(str, allowed[name].allowed))
            raise refuse("bad_option", option=name, values=values)
    if command.setup:
        sides = max(variant.sides(seats)) + 1
        if command.setup.dealer not in range(seats) or len(command.setup.scores) != sides:
            raise refuse("bad_setup")
        whole = sorted(variant.pack())
        if any(sorted(pack) != whole for pack in command.setup.packs):
            raise refuse("wrong_pack")
    if command.origin and not command.setup:
        raise refuse("bad_setup")
    clocks.check(command.terms.clock)
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
            command.origin,
            command.terms,
        ),
    )


def decide(game: Game, command: Any, at: int) -> tuple[Any, ...]:
    """What happens if `command` is given at the time `at` (milliseconds since 1970).

    Raises:
        IllegalMove: a rule says no; nothing changed.
    """
    events = _decide(game, command, at)
    return (*events, *clocks.follow(game, events, at))


def _decide(game: Game, command: Any, at: int) -> tuple[Any, ...]:
    match command:
        case SitDown(seat, player, nonce):
            _before_start(game)
            if seat not in range(len(game.chairs)):
                raise refuse("no_such_seat")
            if game.seat_of(player) is not None:
                raise refuse("already_seated")
            if game.chairs[seat].kind != "human" or game.chairs[seat].player:
                raise refuse("seat_taken")
            gathering.check_offer(game, seat, player, at)
            taken = SeatTaken(seat, player)
            return (taken,) if nonce is None else (taken, NonceSet(seat, nonce))
        case GetUp(seat):
            _before_start(game)
            people = [chair for chair in game.chairs if chair.player]
            last = GameEnded(None, game.scores(), "abandoned")
            return (SeatLeft(seat), last) if len(people) == 1 else (SeatLeft(seat),)
        case ClearTable():
            _before_start(game)
            return (GameEnded(None, game.scores(), "abandoned"),)
        case SetNonce(seat, nonce):
            _before_start(game)
            return (NonceSet(seat, nonce),)
        case StartGame(dealer):
            if game.state or game.to_act() != HOUSE:
                raise refuse("already_started")
            return (GameStarted(dealer),)
        case RevealSecret(secret):
            if not game.result or game.secret:
                raise refuse("not_over")
            return (SecretRevealed(secret),)
        case CloseGame():
            if game.result:
                raise refuse("game_over")
            hands = tuple(game.state.hands) if game.state else ()
            return (GameEnded(None, game.scores(), "abandoned", hands),)
        case Resign(seat):
            _in_play(game)
            return _resignation(game, seat)
        case RunOut(whose):
            _in_play(game)
            events = clocks.run_out(game, command, at)
            lost = len(events) == 1
            return (*events, *_resignation(game, whose)) if lost else events
        case ComeBack():
            _in_play(game)
            return clocks.come_back(game, command)
        case _ if type(command) in gathering.COMMANDS:
            return gathering.decide(game, command, at)
        case _:
            _in_play(game)
            clocks.in_time(game, command.seat, at)
            events = game.rules.decide(game.state, command)
            return tuple(_without_resigned(game, event) for event in events)


def seen(game: Game, event: Any, seat: Seat | None) -> Any:
    """The event as `seat` (None: a spectator) may see it."""
    match event:
        case GameOpened():
            return replace(event, setup=veiled(event.setup))
        case _ if type(event) in _PUBLIC or type(event) in gathering.EVENTS:
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
        ClockStarted,
        ClockStopped,
        ClockRanOut,
        TurnTakenOver,
        SeatMinded,
        OwnerReturned,
        GameEnded,
    }
)


def _before_start(game: Game) -> None:
    if game.result:
        raise refuse("game_over")
    if game.state:
        raise refuse("already_started")


def _in_play(game: Game) -> None:
    if game.result:
        raise refuse("game_over")
    if not game.state:
        raise refuse("not_started")


def _resignation(game: Game, seat: Seat) -> tuple[Any, ...]:
    """With two sides left the other wins at once; with three a computer player takes over."""
    gone = {game.sides[other] for other in (*game.resigned, seat)}
    left = sorted(set(game.sides) - gone)
    if len(left) == 1:
        hands = tuple(game.state.hands) if game.state else ()
        return (SeatResigned(seat), GameEnded(left[0], game.scores(), "resigned", hands))
    return (SeatResigned(seat), SeatTakenOver(seat, clocks.STAND_IN))


def _without_resigned(game: Game, event: Any) -> Any:
    """A side that gave up comes last, whatever the computer player in its seat achieved.

    It may still reach the target first and so end the game; the best of the others wins then.
    """
    if not isinstance(event, GameEnded) or event.why != "target" or not game.resigned:
        return event
    gone = {game.sides[seat] for seat in game.resigned}
    rest = {side: score for side, score in enumerate(event.scores) if side not in gone}
    best = [side for side, score in rest.items() if score == max(rest.values())]
    return replace(event, winner=best[0] if len(best) == 1 else None)
