"""How long a choice may take before it counts as hung, and the alarm that ends it.

    the budget ──► 1.2 times: late ──► three quarters of the limit: an alarm ──► the limit: killed

`bounded` does all of that for a search. The alarm is heard between two steps of Python, and in
compiled code only when it calls into some; a loop that hears nothing is ended from outside
(`service.pulse`).
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from service.pulse import Pulse
from workers.faults import where

TIMES: Final = 3
"""How many budgets a choice may take."""

LEAST: Final = 2.0
"""Seconds that it may take in any case: a busy machine may well stop for that long."""

EARLY: Final = 0.75
"""The part of the limit after which the alarm rings."""


class TooLong(Exception):
    """A search did not end within its limit. Says where it was."""


class Hung(BaseException):
    """The time for a choice is up. No `Exception`, lest a strategy catches it and goes on."""


def limit(budget: float) -> float:
    """The seconds that a choice may take in all, with a budget of so many."""
    return max(LEAST, TIMES * budget)


@contextmanager
def bounded(budget: float, pulse: Pulse) -> Iterator[None]:
    """A search with a budget of so many seconds: ended from within, or this process from outside.

    Raises:
        TooLong: the alarm was heard.
    """
    most = limit(budget)
    try:
        with pulse.busy(most), alarm(EARLY * most):
            yield
    except Hung as hung:
        raise TooLong(where(hung)) from None


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises `Hung` in the block after so many seconds; in other threads than the first never.

    An alarm that was set before (rq's, for the whole job) goes on afterwards.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    armed = True

    def ring(_number: int, _frame: FrameType | None) -> None:
        if armed:
            raise Hung

    before = signal.signal(signal.SIGALRM, ring)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    began = time.monotonic()
    try:
        try:
            yield
        finally:
            armed = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if left:
            rest = left - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(rest, 0.001))
