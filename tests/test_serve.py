"""The one-command start: up with everything, down with everything, and one line when it cannot."""

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
import redis

from service.config import Config
from service.healthy import worker_healthy
from service.serve import welcome
from service.servers import ServerError
from service.stack import Interrupted, ServeError, Stack, healthy
from tests.ports import free_port

QUICK = {"TAPETE_SWEEP_SECONDS": "0.5", "TAPETE_AI_PACE": "0"}


def address(url: str) -> tuple[str, int]:
    host, port = url.removeprefix("http://").rsplit(":", 1)
    return host, int(port)


def until(seconds: float) -> Iterator[None]:
    """Turns of a wait that fails in the end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.05)
    pytest.fail(f"not within {seconds} s")


def running(word: str) -> list[str]:
    """The processes, zombies aside, that have a word in their command or their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            told = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        except OSError:
            continue
        if word.encode() in told and int(folder.name) != os.getpid():
            found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


class Served:
    """`python -m service.serve` as a person starts it."""

    def __init__(self, data: Path, **env: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service.serve"],
            env={**os.environ, **QUICK, "PORT": "0", "TAPETE_DATA": str(data), **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def output(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def lines(self) -> list[str]:
        """What it prints once it is up, but for the address: the lines to paste."""
        self.output.readline()
        assert self.output.readline().startswith("A game of bolivia")
        assert self.output.readline() == "\n"
        return [self.output.readline() for _ in range(3)]

    def refused(self) -> str:
        """The one line it says when it cannot start."""
        output, errors = self.process.communicate(timeout=30)
        assert self.process.returncode == 1
        assert output == ""
        (line,) = errors.splitlines()
        return line

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=30)


@pytest.mark.slow
def test_everything_runs(stack: Stack) -> None:
    assert set(stack.pids) == {"redis", "api", "worker-1", "worker-2", "webhooks-1", "sweep"}
    assert healthy(*address(stack.base_url))
    with redis.Redis.from_url(stack.redis_url) as client:
        assert client.ping()


@pytest.mark.slow
def test_workers_report(stack: Stack) -> None:
    config = Config(queue_url=stack.redis_url)
    for _ in until(60):
        if worker_healthy(config):
            break


def test_the_health_of_workers_that_are_not_there(redis_url: str) -> None:
    assert not worker_healthy(Config(queue_url=redis_url))


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=f"127.0.0.1:{port}: Address already in use"):
            Stack(Config(port=port, data=tmp_path)).start()


def test_a_host_that_is_not_ours_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match="cannot listen on"):
        Stack(Config(host="no-such-host.invalid", port=0, data=tmp_path)).start()


def test_an_unreachable_server_is_one_line(tmp_path: Path) -> None:
    url = f"unix://{tmp_path}/no.sock"
    config = Config(embedded=False, redis_url=url, queue_url=url, port=0, data=tmp_path)
    stack = Stack(config)
    with pytest.raises(ServerError, match="TAPETE_REDIS_URL: no Redis at"):
        stack.start()
    assert stack.pids == {}
    with pytest.raises(ServeError):
        _ = stack.base_url


def test_an_unreachable_queue_names_its_own_variable(redis_url: str, tmp_path: Path) -> None:
    config = Config(
        embedded=False, redis_url=redis_url, queue_url="redis://127.0.0.1:1", port=0, data=tmp_path
    )
    with pytest.raises(ServerError, match="TAPETE_QUEUE_URL"):
        Stack(config).start()


def test_a_part_needs_a_server(tmp_path: Path) -> None:
    for part in ("api", "worker"):
        with pytest.raises(ServeError, match="needs TAPETE_REDIS_URL"):
            Stack(Config(port=0, data=tmp_path), part).start()


def test_a_start_can_be_interrupted(tmp_path: Path) -> None:
    stack = Stack(Config(port=0, data=tmp_path), quiet=True)
    stack.interrupt()
    with pytest.raises((Interrupted, ServerError)):
        stack.start()
    assert stack.pids == {}


def test_the_lines_to_paste_hold_the_address() -> None:
    text = welcome("http://127.0.0.1:1234", "")
    assert text.count("http://127.0.0.1:1234/v1/") == 3
    assert len(re.findall(r"(?m)^  \S", text)) == 3
    assert "http://127.0.0.1:1234/docs " in text
    assert "docs/first-game.md" in text


@pytest.mark.slow
def test_what_dies_comes_back(tmp_path: Path) -> None:
    config = Config(port=0, data=tmp_path, api_workers=1, workers=1)
    with Stack(config, quiet=True) as stack:
        before = stack.pids
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)
        for _ in until(60):
            after = stack.pids
            if after.keys() == before.keys() and not set(after.values()) & set(before.values()):
                break
        for _ in until(60):
            if healthy(*address(stack.base_url)):
                break
    assert stack.pids == {}


@pytest.mark.slow
def test_nobody_is_refused_while_the_api_starts_again(tmp_path: Path) -> None:
    config = Config(port=0, data=tmp_path, api_workers=1, workers=0)
    with Stack(config, quiet=True) as stack:
        os.kill(stack.pids["api"], signal.SIGKILL)
        connection = http.client.HTTPConnection(*address(stack.base_url), timeout=20)
        for _ in until(60):
            try:
                connection.request("GET", "/healthz")
                assert connection.getresponse().status == 200
            except ConnectionResetError:  # a worker that was still going took it along
                connection.close()
                continue
            break


@pytest.mark.slow
def test_two_parts_on_one_server(redis_url: str, tmp_path: Path) -> None:
    config = Config(
        embedded=False, redis_url=redis_url, queue_url=redis_url, port=0, data=tmp_path, workers=1
    )
    with (
        Stack(config, "api", quiet=True) as api,
        Stack(config, "worker", quiet=True) as worker,
    ):
        assert set(api.pids) == {"api"}
        assert set(worker.pids) == {"worker-1", "webhooks-1", "sweep"}
        assert healthy(*address(api.base_url))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_when_it_goes_nothing_is_left(tmp_path: Path, number: signal.Signals) -> None:
    with Served(tmp_path) as served:
        served.lines()
        assert len(running(str(tmp_path))) >= 6
        served.process.send_signal(number)
        code = served.process.wait(60)
        assert code == (0 if number != signal.SIGKILL else -signal.SIGKILL)
        if number == signal.SIGKILL:
            for _ in until(60):
                if not running(str(tmp_path)):
                    break
        assert running(str(tmp_path)) == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_lines_play_a_game_that_outlives_a_restart(tmp_path: Path) -> None:
    port = str(free_port())
    with Served(tmp_path, PORT=port) as served:
        lines = served.lines()
        script = "".join(lines) + 'echo; echo "$T $G"\n'
        said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
        assert '"variant"' in said.stdout
        assert "bolivia" in said.stdout
        token, game = said.stdout.splitlines()[-1].split()
    with Served(tmp_path, PORT=port) as served:
        look = served.lines()[2]
        script = f"T={token}; G={game}\n{look}"
        said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
        assert game in said.stdout


@pytest.mark.slow
def test_the_command_says_in_one_line_why_it_cannot_start(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "Address already in use" in Served(tmp_path, PORT=port).refused()
    assert "PORT='x'" in Served(tmp_path, PORT="x").refused()
    url = "redis://:secret@127.0.0.1:1"
    line = Served(tmp_path, TAPETE_REDIS_URL=url).refused()
    assert "no Redis at redis://127.0.0.1:1" in line
    with Stack(Config(port=0, data=tmp_path, api_workers=1, workers=0), quiet=True):
        assert "is in use by another server" in Served(tmp_path).refused()
