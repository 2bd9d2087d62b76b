"""Audits and imports as jobs: once, again after a fault, and in spite of killed workers."""

import contextlib
import http.client
import json
import logging
import os
import signal
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException

from service.audits import Audits
from service.config import Config
from service.queue import AUDITS, RUN_AUDIT, Caller
from service.stack import Stack
from service.store import StoreUnavailable
from service.store.jobs import LEASE, Job
from service.store.memory import MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.table import Tables
from workers import attempts
from workers import audits as jobs
from workers.__main__ import make_worker
from workers.sweep import Sweep

RECORDS = Path(__file__).parent.parent / "records" / "0.1"
RAW = (RECORDS / "resigned.ndjson").read_bytes()
LONG = (RECORDS / "bolivie-4.ndjson").read_bytes()


class Bench:
    """Audits over stores in memory, with a clock of its own and the calls written down."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.store = MemoryStore(lambda: self.now)
        self.jobs = MemoryJobs(lambda: self.now)
        self.calls: list[tuple[str, int, int]] = []
        self.tables = Tables(self.store, lambda *_: None)
        self.audits = Audits(self.store, self.tables, self.jobs, self.call)
        duties = [("jobs", lambda: self.audits.tend(5.0))]
        self.sweep = Sweep(self.store, self.tables, 5.0, duties=duties)

    def call(self, job: str, attempts: int, again: int = 0) -> None:
        self.calls.append((job, attempts, again))

    def upload(self, raw: bytes = RAW, **more: Any) -> str:
        return self.audits.upload("audit", "anna", raw, "rules", **more).job.id

    def job(self, name: str) -> Job:
        job = self.jobs.find(name)
        assert job
        return job


@pytest.fixture
def bench() -> Bench:
    return Bench()


def broken(error: Exception) -> Callable[..., Any]:
    def raising(*_: Any, **__: Any) -> Any:
        raise error

    return raising


def test_a_job_is_done_once(bench: Bench) -> None:
    job = bench.upload()
    assert bench.calls == [(job, 0, 0)]
    jobs.attempt(bench.audits, job)
    done = bench.job(job)
    assert done.state == "done"
    assert json.loads(done.result)["ok"]
    bench.now += 10**6
    jobs.attempt(bench.audits, job)
    jobs.attempt(bench.audits, "nosuchjob")
    assert replace(bench.job(job), now=done.now) == done


def test_a_fault_is_told_by_its_place_and_tried_three_times(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("service.audits.referee", broken(KeyError("10h")))
    job = bench.upload()
    for attempt in (1, 2, 3):
        assert bench.job(job).state == "queued"
        with caplog.at_level(logging.INFO), pytest.raises(jobs.JobFailed) as failure:
            jobs.attempt(bench.audits, job)
        assert "KeyError in" in str(failure.value)
        assert failure.value.__suppress_context__
        assert bench.job(job).attempts == attempt
    failed = bench.job(job)
    assert (failed.state, failed.error, failed.result) == ("failed", "internal", b"")
    assert "10h" not in caplog.text
    assert bench.jobs.record(job) == b""


def test_what_takes_too_long_has_failed_as_that(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.audits.referee", broken(JobTimeoutException()))
    job = bench.upload()
    for _ in range(3):
        with pytest.raises(jobs.JobFailed):
            jobs.attempt(bench.audits, job)
    assert bench.job(job).error == "too_long"


def test_an_outage_stays_what_it_is_and_the_job_is_done_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = bench.upload()
    monkeypatch.setattr(bench.jobs, "record", broken(StoreUnavailable("away")))
    with pytest.raises(StoreUnavailable):
        jobs.attempt(bench.audits, job)
    monkeypatch.undo()
    bench.now += LEASE + 1
    bench.sweep.once()
    assert bench.calls[-1][:2] == (job, 1)
    jobs.attempt(bench.audits, job)
    assert bench.job(job).state == "done"


def test_a_lost_call_is_made_again_once_it_is_late(bench: Bench) -> None:
    job = bench.upload()
    bench.calls.clear()
    bench.now += 4_900
    bench.sweep.once()
    assert bench.calls == []
    bench.now += 200
    bench.sweep.once()
    [(name, attempts, again)] = bench.calls
    assert (name, attempts) == (job, 0)
    assert again > 0  # a name of its own: the first one may be there still, and dead
    jobs.attempt(bench.audits, job)
    bench.now += 10**6
    bench.sweep.once()
    assert len(bench.calls) == 1


def test_a_running_job_is_left_alone_until_nothing_is_heard_of_it(bench: Bench) -> None:
    job = bench.upload()
    begun = bench.audits.begin(job)
    assert begun
    bench.calls.clear()
    for _ in range(5):
        bench.now += LEASE - 1
        bench.sweep.once()
        bench.audits.alive(begun)
    assert bench.calls == []
    bench.now += LEASE + 1
    bench.sweep.once()
    assert bench.calls[0][:2] == (job, 1)


def test_a_job_whose_workers_are_killed_each_time_is_given_up(bench: Bench) -> None:
    job = bench.upload()
    for _ in range(3):
        assert bench.audits.begin(job)
        bench.now += LEASE + 1
        bench.sweep.once()
    assert (bench.job(job).state, bench.job(job).error) == ("failed", "lost")
    assert bench.audits.begin(job) is None


def test_a_queue_that_is_away_loses_no_job(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.audits, "_call", broken(OSError("away")))
    job = bench.upload()
    monkeypatch.undo()
    bench.now += 6_000
    bench.sweep.once()
    assert bench.calls[0][0] == job


def test_a_long_job_gives_signs_of_life(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = threading.Event()
    monkeypatch.setattr(attempts, "BEAT", 0.01)
    monkeypatch.setattr(bench.audits, "alive", lambda _: heard.set())
    monkeypatch.setattr(bench.audits, "run", lambda _: heard.wait(20))
    jobs.attempt(bench.audits, bench.upload())
    assert heard.is_set()
    assert "beat" not in [thread.name for thread in threading.enumerate()]


def test_an_import_done_twice_is_one_game(bench: Bench) -> None:
    job = bench.audits.upload("import", "anna", RAW, "record").job.id
    first = bench.audits.begin(job)
    assert first
    bench.audits.run(first)
    again = bench.audits.upload("import", "anna", RAW, "record").job.id
    jobs.attempt(bench.audits, again)
    games = [json.loads(bench.job(name).result)["game"] for name in (job, again)]
    assert games[0] == games[1]
    assert list(bench.store.rebuild()) == games[:1]


# With rq and a real server


@pytest.fixture
def here(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of the server, to which jobs in this process turn as well."""
    monkeypatch.setenv("TAPETE_REDIS_URL", redis_url)
    jobs._composed.cache_clear()
    yield redis_url
    jobs._composed.cache_clear()


