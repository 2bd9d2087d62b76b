"""What a worker tells its supervisor while it may hang: that it is busy, and for how long at most.

Eight bytes that both processes see: a number that changes with each task, and the milliseconds it
may take, 0 while there is none. No clock is shared: the supervisor counts on its own from when it
first saw the number. Nothing is sent, so neither ever waits for the other.
"""

import mmap
import os
import struct
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import IO, Final, cast

VARIABLE: Final = "TAPETE_PULSE_FD"
"""The environment's variable with the number of the open file; for our own children only."""

_FORM: Final = struct.Struct("=II")


class Pulse:
    """The worker's end. `fd` is None where nobody watches."""

    def __init__(self, fd: int | None) -> None:
        self._bytes = mmap.mmap(fd, _FORM.size) if fd is not None else None
        self._number = 0

    @contextmanager
    def busy(self, seconds: float) -> Iterator[None]:
        """The block takes so many seconds at most, or this process is to be killed."""
        self._number = (self._number + 1) % 2**32
        self._say(max(1, round(seconds * 1000)))
        try:
            yield
        finally:
            self._say(0)

    def _say(self, ms: int) -> None:
        if self._bytes is not None:
            # One store of eight bytes, never seen half done.
            self._bytes[:] = _FORM.pack(self._number, ms)


@cache
def found() -> Pulse:
    """That of the supervisor who started this process, if one did; one for the whole process."""
    named = os.environ.get(VARIABLE, "")
    try:
        return Pulse(int(named) if named else None)
    except (OSError, ValueError):  # the variable was handed on, and the file was not
        return Pulse(None)


class Finger:
    """The supervisor's end, for one process after the other."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._file: IO[bytes] | None = None
        self._bytes: mmap.mmap | None = None
        self._seen: tuple[int, float] | None = None

    def fresh(self) -> int:
        """The file for a new process, which has no task yet. It is to be passed on open."""
        self.close()
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._file.truncate(_FORM.size)
        self._bytes = mmap.mmap(self._file.fileno(), _FORM.size)
        return self._file.fileno()

    def late(self) -> bool:
        """Whether the process is at a task for longer than it said. To be asked often."""
        if self._bytes is None:
            return False
        number, ms = cast("tuple[int, int]", _FORM.unpack(self._bytes[:]))
        if not ms:
            self._seen = None
            return False
        now = self._clock()
        if self._seen is None or self._seen[0] != number:
            self._seen = number, now
        return now - self._seen[1] > ms / 1000

    def close(self) -> None:
        """Forgets the process."""
        if self._bytes is not None:
            self._bytes.close()
        if self._file is not None:
            self._file.close()
        self._bytes = self._file = self._seen = None
