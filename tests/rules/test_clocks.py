"""Whose time runs, until when, and what happens when it is up (rules T.9 to T.12)."""

from collections.abc import Callable
from typing import Any, Literal

import pytest

from service.replay import FAILURES
from service.rules import seating
from service.rules.botifarra.commands import ChooseTrump, NoDouble
from service.rules.canasta.commands import Answer, Discard, Draw
from service.rules.canasta.events import PartnerAnswered, PartnerAsked
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards, GameEnded
from service.rules.seating import Game, clocks
from service.rules.seating.commands import (
    Chair,
    Clock,
    ComeBack,
    Resign,
    RunOut,
    Setup,
    StartGame,
    Terms,
)
from service.rules.seating.events import (
    ClockRanOut,
    ClockStarted,
    ClockStopped,
    OwnerReturned,
    SeatMinded,
    SeatResigned,
    SeatTakenOver,
    TurnTakenOver,
)
from service.rules.seating.times import Running, StandIn, Times
from tests.rules.test_seating import ROBOT, opened, order

Policy = Literal["play", "take_over", "forfeit"]
PEOPLE = tuple(Chair("human", None, name) for name in ("anna", "bert", "cleo", "dora"))


def clock(
    turn: int | None = 60, bank: int | None = None, increment: int = 0, expiry: Policy = "play"
) -> Clock:
    return Clock(turn, bank, increment, expiry)


def table(given: Clock | None, *chairs: Chair, variant: str = "bolivia") -> Game:
    """A game whose first deal came at the time 1,000; seat 1 is to act where seat 0 deals."""
    game = opened(order(*(chairs or PEOPLE), variant=variant, terms=Terms(given)))
    give(game, StartGame(0), at=900)
    give(game, DealCards(HOUSE, game.variant.pack()), at=1000)
    return game


def give(game: Game, command: Any, at: int) -> list[Any]:
    return happen(game, seating.decide(game, command, at))


def happen(game: Game, events: Any) -> list[Any]:
    for event in events:
        seating.evolve(game, event)
    return list(events)


def timed(events: list[Any]) -> list[Any]:
    """Those of the clock."""
    return [event for event in events if type(event) in (ClockStarted, ClockStopped, ClockRanOut)]


def refusal(game: Game, command: Any, at: int) -> str:
    with pytest.raises(IllegalMove) as no:
        seating.decide(game, command, at)
    return no.value.code


def discard(game: Game, seat: int) -> Discard:
    """A discard that the rules allow."""
    return next(one for one in game.legal(seat) if isinstance(one, Discard))


def ask(game: Game, seat: int, at: int) -> list[Any]:
    """The seat asks its partner; what the plan is does not matter to the clock."""
    asked: Any = (PartnerAsked(seat, None),)
    return happen(game, (*asked, *clocks.follow(game, asked, at)))


def running(game: Game) -> Running | None:
    assert game.times
    return game.times.running


@pytest.mark.parametrize(
    ("given", "sense"),
    [
        (clock(60), True),
        (clock(1), True),
        (clock(None, 1), True),
        (clock(None, 600), True),
        (clock(60, 600, 5), True),
        (clock(None, None), False),
        (clock(0), False),
        (clock(60, 0), False),
        (clock(60, None, 5), False),
        (clock(60, 600, -1), False),
    ],
)
def test_a_clock_must_give_time(given: Clock, sense: bool) -> None:
    command = order(*PEOPLE, terms=Terms(given))
    if sense:
        seating.opening(command)
        return
    with pytest.raises(IllegalMove, match="bad_clock"):
        seating.opening(command)


def test_without_a_clock_nothing_is_said_of_time() -> None:
    game = table(None)
    assert game.times is None
    assert timed(give(game, Draw(1), 99_999)) == []
    assert refusal(game, RunOut(1, 0), 99_999) == "not_run_out"
    assert refusal(game, ComeBack(1), 99_999) == "not_away"


@pytest.mark.parametrize(
    ("given", "deadline", "bank"),
    [
        (clock(60), 1060, 0),
        (clock(None, 600), 1600, 600),
        (clock(60, 600), 1660, 600),
        (clock(60, 60), 1120, 60),
    ],
)
def test_the_time_runs_from_when_the_turn_comes(given: Clock, deadline: int, bank: int) -> None:
    game = opened(order(*PEOPLE, terms=Terms(given)))
    assert timed(give(game, StartGame(0), 900)) == []
    dealt = give(game, DealCards(HOUSE, game.variant.pack()), 1000)
    assert timed(dealt) == [ClockStarted(1, deadline, bank)]
    assert running(game) == Running(1, deadline, bank)


