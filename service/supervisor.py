"""Keeps child processes running: one that ends is started again, one that hangs is killed.

At once the first time, then after a pause that doubles for as long as it keeps ending soon after
its start.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

SETTLED = 5.0
"""Seconds after which a start counts as a success."""

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 10.0


class Kept(Protocol):
    """What can be kept running."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def pid(self) -> int | None:
        """The id of its process, None when it does not run."""

    def start(self) -> None:
        """Starts it. Raises OSError or RuntimeError where that fails."""


@runtime_checkable
class MayHang(Protocol):
    """What says how long it may be busy with a thing."""

    def hangs(self) -> bool:
        """Whether it is busy for longer."""

    def kill(self) -> None:
        """Ends it at once."""


@dataclass(slots=True)
class _Watched:
    kept: Kept
    started: float
    pause: float = 0.0
    due: float | None = None
    """When the next start is due; None while it runs."""


class Supervisor:
    """Starts what it is given, in order, and watches it from a thread until `stop`.

    `stop` ends the watching only; ending the processes, in what order, is the caller's affair.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._watched: list[_Watched] = []
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def pids(self) -> dict[str, int]:
        """The processes that run now, by name."""
        pids = {watched.kept.name: watched.kept.pid for watched in self._watched}
        return {name: pid for name, pid in pids.items() if pid is not None}

    def start(self, kept: Sequence[Kept]) -> None:
        """Starts each and watches from now on.

        Raises:
            OSError, RuntimeError: one could not be started; those before it run, unwatched.
        """
        for one in kept:
            one.start()
            self._watched.append(_Watched(one, time.monotonic()))
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the watching; when it returns nothing is started any more."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._stopping.wait(0.1):
            for watched in self._watched:
                self._tend(watched, time.monotonic())

    def _tend(self, watched: _Watched, now: float) -> None:
        if watched.due is None:
            if watched.kept.pid is not None:
                self._end_if_it_hangs(watched.kept)
                return
            settled = now - watched.started >= SETTLED
            watched.pause = (
                0.0 if settled else min(max(2 * watched.pause, FIRST_PAUSE), LONGEST_PAUSE)
            )
            watched.due = now + watched.pause
            again = f"in {watched.pause:g} s" if watched.pause else "now"
            self._tell(f"{watched.kept.name} has ended; it is started again {again}")
        if now < watched.due or self._stopping.is_set():
            return
        watched.due = None
        watched.started = now
        try:
            watched.kept.start()
        except (OSError, RuntimeError) as error:
            self._tell(f"{watched.kept.name}: {error}")

    def _end_if_it_hangs(self, kept: Kept) -> None:
        """A process in a loop of compiled code hears no signal but that one."""
        if isinstance(kept, MayHang) and kept.hangs():
            self._tell(f"{kept.name} hangs; it is killed")
            kept.kill()
