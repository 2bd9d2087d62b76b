"""The quick tests of the rules go down every branch."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

QUICK = (
    "tests/rules/botifarra",
    "tests/rules/canasta",
    "tests/rules/test_rules_versions.py",
    "tests/rules/test_gathering.py",
    "tests/rules/test_clocks.py",
    "tests/rules/test_hints.py",
    "tests/rules/test_seating.py",
    "tests/rules/test_table_reasons.py",
    "tests/test_replay.py",
)
"""Positions with what must follow from them; what they leave out is random play."""

RANDOM = " or ".join(
    (
        *("test_strategy", "test_arrange", "test_play"),
        *("offered_in", "planted_way_out", "random_play", "random_games"),
    )
)


@pytest.mark.slow
def test_the_quick_tests_go_down_every_branch_of_rules_and_replay(tmp_path: Path) -> None:
    command = [
        *(
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-p",
            "no:schemathesis",
        ),
        *("-m", "not slow", "-k", f"not ({RANDOM})", *QUICK),
        *("--cov=service.rules", "--cov=service.replay", "--cov-branch"),
        *("--cov-report=term-missing:skip-covered", "--cov-fail-under=100"),
    ]
    outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=outer | {"COVERAGE_FILE": str(tmp_path / "coverage")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
