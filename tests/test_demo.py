"""`./run demo`: a whole game for the eye, and nothing of it left behind."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from service.stack import Stack

ROOT = Path(__file__).resolve().parent.parent
DEMO = [sys.executable, str(ROOT / "examples" / "demo.py"), "--fast"]

ELSEWHERE = """
import sys
from contextlib import nullcontext
from types import SimpleNamespace

url, folder = sys.argv.pop(1), sys.argv.pop(1)
sys.path.insert(0, folder)
import demo

demo.Stack = lambda *_, **__: nullcontext(SimpleNamespace(base_url=url))
sys.exit(demo.main())
"""
"""The demo on a Tapete that runs already, where it is not the start that matters."""

pytestmark = pytest.mark.slow


def environment(folder: Path, **more: str) -> Mapping[str, str]:
    return {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT), **more}


def left_behind(folder: Path) -> list[str]:
    """Files, and processes that were started with the folder as their temporary one."""
    left = [str(path) for path in folder.iterdir()]
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder).encode() in (process / "environ").read_bytes():
                left.append((process / "cmdline").read_bytes().decode())
    return left


def on(stack: Stack) -> list[str]:
    """The command of the demo on that stack."""
    return [sys.executable, "-c", ELSEWHERE, stack.base_url, str(ROOT / "examples"), "--fast"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    until = time.monotonic() + 30
    while left := left_behind(tmp_path):
        assert time.monotonic() < until, left
        time.sleep(0.05)


def test_in_a_pipe_it_prints_plain_lines(folder: Path) -> None:
    done = subprocess.run(DEMO, env=environment(folder), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    for words in ("Deal 1", "this deal", "Alba & Celia", "./run"):
        assert words in done.stdout
    assert "win, " in done.stdout or "A drawn game" in done.stdout


def test_without_unicode_it_still_reads(folder: Path, stack: Stack) -> None:
    env = environment(folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    done = subprocess.run(on(stack), env=env, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()


@pytest.mark.parametrize(
    ("rows", "columns", "more", "drawn", "colored"),
    [
        (40, 100, {}, True, True),
        (24, 60, {"NO_COLOR": "1"}, True, False),
        (10, 40, {}, False, True),
        (40, 100, {"TERM": "dumb"}, False, False),
    ],
)
def test_in_a_terminal_it_draws_what_fits(
    rows: int,
    columns: int,
    more: dict[str, str],
    drawn: bool,
    colored: bool,
    folder: Path,
    stack: Stack,
) -> None:
    size = {"LINES": str(rows), "COLUMNS": str(columns), "TERM": "xterm"}
    ours, theirs = pty.openpty()
    env = environment(folder, **{**size, **more})
    demo = subprocess.Popen(on(stack), env=env, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # a terminal ends with an error
        while part := os.read(ours, 1 << 16):
            said += part
    os.close(ours)
    assert demo.wait(timeout=10) == 0, said[-2000:]
    text = said.decode()
    assert ("\x1b[J" in text) == drawn
    assert ("\x1b[31m" in text or "\x1b[1;33m" in text) == colored
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")  # the cursor is there again


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", ["Setting", "Deal 1"])
def test_a_signal_ends_it_and_leaves_nothing(
    number: signal.Signals, moment: str, folder: Path
) -> None:
    slow = DEMO[:-1]
    demo = subprocess.Popen(slow, env=environment(folder), stdout=subprocess.PIPE, text=True)
    assert demo.stdout
    while moment not in demo.stdout.readline():
        pass
    demo.send_signal(number)
    said, _ = demo.communicate(timeout=15)
    assert demo.returncode == 130
    assert "Traceback" not in said


def test_a_reader_who_leaves_early_does_no_harm(folder: Path) -> None:
    command = " ".join(f"'{word}'" for word in DEMO) + " | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command], env=environment(folder), capture_output=True, text=True, timeout=60
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