@pytest.mark.parametrize(
    ("given", "at", "bank"),
    [
        (clock(60), 1059, 0),
        (clock(60, 600), 1060, 600),
        (clock(60, 600), 1100, 560),
        (clock(60, 600, 5), 1100, 565),
        (clock(60, 600, 5), 1010, 605),
        (clock(None, 600), 1100, 500),
        (clock(None, 600, 5), 1599, 6),
        (clock(60, 600), 500, 600),  # the store's clock was set back
    ],
)
def test_what_a_turn_takes(given: Clock, at: int, bank: int) -> None:
    """Only the seat to act loses time, and only beyond the turn's own."""
    game = table(given)
    assert timed(give(game, Draw(1), 1005)) == []  # the same turn
    ended = timed(give(game, discard(game, 1), at))
    full = given.bank or 0
    assert ended == [
        ClockStopped(1, bank, None),
        ClockStarted(2, at + (given.turn or 0) + full, full),
    ]
    assert game.times
    assert game.times.banks == (full, bank, full, full)


@pytest.mark.parametrize(
    ("given", "at", "stopped"),
    [
        (clock(60, 600, 5), 1020, ClockStopped(1, 600, 40)),  # the increment comes with the end
        (clock(None, 600), 990, ClockStopped(1, 600, 0)),  # the store's clock was set back
    ],
)
def test_what_a_question_leaves(given: Clock, at: int, stopped: ClockStopped) -> None:
    game = table(given)
    give(game, Draw(1), 1000)
    assert timed(ask(game, 1, at))[0] == stopped


def test_who_gives_up_too_late_has_nothing_left() -> None:
    game = table(clock(60, 600), *PEOPLE[:3])
    assert timed(give(game, Resign(1), 1700)) == [ClockStopped(1, 0, 0)]


def test_one_computer_acts_for_a_seat() -> None:
    times = Times((0, 0)).seated(StandIn(1, "casual", "return")).seated(StandIn(0, "club", "turn"))
    assert times.seated(StandIn(1, "casual", "turn")).stand_ins == (
        StandIn(0, "club", "turn"),
        StandIn(1, "casual", "turn"),
    )


def test_computers_have_no_clock() -> None:
    game = table(clock(60), PEOPLE[0], ROBOT)
    assert running(game) is None
    give(game, Draw(1), 50_000)
    assert timed(give(game, discard(game, 1), 50_000)) == [ClockStarted(0, 50_060, 0)]


def test_the_house_takes_no_time() -> None:
    """Between two deals nobody's time runs."""
    game = table(clock(60, 600, 5))
    events: Any = (GameEnded(None, (0, 0), "deal_cap"),)
    assert clocks.follow(game, events, 1100) == ()
    happen(game, events)
    assert running(game) is None


def test_each_decision_in_botifarra_is_a_turn() -> None:
    """Also of the one who speaks, or leads, twice running."""
    game = table(clock(60), variant="botifarra")
    dealer = game.to_act()
    assert dealer == 0
    give(game, ChooseTrump(0, "O"), 1010)
    assert running(game) == Running(1, 1070, 0)
    give(game, NoDouble(1), 1020)
    assert running(game) == Running(3, 1080, 0)
    assert timed(give(game, NoDouble(3), 1030)) == [
        ClockStopped(3, 0, None),
        ClockStarted(1, 1090, 0),
    ]
    at, same = 1040, 0
    assert game.state
    while game.state.deal == 1 and game.to_act() != HOUSE:
        seat = game.to_act()
        assert seat is not None
        said = timed(give(game, game.legal(seat)[-1], at))
        same += game.to_act() == seat
        if game.to_act() != HOUSE:
            assert said[-1] == ClockStarted(game.to_act() or 0, at + 60, 0)
        else:
            assert said == [ClockStopped(seat, 0, None)]
        at += 10
    assert same


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_others_lose_nothing(seat: int) -> None:
    game = table(clock(60))
    assert refusal(game, Draw(seat), 5000) == "not_your_turn"


def test_late_is_late() -> None:
    game = table(clock(60))
    assert refusal(game, RunOut(1, 1060), 1059) == "not_run_out"
    assert refusal(game, RunOut(2, 1060), 1060) == "not_run_out"
    assert refusal(game, RunOut(1, 1061), 1061) == "not_run_out"
    assert refusal(game, Draw(1), 1060) == "time_is_up"
    give(game, Draw(1), 1059)
    assert refusal(game, discard(game, 1), 9000) == "time_is_up"
    give(game, RunOut(1, 1060), 1060)
    assert refusal(game, RunOut(1, 1060), 1061) == "not_run_out"


