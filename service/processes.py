"""Child processes that never outlive us.

`spawn` starts one in a session of its own, so that a Ctrl-C in the terminal reaches only us and
we end our children in the order we choose. A process that is killed with SIGKILL can end nobody;
so the first spawn also starts a keeper, a tiny process that knows the others' ids and holds the
reading end of a pipe whose writing end is ours alone. When we are gone, however we went, the
kernel closes the pipe and the keeper ends the rest.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from service.pulse import VARIABLE, Finger

# Reads "+ID" and "-ID" lines. All are told at once, the newest first: what the server has
# acknowledged it has kept, and an init that does not reap would make us wait for zombies. An id
# that is gone is never used again, since it may by then be somebody else's.
_KEEPER = """
import os, signal, sys, time

def tell(pids, number):
    return [pid for pid in pids if told(pid, number)]

def told(pid, number):
    try:
        (os.killpg if number == signal.SIGKILL else os.kill)(pid, number)
    except OSError:
        return False
    return True

pids = []
for line in sys.stdin:
    sign, pid = line[0], int(line[1:])
    if sign == "+":
        pids.insert(0, pid)
    elif pid in pids:
        pids.remove(pid)
for number, seconds in ((signal.SIGTERM, 4), (signal.SIGTERM, 1), (signal.SIGKILL, 0)):
    pids = tell(pids, number)
    until = time.monotonic() + seconds
    while pids and time.monotonic() < until:
        time.sleep(0.02)
        pids = tell(pids, 0)
"""


class _Keeper:
    def __init__(self) -> None:
        self.owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", _KEEPER],
            stdin=subprocess.PIPE,
            start_new_session=True,
            text=True,
            cwd="/",
        )

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        # A keeper that somebody killed is missed only if we are killed as well.
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()


_keeper: _Keeper | None = None
_lock = threading.Lock()


def _tell_keeper(line: str) -> None:
    global _keeper
    with _lock:
        # A fork of us has no children of its own yet, and its copy of the pipe is not to be used.
        if _keeper is None or _keeper.owner != os.getpid():
            _keeper = _Keeper()
        _keeper.tell(line)


class Child:
    """A running child process. Made by `spawn`."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.pid = process.pid

    def running(self) -> bool:
        """Whether it still runs; one that has ended is reaped and forgotten."""
        if self._process.returncode is not None:
            return False
        if self._process.poll() is None:
            return True
        _tell_keeper(f"-{self.pid}")
        return False

    @property
    def code(self) -> int | None:
        """The exit code, minus the signal's number for one that was killed; None while it runs."""
        return self._process.returncode if not self.running() else None

    def send(self, number: signal.Signals) -> None:
        """Sends a signal to the process if it runs; SIGKILL to all that it has started as well."""
        if self.running():
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if number == signal.SIGKILL else os.kill)(self.pid, number)

    def wait(self, seconds: float) -> bool:
        """Waits until it has ended, at most so long; says whether it has."""
        until = time.monotonic() + seconds
        while self.running():
            if time.monotonic() >= until:
                return False
            time.sleep(0.01)
        return True


def spawn(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    output: IO[bytes] | None = None,
    fds: Sequence[int] = (),
) -> Child:
    """Starts a command as a child that does not outlive us.

    `env` is the whole environment (ours by default), `output` takes what it writes to both
    outputs (ours by default), `fds` stay open in it.

    Raises:
        OSError: the program cannot be started.
    """
    process = subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        pass_fds=fds,
        start_new_session=True,
    )
    _tell_keeper(f"+{process.pid}")
    return Child(process)


def end(children: Iterable[Child], patience: float = 4.0) -> None:
    """Ends children together: SIGTERM, after `patience` seconds again, then SIGKILL.

    The second SIGTERM is what an rq worker needs to give up the job it is at.
    """
    children = list(children)
    for number, seconds in (
        (signal.SIGTERM, patience),
        (signal.SIGTERM, 1.0),
        (signal.SIGKILL, 5.0),
    ):
        for child in children:
            child.send(number)
        until = time.monotonic() + seconds
        if all(child.wait(max(0.0, until - time.monotonic())) for child in children):
            return


class Program:
    """A command to start again and again; its outputs go to `log`, or are ours without one.

    One that is `watched` says when it might hang (`service.pulse`).
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str],
        log: Path | None,
        fds: Sequence[int] = (),
        *,
        watched: bool = False,
    ) -> None:
        self.name = name
        self.child: Child | None = None
        self._command = command
        self._env = env
        self._log = log
        self._fds = fds
        self._finger = Finger() if watched else None

    @property
    def pid(self) -> int | None:
        """The id of its process, None when it does not run."""
        return self.child.pid if self.child is not None and self.child.running() else None

    def hangs(self) -> bool:
        """Whether it is at something for longer than it said. To be asked often."""
        return self._finger is not None and self.pid is not None and self._finger.late()

    def kill(self) -> None:
        """Ends it at once, and all that it has started."""
        if self._finger is not None:
            self._finger.close()  # what it said is of no more interest
        if self.child is not None:
            self.child.send(signal.SIGKILL)

    def start(self) -> None:
        """Starts the command. Raises OSError."""
        env, fds = self._env, self._fds
        if self._finger is not None:
            fd = self._finger.fresh()
            env, fds = {**env, VARIABLE: str(fd)}, [*fds, fd]
        if self._log is None:
            self.child = spawn(self._command, env=env, fds=fds)
            return
        with self._log.open("ab") as output:
            self.child = spawn(self._command, env=env, output=output, fds=fds)
