"""Children end in time, however unwilling, and take along what they have started."""

import signal
import sys
import time
from pathlib import Path

import pytest

from service.processes import Child, end, spawn

DEAF = (
    "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('up', flush=True); time.sleep(60)"
)


def python(log: Path, program: str) -> Child:
    """Starts a program and waits for the first thing it says."""
    with log.open("wb") as output:
        child = spawn([sys.executable, "-c", program], output=output)
    until = time.monotonic() + 10
    while not log.read_bytes():
        assert time.monotonic() < until
        time.sleep(0.01)
    return child


def test_a_child_that_ends_says_how(tmp_path: Path) -> None:
    child = python(tmp_path / "log", "print('up', flush=True); raise SystemExit(3)")
    assert child.wait(10)
    assert not child.running()
    assert child.code == 3


def test_a_willing_child_ends_at_once(tmp_path: Path) -> None:
    child = python(tmp_path / "log", "import time; print('up', flush=True); time.sleep(60)")
    assert child.running()
    assert child.code is None
    assert not child.wait(0.01)
    end([child])
    assert child.code == -signal.SIGTERM


@pytest.mark.slow
def test_an_unwilling_child_is_killed(tmp_path: Path) -> None:
    child = python(tmp_path / "log", DEAF)
    start = time.monotonic()
    end([child], patience=0.1)
    assert child.code == -signal.SIGKILL
    assert time.monotonic() - start < 3


def test_ending_what_has_ended_does_nothing(tmp_path: Path) -> None:
    child = python(tmp_path / "log", "print('up', flush=True)")
    assert child.wait(10)
    end([child])
    child.send(signal.SIGKILL)
    assert child.code == 0
