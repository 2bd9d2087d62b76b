"""What every keeper of jobs promises."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from service.store import memory_jobs, redis_jobs
from service.store.jobs import AUDITS, HINTS, Crowded, Job, Jobs, Limits, Order
from service.store.memory_jobs import MemoryJobs
from service.store.redis_jobs import RedisJobs
from tests.store.proxy import Fault, Proxy

RECORD = b'{"type":"header"}\n\xff\x00\n'
ORDER = Order("audit", "anna", "digest", "", "record", "head")


@pytest.fixture(params=["memory", "redis", "redis with prefix"])
def jobs(request: pytest.FixtureRequest) -> Jobs:
    if request.param == "memory":
        return MemoryJobs()
    url = request.getfixturevalue("redis_url")
    return RedisJobs(url, prefix="a*[b]:" if request.param != "redis" else "")


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker counts as gone at once."""
    for module in (memory_jobs, redis_jobs):
        monkeypatch.setattr(module, "LEASE", 1)


def begun(jobs: Jobs, name: str = "j") -> Job:
    job = jobs.begin(name)
    assert job
    return job


def states(jobs: Jobs) -> dict[str, str]:
    return {job.id: job.state for job in jobs.unfinished()}


def test_a_job_is_kept_with_its_order_and_its_record(jobs: Jobs) -> None:
    job, fresh = jobs.add("j", ORDER, RECORD)
    assert fresh
    assert (job.id, job.order, job.state, job.attempts) == ("j", ORDER, "queued", 0)
    assert (job.result, job.error) == (b"", "")
    assert job.created == job.changed <= job.now
    found = jobs.find("j")
    assert found
    assert (found.order, found.created) == (ORDER, job.created)
    assert jobs.record("j") == RECORD
    assert states(jobs) == {"j": "queued"}


def test_what_is_not_there(jobs: Jobs) -> None:
    assert jobs.find("j") is None
    assert jobs.begin("j") is None
    assert jobs.record("j") == b""
    assert states(jobs) == {}


def test_the_job_that_is_there_stays_as_it_is(jobs: Jobs) -> None:
    jobs.add("j", ORDER, RECORD)
    job, fresh = jobs.add("j", Order("import", "bert", "other"), b"other")
    assert (job.order, fresh, jobs.record("j")) == (ORDER, False, RECORD)


def test_of_many_who_begin_one_gets_it(jobs: Jobs) -> None:
    jobs.add("j", ORDER, RECORD)
    with ThreadPoolExecutor(8) as pool:
        got = [job for job in pool.map(lambda _: jobs.begin("j"), range(8)) if job]
    assert [(job.state, job.attempts) for job in got] == [("running", 1)]
    assert states(jobs) == {"j": "running"}


def test_a_result_ends_it_and_the_record_goes(jobs: Jobs) -> None:
    jobs.add("j", ORDER, RECORD)
    job = begun(jobs)
    assert jobs.settle(job, "done", b'{"ok":true}')
    found = jobs.find("j")
    assert found
    assert (found.state, found.result, found.over) == ("done", b'{"ok":true}', True)
    assert jobs.record("j") == b""
    assert jobs.begin("j") is None
    assert not jobs.settle(job, "queued")
    assert states(jobs) == {}


def test_an_attempt_given_back_can_be_made_again(jobs: Jobs) -> None:
    jobs.add("j", ORDER, RECORD)
    assert jobs.settle(begun(jobs), "queued")
    assert jobs.record("j") == RECORD
    again = begun(jobs)
    assert again.attempts == 2
    assert jobs.settle(again, "failed", error="too_long")
    found = jobs.find("j")
    assert found
    assert (found.state, found.error) == ("failed", "too_long")


@pytest.mark.usefixtures("brief")
def test_a_worker_that_is_gone_loses_the_job_to_another(jobs: Jobs) -> None:
    jobs.add("j", ORDER, RECORD)
    lost = begun(jobs)
    time.sleep(0.01)
    [seen] = jobs.unfinished()
    assert seen.abandoned
    later = begun(jobs)
    assert later.attempts == 2
    jobs.alive(lost)
    assert not jobs.settle(lost, "done", b"late")
    assert jobs.settle(later, "done", b"right")


