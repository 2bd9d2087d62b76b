"""The worker as a process on a real server: what it is sent, how it ends, what it survives."""

import json
import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from service.config import Config
from service.decision import FellBack
from service.queue import ALONE, PLAY_TURN, TURNS, Caller
from service.rules.seating.commands import OpenGame
from service.store import codec
from service.store.redis import RedisStore
from service.store.redis_turns import RedisTurns
from service.table import Tables
from tests.workers.desk import CASUAL, NOVICE, PERSON
from workers import alarm, jobs, playing, strategies
from workers.__main__ import BEAT, NO_SERVER, make_worker
from workers.playing import ATTEMPTS
from workers.strategies import Budget, Choice, Situation

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tables(redis_url: str) -> Tables:
    return Tables(RedisStore(redis_url), Caller(redis_url))


@pytest.fixture
def here(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of the server, to which jobs in this process turn as well."""
    monkeypatch.setenv("TAPETE_REDIS_URL", redis_url)
    jobs._composed.cache_clear()
    yield redis_url
    jobs._composed.cache_clear()


def open_game(tables: Tables, target: int = 2500) -> str:
    chairs = (CASUAL, NOVICE, CASUAL, NOVICE)
    order = OpenGame("bolivia", 1, chairs, {"target_score": target}, "public", "", "")
    return tables.open("anna", order).table.id


THINKS = "tests.workers.strange slow"
"""A worker that takes its time by the clock, so that a long game goes on while one looks."""


STARTED: list["subprocess.Popen[str]"] = []


def start(program: str, url: str, **more: str) -> "subprocess.Popen[str]":
    env = {**os.environ, **Config().to_env(), "TAPETE_REDIS_URL": url, "TAPETE_QUEUE_URL": url}
    started = subprocess.Popen(
        [sys.executable, "-m", *program.split()],
        env={**env, **more},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    STARTED.append(started)
    return started


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Whatever a test started ends with it, or a worker of one that failed would play on."""
    yield
    while STARTED:
        with STARTED.pop() as left:
            left.kill()


def wait_until(true: Callable[[], Any], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def moved_on(tables: Tables, game: str, version: int) -> bool:
    return tables.load(game).version > version


@pytest.mark.slow
def test_a_burst_of_work_plays_a_whole_game(here: str, tables: Tables) -> None:
    game = open_game(tables)
    make_worker(here).work(burst=True, logging_level="WARNING")
    assert tables.load(game).game.result
    with Redis.from_url(here) as client:
        assert not list(client.scan_iter("rq:job:*"))  # no litter


def test_a_job_holds_game_and_version_as_json_and_nothing_else(
    redis_url: str, tables: Tables
) -> None:
    game = open_game(tables)
    with Redis.from_url(redis_url) as client:
        [job] = Queue(ALONE, connection=client, serializer=JSONSerializer).get_jobs()
        raw = client.hgetall(f"rq:job:{job.id}")
    assert json.loads(zlib.decompress(raw[b"data"])) == [PLAY_TURN, None, [game, 3], {}]
    secret = tables.load(game).secret
    for value in raw.values():
        assert secret.hex().encode() not in value


def test_a_job_gives_way_when_people_wait(
    here: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "SLICE", inf)
    game = open_game(tables)
    version = tables.load(game).version
    Caller(here)("person", 7, 0, True)
    make_worker(here, [ALONE]).work(burst=True, max_jobs=1, logging_level="WARNING")
    assert tables.load(game).version == version + 1
    with Redis.from_url(here) as client:
        waiting = Queue(ALONE, connection=client, serializer=JSONSerializer).get_job_ids()
    assert waiting == [f"{game}-{version + 1}-0"]


def test_a_worker_says_seldom_that_it_lives_and_is_believed_for_long(redis_url: str) -> None:
    worker = make_worker(redis_url)
    with Redis.from_url(redis_url) as client:

        def said() -> Any:
            return client.hget(worker.key, "last_heartbeat")

        worker.heartbeat(5)  # rq's word for a job that takes so long
        first = said()
        assert first
        assert client.ttl(worker.key) > worker.dequeue_timeout
        time.sleep(0.001)
        worker.heartbeat()
        with client.pipeline() as pipeline:
            worker.heartbeat(pipeline=pipeline)
            assert len(pipeline) == 0
        assert said() == first
        worker._beaten -= BEAT
        worker.heartbeat()
        assert said() != first


def test_a_worker_says_what_it_does_when_that_changes(redis_url: str) -> None:
    worker = make_worker(redis_url)
    with Redis.from_url(redis_url) as client:
        worker.set_state("idle")
        assert client.hget(worker.key, "state") == b"idle"
        client.hset(worker.key, "state", "untouched")
        worker.set_state("idle")
        assert client.hget(worker.key, "state") == b"untouched"
        worker.set_state("busy")
        assert client.hget(worker.key, "state") == b"busy"


@pytest.mark.slow
def test_a_strategy_that_hangs_is_ended_and_the_game_moves_on(
    here: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(situation: Situation, rng: Random, budget: Budget) -> Choice:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(alarm, "LEAST", 0.2)
    player = strategies.Player("hang 1", hang)
    monkeypatch.setattr(strategies, "player", lambda *_: player)
    game = open_game(tables)
    opened = tables.load(game)
    worker = make_worker(here)
    worker.work(burst=True, max_jobs=ATTEMPTS, logging_level="CRITICAL")
    # The next command is another job's.
    assert tables.load(game).version == opened.version + 1
    commit = codec.decode(tables._store.read(game, opened.version + 1).entries[0].line)
    assert isinstance(commit.decision, FellBack)
    assert commit.decision == FellBack(commit.decision.level, "hang 1", 50, "hung")


@pytest.mark.slow
def test_a_job_that_fails_keeps_no_card_in_its_trace(
    here: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("10h")

    open_game(tables)
    monkeypatch.setattr(jobs, "take_turn", broken)
    with Redis.from_url(here) as client:
        queue = Queue(ALONE, connection=client, serializer=JSONSerializer)
        [job] = queue.get_jobs()
        make_worker(here).work(burst=True, logging_level="CRITICAL")
        failed = Job.fetch(job.id, connection=client, serializer=JSONSerializer)
        trace = failed.latest_result()
    assert trace is not None
    assert "TurnFailed" in str(trace.exc_string)
    assert "10h" not in str(trace.exc_string)


@pytest.mark.slow
def test_sigterm_lets_the_job_end_and_then_the_worker(redis_url: str, tables: Tables) -> None:
    worker = start(THINKS, redis_url)
    games = [open_game(tables, 15000) for _ in range(3)]
    wait_until(lambda: tables.load(games[0]).version > 10)
    worker.send_signal(signal.SIGTERM)
    said, _ = worker.communicate(timeout=60)
    assert worker.returncode == 0, said
    assert "Traceback" not in said
    seen = [tables.load(game).version for game in games]
    time.sleep(0.3)
    assert [tables.load(game).version for game in games] == seen
    # Nothing is forgotten: each game's next move is called for.
    with Redis.from_url(redis_url) as client:
        waiting = Queue(ALONE, connection=client, serializer=JSONSerializer).get_job_ids()
    called = {name.rpartition("-")[0].rstrip("-") for name in waiting}
    assert {f"{game}-{tables.load(game).version}" for game in games} <= called


def beside_people(tables: Tables) -> str:
    """A game at whose table a person sits, and a computer player is to act."""
    while True:
        order = OpenGame("canasta", 1, (CASUAL, PERSON), {}, "public", "", "")
        table = tables.open("anna", order).table
        if table.waits_for_computer():
            return table.id


@pytest.mark.slow
def test_pauses_hold_no_worker_and_are_kept(redis_url: str, tables: Tables) -> None:
    games = [beside_people(tables) for _ in range(12)]
    before = [tables.load(game) for game in games]
    worker = start("workers", redis_url, TAPETE_AI_PAUSE="casual=3")
    wait_until(lambda: all(moved_on(tables, one.id, one.version) for one in before), 60)
    worker.send_signal(signal.SIGTERM)
    worker.communicate(timeout=60)
    played = [tables.commits(one.id, one.version + 1)[0].at for one in before]
    assert all(at - one.changed >= 3000 for at, one in zip(played, before, strict=True))
    # One after the other they would lie three seconds apart.
    assert max(played) - min(played) < 3000 * (len(games) - 1)


@pytest.mark.slow
def test_a_worker_that_is_to_end_gives_back_what_it_has_not_played(
    redis_url: str, tables: Tables
) -> None:
    game = beside_people(tables)
    version = tables.load(game).version
    worker = start("workers", redis_url, TAPETE_AI_PAUSE="casual=3600")
    turns = RedisTurns(redis_url)

    def decided() -> bool:
        turn = turns.find(game)
        return bool(turn and turn.until - turn.now > 1_000_000)

    wait_until(decided)
    worker.send_signal(signal.SIGTERM)
    said, _ = worker.communicate(timeout=60)
    assert worker.returncode == 0, said
    assert "Traceback" not in said
    turn = turns.find(game)
    assert turn
    assert (turn.held, turn.attempts) == (False, 0)
    with Redis.from_url(redis_url) as client:
        called = Queue(TURNS, connection=client, serializer=JSONSerializer).get_job_ids()
    assert called[0] == f"{game}-{version}--1"
    assert tables.load(game).version == version


@pytest.mark.slow
def test_without_a_server_a_worker_says_so_in_a_line_and_asks_to_be_started_again(
    tmp_path: Path,
) -> None:
    worker = start("workers", f"unix://{tmp_path}/nobody.sock")
    said, _ = worker.communicate(timeout=60)
    assert worker.returncode == NO_SERVER
    assert "no queue" in said
    assert len(said.splitlines()) == 1


@pytest.mark.slow
def test_a_worker_killed_in_a_turn_is_made_good_by_the_sweep(
    redis_url: str, tables: Tables
) -> None:
    game = open_game(tables, 15000)
    sweep = start(
        "workers.sweep", redis_url, TAPETE_SWEEP_SECONDS="0.1", TAPETE_LOST_TURN_SECONDS="0.3"
    )
    try:
        for _ in range(3):
            before = tables.load(game).version
            worker = start(THINKS, redis_url)
            wait_until(partial(moved_on, tables, game, before + 3))
            worker.kill()
            worker.wait()
    finally:
        sweep.send_signal(signal.SIGTERM)
        said, _ = sweep.communicate(timeout=60)
    assert sweep.returncode == 0, said
    assert "Traceback" not in said
    commits = [codec.decode(entry.line) for entry in tables._store.read(game).entries]
    assert [one.version for one in commits] == list(range(1, len(commits) + 1))
    assert not any(isinstance(one.decision, FellBack) for one in commits)


@pytest.mark.slow
def test_a_sweep_waits_for_a_server_that_is_away(tmp_path: Path) -> None:
    sweep = start("workers.sweep", f"unix://{tmp_path}/nobody.sock", TAPETE_SWEEP_SECONDS="0.1")
    assert sweep.stdout
    assert sweep.stdout.readline()
    time.sleep(1)  # it looks ten times more
    assert sweep.poll() is None
    sweep.send_signal(signal.SIGTERM)
    said, _ = sweep.communicate(timeout=60)
    assert sweep.returncode == 0
    assert said == ""  # told once


@pytest.mark.slow
def test_importing_opens_nothing() -> None:
    code = (
        "import threading, gc, socket\n"
        "import workers.jobs, workers.sweep, workers.__main__\n"
        "assert threading.active_count() == 1\n"
        "assert not [o for o in gc.get_objects() if isinstance(o, socket.socket)]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
