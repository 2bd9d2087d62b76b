"""`./run bots`: what it plays, what it finds in logs, and a few games of it."""

import itertools
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.bots import LOST, Found, Soak, orders, report
from service.decision import Chosen, FellBack
from service.replay import Commit
from service.rules import GAMES

ROOT = Path(__file__).resolve().parent.parent
TABLES = [
    (name, seats)
    for rules in GAMES.values()
    for name, variant in rules.VARIANTS.items()
    for seats in variant.seats
]


def test_every_table_is_played_by_each_level_and_by_both() -> None:
    played = [*itertools.islice(orders(["novice", "casual"]), 3 * len(TABLES))]
    found = Counter(
        (order["variant"], len(order["seats"]), *sorted({seat["level"] for seat in order["seats"]}))
        for order in played
    )
    assert set(found.values()) == {1}
    assert {key[:2] for key in found} == set(TABLES)
    assert {key[2:] for key in found} == {("novice",), ("casual",), ("casual", "novice")}


def test_every_game_is_to_the_shortest_target() -> None:
    targets = {
        order["variant"]: order["options"]["target_score"]
        for order in itertools.islice(orders(["novice"]), len(TABLES))
    }
    assert targets == {
        "canasta": 2500, "samba": 2500, "bolivia": 2500, "bolivie": 15000, "botifarra": 50
    }  # fmt: skip


CHOSEN = Chosen("casual", "canasta.casual 1", 50, 0, ())
FIRST = Commit(1, "", "", 1_000, None, ())


def test_what_logs_tell_is_counted() -> None:
    commits = [
        FIRST,
        replace(FIRST, at=2_000),  # the house's
        replace(FIRST, at=2_500, decision=CHOSEN),
        replace(FIRST, at=2_500 + int(LOST * 1000), decision=CHOSEN),
        replace(FIRST, at=90_000, decision=FellBack("casual", None, 50, "crashed")),
    ]
    found = Found()
    found.look(commits)
    assert (found.turns, found.chosen, found.lost) == (3, 2, 2)
    assert found.longest == 77.5
    assert found.fallbacks == {"casual crashed": 1}


@pytest.mark.parametrize(
    ("ended", "found", "failed", "code"),
    [
        (2, Found(5, 5), 0, 0),
        (1, Found(5, 5), 0, 1),
        (2, Found(5, 4, Counter({"casual hung": 1})), 0, 1),
        (2, Found(5, 5, lost=1), 0, 1),
        (2, Found(5, 5), 1, 1),
    ],
)
def test_the_code_says_whether_all_was_well(
    ended: int, found: Found, failed: int, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    soak = object.__new__(Soak)
    soak.games = dict.fromkeys(("a", "b"), "samba, 2 seats")
    soak.ended, soak.stuck = {"a", "b"} if ended == 2 else {"a"}, set()
    assert report(soak, {"samba, 2 seats": found}, failed, 1.0, 2) == code
    printed = capsys.readouterr().out
    assert f"2 games, {ended} ended; fallbacks played {found.fallbacks.total()}, " in printed
    assert f"turns lost {found.lost}, failed jobs {failed}" in printed


@pytest.mark.slow
def test_a_few_games_of_it() -> None:
    command = [sys.executable, "-m", "benchmarks.bots", "--games", "5", "--tables", "3"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 games, 5 ended; fallbacks played 0, turns lost 0, failed jobs 0" in done.stdout
    assert done.stdout.count("| ") > 5 * 7
