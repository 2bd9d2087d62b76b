"""A turn: reread, chosen from a view, legal in any case, dropped when somebody was faster."""

import logging
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import inf, nan
from random import Random
from typing import Any

import pytest

from service.config import Config
from service.decision import Chosen, FellBack
from service.rules import canasta
from service.rules.canasta.commands import Discard, Draw
from service.rules.deals import DealStarted
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating.commands import Chair, Resign
from service.store import StoreUnavailable
from tests.workers.desk import CASUAL, NOVICE, PERSON, Desk
from tests.workers.weighing import EVERYWHERE
from workers import choosing, jobs, playing, strategies
from workers.alarm import Hung
from workers.playing import ATTEMPTS, EVEN
from workers.strategies import Budget, Candidate, Choice, Situation


def put(monkeypatch: pytest.MonkeyPatch, strategy: Any) -> None:
    """Lets `strategy(view, seat)` choose for every level."""

    def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
        return Choice(strategy(situation.view, situation.seat))

    player = strategies.Player("put 1", choose)
    monkeypatch.setattr(strategies, "STRATEGIES", {"casual": {"canasta": player}})


def test_a_job_plays_on_for_whoever_is_next_and_calls_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk()
    seats = []

    def think(view: Any, seat: int) -> Any:
        seats.append(seat)
        desk.now += 1000 * (set(seats) == {0, 1})  # the slice is over
        return canasta.legal(view, seat)[0]

    put(monkeypatch, think)
    opened = desk.open(CASUAL, CASUAL)
    assert desk.calls == [(opened.id, opened.version, 0)]
    desk.turn(*desk.calls.pop()[:2], slice=0.5)
    after = desk.load(opened.id)
    assert after.version == opened.version + len(seats)
    assert desk.calls == [(opened.id, after.version, 0)]


def test_a_job_that_comes_twice_or_late_does_nothing() -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.turn(opened.id, opened.version)
    moved_on = desk.load(opened.id).version
    desk.turn(opened.id, opened.version)
    desk.turn(opened.id, moved_on + 1)
    assert desk.load(opened.id).version == moved_on


def test_nothing_is_played_for_people_nor_in_games_that_are_not_there() -> None:
    desk = Desk()
    opened = desk.open(PERSON, Chair("human", None, "bert"))
    desk.turn(opened.id, opened.version)
    desk.turn("nowhere", 3)
    assert desk.load(opened.id).version == opened.version


def test_a_game_plays_itself_to_the_end_and_then_rests() -> None:
    desk = Desk()
    game = desk.open(CASUAL, NOVICE, CASUAL, NOVICE, target_score=2500).id
    desk.work()
    over = desk.load(game)
    assert over.game.result
    assert over.game.secret
    desk.turn(game, over.version)
    assert desk.load(game).version == over.version


def test_when_somebody_was_faster_the_choice_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "FALLBACKS", Counter[str]())
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    other = Desk(desk.store)

    def slow(view: Any, seat: int) -> Any:
        table = other.load(opened.id)
        if table.version == opened.version:
            other.tables.play(table, Draw(seat))
        return Draw(seat)

    put(monkeypatch, slow)
    desk.turn(opened.id, opened.version)
    assert desk.load(opened.id).version == opened.version + 1
    assert playing.FALLBACKS["casual"] == 0


