"""Between any two commands of a trip others may write: what that does to the time of a reading."""

import time
from typing import Any

import pytest
import redis

from service.store import Conflict
from service.store.redis import RedisStore
from service.store.redis_logs import PAGE
from tests.store.logs import entry, fill, head


@pytest.mark.parametrize("length", [1, PAGE, PAGE + 9])
@pytest.mark.parametrize("whole", [True, False])
def test_the_time_is_that_of_no_entry_or_later(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, length: int, whole: bool
) -> None:
    """And what was read too soon to know the newest entry refuses to be written upon."""
    store, others = RedisStore(redis_url), RedisStore(redis_url)
    log, times = fill(others, "g", length), dict[int, int]()
    ask = store.link.ask

    def written_between(*commands: Any) -> list[Any]:
        answers = []
        for command in commands:
            answers += ask(command)
            time.sleep(0.002)  # so that it is another millisecond
            times[len(log) + 1] = now(redis_url)
            new = entry(len(log) + 1)
            others.append("g", new, head(log))
            log.append(new)
        return answers

    with monkeypatch.context() as patch:
        patch.setattr(store.link, "ask", written_between)
        reading = store.read("g", 1 if whole else length)
    newest = reading.entries[-1]
    assert reading.now >= times.get(newest.version, 0)
    assert newest.version < len(log)
    with pytest.raises(Conflict):
        store.append("g", entry(newest.version + 1), newest.hash)


@pytest.mark.parametrize("more", [0, 1, 3, 4, 8, 9])
def test_a_long_log_comes_whole_in_however_many_pages(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    monkeypatch.setattr("service.store.redis_logs.MORE", 4)
    store = RedisStore(redis_url)
    log = fill(store, "g", PAGE + more)
    assert list(store.read("g").entries) == log
    assert list(store.read("g", 3, PAGE + 2).entries) == log[2 : PAGE + 2]
    assert list(store.read("g", PAGE).entries) == log[PAGE - 1 :]


def now(url: str) -> int:
    """The server's time in ms."""
    with redis.Redis.from_url(url) as client:
        seconds, micros = client.time()
    return int(seconds) * 1000 + int(micros) // 1000
