"""Counting as a job: asked for by the sweep, done by a worker, completed after it was killed."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.queue import COUNT_GAMES, STATISTICS, Caller
from service.stack import Stack
from service.statistics import Statistics
from service.store import Player, StoreUnavailable
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_statistics import MemoryLedger
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople
from service.store.redis_statistics import RedisLedger
from service.store.statistics import Book
from service.store.tokens import Token
from service.table import Tables
from tests.ended import commits_of, plant
from tests.workers.test_audits import Client
from workers import statistics as job
from workers.__main__ import make_worker
from workers.sweep import Sweep, counting

ROOT = Path(__file__).parents[2]


class Bench:
    """A sweep over stores in memory, with the calls for counting written down."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.store = MemoryStore(lambda: self.now)
        self.calls = 0
        self.statistics = Statistics(self.store, MemoryPeople(), MemoryLedger(lambda: self.now))
        self.tables = Tables(self.store, lambda *_: None)
        duties = [counting(self.statistics, self.count)]
        self.sweep = Sweep(self.store, self.tables, 5.0, duties=duties)

    def count(self) -> None:
        self.calls += 1


def test_the_sweep_calls_while_something_is_not_counted() -> None:
    bench = Bench()
    bench.sweep.once()
    assert bench.calls == 0
    plant(bench.store, "g", commits_of("canasta", ["anna", "bert"]))
    bench.sweep.once()
    assert bench.calls == 0  # held back for a second
    bench.now += 5_000
    for number in (1, 2):
        bench.sweep.once()
        assert bench.calls == number
    bench.statistics.work()
    bench.sweep.once()
    assert bench.calls == 2
    assert bench.statistics.of_player("anna")


def test_the_sweep_calls_for_what_was_counted_and_not_settled() -> None:
    bench = Bench()
    plant(bench.store, "g", commits_of("canasta", ["anna", "bert"]))
    bench.statistics.count("g")
    bench.sweep.once()
    assert bench.calls == 1
    bench.statistics.settle()
    assert bench.statistics.ratings(["anna"], "canasta")


