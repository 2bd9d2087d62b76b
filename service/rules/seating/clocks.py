"""Whose time runs, and what happens when it is up (rules T.9 to T.12).

    a turn comes to a person ──► ClockStarted ──► it goes on ──► ClockStopped
                                      └── RunOut, given by the house ──► ClockRanOut, and
                                          no to a question | a computer player | the side loses

Deadlines are decided here and kept in the log: what was late then is late for ever.
"""

from typing import Any, Final

from service.rules.protocol import HOUSE, Answer, Seat
from service.rules.seating.commands import Clock, ComeBack, RunOut
from service.rules.seating.events import (
    ClockRanOut,
    ClockStarted,
    ClockStopped,
    OwnerReturned,
    SeatMinded,
    TurnTakenOver,
)
from service.rules.seating.evolve import evolve
from service.rules.seating.game import Game
from service.rules.seating.reasons import refuse
from service.rules.seating.times import Running, Times

STAND_IN: Final = "casual"
"""The level of the computer player that acts where a person does not."""


def check(clock: Clock | None) -> None:
    """Returns if a table may have such a clock.

    Raises:
        IllegalMove: it gives no time, or an increment without a bank.
    """
    if clock is None:
        return
    given = [length for length in (clock.turn, clock.bank) if length is not None]
    if not given or min(given) < 1 or clock.increment < 0:
        raise refuse("bad_clock")
    if clock.increment and clock.bank is None:
        raise refuse("bad_clock")


def in_time(game: Game, seat: Seat, at: int) -> None:
    """Returns if a command of the game's own may come from a seat at that time.

    Raises:
        IllegalMove: the seat's time is up, whether that was said already or not.
    """
    running = game.times.running if game.times else None
    if running and running.seat == seat and at >= running.deadline:
        raise refuse("time_is_up")


def by_owner(game: Game, seat: Seat, command: Any) -> None:
    """Returns if the seat's owner may give the command, as far as a stand-in is concerned.

    The rules cannot tell a person from the computer player that acts for them; who takes a
    person's command can.

    Raises:
        IllegalMove: a computer player acts for them now.
    """
    stand_in = game.stand_in(seat)
    if stand_in and type(command) in game.rules.COMMANDS:
        raise refuse("time_is_up" if stand_in.until == "turn" else "away")


def run_out(game: Game, command: RunOut, at: int) -> tuple[Any, ...]:
    """What the end of a seat's time causes: that it is said, and what comes of it.

    Nothing but the former where the side loses: that is decided like a resignation.

    Raises:
        IllegalMove: that time is not up, or was not running.
    """
    times, clock = game.times, game.terms.clock
    running = times.running if times else None
    whose, deadline = command.whose, command.deadline
    named = running and (running.seat, running.deadline) == (whose, deadline)
    if not times or not clock or not running or not named or at < deadline:
        raise refuse("not_run_out")
    said = ClockRanOut(whose, times.banks[whose] - running.bank)
    assert game.state
    if game.state.this_turn[0] != whose:
        return (said, *game.rules.decide(game.state, Answer(whose, "no")))
    match clock.expiry:
        case "play":
            return said, TurnTakenOver(whose, STAND_IN)
        case "take_over":
            return said, SeatMinded(whose, STAND_IN)
        case _:  # forfeit
            return (said,)


def come_back(game: Game, command: ComeBack) -> tuple[Any, ...]:
    """What happens when a person returns. A turn that is begun is finished by the computer.

    Raises:
        IllegalMove: no computer player has the seat, or there is no time to come back with.
    """
    times, clock, seat = game.times, game.terms.clock, command.seat
    minding = game.stand_in(seat)
    if not times or not clock or not minding or minding.until != "return":
        raise refuse("not_away")
    if clock.turn is None and not times.banks[seat]:
        raise refuse("no_time_left")
    returned = OwnerReturned(seat)
    if game.to_act() == seat:
        return returned, TurnTakenOver(seat, minding.level)
    return (returned,)


def follow(game: Game, events: tuple[Any, ...], at: int) -> tuple[Any, ...]:
    """What the clocks do after events that happen at that time; nothing where there are none."""
    if not game.times:
        return ()
    after = game.copy()
    for event in events:
        evolve(after, event)
    times, clock = after.times, game.terms.clock
    if not times or not clock or after.result or not after.state:
        return ()
    seat, running = after.to_act(), times.running
    due = seat if seat is not None and seat != HOUSE and not after.level(seat) else None
    over = game.state is None or game.state.this_turn != after.state.this_turn
    if running and running.seat == due and not over:
        return ()  # it goes on
    stopped = [] if running is None else [_stop(game, times, running, over, at)]
    for event in stopped:
        evolve(after, event)
    started = [] if due is None else [_start(after, times.spare, due, at)]
    return (*stopped, *started)


def _stop(game: Game, times: Times, running: Running, over: bool, at: int) -> ClockStopped:
    clock = game.terms.clock
    assert clock and game.state
    # Not more than was given, should the store's clock have been set back.
    left = max(0, min(running.deadline - at, (clock.turn or 0) + running.bank))
    kept = min(running.bank, left)
    bank = times.banks[running.seat] - running.bank + kept
    if over and game.state.this_turn[0] == running.seat:
        bank += clock.increment
    return ClockStopped(running.seat, bank, None if over else left - kept)


def _start(
    game: Game, spare: tuple[Seat, int] | None, seat: Seat, at: int
) -> ClockStarted | TurnTakenOver:
    """The seat's time from now on: what is left of the turn's, and its bank.

    A question is answered within the time of a turn, where there is one, and costs no bank.
    """
    clock = game.terms.clock
    assert clock and game.times and game.state
    own = spare[1] if spare and spare[0] == seat else clock.turn or 0
    asked = game.state.this_turn[0] != seat
    bank = 0 if asked and clock.turn is not None else game.times.banks[seat]
    if not own + bank and clock.expiry == "play":
        return TurnTakenOver(seat, STAND_IN)
    return ClockStarted(seat, at + own + bank, bank)
