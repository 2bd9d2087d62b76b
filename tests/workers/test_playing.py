"""Who has a turn, how often it is tried, when it is played, and when others go first."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import inf
from random import Random
from typing import Any

import pytest

from service.decision import Chosen, FellBack
from service.levels import Budgets, Pauses
from service.rules.canasta.commands import Discard, Draw
from service.rules.seating.commands import Clock, Resign, Terms
from service.store import StoreUnavailable
from service.store.turns import Turn
from tests.workers.desk import CASUAL, NOVICE, PERSON, Desk
from workers import alarm, playing, strategies
from workers.playing import ATTEMPTS, EVEN, LEASE
from workers.strategies import Budget, Choice, Player, Situation

SHORT = Budgets(casual=20)


def put(monkeypatch: pytest.MonkeyPatch, choose: Callable[..., Any]) -> None:
    """Lets `choose(situation, budget)` play for `casual`."""

    def chosen(situation: Situation, rng: Random, budget: Budget) -> Choice:
        return Choice(choose(situation, budget))

    player = Player("put 1", chosen)
    monkeypatch.setattr(strategies, "STRATEGIES", {"casual": {"canasta": player}, "novice": {}})


def decisions(desk: Desk, game: str) -> list[Any]:
    """Those of the computer players, in their order."""
    return [commit.decision for commit in desk.played(game)]


def test_what_failed_is_tried_again_and_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def unlucky(situation: Situation, _budget: Budget) -> Any:
        tries.append(situation.seat)
        if len(tries) < ATTEMPTS:
            raise MemoryError
        return Draw(situation.seat)

    put(monkeypatch, unlucky)
    desk = Desk()
    game, version = desk.open(CASUAL, CASUAL).id, 3
    for attempt in range(1, ATTEMPTS):
        desk.turn(game, version)
        assert desk.load(game).version == version
        assert desk.calls[-1] == (game, version, -attempt)
    desk.turn(game, version)
    [decision, *_] = decisions(desk, game)
    assert isinstance(decision, Chosen)
    assert len(tries) >= ATTEMPTS


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda _: 1 // 0, "crashed"),
        (lambda one: Discard(one.seat, "3d"), "illegal"),
        (lambda one: Resign(one.seat), "illegal"),
        (lambda _: None, "illegal"),
    ],
)
def test_after_the_last_attempt_something_legal_is_played_and_says_why(
    answer: Callable[[Situation], Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "FAILURES", Counter[str]())
    put(monkeypatch, lambda situation, _: answer(situation))
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.work(until=opened.version + 1)
    [fell] = decisions(desk, opened.id)
    assert fell == FellBack("casual", "put 1", 50, why)
    assert {f"casual {why}": ATTEMPTS} == playing.FAILURES


def test_a_loop_of_python_is_ended_by_an_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "LEAST", 0.1)

    def hang(_situation: Situation, _budget: Budget) -> Any:
        while True:
            try:
                time.sleep(0.001)
            except Exception:
                continue

    put(monkeypatch, hang)
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    for _ in range(ATTEMPTS):
        desk.turn(opened.id, opened.version, ai_budgets=SHORT)
    [fell] = decisions(desk, opened.id)
    assert fell == FellBack("casual", "put 1", 20, "hung")


def test_a_turn_whose_workers_are_killed_again_and_again_is_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def deadly(_situation: Situation, _budget: Budget) -> Any:
        pytest.fail("it would kill a fourth worker")

    put(monkeypatch, deadly)
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    for _ in range(ATTEMPTS):
        assert desk.turns.begin(opened.id, opened.version, 1.0)  # and nothing is heard of it
        desk.turn(opened.id, opened.version)
        assert desk.load(opened.id).version == opened.version  # another has it, for all we know
        desk.now += 1_001
    desk.turn(opened.id, opened.version)
    [fell] = decisions(desk, opened.id)
    assert fell == FellBack("casual", "put 1", 50, "lost")


def test_an_outage_is_no_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_situation: Situation, _budget: Budget) -> Any:
        raise StoreUnavailable("no connection")

    put(monkeypatch, away)
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    for _ in range(5):
        with pytest.raises(StoreUnavailable):
            desk.turn(opened.id, opened.version)
    turn = desk.turns.find(opened.id)
    assert turn
    assert (turn.attempts, turn.held) == (0, False)


def test_a_strategy_is_given_its_level_s_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def look(situation: Situation, budget: Budget) -> Any:
        given.append(budget)
        return Draw(situation.seat)

    put(monkeypatch, look)
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.turn(opened.id, opened.version, ai_budgets=Budgets(casual=70))
    assert given[0] == Budget(0.07)


def test_a_long_turn_lets_others_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()

    def think(situation: Situation, _budget: Budget) -> Any:
        desk.now += 40
        return situation.rules.legal(situation.view, situation.seat)[0]

    put(monkeypatch, think)
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    desk.turn(opened.id, opened.version, slice=playing.SLICE)
    commands = -(-playing.SLICE // 0.040)  # each but the last began in time
    assert desk.load(opened.id).version == opened.version + commands
    assert desk.calls == [(opened.id, opened.version + commands, 0)]


def test_among_themselves_computers_are_played_for_in_one_job() -> None:
    desk = Desk()
    opened = desk.open(NOVICE, CASUAL, NOVICE, CASUAL, variant="botifarra", target_score=50)
    desk.calls.clear()
    desk.turn(opened.id, opened.version, slice=inf)
    assert desk.load(opened.id).over
    assert desk.calls == []
    desk.now += 10**7
    assert desk.turns.overdue() == []  # the last turn is ended, too


def test_a_job_lets_people_go_first_after_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    begin = desk.turns.begin

    def crowded(game: str, version: int, lease: float) -> Turn | None:
        turn = begin(game, version, lease)
        return turn and replace(turn, crowded=True)

    monkeypatch.setattr(desk.turns, "begin", crowded)
    desk.turn(opened.id, opened.version, slice=inf)
    assert desk.load(opened.id).version == opened.version + 1
    assert desk.calls == [(opened.id, opened.version + 1, 0)]
    turn = desk.turns.find(opened.id)
    assert turn
    assert not turn.held


def test_each_turn_of_a_job_has_its_own_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def unlucky(situation: Situation, _budget: Budget) -> Any:
        tries.append(situation.seat)
        if len(tries) in (3, 4):  # twice at the third command
            raise MemoryError
        return situation.rules.legal(situation.view, situation.seat)[0]

    put(monkeypatch, unlucky)
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    third = opened.version + 2
    for attempt in (1, 2):
        desk.turn(opened.id, desk.load(opened.id).version, slice=inf)
        turn = desk.turns.find(opened.id)
        assert turn
        assert (turn.version, turn.attempts, turn.why) == (third, attempt, "crashed")
        assert not turn.held
        assert desk.calls[-1] == (opened.id, third, -attempt)
    desk.turn(opened.id, third)
    assert [type(one) for one in decisions(desk, opened.id)] == [Chosen] * 3


def test_a_worker_lost_between_two_turns_of_a_job_costs_no_attempt_at_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    begin = desk.turns.begin

    def lost(game: str, version: int, lease: float) -> Turn | None:
        if version > opened.version:
            raise SystemExit
        return begin(game, version, lease)

    monkeypatch.setattr(desk.turns, "begin", lost)
    with pytest.raises(SystemExit):
        desk.turn(opened.id, opened.version, slice=inf)
    assert desk.load(opened.id).version == opened.version + 1
    desk.now += 10**7
    assert desk.turns.overdue() == [opened.id]  # so the sweep calls
    turn = begin(opened.id, opened.version + 1, 1.0)
    assert turn
    assert (turn.attempts, turn.why) == (1, "")


def test_a_job_stops_where_another_worker_has_the_next_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    begin = desk.turns.begin

    def second(game: str, version: int, lease: float) -> Turn | None:
        if version == opened.version + 1:
            assert begin(game, version, lease)  # somebody else's
        return begin(game, version, lease)

    monkeypatch.setattr(desk.turns, "begin", second)
    desk.turn(opened.id, opened.version, slice=inf)
    assert desk.load(opened.id).version == opened.version + 1
    assert desk.calls == []
    turn = desk.turns.find(opened.id)
    assert turn
    assert turn.held


def test_each_command_of_a_job_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    asked = []

    def think(situation: Situation, _budget: Budget) -> Any:
        desk.now += 250
        asked.append(situation.seat)
        if len(asked) > 4:
            raise MemoryError  # that ends the job
        return situation.rules.legal(situation.view, situation.seat)[0]

    put(monkeypatch, think)
    opened = desk.open(CASUAL, CASUAL)
    desk.turn(opened.id, opened.version, slice=inf)
    times = [commit.at for commit in desk.played(opened.id)]
    assert times == [opened.now + n for n in (250, 500, 750, 1000)]


def test_who_is_next_has_the_whole_of_their_time_however_long_a_choice_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk()

    def think(situation: Situation, _budget: Budget) -> Any:
        desk.now += 300  # beyond its budget, so it is played at once
        legal = situation.rules.legal(situation.view, situation.seat)
        return next(one for one in legal if isinstance(one, Draw | Discard))

    put(monkeypatch, think)
    opened = desk.beside_people(CASUAL, PERSON, terms=Terms(Clock(5_000, None, 0, "play")))
    desk.calls = [(opened.id, opened.version, 0)]
    desk.work(pace=0.2)
    table = desk.load(opened.id)
    assert table.game.times
    running = table.game.times.running
    assert desk.naps == []
    assert running
    assert (running.seat, running.deadline) == (1, desk.now + 5_000)


@pytest.mark.parametrize("slow", [0, 125])
def test_beside_people_no_answer_tells_how_long_it_was_thought_about(
    slow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk()

    def think(situation: Situation, _budget: Budget) -> Any:
        desk.now += slow
        return Draw(situation.seat)

    put(monkeypatch, think)
    opened = desk.beside_people(CASUAL, PERSON, CASUAL, CASUAL)
    desk.now += 1000  # the pace is over long since
    desk.turn(opened.id, opened.version, pace=0.2, ai_budgets=Budgets(casual=200))
    assert desk.naps == [pytest.approx(EVEN * 0.2 - slow / 1000)]


def test_a_level_may_make_a_longer_pause_while_the_turn_is_its_own() -> None:
    desk = Desk()
    opened = desk.beside_people(CASUAL, PERSON, CASUAL, CASUAL)
    held = []

    def nap(seconds: float, do: Callable[[], None], _give_back: Callable[[], None]) -> None:
        desk.now += round(seconds * 1000)
        held.append(desk.turns.begin(opened.id, opened.version, 1.0))
        desk.naps.append(seconds)
        do()

    desk.later = nap
    desk.turn(opened.id, opened.version, pace=0.2, ai_pauses=Pauses(casual=(7.0, 9.0)))
    assert 7.0 <= desk.naps[0] <= 9.0
    assert held == [None]
    assert desk.load(opened.id).version == opened.version + 1
    turn = desk.turns.find(opened.id)
    assert turn
    assert not turn.held


def test_without_pace_and_pause_nobody_waits() -> None:
    desk = Desk()
    opened = desk.beside_people(CASUAL, PERSON)
    desk.turn(opened.id, opened.version, pace=0.0)
    assert desk.naps == []


def test_what_is_given_back_is_decided_by_another_worker() -> None:
    desk = Desk()
    opened = desk.beside_people(CASUAL, PERSON)
    backs: list[Callable[[], None]] = []
    desk.later = lambda _seconds, _do, give_back: backs.append(give_back)
    desk.turn(opened.id, opened.version, pace=0.5)
    [give_back] = backs
    give_back()
    assert desk.calls == [(opened.id, opened.version, -1)]
    again = desk.turns.begin(opened.id, opened.version, LEASE)
    assert again
    assert again.attempts == 1
