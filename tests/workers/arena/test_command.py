"""`./run arena` as one types it."""

import io
import json
import math
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from array import array
from pathlib import Path
from typing import Any

import pytest

from service.levels import USUAL
from workers.arena import __main__ as command
from workers.arena.asked import arguments, matches
from workers.arena.match import Game, Match, Pair
from workers.arena.players import Cost
from workers.arena.progress import Progress
from workers.arena.report import markdown, results, times
from workers.arena.tally import Tally
from workers.strategies import STRATEGIES, Budget

ROOT = Path(__file__).resolve().parents[3]
ARENA = [sys.executable, "-m", "workers.arena"]


def asked(*words: str) -> list[Match]:
    return list(matches(arguments().parse_args(words)))


def test_a_match_is_to_the_shortest_target_unless_one_is_named() -> None:
    (match,) = asked("botifarra", "casual", "novice")
    assert match.options == (("target_score", 50),)
    (match,) = asked("botifarra", "casual", "novice", "--target", "101")
    assert match.options == (("target_score", 101),)


def test_several_levels_meet_each_the_next_in_every_variant_named() -> None:
    found = asked("canasta,samba", "casual", "novice", "casual", "--seats", "2", "--pairs", "3")
    assert [(one.variant, one.one, one.two) for one in found] == [
        ("canasta", "casual", "novice"), ("canasta", "novice", "casual"),
        ("samba", "casual", "novice"), ("samba", "novice", "casual"),
    ]  # fmt: skip
    assert {(one.seats, one.pairs) for one in found} == {(2, 3)}


def test_all_is_each_level_and_the_one_below_it() -> None:
    found = asked("--all")
    assert {one.variant for one in found} == {"canasta", "samba", "bolivia", "bolivie", "botifarra"}
    names = list(STRATEGIES)
    below = {(names[number + 1], names[number]) for number in range(len(names) - 1)}
    assert {(one.one, one.two) for one in found} == below
    assert len(found) == 5 * len(below)


