"""A process says that it is busy and for how long; whoever watches counts on their own clock."""

import os
import subprocess
import sys
import time

import pytest

from service import pulse
from service.pulse import VARIABLE, Finger, Pulse


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_one_that_is_busy_for_too_long_is_late() -> None:
    clock = Clock()
    finger = Finger(clock)
    assert not finger.late()
    worker = Pulse(finger.fresh())
    assert not finger.late()
    with worker.busy(2.0):
        clock.now += 60  # nobody looked before: it counts from now
        assert not finger.late()
        clock.now += 1.9
        assert not finger.late()
        clock.now += 0.2
        assert finger.late()
    assert not finger.late()


def test_a_new_task_has_its_own_time() -> None:
    clock = Clock()
    finger = Finger(clock)
    worker = Pulse(finger.fresh())
    for _ in range(10):
        with worker.busy(2.0):
            assert not finger.late()
            clock.now += 1.5


def test_a_task_that_fails_is_over() -> None:
    clock = Clock()
    finger = Finger(clock)
    with pytest.raises(KeyError), Pulse(finger.fresh()).busy(0.001):
        raise KeyError
    assert not finger.late()
    clock.now += 10
    assert not finger.late()


def test_a_new_process_has_no_task_of_the_one_before() -> None:
    clock = Clock()
    finger = Finger(clock)
    with Pulse(finger.fresh()).busy(0.5):
        assert not finger.late()
        finger.fresh()
        clock.now += 1
        assert not finger.late()
    finger.close()
    assert not finger.late()


def test_nobody_need_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", "no number", "999999"):
        pulse.found.cache_clear()
        monkeypatch.setenv(VARIABLE, value)
        with pulse.found().busy(1.0):
            pass
    pulse.found.cache_clear()


def test_another_process_is_seen() -> None:
    finger = Finger()
    fd = finger.fresh()
    code = "import time; from service import pulse\nwith pulse.found().busy(0.2): time.sleep(60)"
    child = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, VARIABLE: str(fd)}, pass_fds=[fd]
    )
    try:
        until = time.monotonic() + 20
        while not finger.late():
            assert time.monotonic() < until
            time.sleep(0.01)
    finally:
        child.kill()
        child.wait()
