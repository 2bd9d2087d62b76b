"""What is due later is done then, in its order, and given back by a process that is to end."""

import logging
import threading
import time
from functools import partial

import pytest

from workers.later import Later


def never() -> None:
    pytest.fail("it was given back")


def test_things_are_done_when_they_are_due_while_others_work() -> None:
    later, began = Later(), time.monotonic()
    done: list[tuple[str, float]] = []
    finished = threading.Event()

    def do(name: str) -> None:
        done.append((name, time.monotonic() - began))
        if name == "c":
            finished.set()

    for name, seconds in (("c", 0.3), ("a", 0.1), ("b", 0.2)):
        later(seconds, partial(do, name), never)
    until = began + 10
    while not finished.is_set() and time.monotonic() < until:
        sum(range(1000))  # Python that computes lets the other thread in
    assert [name for name, _ in done] == ["a", "b", "c"]
    assert all(at >= due for (_, at), due in zip(done, (0.1, 0.2, 0.3), strict=True))
    later.close()


def test_one_that_fails_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    later, done = Later(), threading.Event()

    def fail() -> None:
        raise KeyError("10h")

    with caplog.at_level(logging.INFO):
        later(0.0, fail, never)
        later(0.01, done.set, never)
        assert done.wait(10)
    later.close()
    assert "KeyError in" in caplog.text
    assert "10h" not in caplog.text


def test_at_the_end_everything_is_given_back_once() -> None:
    later, given = Later(), list[int]()
    for number in range(3):
        later(60.0, never, partial(given.append, number))
    later.close()
    assert sorted(given) == [0, 1, 2]
    later(0.0, never, partial(given.append, 3))  # too late
    assert given[-1] == 3
    later.close()
    assert len(given) == 4


def test_who_defers_nothing_has_no_thread() -> None:
    before = threading.active_count()
    Later().close()
    assert threading.active_count() == before
