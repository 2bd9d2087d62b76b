"""A hint as a job: for its version only, from what the seat sees, with luck of its own."""

import json
import logging
import zlib
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException

from service import fairness, levels
from service.hints import Hints
from service.queue import GIVE_HINT, HINT_SECONDS, HINTS, LEVELS, TURN_SECONDS, TURNS, Caller
from service.rules.canasta.commands import Discard, Draw
from service.rules.cards import UNSEEN
from service.rules.seating.commands import Chair, OpenGame, Terms
from service.shelf import Table
from service.store import jobs as kept
from service.store.jobs import LEASE, Job
from service.store.memory_jobs import MemoryJobs
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.table import Tables
from tests.workers.desk import Desk
from workers import alarm, hints, strategies
from workers.__main__ import make_worker
from workers.attempts import JobFailed
from workers.strategies import Budget, Candidate, Choice, Player, Situation
from workers.sweep import Sweep

PEOPLE = [Chair("human", None, name) for name in ("anna", "bert")]
BY_NAME = {0: "anna", 1: "bert"}


class Bench:
    """A table with hints for two people over stores in memory, on a clock of its own."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.jobs = MemoryJobs(lambda: self.desk.now, limits=kept.HINTS)
        self.calls: list[tuple[str, int, int]] = []
        self.hints = Hints(self.desk.tables, self.jobs, self.call)
        duties = [("hints", lambda: self.hints.tend(5.0))]
        self.sweep = Sweep(self.desk.store, self.desk.tables, 5.0, duties=duties)
        order = OpenGame("bolivia", 1, tuple(PEOPLE), {}, "public", "", "", terms=Terms(hints=True))
        self.game = self.desk.tables.open("anna", order).table.id

    def call(self, job: str, attempts: int, again: int = 0) -> None:
        self.calls.append((job, attempts, again))

    @property
    def table(self) -> Table:
        return self.desk.load(self.game)

    @property
    def seat(self) -> int:
        seat = self.table.game.to_act()
        assert seat is not None
        return seat

    def ask(self) -> str:
        return self.hints.ask(self.game, BY_NAME[self.seat]).job.id

    def work(self, job: str) -> None:
        hints.attempt(hints.Adviser(self.hints, self.desk.tables), job)

    def job(self, name: str) -> Job:
        job = self.jobs.find(name)
        assert job
        return job

    def given(self, name: str) -> Any:
        job = self.job(name)
        assert job.state == "done"
        return json.loads(job.result)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def put(monkeypatch: pytest.MonkeyPatch, strategy: Any) -> None:
    """Lets a strategy give the hints."""
    players = {LEVELS[-1]: {"canasta": Player("planted 1", strategy)}}
    monkeypatch.setattr(strategies, "STRATEGIES", players)


def test_a_hint_is_given_once(bench: Bench) -> None:
    job = bench.ask()
    assert bench.calls == [(job, 0, 0)]
    bench.work(job)
    done = bench.job(job)
    given = bench.given(job)
    assert (given["version"], given["level"]) == (bench.table.version, LEVELS[-1])
    bench.desk.now += 10**6
    bench.work(job)
    bench.work("nosuchjob")
    assert replace(bench.job(job), now=done.now) == done


def test_it_has_the_best_candidates_with_their_values(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def weigh(situation: Situation, _rng: Random, _budget: Budget) -> Choice:
        draw, other = Draw(situation.seat), Draw(1 - situation.seat)
        return Choice(draw, 40, (Candidate(draw, 12.34), Candidate(other, 99.0)))

    put(monkeypatch, weigh)
    job = bench.ask()
    bench.work(job)
    given = bench.given(job)
    assert (given["strategy"], given["samples"]) == ("planted 1", 40)
    (only,) = given["candidates"]  # the other is not the seat's to give
    assert (only["command"], only["value"]) == ({"type": "draw"}, 12.3)
    assert only["reason"]["text"].startswith("Draws")


def test_without_candidates_the_choice_stands_alone(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, lambda situation, *_: Choice(Draw(situation.seat)))
    job = bench.ask()
    bench.work(job)
    (only,) = bench.given(job)["candidates"]
    assert only["value"] is None


def test_the_strategy_sees_what_the_seat_sees_and_has_luck_of_its_own(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def look(situation: Situation, rng: Random, _budget: Budget) -> Choice:
        seen.append((situation.view, situation.feed, rng.random()))
        return Choice(Draw(situation.seat))

    put(monkeypatch, look)
    table, seat = bench.table, bench.seat
    bench.work(bench.ask())
    [(view, feed, luck)] = seen
    assert view == table.game.view(seat).state
    assert set(view.hands[1 - seat]) == set(view.stock) == {UNSEEN}
    assert UNSEEN in feed[0].hands[1 - seat]
    assert luck == Random(fairness.hint_seed(table.secret, seat, table.version)).random()
    assert luck != Random(fairness.seed(table.secret, seat, table.version)).random()


def test_a_hint_for_an_old_version_is_stale(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    job, asked = bench.ask(), []
    put(monkeypatch, lambda *_: asked.append(1))
    bench.desk.tables.act(bench.game, BY_NAME[bench.seat], Draw)
    bench.work(job)
    assert (bench.job(job).state, bench.job(job).result, asked) == ("stale", b"", [])
    assert list(bench.jobs.unfinished()) == []


def test_so_is_one_for_which_the_game_moves_on_meanwhile(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(situation: Situation, *_: Any) -> Choice:
        bench.desk.tables.act(bench.game, BY_NAME[situation.seat], Draw)
        return Choice(Draw(situation.seat))

    put(monkeypatch, slow)
    job = bench.ask()
    bench.work(job)
    assert bench.job(job).state == "stale"


def test_a_strategy_that_fails_is_tried_three_times_and_told_by_its_place(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(situation: Situation, *_: Any) -> Choice:
        raise KeyError(situation.view.hands[situation.seat])

    put(monkeypatch, fail)
    job = bench.ask()
    caplog.set_level(logging.DEBUG)
    for _ in range(3):
        with pytest.raises(JobFailed):
            bench.work(job)
    assert (bench.job(job).state, bench.job(job).error) == ("failed", "internal")
    assert "KeyError in" in caplog.text
    assert all(card not in caplog.text for card in ("10c", "Kd", "JK"))


def test_what_the_rules_refuse_is_no_advice(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, lambda situation, *_: Choice(Discard(situation.seat, "4c")))
    job = bench.ask()
    with pytest.raises(JobFailed):
        bench.work(job)
    assert bench.job(job).result == b""


def test_one_that_hangs_has_failed_as_that(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: Any) -> Choice:
        raise JobTimeoutException

    put(monkeypatch, hang)
    job = bench.ask()
    for _ in range(3):
        with pytest.raises(JobFailed):
            bench.work(job)
    assert bench.job(job).error == "too_long"


def test_a_reason_that_cannot_be_found_leaves_the_advice(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> Any:
        raise ValueError("10h")

    monkeypatch.setattr("workers.reasons.canasta.reason", broken)
    monkeypatch.setattr("workers.reasons.REASONS", {"canasta": broken})
    job = bench.ask()
    bench.work(job)
    assert bench.given(job)["candidates"][0]["reason"]["text"].startswith(("One of", "It is"))
    assert "10h" not in caplog.text


def test_a_lost_call_and_a_lost_worker_are_called_again(bench: Bench) -> None:
    job = bench.ask()
    bench.calls.clear()
    bench.desk.now += 5_100
    bench.sweep.once()
    assert bench.calls[-1][:2] == (job, 0)
    assert bench.hints.begin(job)
    bench.desk.now += LEASE + 1
    bench.sweep.once()
    assert bench.calls[-1][:2] == (job, 1)
    bench.work(job)
    assert bench.job(job).state == "done"


def table_on(url: str) -> tuple[Hints, str, str]:
    """Hints over a server, a game there, and who is to act."""
    call = Caller(url)
    tables = Tables(RedisStore(url), lambda *_: None)
    order = OpenGame("bolivia", 1, tuple(PEOPLE), {}, "public", "", "", terms=Terms(hints=True))
    table = tables.open("anna", order).table
    keeper = RedisJobs(url, prefix="hints:", limits=kept.HINTS)
    seat = table.game.to_act()
    assert seat is not None
    return Hints(tables, keeper, call.hint), table.id, BY_NAME[seat]


def test_what_is_queued_is_the_job_s_id_and_nothing_else(redis_url: str) -> None:
    desk, game, player = table_on(redis_url)
    job = desk.ask(game, player).job.id
    with Redis.from_url(redis_url) as client:
        [queued] = Queue(HINTS, connection=client, serializer=JSONSerializer).get_jobs()
        raw = client.hgetall(f"rq:job:{queued.id}")
    assert json.loads(zlib.decompress(raw[b"data"])) == [GIVE_HINT, None, [job], {}]


def test_a_worker_gives_hints_after_turns(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPETE_REDIS_URL", redis_url)
    hints._composed.cache_clear()
    desk, game, player = table_on(redis_url)
    job = desk.ask(game, player).job.id
    assert make_worker(redis_url).queue_names()[:2] == [TURNS, HINTS]
    make_worker(redis_url, [TURNS]).work(burst=True, logging_level="WARNING")
    found = desk.find(job)
    assert found
    assert found.state == "queued"
    make_worker(redis_url).work(burst=True, logging_level="WARNING")
    hints._composed.cache_clear()
    found = desk.find(job)
    assert found
    assert found.state == "done"


def test_the_queue_gives_a_hint_all_the_time_that_the_longest_budget_may_take() -> None:
    assert alarm.limit(levels.LONGEST_MS / 1000) < HINT_SECONDS
    assert alarm.limit(levels.LONGEST_MS / 1000) < TURN_SECONDS