def test_a_computer_plays_the_turn() -> None:
    game = table(clock(60, 600))
    give(game, Draw(1), 1001)
    assert give(game, RunOut(1, 1660), 2000) == [
        ClockRanOut(1, 0),
        TurnTakenOver(1, "casual"),
    ]
    assert (game.to_act(), game.level(1)) == (1, "casual")
    assert game.chairs[1] == PEOPLE[1]
    move = discard(game, 1)
    with pytest.raises(IllegalMove, match="time_is_up"):
        clocks.by_owner(game, 1, move)
    assert timed(give(game, move, 2100)) == [ClockStarted(2, 2760, 600)]
    assert game.level(1) is None
    clocks.by_owner(game, 1, Draw(1))


def test_without_any_time_left_a_computer_plays_at_once() -> None:
    game = table(clock(None, 600), *PEOPLE[:2])
    give(game, RunOut(1, 1600), 1600)
    give(game, Draw(1), 1600)
    give(game, discard(game, 1), 1600)
    give(game, Draw(0), 1700)
    assert give(game, discard(game, 0), 1700)[-2:] == [
        ClockStopped(0, 500, None),
        TurnTakenOver(1, "casual"),
    ]
    assert game.level(1) == "casual"


def test_a_computer_has_the_seat_until_its_owner_returns() -> None:
    game = table(clock(60, expiry="take_over"), *PEOPLE[:2])
    give(game, RunOut(1, 1060), 1060)
    assert game.stand_in(1) == StandIn(1, "casual", "return")
    assert game.seat_of("bert") == 1
    with pytest.raises(IllegalMove, match="away"):
        clocks.by_owner(game, 1, Draw(1))
    clocks.by_owner(game, 1, Resign(1))
    clocks.by_owner(game, 1, ComeBack(1))
    assert refusal(game, ComeBack(0), 1070) == "not_away"
    give(game, Draw(1), 1070)
    give(game, discard(game, 1), 1080)
    assert running(game) == Running(0, 1140, 0)
    assert give(game, ComeBack(1), 1090) == [OwnerReturned(1)]
    assert game.stand_in(1) is None
    assert running(game) == Running(0, 1140, 0)
    assert refusal(game, ComeBack(1), 1090) == "not_away"
    give(game, Draw(0), 1100)
    give(game, discard(game, 0), 1100)
    assert running(game) == Running(1, 1160, 0)


def test_a_turn_that_the_computer_began_it_finishes() -> None:
    """Else whoever runs out of time and comes back had twice as much of it."""
    game = table(clock(60, expiry="take_over"), *PEOPLE[:2])
    assert give(game, RunOut(1, 1060), 1060) == [ClockRanOut(1, 0), SeatMinded(1, "casual")]
    give(game, Draw(1), 1065)
    assert give(game, ComeBack(1), 1070) == [OwnerReturned(1), TurnTakenOver(1, "casual")]
    assert (running(game), game.level(1)) == (None, "casual")
    assert refusal(game, ComeBack(1), 1070) == "not_away"
    give(game, discard(game, 1), 1080)
    assert game.level(1) is None


def test_nobody_comes_back_without_time() -> None:
    game = table(clock(None, 600, expiry="take_over"), *PEOPLE[:2])
    give(game, RunOut(1, 1600), 1600)
    assert refusal(game, ComeBack(1), 1700) == "no_time_left"


def test_the_side_forfeits_at_a_table_of_two_sides() -> None:
    game = table(clock(60, expiry="forfeit"))
    said = give(game, RunOut(1, 1060), 1100)
    assert said[:2] == [ClockRanOut(1, 0), SeatResigned(1)]
    assert isinstance(said[2], GameEnded)
    assert (said[2].winner, said[2].why) == (0, "resigned")
    assert (game.status, running(game)) == ("finished", None)
    assert refusal(game, RunOut(1, 1060), 1100) == "game_over"
    assert refusal(game, ComeBack(1), 1100) == "game_over"


def test_at_a_table_of_three_sides_a_computer_plays_on() -> None:
    game = table(clock(60, expiry="forfeit"), *PEOPLE[:3])
    assert give(game, RunOut(1, 1060), 1100) == [
        ClockRanOut(1, 0),
        SeatResigned(1),
        SeatTakenOver(1, "casual"),
    ]
    assert (game.chairs[1], running(game)) == (Chair("ai", "casual"), None)
    give(game, Draw(1), 1200)
    give(game, discard(game, 1), 1200)
    give(game, RunOut(2, 1260), 1300)
    assert game.result
    assert game.result.winner == 0


def test_who_gives_up_has_no_clock_any_more() -> None:
    game = table(clock(60, 600), *PEOPLE[:3])
    assert timed(give(game, Resign(1), 1100)) == [ClockStopped(1, 560, 0)]
    away = table(clock(60, expiry="take_over"), *PEOPLE[:3])
    give(away, RunOut(1, 1060), 1060)
    give(away, Resign(1), 1070)
    assert away.stand_in(1) is None
    assert away.level(1) == "casual"