def test_a_worker_that_lives_keeps_it(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.add("j", ORDER, RECORD)
    job = begun(jobs)
    monkeypatch.setattr(memory_jobs, "LEASE", 60_000)
    monkeypatch.setattr(redis_jobs, "LEASE", 60_000)
    jobs.alive(job)
    found = jobs.find("j")
    assert found
    assert found.until > job.until + 40_000
    assert not found.abandoned


def test_a_player_has_so_many_at_a_time(jobs: Jobs) -> None:
    for number in range(AUDITS.by_player):
        jobs.add(f"j{number}", ORDER, b"")
    with pytest.raises(Crowded):
        jobs.add("more", ORDER, b"")
    assert jobs.find("more") is None
    jobs.add("j0", ORDER, b"")  # that one is there already
    jobs.add("bert", Order("audit", "bert", ""), b"")
    jobs.settle(begun(jobs, "j1"), "done", b"1")
    jobs.add("more", ORDER, b"")


@pytest.mark.parametrize("keeper", ["memory", "redis"])
def test_all_together_have_so_many(keeper: str, request: pytest.FixtureRequest) -> None:
    few = Limits(keep=60, by_player=4, by_all=2)
    jobs: Jobs = MemoryJobs(limits=few)
    if keeper == "redis":
        jobs = RedisJobs(request.getfixturevalue("redis_url"), limits=few)
    for name in ("anna", "bert"):
        jobs.add(name, Order("audit", name, ""), b"")
    with pytest.raises(Crowded):
        jobs.add("carl", Order("audit", "carl", ""), b"")
    assert set(states(jobs)) == {"anna", "bert"}


def test_the_places_of_what_was_cut_short_are_taken_back(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process died between two writes: a place without a job, a job over that has its place."""
    jobs = RedisJobs(redis_url)
    with redis.Redis.from_url(redis_url) as client:
        jobs.add("over", ORDER, b"")
        jobs.settle(begun(jobs, "over"), "done", b"1")
        for key in ("jobs:open", "player:{anna}:jobs"):
            client.zadd(key, {"over": 1e12, "never": 1e12})
            client.zadd(key, {"perhaps": time.time() * 1000})
        assert states(jobs) == {}
        assert client.zrange("jobs:open", 0, -1) == [b"perhaps"]  # it may be written yet
        for number in range(AUDITS.by_player - 1):
            jobs.add(f"j{number}", ORDER, b"")
        with pytest.raises(Crowded):
            jobs.add("more", ORDER, b"")


def test_redis_forgets_a_job_after_a_day(redis_url: str) -> None:
    jobs = RedisJobs(redis_url, prefix="x:")
    jobs.add("j", ORDER, RECORD)
    with redis.Redis.from_url(redis_url) as client:
        day = pytest.approx(86_400, abs=5)
        assert client.ttl("x:job:{j}") == client.ttl("x:job:{j}:input") == day
        client.expire("x:job:{j}", 100)
        jobs.settle(begun(jobs), "done", b"1")
        assert client.ttl("x:job:{j}") == day
        assert set(client.scan_iter()) == {b"x:job:{j}"}


def test_hints_and_audits_take_nobody_elses_place(redis_url: str) -> None:
    audits, hints = RedisJobs(redis_url), RedisJobs(redis_url, prefix="hints:", limits=HINTS)
    for number in range(AUDITS.by_player):
        audits.add(f"j{number}", ORDER, b"")
    order = Order("hint", "anna", "", "game", version=17, seat=0)
    job, fresh = hints.add("j0", order, b"")
    assert fresh
    assert (job.order.version, job.order.seat) == (17, 0)
    found = [each.find("j0") for each in (audits, hints)]
    assert [one.order for one in found if one] == [ORDER, order]
    with redis.Redis.from_url(redis_url) as client:
        assert client.ttl("hints:job:{j0}") == pytest.approx(HINTS.keep, abs=5)


def test_an_order_of_an_earlier_release_is_read(redis_url: str) -> None:
    jobs = RedisJobs(redis_url)
    jobs.add("j", ORDER, b"")
    with redis.Redis.from_url(redis_url) as client:
        client.hdel("job:{j}", "version", "seat")
    found = jobs.find("j")
    assert found
    assert found.order == ORDER


def test_what_nobody_needs_any_more_is_stale(jobs: Jobs) -> None:
    jobs.add("j", ORDER, RECORD)
    assert jobs.settle(begun(jobs), "stale")
    found = jobs.find("j")
    assert found
    assert (found.state, found.over, found.result) == ("stale", True, b"")
    assert jobs.begin("j") is None
    assert states(jobs) == {}


def test_a_name_stands_for_the_first_job_that_got_it(jobs: Jobs) -> None:
    assert jobs.named("key") == ""
    assert jobs.named("key", "j") == "j"
    assert jobs.named("key", "other") == "j"
    assert jobs.named("key") == "j"
    assert jobs.named("another") == ""


class Losing(RedisJobs):
    """Loses the first answer to one of its scripts."""

    def __init__(self, proxy: Proxy, script: str, fault: Fault) -> None:
        super().__init__(proxy.url, timeout=0.3)
        self.proxy, self.script, self.fault = proxy, script, fault

    def _eval(self, script: str, job: str, *words: Any) -> Any:
        if script == self.script:
            self.proxy.lose(self.fault)
        return super()._eval(script, job, *words)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["cut", "silence"])
@pytest.mark.parametrize("script", [redis_jobs._ADD, redis_jobs._SETTLE], ids=["add", "settle"])
def test_a_lost_answer_changes_nothing(redis_url: str, script: str, fault: Fault) -> None:
    with Proxy(redis_url) as proxy:
        jobs = Losing(proxy, script, fault)
        assert jobs.add("j", ORDER, RECORD)[1]
        jobs.settle(begun(jobs), "done", b"1")
        assert proxy.lost.is_set()
        found = jobs.find("j")
        assert found
        assert (found.state, found.result, found.attempts) == ("done", b"1", 1)
        assert states(jobs) == {}


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("fault", ["cut", "silence"])
def test_after_a_lost_beginning_somebody_else_has_it_later(redis_url: str, fault: Fault) -> None:
    with Proxy(redis_url) as proxy:
        jobs = Losing(proxy, redis_jobs._BEGIN, fault)
        jobs.add("j", ORDER, RECORD)
        jobs.begin("j")
        time.sleep(0.01)
        assert RedisJobs(redis_url).begin("j")
