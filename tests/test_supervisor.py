"""What ends is started again, ever more slowly while it keeps ending soon."""

import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from service import supervisor
from service.supervisor import Supervisor


class Part:
    """Something to keep running that never runs for long."""

    name = "part"

    def __init__(self) -> None:
        self.pid: int | None = None
        self.starts: list[float] = []
        self.broken = False

    def start(self) -> None:
        self.starts.append(time.monotonic())
        if self.broken:
            raise OSError("no such program")
        self.pid = len(self.starts)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def watching(told: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    monkeypatch.setattr(supervisor, "FIRST_PAUSE", 0.2)
    watching = Supervisor(told.append)
    yield watching
    watching.stop()


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_what_runs_is_left_alone(watching: Supervisor, told: list[str]) -> None:
    part = Part()
    watching.start([part])
    assert watching.pids == {"part": 1}
    time.sleep(0.3)
    assert (len(part.starts), told) == (1, [])


def test_what_ends_is_started_again(watching: Supervisor, told: list[str]) -> None:
    part = Part()
    watching.start([part])
    part.pid = None
    assert watching.pids == {}
    until(lambda: part.pid == 2)
    assert "part has ended" in told[0]


def test_one_that_had_settled_is_started_at_once(
    watching: Supervisor, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "SETTLED", 0.0)
    part = Part()
    watching.start([part])
    part.pid = None
    until(lambda: part.pid == 2)
    assert told == ["part has ended; it is started again now"]


@pytest.mark.slow
def test_one_that_keeps_ending_is_started_ever_more_slowly(
    watching: Supervisor, told: list[str]
) -> None:
    part = Part()
    watching.start([part])
    for number in (2, 3, 4):
        part.pid = None
        until(lambda number=number: part.pid == number)  # type: ignore[misc]
    pauses = (0.2, 0.4, 0.8)
    assert told == [f"part has ended; it is started again in {pause} s" for pause in pauses]
    # A busy machine may add to them.
    for (before, after), pause in zip(pairwise(part.starts), pauses, strict=True):
        assert after - before >= pause


@pytest.mark.slow
def test_one_that_cannot_be_started_is_told_and_tried_again(
    watching: Supervisor, told: list[str]
) -> None:
    part = Part()
    watching.start([part])
    part.broken = True
    part.pid = None
    until(lambda: "part: no such program" in told)
    part.broken = False
    until(lambda: part.pid is not None)


class Stuck(Part):
    """A part that can hang, until it is killed."""

    stuck = False

    def hangs(self) -> bool:
        return self.stuck

    def kill(self) -> None:
        self.pid, self.stuck = None, False


def test_what_hangs_is_killed_and_started_again(watching: Supervisor, told: list[str]) -> None:
    part = Stuck()
    watching.start([part])
    part.stuck = True
    until(lambda: part.pid == 2)
    assert told[0] == "part hangs; it is killed"
    assert len(part.starts) == 2


def test_after_stop_nothing_is_started(watching: Supervisor) -> None:
    part = Part()
    watching.start([part])
    watching.stop()
    part.pid = None
    time.sleep(0.5)
    assert len(part.starts) == 1