@pytest.mark.parametrize(
    "answer",
    [
        lambda seat: Discard(seat, "3d"),  # in no hand, ever
        lambda seat: Draw(1 - seat),
        lambda seat: Resign(seat),
        lambda seat: DealCards(HOUSE, ()),
        lambda seat: Draw(seat + 2),
        lambda seat: None,
        lambda seat: 1 // 0,
        lambda seat: dict[str, int]()["10h"],
    ],
)
def test_whatever_a_strategy_answers_the_game_moves_on(
    answer: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(playing, "FALLBACKS", Counter[str]())
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    put(monkeypatch, lambda _view, seat: answer(seat))
    desk.work(until=opened.version + 6)
    moved = desk.load(opened.id)
    assert playing.FALLBACKS["casual"] == moved.version - opened.version == 6
    assert len(caplog.records) == 6 * (ATTEMPTS + 1)  # each attempt that failed, and the fallback
    assert not re.search(r"\b(10h|3d)\b", caplog.text)  # a game's id may hold the letters


def test_an_unknown_level_is_played_all_the_same() -> None:
    desk = Desk()
    opened = desk.open(Chair("ai", "gone"), CASUAL)
    desk.work(until=opened.version + 8)
    assert desk.load(opened.id).version >= opened.version + 8
    kept = {commit.seat: commit.decision for commit in desk.played(opened.id)}
    assert kept[0] == FellBack("gone", None, 50, "crashed")


def test_what_was_weighed_is_kept_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "STRATEGIES", EVERYWHERE)
    desk = Desk()
    opened = desk.open(CASUAL, NOVICE)
    desk.work(until=opened.version + 12)
    kept = {commit.seat: commit.decision for commit in desk.played(opened.id)}
    assert kept[1] == Chosen("novice", "novice 1", 50, 0, ())
    for commit in desk.played(opened.id):
        if commit.seat == 0:
            decision = commit.decision
            assert isinstance(decision, Chosen)
            assert (decision.strategy, decision.budget, decision.samples) == ("weighing 1", 50, 3)
            assert decision.candidates[0].command == commit.command
            tenths = [one.tenths for one in decision.candidates]
            assert tenths == sorted(tenths, reverse=True)
            assert all(type(value) is int for value in tenths)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda choice: 1 // 0, "crashed"),
        (lambda choice: Choice(None), "illegal"),
        (lambda choice: replace(choice, candidates=choice.candidates[1:]), "illegal"),
        (lambda choice: replace(choice, candidates=(Candidate(choice.command, nan),)), "illegal"),
        (lambda choice: replace(choice, candidates=(Candidate(choice.command, inf),)), "illegal"),
        (lambda choice: choice, "illegal"),  # one of its candidates is none
        (lambda choice: good(choice, samples=1.0), "illegal"),
        (lambda choice: good(choice, samples=None), "illegal"),
        (lambda choice: good(choice, samples=-1), "illegal"),
        (lambda choice: good(choice, samples=2**53), "illegal"),
        (lambda choice: good(choice, candidates=[Candidate(choice.command, 1e16)]), "illegal"),
        (lambda choice: good(choice, candidates=[Candidate(choice.command, 0.0)] * 6), "illegal"),
        (
            lambda choice: good(choice, candidates=[*good(choice).candidates, others(choice)]),
            "illegal",
        ),
        (lambda choice: hang(), "hung"),
    ],
)
def test_what_no_strategy_may_answer_is_no_choice(
    answer: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(situation: Situation, rng: Random, budget: Budget) -> Any:
        legal = situation.rules.legal(situation.view, situation.seat)
        weighed = tuple(Candidate(command, 0.0) for command in legal)
        return answer(Choice(legal[0], 1, (*weighed, Candidate(None, 1.0))))

    monkeypatch.setattr(
        strategies, "STRATEGIES", {"casual": {"canasta": strategies.Player("odd 3", choose)}}
    )
    desk = Desk()
    table = desk.open(CASUAL, CASUAL)
    seat = table.game.to_act()
    assert seat is not None
    with pytest.raises(choosing.ChoiceFailed) as failed:
        choosing.choose(desk.tables, table, seat)
    assert failed.value.why == why


def hang() -> None:
    raise Hung("10h")


def good(choice: Choice, **more: Any) -> Choice:
    """One that may be answered, but for what is given."""
    return replace(choice, **{"candidates": choice.candidates[:1], **more})


def others(choice: Choice) -> Candidate:
    """What is another seat's to do."""
    return Candidate(replace(choice.command, seat=1 - choice.command.seat), 0.0)


def test_a_strategy_sees_its_own_cards_only(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL, CASUAL, CASUAL)
    seen = []

    def look(view: Any, seat: int) -> Any:
        seen.append((view, seat))
        return Draw(seat)

    put(monkeypatch, look)
    desk.turn(opened.id, opened.version)
    view, seat = seen[0]
    assert set(view.stock) == {"??"}
    assert all(set(hand) == {"??"} for other, hand in enumerate(view.hands) if other != seat)
    assert "??" not in view.hands[seat]


def test_the_same_moment_is_decided_the_same_way_again() -> None:
    desk = Desk()
    table = desk.open(NOVICE, NOVICE, NOVICE, NOVICE)
    seat = table.game.to_act()
    assert seat is not None
    assert len({repr(choosing.choose(desk.tables, table, seat)) for _ in range(5)}) == 1


def test_beside_people_each_command_takes_its_time_and_holds_no_worker() -> None:
    desk = Desk()
    opened = desk.beside_people(CASUAL, PERSON, CASUAL, CASUAL)
    desk.turn(opened.id, opened.version, pace=0.5)
    after = desk.load(opened.id)
    assert after.version == opened.version + 1
    assert desk.naps == [pytest.approx(0.5)]
    assert desk.calls == [(opened.id, after.version, 0)]
    assert after.changed - opened.changed == 500  # the commit has the time at which it came
    desk.now += 10_000  # it waited in the queue: no pause on top of that
    desk.turn(opened.id, after.version, pace=0.5)
    assert all(nap <= EVEN * Config().ai_budgets.seconds("casual") for nap in desk.naps[1:])


def test_computers_among_themselves_do_not_wait() -> None:
    desk = Desk()
    opened = desk.open(CASUAL, CASUAL)
    desk.turn(opened.id, opened.version, pace=0.5)
    assert desk.naps == []


def test_a_game_that_moves_on_during_the_pause_is_left_alone() -> None:
    desk = Desk()
    opened = desk.beside_people(CASUAL, PERSON)

    def nap(_seconds: float, do: Callable[[], None], _give_back: Callable[[], None]) -> None:
        desk.tables.play(desk.load(opened.id), Draw(0))
        do()

    desk.later = nap
    desk.turn(opened.id, opened.version, pace=0.5)
    assert desk.load(opened.id).version == opened.version + 1


def test_a_failure_names_the_place_and_no_card(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("10h")

    monkeypatch.setattr(jobs, "take_turn", broken)
    with caplog.at_level(logging.INFO), pytest.raises(jobs.TurnFailed) as failure:
        jobs.play_turn("game", 3)
    assert "KeyError in" in str(failure.value)
    assert failure.value.__cause__ is None
    assert failure.value.__suppress_context__
    assert "10h" not in caplog.text + str(failure.value)


def test_an_outage_stays_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> None:
        raise StoreUnavailable("no connection")

    monkeypatch.setattr(jobs, "take_turn", away)
    with pytest.raises(StoreUnavailable):
        jobs.play_turn("game", 3)


def test_a_strategy_hears_its_own_deal_as_its_seat_saw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "PIECE", 3)
    desk = Desk()
    game = desk.open(CASUAL, NOVICE).id

    def state() -> Any:
        return desk.load(game).game.state

    while (state().deal, len(state().pile)) < (2, 4):
        desk.turn(*desk.calls.pop()[:2])
    table = desk.load(game)
    rules = table.game.rules
    (dealt,) = [
        commit.version
        for commit in desk.tables.commits(game, 1)
        if any(isinstance(event, DealStarted) and event.deal == 2 for event in commit.events)
    ]
    for seat in (0, 1):
        heard = choosing.heard(desk.tables, table, seat)
        start = heard[0]
        assert start.deal == 2
        assert set(start.hands[1 - seat]) == {"??"}
        assert "??" not in start.hands[seat]
        # What is heard leads to what is seen.
        view = rules.view(desk.tables.at(table, dealt - 1).game.state, seat)
        for event in heard:
            rules.evolve(view, event)
        assert view == rules.view(table.game.state, seat)
