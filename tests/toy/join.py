"""A copy of the project in which the toy game has joined, by the steps of docs/adding-a-game.md.

    python -m tests.toy.join    # in such a copy makes the toy's golden game and rules page anew

`highest/` is what a game brings, each file where it belongs in the project; `LINES` is what it
changes in files that are there, and `openapi.yaml` what it adds to the contract. There is nothing
else, which is what the copy proves.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import yaml

GAME: Final = "highest"
VARIANT: Final = "highest"
SEATS: Final = "2"

HERE: Final = Path(__file__).parent
PROJECT: Final = HERE.parents[1]
BROUGHT: Final = HERE / GAME

LINES: Final = {
    "service/rules/__init__.py": [
        (r"^(from service\.rules import .*)$", rf"\1, {GAME}"),
        (r"^(GAMES: [^}]*)}", rf'\1    "{GAME}": {GAME},\n}}'),
    ],
    "workers/strategies/__init__.py": [
        (r"^(from workers\.strategies import .*), novice$", rf"\1, {GAME}, novice"),
        (
            r'^(    "casual": {)$',
            rf'\1\n        "{GAME}": Player("{GAME}.casual 1", {GAME}.choose),',
        ),
    ],
    "tests/rules/test_counts.py": [
        (
            r"^(COUNTS: .*{)$",
            rf'\1\n    "{VARIANT}-{SEATS}": {{\n'
            "        1: [(3, 3), (9, 9), (18, 18), (36, 36), (36, 36), (36, 36), (0, 0)],\n"
            "        30: [(3, 3), (6, 6), (12, 12), (12, 12), (12, 12), (0, 0)],\n"
            "        60: [(2, 2), (2, 2), (2, 2), (0, 0)],\n"
            "    },",
        ),
    ],
}
"""By file, what is found and what stands there afterwards."""

CONTRACT: Final = "openapi.yaml"


def join(folder: Path) -> None:
    """Copies the project and lets the toy join it.

    Its bytecode is as good there: files keep their times, and those that change get others.
    """
    ignored = shutil.ignore_patterns(HERE.name)
    for name in ("service", "workers", "tests", "docs"):
        shutil.copytree(PROJECT / name, folder / name, ignore=ignored)
    for name in (CONTRACT, "pyproject.toml"):
        shutil.copy(PROJECT / name, folder)
    for path in brought():
        target = folder / path
        assert not target.exists(), f"{path} is the project's already"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BROUGHT / path, target)
    for name, changes in LINES.items():
        text = (folder / name).read_text()
        for found, put in changes:
            text, times = re.subn(found, put, text, flags=re.MULTILINE)
            assert times == 1, f"{found} stands {times} times in {name}"
        (folder / name).write_text(text)
    contract = yaml.safe_load((folder / CONTRACT).read_text())
    add(contract, yaml.safe_load((HERE / CONTRACT).read_text()))
    text = yaml.safe_dump(contract, sort_keys=False, allow_unicode=True, width=1000)
    (folder / CONTRACT).write_text(text)


def brought() -> list[str]:
    """The files of the game, by their places in the project."""
    files = (path for path in BROUGHT.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return sorted(str(path.relative_to(BROUGHT)) for path in files)


def add(whole: Any, more: Any) -> None:
    """Adds to lists and objects in place; changes nothing that is there."""
    for key, value in more.items():
        if key not in whole:
            whole[key] = value
        elif isinstance(value, dict):
            add(whole[key], value)
        else:
            whole[key] += value


def main() -> None:
    """Makes anew what of the game is made, after a change of something that all games share."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        join(folder)
        for program in (["tests.golden"], ["service.rulebook", "docs/rules"]):
            subprocess.run([sys.executable, "-m", *program], cwd=folder, check=True)
        for path in brought():
            shutil.copy(folder / path, BROUGHT / path)


if __name__ == "__main__":
    main()
