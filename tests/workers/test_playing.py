"""Who has a turn, how often it is tried, when it is played, and when others go first."""

import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from service.decision import Chosen, FellBack
from service.levels import Budgets, Pauses
from service.rules.canasta.commands import Discard, Draw
from service.rules.seating.commands import Resign
from service.store import StoreUnavailable
from tests.workers.desk import CASUAL, PERSON, Desk
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
    monkeypatch.setattr(playing, "SLICE", 0.0)
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.calls.clear()
    desk.turn(opened.id, opened.version)
    assert desk.load(opened.id).version == opened.version + 1
    assert desk.calls == [(opened.id, opened.version + 1, 0)]


@pytest.mark.parametrize("slow", [0.0, 0.04])
def test_beside_people_no_answer_tells_how_long_it_was_thought_about(
    slow: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def think(situation: Situation, _budget: Budget) -> Any:
        time.sleep(slow)
        return Draw(situation.seat)

    put(monkeypatch, think)
    desk = Desk()
    opened = desk.beside_people(CASUAL, PERSON, CASUAL, CASUAL)
    desk.now += 1000  # the pace is over long since
    desk.turn(opened.id, opened.version, pace=0.2, ai_budgets=Budgets(casual=200))
    [nap] = desk.naps
    assert slow + nap <= EVEN * 0.2 + 0.001
    assert slow + nap >= EVEN * 0.2 - 0.15  # what reading took; a busy machine reads slowly


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
    assert 6.5 < desk.naps[0] <= 9.0
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
