"""Workers killed while they think, hanging ones, lost and doubled jobs: each turn is played once.

Real processes, on a real server, under the supervisor of the service.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.config import Config
from service.decision import Chosen, FellBack
from service.embedded import EmbeddedServer
from service.processes import Program, end
from service.queue import ALONE, PLAY_TURN, Caller
from service.replay import Commit
from service.rules.seating.commands import OpenGame
from service.store import codec
from service.store.redis import RedisStore
from service.store.redis_turns import RedisTurns
from service.supervisor import Supervisor
from service.table import Tables
from tests.workers.desk import CASUAL
from tests.workers.strange import BUDGETS
from workers.playing import ATTEMPTS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


class Parts:
    """Workers and a sweep, kept running."""

    def __init__(self, url: str, log: Path, how: str, workers: int) -> None:
        self.said: list[str] = []
        config = Config(
            embedded=False, redis_url=url, queue_url=url, data=log.parent, ai_budgets=BUDGETS,
            sweep_seconds=0.1, lost_turn_seconds=0.5,
        )  # fmt: skip
        env = {**os.environ, **config.to_env(), "PYTHONPATH": str(ROOT)}
        strange = [sys.executable, "-m", "tests.workers.strange", how]
        self.programs = [
            Program(f"worker-{number}", strange, env, log, watched=True)
            for number in range(workers)
        ]
        self.programs.append(Program("sweep", [sys.executable, "-m", "workers.sweep"], env, log))
        self.supervisor = Supervisor(self.said.append)

    def workers(self) -> list[int]:
        return [pid for name, pid in self.supervisor.pids.items() if name != "sweep"]


@contextmanager
def running(url: str, log: Path, how: str, workers: int = 2) -> Iterator[Parts]:
    parts = Parts(url, log, how, workers)
    try:
        parts.supervisor.start(parts.programs)
        yield parts
    finally:
        parts.supervisor.stop()
        end([program.child for program in parts.programs if program.child], 1.0)


@pytest.fixture
def tables(redis_url: str) -> Tables:
    return Tables(RedisStore(redis_url), Caller(redis_url))


def open_game(tables: Tables, call: bool = True) -> str:
    mine = tables if call else Tables(tables._store, lambda *_: None)
    # Longer than a test looks on: hundreds of commands, and each is thought about by the clock.
    order = OpenGame("canasta", 1, (CASUAL,) * 4, {"target_score": 10_000}, "public", "", "")
    return mine.open("anna", order).table.id


def until(true: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def played(tables: Tables, game: str) -> list[Commit]:
    """The computer players' commits: one a version, as the log is."""
    commits = [codec.decode(entry.line) for entry in tables._store.read(game).entries]
    assert [one.version for one in commits] == list(range(1, len(commits) + 1))
    return [one for one in commits if one.decision]


def test_workers_that_hang_are_killed_and_the_game_goes_on(
    redis_url: str, tables: Tables, tmp_path: Path
) -> None:
    game = open_game(tables)
    with running(redis_url, tmp_path / "log", "deaf", 1) as parts:
        until(lambda: played(tables, game))
    [first, *_] = played(tables, game)
    assert first.decision == FellBack("casual", "deaf 1", 60, "lost")
    assert parts.said.count("worker-0 hangs; it is killed") >= ATTEMPTS


def test_a_choice_that_hangs_by_chance_is_made_by_another_worker(
    redis_url: str, tables: Tables, tmp_path: Path
) -> None:
    game = open_game(tables)
    with running(redis_url, tmp_path / "log", "now-and-then") as parts:
        until(lambda: any("hangs" in one for one in parts.said) and len(played(tables, game)) > 12)
    made = [type(one.decision) for one in played(tables, game)]
    assert made.count(Chosen) >= 10


def test_workers_killed_while_they_think_cost_seconds_and_no_turn(
    redis_url: str, tables: Tables, tmp_path: Path
) -> None:
    turns = RedisTurns(redis_url)
    games = [open_game(tables) for _ in range(2)]
    with running(redis_url, tmp_path / "log", "slow") as parts:
        for number in range(4):
            game = games[number % 2]

            def thinking(game: str = game) -> bool:
                turn = turns.find(game)
                return bool(turn and turn.held)

            until(thinking)
            before = tables.load(game).version
            for pid in parts.workers():
                os.killpg(pid, signal.SIGKILL)
            until(lambda game=game, before=before: tables.load(game).version > before)  # type: ignore[misc]
        for game in games:
            assert all(isinstance(one.decision, Chosen) for one in played(tables, game))


def test_a_flushed_queue_and_doubled_jobs_play_each_turn_once(
    redis_url: str, tables: Tables, tmp_path: Path
) -> None:
    game = open_game(tables)
    with Redis.from_url(redis_url) as client, running(redis_url, tmp_path / "log", "slow"):
        queue = Queue(ALONE, connection=client, serializer=JSONSerializer)
        for _ in range(3):
            before = tables.load(game).version
            for key in client.scan_iter("rq:queue*"):
                client.delete(key)
            until(lambda before=before: tables.load(game).version > before + 2)  # type: ignore[misc]
            version = tables.load(game).version
            for _ in range(20):
                queue.enqueue(PLAY_TURN, game, version)
                queue.enqueue(PLAY_TURN, game, version + 1)
            until(lambda version=version: tables.load(game).version > version + 2)  # type: ignore[misc]
    played(tables, game)


def test_a_call_that_was_cut_short_half_way_is_made_good(
    redis_url: str, tables: Tables, tmp_path: Path
) -> None:
    """The caller died between the job's hash and the push: the job is there, and in no queue."""
    game = open_game(tables)
    with Redis.from_url(redis_url) as client:
        queue = Queue(ALONE, connection=client, serializer=JSONSerializer)
        [job] = queue.get_job_ids()
        client.delete(queue.key)
        assert client.exists(f"rq:job:{job}")
        version = tables.load(game).version
        Caller(redis_url)(game, version, 0, False)
        assert queue.count == 0  # so says rq for ever: it was asked for already
        with running(redis_url, tmp_path / "log", "slow", 1):
            until(lambda: tables.load(game).version > version)


def test_a_server_that_starts_anew_keeps_the_game(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "redis") as server:
        tables = Tables(RedisStore(server.url), Caller(server.url))
        game = open_game(tables)
        with running(server.url, tmp_path / "log", "slow"):
            until(lambda: len(played(tables, game)) > 3)
            for _ in range(2):
                server.kill()
                time.sleep(0.3)
                server.start()
                before = tables.load(game).version
                until(lambda before=before: tables.load(game).version > before + 3)  # type: ignore[misc]
        assert all(isinstance(one.decision, Chosen) for one in played(tables, game))