def test_a_part_of_the_budgets() -> None:
    (match,) = asked("botifarra", "casual", "novice", "--budget", "1/20", "--samples", "7")
    expected = [USUAL.seconds(level) / 20 for level in ("casual", "novice")]
    assert [budget.seconds for budget in match.budgets] == pytest.approx(expected)
    assert [budget.samples for budget in match.budgets] == [7, 7]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "name a variant"),
        ("botifarra casual", "name a variant"),
        ("poker casual novice", "no variant 'poker'"),
        ("botifarra casual wizard", "no level 'wizard'"),
        ("botifarra casual novice --seats 3", "no table of 3"),
        ("botifarra casual novice --target 7", "50, 100, 101"),
        ("botifarra casual casual@nowhere", "'nowhere' is no folder"),
        ("botifarra casual novice --pairs 0", "--pairs is 1 or more"),
        ("botifarra casual novice --deals 0", "--deals is 1 or more"),
        ("botifarra casual novice --samples 0", "--samples is 1 or more"),
        ("botifarra casual novice --processes 0", "--processes is 1 or more"),
        ("botifarra casual novice --budget 0", "--budget is more than 0"),
        ("botifarra casual novice --budget=-1/2", "--budget is more than 0"),
        ("botifarra casual novice --json nowhere/figures.json", "'nowhere' is no folder"),
        ("botifarra --against python3", "name a variant"),
        ("botifarra casual --against no-such-program", "no program 'no-such-program'"),
        ("botifarra casual --against 'python3 {table}'", "{base}, {game} and {invite}"),
        ("botifarra casual --against python3 --samples 3", "whole games"),
        ("botifarra casual@. --against python3", "whole games"),
        ("canasta,samba casual novice --keep file", "--keep is for one match"),
        ("botifarra club casual novice --keep file", "--keep is for one match"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(words: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        asked(*shlex.split(words))


def test_a_budget_that_is_no_number_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        asked("botifarra", "casual", "novice", "--budget", "1/0")
    assert "--budget: invalid part value: '1/0'" in capsys.readouterr().err


def pair(number: int, *games: Game, wall: float = 0.01) -> Pair:
    costs = (Cost(array("d", [wall] * 99 + [0.5]), array("d", [0.005] * 99 + [0.505])), Cost())
    return Pair(number, (games[0], games[1]), costs)


def tally(**more: Any) -> Tally:
    match = Match("botifarra", 4, "casual", "novice", (Budget(0.1), Budget(0.1)), **more)
    made = Tally(match)
    made.add(pair(0, Game(1, 60, 4, False), Game(1, 20, 5, False)))
    made.add(pair(1, Game(1, 10, 4, False), Game(0, -50, 5, True)))
    made.seconds = 2.0
    return made


def test_the_figures_of_a_match() -> None:
    fields = tally(pairs=9, options=(("target_score", 50),)).fields()
    assert fields["win_rate"][0] == 0.75
    assert fields["difference"][0] == 10  # (40 and -20) / 2
    assert (fields["pairs"], fields["wanted"], fields["deals"], fields["cut"]) == (2, 9, 18, 1)
    assert fields["decisions_a_second"] == 100
    one, two = fields["players"]
    assert (one["decisions"], one["mean_ms"], one["cpu_ms"]) == (200, 14.9, 10)
    assert (one["p50_ms"], one["p95_ms"], one["p99_ms"], one["late"]) == (10, 10, 10, 0.01)
    assert two == {"player": "novice", "decisions": 0, "budget_ms": 100, "samples": None}


def test_the_tables_are_markdown() -> None:
    made = tally(options=(("target_score", 50),))
    lines = markdown(results([made])).splitlines()
    assert {line.count("|") for line in lines} == {8}
    assert "75.0 % (" in lines[2]
    assert "+10.0 (−" in lines[2]
    assert set(lines[1]) <= set("|-: ")
    assert "| 1 deal |" in markdown(results([tally(deals=1)]))
    assert "| 2 deals |" in markdown(results([tally(deals=2)]))
    assert "1.00 %" in markdown(times([made])).splitlines()[2]


def test_one_pair_has_no_interval_and_that_is_still_json() -> None:
    match = Match("botifarra", 4, "casual", "novice", (Budget(0.1, 3), Budget(0.1, 3)))
    made = Tally(match)
    made.add(pair(0, Game(1, 60, 4, False), Game(0.5, 0, 5, False)))
    fields = made.fields()
    assert fields["win_rate"] == [0.75, None, None]
    assert fields["players"][0]["budget_ms"] is None
    assert "late" not in fields["players"][0]  # nobody looked at a clock
    assert not math.isnan(json.loads(json.dumps(fields, allow_nan=False))["difference"][0])
    assert "nan" not in markdown(results([made]))


def test_a_game_that_was_lost_is_told_with_its_match_on_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tally()
    game = Game(0, -50, 5, False)
    made.add(
        Pair(2, (game, game), (Cost(), Cost()), ("pair 2, game 1: gone", "pair 2, game 2: gone"))
    )
    monkeypatch.setattr(command, "play", lambda *_: ([made], True))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["arena", "botifarra", "casual", "novice"])
    assert command.main() == 0
    assert capsys.readouterr().out.endswith(
        "|\n\nlost: botifarra, casual : novice, pair 2, game 1: gone\n"
        "lost: botifarra, casual : novice, pair 2, game 2: gone\n"
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_in_a_terminal_and_a_line_now_and_then_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    live, plain = Terminal(), io.StringIO()
    both = [Progress(live), Progress(plain)]
    made = tally(pairs=8)
    for _ in range(100):
        now[0] += 0.5
        for progress in both:
            progress.tell(made)
    for progress in both:
        progress.end()
    assert live.getvalue().count("\r") == 101
    assert "\n" not in live.getvalue()
    assert plain.getvalue() == "botifarra, casual : novice: 2 of 8 pairs, 75 % won, 90 s to go\n"


def test_the_time_to_go_is_told_by_the_pairs_of_this_run(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    made = tally(pairs=8)
    for kept, told in ((2, ""), (1, ", 240 s to go")):
        made.kept, now[0], out = kept, 0.0, io.StringIO()
        progress = Progress(out)
        now[0] = 40.0
        progress.tell(made)
        assert out.getvalue() == f"botifarra, casual : novice: 2 of 8 pairs, 75 % won{told}\n"


@pytest.mark.slow
def test_it_prints_tables_and_writes_json_and_chance_is_the_seed_alone(tmp_path: Path) -> None:
    words = [
        "botifarra",
        "casual",
        "novice",
        "--pairs",
        "4",
        "--deals",
        "2",
        "--samples",
        "5",
        "--seed",
        "3",
    ]
    found = []
    for processes in ("1", "3"):
        file = tmp_path / processes
        command = [*ARENA, *words, "--processes", processes, "--json", str(file)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        assert "| botifarra, 4 seats |" in done.stdout
        (fields,) = json.loads(file.read_text())
        found.append([fields[name] for name in ("pairs", "win_rate", "difference", "deals")])
    assert found[0] == found[1]
    assert found[0][0] == 4


def test_a_program_is_against_each_level_named() -> None:
    found = asked("botifarra", "casual", "novice", "--against", "python3 bot.py --game {game}")
    assert [(one.one, one.two, one.served) for one in found] == [
        ("program", "casual", True), ("program", "novice", True)
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_broken_off_it_tells_what_was_played_and_leaves_nothing_running(
    number: signal.Signals,
) -> None:
    master, slave = pty.openpty()
    command = [*ARENA, "botifarra", "casual", "novice", "--pairs", "1000000", "--processes", "2"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=slave, text=True, start_new_session=True
    )
    os.close(slave)
    said = b""
    while not re.search(rb" [1-9][0-9]* of", said):
        said += os.read(master, 1000)
    threading.Thread(target=drain, args=(master,), daemon=True).start()
    # A terminal tells the whole group, the processes that play too.
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "| casual : novice |" in out
    until = time.monotonic() + 10
    while running(process.pid):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_killed_it_leaves_nothing_running() -> None:
    command = [*ARENA, "samba", "casual", "novice", "--pairs", "1000", "--processes", "2"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    time.sleep(3)
    process.kill()
    process.wait()
    until = time.monotonic() + 20
    while running(process.pid):
        assert time.monotonic() < until
        time.sleep(0.1)


def drain(fd: int) -> None:
    try:
        while os.read(fd, 1000):
            pass
    except OSError:
        return


def running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
