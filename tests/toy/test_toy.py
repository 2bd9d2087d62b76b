"""docs/adding-a-game.md, checked by following it: what it names is what the toy game brings, and
in a copy of the project in which the toy has joined everything holds that holds for all games.

If a change of what all games share is meant, `python -m tests.toy.join` makes the toy's golden game
and rules page anew; its counts stand in join.py.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.toy.join import CONTRACT, GAME, LINES, PROJECT, SEATS, VARIANT, brought, join

GUIDE = (PROJECT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
PYTHON = [path for path in brought() if path.endswith(".py")]
BIN = Path(sys.executable).parent

SUITES = (
    *("test_laws", "test_planted", "test_counts", "test_golden", "test_game", "test_rulebook"),
    *("test_strategies", "test_contract", "test_catalogue", "test_rules", "test_leaks"),
    "test_whole_games",
)
"""What must have said something of the toy."""


def named() -> list[str]:
    """The files of the guide's tables, in the words of the toy."""
    paths = re.findall(r"^\| `([^`]+)` \|", GUIDE, re.MULTILINE)
    words = {"<game>": GAME, "<variant>": VARIANT, "<seats>": SEATS}
    for word, put in words.items():
        paths = [path.replace(word, put) for path in paths]
    return paths


def test_the_guide_names_what_the_toy_brings_and_changes() -> None:
    assert sorted(named()) == sorted([*brought(), *LINES, CONTRACT])


def test_the_guide_is_found() -> None:
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "docs/adding-a-game.md" in (PROJECT / page).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the toy in it."""
    folder = tmp_path_factory.mktemp("joined")
    join(folder)
    return folder


def run(folder: Path, *command: str | Path) -> str:
    """Runs a program of the environment there; it must succeed."""
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_it_holds_with_the_toy_what_holds_for_all_games(joined: Path) -> None:
    places = ("tests/rules", "tests/golden", "tests/workers", "tests/api", "tests/test_rulebook.py")
    asked = f"{GAME} or test_contract or test_catalogue or pages_are_current"
    less = ["-p", "no:cacheprovider", "-p", "no:schemathesis", "--ignore=tests/api/test_fuzz.py"]
    told = run(joined, "python", "-m", "pytest", "-v", *less, *places, "-k", asked)
    for suite in SUITES:
        assert f"/{suite}.py::" in told, suite


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "format", "--check", *PYTHON],
        ["ruff", "check", *PYTHON],
        ["mypy", "service", "workers", "tests/rules"],
        ["lint-imports", "--no-cache"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_the_checks_pass_with_the_toy(joined: Path, command: list[str]) -> None:
    run(joined, *command)