def audits_on(url: str) -> Audits:
    call = Caller(url)
    store = RedisStore(url)
    return Audits(store, Tables(store, call), RedisJobs(url), call.run)


def test_what_is_queued_is_the_job_s_id_and_nothing_else(redis_url: str) -> None:
    job = audits_on(redis_url).upload("audit", "anna", RAW, "rules").job.id
    with Redis.from_url(redis_url) as client:
        [queued] = Queue(AUDITS, connection=client, serializer=JSONSerializer).get_jobs()
        raw = client.hgetall(f"rq:job:{queued.id}")
    assert json.loads(zlib.decompress(raw[b"data"])) == [RUN_AUDIT, None, [job], {}]


def test_a_worker_takes_audits_after_turns(here: str) -> None:
    audits = audits_on(here)
    names = [audits.upload("audit", "anna", raw, "rules").job.id for raw in (RAW, RAW[:-1])]
    everything = ["turns", "hints", "statistics", "audits", "turns-alone"]
    assert make_worker(here).queue_names() == everything
    make_worker(here, ["turns"]).work(burst=True, logging_level="WARNING")
    assert all(job.state == "queued" for name in names if (job := audits.find(name)))
    make_worker(here).work(burst=True, logging_level="WARNING")
    found = [audits.find(name) for name in names]
    assert [json.loads(job.result)["ok"] for job in found if job] == [True, False]
    with Redis.from_url(here) as client:
        assert not list(client.scan_iter("rq:job:*"))  # no litter


# With the whole stack


class Client:
    """Somebody with a token at a running service."""

    def __init__(self, url: str) -> None:
        self.at = urlsplit(url).netloc
        self.token = ""
        self.token = self.call("POST", "/v1/players", {"name": "Anna"})["token"]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        kind = "application/x-ndjson" if isinstance(body, bytes) else "application/json"
        raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection(self.at, timeout=60)
        headers = {"Content-Type": kind, "Authorization": f"Bearer {self.token}"}
        try:
            connection.request(method, path, raw, headers)
            answer = connection.getresponse()
            said = json.loads(answer.read())
            assert answer.status < 300, said
            return said
        finally:
            connection.close()

    def result(self, job: Any, seconds: float = 60.0) -> Any:
        """What the job comes to."""
        until = time.monotonic() + seconds
        while job["state"] not in ("done", "failed"):
            assert time.monotonic() < until, job
            time.sleep(0.05)
            job = self.call("GET", f"/v1/jobs/{job['id']}")
        assert job["state"] == "done", job
        return job["result"]


@pytest.mark.slow
def test_records_are_judged_and_imported_by_the_running_service(stack: Stack) -> None:
    anna = Client(stack.base_url)
    sound = anna.call("POST", "/v1/audits", RAW)
    altered = anna.call("POST", "/v1/audits", LONG.replace(b'"card":"4d"', b'"card":"4h"', 1))
    brought = anna.call("POST", "/v1/records", LONG)
    assert anna.result(sound)["ok"]
    said = anna.result(altered)
    assert not said["ok"]
    assert "one of the two lines was changed" in said["first_fault"]["what"]
    game = anna.call("GET", f"/v1/games/{anna.result(brought)['game']}")
    assert (game["imported"], game["status"]) == (True, "finished")
    job = anna.call("GET", f"/v1/games/{game['id']}/audit")
    assert anna.result(job)["ok"]
    assert anna.call("GET", f"/v1/games/{game['id']}/audit")["ok"]


@pytest.mark.slow
def test_a_worker_killed_in_an_audit_is_made_good_by_the_sweep(tmp_path: Path) -> None:
    config = Config(
        port=0, data=tmp_path, api_workers=1, workers=2, sweep_seconds=0.2, lost_turn_seconds=0.5
    )
    with Stack(config, quiet=True) as stack:
        anna = Client(stack.base_url)
        kept = RedisJobs(stack.redis_url)
        for _ in range(20):
            job = anna.call("POST", "/v1/audits", LONG)
            while (seen := kept.find(job["id"])) and seen.state == "queued":
                time.sleep(0.002)
            with contextlib.suppress(ProcessLookupError):
                os.kill(stack.pids["worker-2"], signal.SIGKILL)  # the one that takes audits
            seen = kept.find(job["id"])
            assert seen
            assert anna.result(job)["ok"]
            if seen.state == "running":
                break
        else:
            raise AssertionError("no audit was caught running")
        after = kept.find(job["id"])
        assert after
        assert after.attempts == 2
