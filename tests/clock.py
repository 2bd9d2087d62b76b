"""The clock by which logs count, for tests in which time must pass."""

import time


def tick() -> None:
    """Returns when the clock, which counts milliseconds, shows a later time than before."""
    now = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 <= now:
        time.sleep(0.0005)
