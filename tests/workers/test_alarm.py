"""An alarm rings in what takes too long, and leaves alone what was there before it."""

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from service.pulse import Finger, Pulse
from workers.alarm import LEAST, Hung, TooLong, alarm, bounded, limit


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """What rings for others (for pytest-timeout, say) is as it was."""
    left, handler = signal.getitimer(signal.ITIMER_REAL)[0], signal.getsignal(signal.SIGALRM)
    yield
    now, same = signal.getitimer(signal.ITIMER_REAL)[0], signal.getsignal(signal.SIGALRM)
    assert same == handler
    assert bool(now) == bool(left)
    assert now <= left


def spin(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def test_what_takes_too_long_is_ended_though_it_catches_everything() -> None:
    with pytest.raises(Hung), alarm(0.05):
        while True:
            try:
                spin(0.01)
            except Exception:
                continue


def test_what_ends_in_time_is_left_alone() -> None:
    with alarm(0.2):
        spin(0.01)
    time.sleep(0.3)


def test_an_error_of_its_own_passes() -> None:
    with pytest.raises(KeyError), alarm(60):
        raise KeyError


def test_an_alarm_that_was_set_before_rings_in_its_time() -> None:
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        began = time.monotonic()
        left, _ = signal.setitimer(signal.ITIMER_REAL, 0.3)
        with alarm(60):
            spin(0.05)
        with pytest.raises(Hung), alarm(0.05):
            spin(60)
        assert not rung
        until = began + 60
        while not rung and time.monotonic() < until:
            time.sleep(0.01)
        assert rung
        assert rung[0] - began >= 0.3
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, max(left - 1, 0.1) if left else 0.0)


def test_in_other_threads_nothing_rings() -> None:
    done: list[bool] = []

    def work() -> None:
        with alarm(0.01):
            spin(0.1)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done


def test_a_bounded_search_says_where_it_hung(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.alarm.LEAST", 0.1)
    finger = Finger()
    pulse = Pulse(finger.fresh())
    with pytest.raises(TooLong, match="spin"), bounded(0.01, pulse):
        spin(60)
    assert not finger.late()


def test_the_limit_is_three_budgets_and_some_seconds_at_least() -> None:
    assert limit(1.0) == 3.0
    assert limit(0.05) == LEAST