@pytest.mark.parametrize(
    ("given", "asked", "resumed"),
    [
        (clock(60), ClockStarted(3, 1080, 0), ClockStarted(1, 1070, 0)),
        (clock(60, 600), ClockStarted(3, 1080, 0), ClockStarted(1, 1670, 600)),
        (clock(None, 600), ClockStarted(3, 1620, 600), ClockStarted(1, 1610, 580)),
    ],
)
def test_a_question_is_the_partners_time(given: Clock, asked: Any, resumed: Any) -> None:
    """What is left to the one who asked is kept, to the millisecond."""
    game = table(given)
    give(game, Draw(1), 1010)
    ask(game, 1, 1020)
    assert running(game) == Running(3, asked.deadline, asked.bank)
    said = timed(give(game, Answer(3, "no"), 1030))
    assert said[-1] == resumed
    give(game, discard(game, 1), 1040)
    assert game.times
    assert game.times.spare is None
    assert running(game) == Running(
        2, 1040 + (given.turn or 0) + (given.bank or 0), given.bank or 0
    )


@pytest.mark.parametrize("expiry", ["play", "take_over", "forfeit"])
def test_an_unanswered_question_is_a_no(expiry: Policy) -> None:
    game = table(clock(60, 600, expiry=expiry))
    give(game, Draw(1), 1010)
    ask(game, 1, 1020)
    assert refusal(game, Answer(3, "yes"), 1080) == "time_is_up"
    assert give(game, RunOut(3, 1080), 1085) == [
        ClockRanOut(3, 600),
        PartnerAnswered(3, "no"),
        ClockStarted(1, 1725, 600),
    ]
    assert game.to_act() == 1


def test_a_computer_may_ask_a_person() -> None:
    game = table(clock(60), PEOPLE[0], ROBOT, PEOPLE[2], PEOPLE[3])
    give(game, Draw(1), 1010)
    ask(game, 1, 1020)
    assert running(game) == Running(3, 1080, 0)
    assert timed(give(game, RunOut(3, 1080), 1080)) == [ClockRanOut(3, 0)]
    give(game, discard(game, 1), 1090)
    give(game, Draw(2), 1091)
    give(game, discard(game, 2), 1092)
    assert running(game) == Running(3, 1152, 0)  # a whole turn, whatever the question took


def test_a_view_knows_the_time_as_the_game_does() -> None:
    game = table(clock(60, 600))
    seen = game.view(0)
    for event in seating.decide(game, Draw(1), 1010):
        seating.evolve(seen, seating.seen(game, event, 0))
        seating.evolve(game, event)
    for event in seating.decide(game, discard(game, 1), 1700 - 50):
        seating.evolve(seen, seating.seen(game, event, 0))
        seating.evolve(game, event)
    assert seen.times == game.times


def test_a_practice_game_may_have_a_clock() -> None:
    command = order(*PEOPLE, setup=Setup(0, (0, 0)), terms=Terms(clock(60)))
    game = opened(command)
    give(game, StartGame(0), 0)
    give(game, DealCards(HOUSE, game.variant.pack()), 5)
    assert running(game) == Running(1, 65, 0)


REFUSED: dict[str, Callable[[], Any]] = {
    "bad_clock": lambda: seating.opening(order(*PEOPLE, terms=Terms(clock(None)))),
    "time_is_up": lambda: seating.decide(table(clock(60)), Draw(1), 1060),
    "not_run_out": lambda: seating.decide(table(clock(60)), RunOut(1, 1060), 1059),
    "not_away": lambda: seating.decide(table(clock(60)), ComeBack(1), 1059),
}
"""For `test_table_reasons`."""


def _away() -> Any:
    game = table(clock(None, 60, expiry="take_over"))
    give(game, RunOut(1, 1060), 1060)
    return game


def _played_for() -> Any:
    clocks.by_owner(_away(), 1, Draw(1))


REFUSED["away"] = _played_for
REFUSED["no_time_left"] = lambda: seating.decide(_away(), ComeBack(1), 1060)


def test_a_log_that_turns_a_clock_where_none_is_or_opens_a_table_twice_cannot_be_folded() -> None:
    """No such log was ever decided; in every game an audit says so."""
    again = seating.opening(order(*PEOPLE, variant="bolivia"))[0]
    for given, event in [(None, ClockStarted(1, 2000, 0)), (None, again), (clock(), again)]:
        game = table(given)
        times = game.times
        with pytest.raises(FAILURES):
            seating.evolve(game, event)
        assert game.times is times