def test_a_queue_that_is_away_stops_no_sweep(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    plant(bench.store, "g", commits_of("canasta", ["anna", "bert"]))
    bench.now += 5_000

    def away() -> None:
        raise ConnectionError("anna")

    sweep = Sweep(bench.store, bench.tables, 5.0, duties=[counting(bench.statistics, away)])
    sweep.once()
    assert "statistics cannot be cared for" in caplog.text
    assert "anna" not in caplog.text


@pytest.fixture
def here(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of the server, to which jobs in this process turn as well."""
    monkeypatch.setenv("TAPETE_REDIS_URL", redis_url)
    monkeypatch.setattr("service.store.redis_lists.HELD_BACK", -10_000)
    job.composed.cache_clear()
    yield redis_url
    job.composed.cache_clear()


def wins(ledger: Any) -> dict[str, int]:
    """Games won, by player."""
    sums = {name: ledger.sums(Book("player", name)) for name in ("anna", "bert")}
    return {name: sums[name].get("public/canasta/won", 0) for name in sums}


def test_a_worker_counts_what_it_was_called_for(here: str) -> None:
    for seed in range(3):
        plant(RedisStore(here), f"g{seed}", commits_of("canasta", ["anna", "bert"], seed=seed))
    for _ in range(3):
        Caller(here).count()
    with Redis.from_url(here) as client:
        [queued] = Queue(STATISTICS, connection=client, serializer=JSONSerializer).get_jobs()
        assert (queued.func_name, list(queued.args)) == (COUNT_GAMES, [])
    make_worker(here, ["turns"]).work(burst=True, logging_level="WARNING")
    assert sum(wins(RedisLedger(here)).values()) == 0
    make_worker(here).work(burst=True, logging_level="WARNING")
    assert sum(wins(RedisLedger(here)).values()) == 3
    assert not job.composed().pending()
    with Redis.from_url(here) as client:
        assert not list(client.scan_iter("rq:job:*"))  # no litter, so it may be asked for again


def test_a_failure_says_where_and_nothing_else(
    here: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_: Any) -> None:
        raise KeyError("Kd of anna")

    monkeypatch.setattr(Statistics, "work", failing)
    with pytest.raises(job.CountFailed, match="KeyError in run") as failed:
        job.run()
    assert "anna" not in caplog.text + str(failed.value)

    def away(*_: Any) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(Statistics, "work", away)
    with pytest.raises(StoreUnavailable):
        job.run()


def test_all_is_counted_anew_by_a_command(here: str, capsys: pytest.CaptureFixture[str]) -> None:
    plant(RedisStore(here), "g", commits_of("canasta", ["anna", "bert"]))
    ledger = RedisLedger(here)
    ledger.count(Book("player", "anna"), "h", {"public/canasta/won": 70})
    assert job.main() == 0
    assert capsys.readouterr().out == "1 games were counted\n"
    assert sum(wins(ledger).values()) == 1


def test_the_command_says_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for url, code in (("http://x", 2), ("redis://127.0.0.1:1/0", 1)):
        monkeypatch.setenv("TAPETE_REDIS_URL", url)
        job.composed.cache_clear()
        assert job.main() == code
        assert capsys.readouterr().err.count("\n") == 1
    job.composed.cache_clear()


KILLING = """
import os, random, signal, time
import service.store.redis_lists
from service.store.redis_statistics import RedisLedger
from workers.statistics import composed

def advance(ledger, place, done=[], advance=RedisLedger.advance):
    advance(ledger, place)
    done.append(place)
    if len(done) == 2:
        signal.pause()  # else a quick one would count all before it is killed

RedisLedger.advance = advance
service.store.redis_lists.HELD_BACK = -10_000
random = random.Random(0)
ledger = composed()._ledger
for _ in range(8):
    if not composed().pending():
        break
    pids, before = [], ledger.place()
    for _ in range(2):
        pid = os.fork()
        if not pid:
            composed().work()
            os._exit(0)
        pids.append(pid)
    while ledger.place() == before:
        pass
    time.sleep(random.uniform(0, 0.004))
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
"""


@pytest.mark.slow
def test_workers_that_are_killed_count_each_game_once(here: str) -> None:
    """Two count at once, and both are killed again and again, wherever they are."""
    store, games = RedisStore(here), 40
    people = RedisPeople(here)
    for name in ("anna", "bert"):
        people.add(Player(name, name), Token(name.encode().hex().zfill(64)))
    for seed in range(games):
        players = ["anna", "bert"][:: 1 if seed % 2 else -1]
        plant(store, f"g{seed}", commits_of("canasta", players, seed=seed, moves=9))
    subprocess.run([sys.executable, "-c", KILLING], cwd=ROOT, env=os.environ, check=True)
    ledger = RedisLedger(here)
    assert 0 < sum(wins(ledger).values()) < games  # else this was no test
    statistics = job.composed()
    statistics.work()
    assert not statistics.pending()
    assert sum(wins(ledger).values()) == games
    found = [ledger.history("canasta", name, None, 9) for name in ("anna", "bert")]
    assert [entries[0].games for entries in found] == [games, games]
    statistics.rebuild()
    assert [ledger.history("canasta", name, None, 9) for name in ("anna", "bert")] == found


@pytest.mark.slow
def test_the_running_service_counts_without_a_request(stack: Stack) -> None:
    anna = Client(stack.base_url)
    seats = [{"kind": "human"}, {"kind": "ai", "level": "novice"}]
    game = anna.call("POST", "/v1/games", {"variant": "canasta", "seats": seats})["id"]
    anna.call("POST", f"/v1/games/{game}/commands", {"type": "resign"})
    until = time.monotonic() + 60
    while not (rows := anna.call("GET", "/v1/me/statistics")["variants"]):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert (rows[0]["games"], rows[0]["resigned"]) == (1, 1)
