"""The embedded server: found, started with our settings, kept to one a folder, and durable."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from service import embedded, servers
from service.embedded import EmbeddedServer, find_program
from service.servers import ServerError, check


@pytest.fixture
def server(tmp_path: Path) -> EmbeddedServer:
    return EmbeddedServer(tmp_path / "data")


def fake_program(folder: Path, name: str, version: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "Redis server v={version} sha=0 bits=64"\n')
    path.chmod(0o755)
    return path


def ended(pid: int, seconds: float = 10.0) -> bool:
    """Whether the process ends in time; one that waits to be reaped has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        said = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
        if said.stdout.strip().startswith("Z") or not said.stdout.strip():
            return True
        time.sleep(0.05)
    return False


def test_it_keeps_what_it_was_given_over_a_stop_and_over_a_crash(server: EmbeddedServer) -> None:
    with server, redis.Redis.from_url(server.url) as client:
        client.xadd("game:{1}:log", {"e": "one"}, id="1-0")
    assert server.pid is None
    with server:
        url = server.url
        with redis.Redis.from_url(url) as client:
            client.xadd("game:{1}:log", {"e": "two"}, id="2-0")
        server.kill()
        assert server.pid is None
        server.start()
        assert server.url == url
        with redis.Redis.from_url(url) as client:
            assert client.xlen("game:{1}:log") == 2


def test_its_settings_keep_every_game(server: EmbeddedServer) -> None:
    with server, redis.Redis.from_url(server.url, decode_responses=True) as client:
        wanted = {
            "appendonly": "yes",
            "appendfsync": "always",
            "aof-use-rdb-preamble": "no",
            "maxmemory-policy": "noeviction",
            "save": "",
            "port": "0",
        }
        for name, value in wanted.items():
            assert client.config_get(name)[name] == value
        assert check(server.url) == []


def test_starting_twice_is_starting_once(server: EmbeddedServer) -> None:
    with server:
        pid = server.pid
        server.start()
        assert server.pid == pid


def test_two_on_one_folder_are_refused_in_one_line(
    server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "LOCK_PATIENCE", 0.1)
    with server:
        with pytest.raises(ServerError, match=rf"in use .*process {server.pid}") as caught:
            EmbeddedServer(server.data).start()
        assert "\n" not in str(caught.value)
        assert check(server.url) == []  # the first is none the worse
    with EmbeddedServer(server.data):
        pass


def test_a_long_path_is_no_obstacle(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / ("long" * 40)) as server:
        path = Path(server.url.removeprefix("unix://"))
        assert len(os.fsencode(path)) < 104
        assert path.parent.stat().st_mode & 0o077 == 0
        assert check(server.url) == []
    assert not path.parent.exists()


def test_a_path_with_odd_letters_is_no_obstacle(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "a b%20ñ'?#") as server:
        assert check(server.url) == []


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ServerError, match="the data folder"):
        EmbeddedServer(tmp_path / "file" / "data").start()


def test_a_file_that_cannot_be_read_is_one_line(server: EmbeddedServer) -> None:
    with server:
        pass
    for part in (server.data / "appendonlydir").iterdir():
        part.write_bytes(b"this is no append-only file\n" * 100)
    with pytest.raises(ServerError, match="did not start") as caught:
        server.start()
    assert "\n" not in str(caught.value)
    assert server.pid is None


def test_it_does_not_outlive_whoever_started_it(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from service.embedded import EmbeddedServer\n"
        "server = EmbeddedServer(Path(sys.argv[1]))\nserver.start()\n"
        "print(server.pid, flush=True)\ntime.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "data")], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    with parent.stdout:
        pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert ended(pid)
    with EmbeddedServer(tmp_path / "data"):  # and its folder is free again
        pass


def test_without_the_wheel_the_path_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerError, match="no Redis: install"):
        find_program()
    fake_program(tmp_path, "valkey-server", "6.2.1")
    with pytest.raises(ServerError, match="valkey-server is not"):
        find_program()
    program = fake_program(tmp_path, "redis-server", "7.0.15")
    assert find_program() == program


def test_a_server_that_is_not_there_is_one_line_without_its_password() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ServerError, match="TAPETE_QUEUE_URL") as caught:
        check(f"redis://user:secret@127.0.0.1:{port}", "TAPETE_QUEUE_URL")
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_too_old_is_one_line(
    server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "LEAST_VERSION", (99, 0))
    with server, pytest.raises(ServerError, match="or newer is needed"):
        check(server.url)


@pytest.mark.parametrize(
    ("setting", "value", "warning"),
    [
        ("maxmemory-policy", "allkeys-lru", "noeviction"),
        ("appendonly", "no", "append-only"),
        ("appendfsync", "everysec", "set always"),
    ],
)
def test_a_server_that_may_lose_games_is_warned_of(
    server: EmbeddedServer, setting: str, value: str, warning: str
) -> None:
    with server, redis.Redis.from_url(server.url) as client:
        client.config_set(setting, value)
        (line,) = check(server.url)
        assert warning in line
