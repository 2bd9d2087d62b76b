"""The service as child processes, started and ended together.

    ├── valkey-server        the embedded server, unless TAPETE_REDIS_URL names another
    ├── gunicorn             the API, service.app
    ├── workers              rq workers, who play for computer players (TAPETE_WORKERS of them)
    ├── workers webhooks     those that send webhooks (TAPETE_WEBHOOK_WORKERS of them)
    └── workers.sweep        finds lost turns and passed deadlines

The listening socket belongs to the parent, so nobody is refused while the API starts again. The
children end first and the server last; should the parent be killed, `service.processes` sees to
it.

Over 250 lines, since which process starts and ends when is one story.
"""

import http.client
import os
import shutil
import socket
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from service.config import Config
from service.embedded import EmbeddedServer
from service.processes import Program, end
from service.servers import check
from service.supervisor import Kept, Supervisor

Part = Literal["all", "api", "worker"]

APP = "service.app:create_app()"
HEALTH = "/healthz"
START_SECONDS = 60.0
OTHERS = 1000
"""Connections of an API process beside its streams and long polls."""


class ServeError(RuntimeError):
    """The service cannot be served. The message is one line."""


class Interrupted(Exception):
    """The start was interrupted by `Stack.interrupt`."""


class Stack:
    """The service as child processes; a context manager, to be used once.

    `part` says which of it: all, the API alone, or workers and sweep alone (these two need a
    server given by URL). With `quiet` every message goes to `stack.log` in the data folder.
    """

    def __init__(self, config: Config, part: Part = "all", *, quiet: bool = False) -> None:
        self.config = config
        self._part: Part = part
        self._log = config.data / "stack.log" if quiet else None
        self._server = EmbeddedServer(config.data) if config.embedded else None
        self._socket: socket.socket | None = None
        self._programs: list[Program] = []
        self._supervisor = Supervisor(self._say)
        self._interrupted = False
        self._counts: str | None = None

    @property
    def base_url(self) -> str:
        """Where the API is: `http://127.0.0.1:8080`, without a slash at its end.

        Raises:
            ServeError: this part has no API, or it is not started.
        """
        if self._socket is None:
            raise ServeError("the API is not started")
        host, port = _reachable(self._socket)
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def redis_url(self) -> str:
        """The server that keeps the games."""
        return self._server.url if self._server is not None else self.config.redis_url

    @property
    def pids(self) -> dict[str, int]:
        """The processes that run now: `redis`, `api`, `worker-1`, …, `webhooks-1`, `sweep`."""
        return self._supervisor.pids

    def start(self) -> None:
        """Starts all and returns when the API answers; after a failure nothing is left running.

        Raises:
            ServeError: the port is taken, or a part does not start.
            ServerError: the server does not start, or cannot be used.
            Interrupted: `interrupt` was called.
        """
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Ends all, the server last. Takes a few seconds at most while requests are open."""
        self._supervisor.stop()
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        end([program.child for program in self._programs if program.child is not None])
        if self._server is not None:
            self._server.stop()
        if self._counts is not None:
            shutil.rmtree(self._counts, ignore_errors=True)
            self._counts = None

    def interrupt(self) -> None:
        """Makes a `start` under way give up; for signal handlers."""
        self._interrupted = True

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

    def _start(self) -> None:
        if self._log is not None:
            self._log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._part != "worker":
            self._socket = _listen(self.config.host, self.config.port)
        kept: list[Kept] = []
        if self._server is not None:
            if self._part != "all":
                raise ServeError(f"the {self._part} alone needs TAPETE_REDIS_URL")
            self._server.start(lambda: self._interrupted)
            kept.append(self._server)
        self._check_servers()
        self._programs = self._make_programs()
        self._supervisor.start([*kept, *self._programs])
        if self._socket is not None:
            self._wait_for_api()

    def _check_servers(self) -> None:
        config = self._child_config()
        shared = config.queue_url == config.redis_url
        warnings = check(config.redis_url, jobs=shared, replicas=config.replicas)
        if not shared:
            # Its warnings do not matter: jobs may be lost, the sweep finds them.
            check(config.queue_url, "TAPETE_QUEUE_URL", jobs=True)
        for warning in warnings:
            self._say(warning)

    def _child_config(self) -> Config:
        """Our settings with the embedded server and the free port filled in."""
        config = self.config
        if self._server is not None:
            url = self._server.url
            queue = url if config.queue_url == config.redis_url else config.queue_url
            config = replace(config, embedded=False, redis_url=url, queue_url=queue)
        if self._socket is not None:
            config = replace(config, port=self._socket.getsockname()[1])
        return config

    def _make_programs(self) -> list[Program]:
        config = self._child_config()
        # The project is imported from where this process has it.
        paths = [str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH", "")]
        env = {
            **os.environ,
            **config.to_env(),
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
            "PYTHONUNBUFFERED": "1",
        }
        python = sys.executable
        programs = []
        if self._socket is not None:
            fd = self._socket.fileno()
            command = [python, *_gunicorn(config, fd)]
            if config.metrics != "off":
                # Where the processes of the API count together; see service.api.metrics.
                self._counts = tempfile.mkdtemp(prefix="tapete-metrics-")
                env = {**env, "PROMETHEUS_MULTIPROC_DIR": self._counts}
            programs.append(Program("api", command, env, self._log, [fd]))
        if self._part != "api":
            for number in range(1, config.workers + 1):
                command = [python, "-m", "workers"]
                if number == 1 and config.workers > 1:
                    command.append("turns")  # one of several does no audits: nobody waits for them
                programs.append(Program(f"worker-{number}", command, env, self._log, watched=True))
            for number in range(1, config.webhook_workers + 1):
                command = [python, "-m", "workers", "webhooks"]  # who waits for others' servers
                programs.append(Program(f"webhooks-{number}", command, env, self._log))
            programs.append(Program("sweep", [python, "-m", "workers.sweep"], env, self._log))
        return programs

    def _wait_for_api(self) -> None:
        assert self._socket is not None
        api = self._programs[0]
        first = api.pid
        until = time.monotonic() + START_SECONDS
        while not healthy(*_reachable(self._socket)):
            if self._interrupted:
                raise Interrupted
            if api.pid != first or time.monotonic() > until:
                where = f"see {self._log}" if self._log is not None else "see above"
                raise ServeError(f"the API did not start; {where}")
            time.sleep(0.05)

    def _say(self, message: str) -> None:
        line = f"tapete: {message}\n"
        if self._log is None:
            sys.stderr.write(line)
            return
        with self._log.open("a") as log:
            log.write(line)


def healthy(host: str, port: int) -> bool:
    """Whether an API answers there and finds itself well."""
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", HEALTH)
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        why = str(error.strerror).split(" (")[0]
        raise ServeError(f"cannot listen on {host}:{port}: {why}; set PORT or HOST") from None


def _reachable(listening: socket.socket) -> tuple[str, int]:
    """An address to call a listening socket at: its own, or the loopback where it takes any."""
    host, port = listening.getsockname()[:2]
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port  # noqa: S104


def _gunicorn(config: Config, fd: int) -> list[str]:
    """No access log: its lines would be the only place where addresses of people are kept."""
    options = {
        "--worker-class": "service.gateway.Worker",
        "--workers": str(config.api_workers),
        "--worker-connections": str(config.streams + OTHERS),
        "--bind": f"fd://{fd}",
        # Open event streams and long polls are cut off after this when the service stops.
        "--graceful-timeout": "3",
        "--log-level": "warning",
        # No proxy is trusted to say who asks or where: links follow TAPETE_PUBLIC_URL.
        "--forwarded-allow-ips=": "",
        "--forwarder-headers=": "",
        "--no-control-socket": "",
    }
    words = [word for option in options.items() for word in option if word]
    return ["-m", "gunicorn", *words, APP]
