"""`./run arena --keep`: a match that is broken off goes on, and counts what was played before."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from workers.arena.__main__ import play
from workers.arena.journal import Journal, JournalError
from workers.arena.match import Game, Match, Pair
from workers.arena.players import Cost, strategy
from workers.arena.served import Served
from workers.arena.tally import Tally
from workers.strategies import Budget

ROOT = Path(__file__).resolve().parents[3]
FULL = Path("/dev/full")
TIMES = ("kept", "seconds", "decisions_a_second", "players")
BOTH = (Budget(0.1), Budget(0.05))
MATCH = Match("botifarra", 4, "casual", "novice", BOTH, (("target_score", 50),), pairs=5)


def pair(number: int, *lost: str) -> Pair:
    games = Game(1.0, 10.0 + number / 3, 4, False), Game(0.5, -number, 5, True)
    return Pair(number, games, (Cost(), Cost()), lost)


class Table(Served):
    """Plays at once, in whatever order, and stops after so many."""

    def __init__(self, stops: int = 99) -> None:
        self.played: list[int] = []
        self._stops = stops

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: object) -> None: ...

    def play(self, match: Match, numbers: Sequence[int]) -> Iterator[Pair | None]:
        for number in reversed(numbers):
            if len(self.played) == self._stops:
                raise KeyboardInterrupt
            self.played.append(number)
            yield pair(number)


def kept(path: Path, match: Match = MATCH, stops: int = 99) -> tuple[list[int], Tally]:
    """What was played, and the result, of a run that keeps its pairs there."""
    table = Table(stops)
    with Journal(path, match) as journal:
        (tally,), _ = play([match], table, journal)
    return table.played, tally


def figures(tally: Tally) -> dict[str, Any]:
    fields = tally.fields()
    return {name: fields[name] for name in ("pairs", "win_rate", "difference", "deals", "cut")}


def test_what_is_kept_is_counted_and_not_played_again(tmp_path: Path) -> None:
    (whole,), _ = play([MATCH], Table())
    path = tmp_path / "match"
    first, tally = kept(path, stops=2)
    assert (first, tally.kept, len(tally.pairs)) == ([4, 3], 0, 2)
    second, tally = kept(path)
    assert (second, tally.kept) == ([2, 1, 0], 2)
    assert figures(tally) == figures(whole)
    assert tally.fields()["kept"] == 2
    third, tally = kept(path)
    assert (third, tally.kept) == ([], 5)
    assert figures(tally) == figures(whole)


def test_a_pair_is_a_whole_line_as_soon_as_it_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "match"
    with Journal(path, MATCH) as journal:
        for number in range(3):
            journal.add(pair(number))
            text = path.read_text()
            assert text.endswith("\n")
            assert [json.loads(line).get("pair") for line in text.splitlines()] == [
                None,
                *range(number + 1),
            ]


def test_a_pair_comes_back_as_it_was_but_for_its_costs(tmp_path: Path) -> None:
    path = tmp_path / "match"
    with Journal(path, MATCH) as journal:
        journal.add(pair(1, "pair 1, game 2: it ended"))
    with Journal(path, MATCH) as journal:
        assert journal.pairs == {1: pair(1, "pair 1, game 2: it ended")}


def test_a_line_that_was_torn_is_passed_over_and_the_next_stands_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "match"
    kept(path, stops=2)
    whole = path.read_bytes()
    *before, last, _ = whole.split(b"\n")
    start = len(b"\n".join(before)) + 1
    for end in range(start, len(whole)):
        path.write_bytes(whole[:end])
        played, _ = kept(path, stops=1)
        assert played == [3], last
        assert path.read_bytes() == whole


def test_a_first_line_that_was_torn_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "match"
    Journal(path, MATCH).__exit__()
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        Journal(path, MATCH).__exit__()
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (replace(MATCH, seed=7), "seed 0 there, 7 asked for"),
        (replace(MATCH, deals=1), "deals 200 there, 1 asked for"),
        (
            replace(MATCH, options=(("target_score", 101),)),
            'options {"target_score": 50} there, {"target_score": 101} asked for',
        ),
        (
            replace(MATCH, budgets=(Budget(0.1), Budget(0.05, 7))),
            'budgets [{"seconds": 0.1}, {"seconds": 0.05}] there, '
            '[{"seconds": 0.1}, {"samples": 7}] asked for',
        ),
        (
            replace(MATCH, two="casual"),
            'players ["casual", "novice"] there, ["casual", "casual"] asked for; '
            'strategies ["botifarra.casual 1", "novice 1"] there, '
            '["botifarra.casual 1", "botifarra.casual 1"] asked for',
        ),
    ],
)
def test_another_match_is_refused_with_what_differs(
    other: Match, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "match"
    kept(path, stops=2)
    before = path.read_bytes()
    with pytest.raises(JournalError) as refused:
        Journal(path, other)
    assert str(refused.value) == f"{path}: another match: {told}"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "other",
    [
        replace(MATCH, variant="canasta", options=()),
        replace(MATCH, variant="samba", seats=3, options=()),
        replace(MATCH, one="club"),
    ],
)
def test_other_games_and_players_are_other_matches(other: Match, tmp_path: Path) -> None:
    Journal(tmp_path / "match", MATCH).__exit__()
    with pytest.raises(JournalError, match="another match"):
        Journal(tmp_path / "match", other)


def test_another_version_of_a_strategy_is_another_match(tmp_path: Path) -> None:
    path = tmp_path / "match"
    kept(path, stops=1)
    path.write_text(path.read_text().replace("botifarra.casual 1", "botifarra.casual 0"))
    with pytest.raises(JournalError, match=r'strategies \["botifarra.casual 0"'):
        Journal(path, MATCH)


def test_time_is_no_part_of_a_match_that_reads_no_clock(tmp_path: Path) -> None:
    one, other = (
        replace(MATCH, budgets=(Budget(seconds, 9), Budget(seconds, 9))) for seconds in (1.0, 0.1)
    )
    kept(tmp_path / "match", one, stops=2)
    assert kept(tmp_path / "match", other)[0] == [2, 1, 0]


def test_more_or_fewer_pairs_are_the_same_match(tmp_path: Path) -> None:
    path = tmp_path / "match"
    kept(path)
    played, tally = kept(path, replace(MATCH, pairs=7))
    assert (played, tally.kept) == ([6, 5], 5)
    played, tally = kept(path, replace(MATCH, pairs=2))
    assert (played, [one.number for one in tally.pairs]) == ([], [0, 1])


def test_a_match_of_another_program_is_another_match(tmp_path: Path) -> None:
    path = tmp_path / "match"
    match = replace(MATCH, one="program", two="casual")
    Journal(path, match, "python3 mine.py").__exit__()
    Journal(path, match, "python3 mine.py").__exit__()
    with pytest.raises(JournalError, match=r"mine.py.* there, .*yours.py.* asked for"):
        Journal(path, match, "python3 yours.py")


@pytest.mark.parametrize(
    "text", ["notes", "notes\n", "{}\n", '{"pair": 1}\n', '{"match": 3}\n', "\n", "\x00\n"]
)
def test_a_file_of_something_else_is_refused_and_left_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(JournalError, match="no match of the arena's"):
        Journal(path, MATCH)
    assert path.read_text() == text


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"pair": 1, "games": [], "lost": []}', "\x00"])
def test_a_line_in_the_middle_that_is_no_pair_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "match"
    kept(path, stops=1)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(JournalError, match="line 3 is no pair"):
        Journal(path, MATCH)


def test_a_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "match"
    with Journal(path, MATCH):
        before = path.read_bytes()
        with pytest.raises(JournalError, match="in use"):
            Journal(path, MATCH)
        assert path.read_bytes() == before
    Journal(path, MATCH).__exit__()


def test_a_place_that_cannot_be_written_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=f"^{tmp_path}: Is a directory$"):
        Journal(tmp_path, MATCH)


@pytest.mark.skipif(not FULL.exists(), reason="no disk here is always full")
def test_a_full_disk_is_told_in_a_line(tmp_path: Path) -> None:
    with (
        pytest.raises(JournalError, match=f"^{tmp_path}/match: No space left on device$"),
        Journal(tmp_path / "match", MATCH) as journal,
    ):
        journal._file.close()
        journal._file = FULL.open("r+b")
        journal.add(pair(0))


@pytest.mark.skipif(not FULL.exists(), reason="no disk here is always full")
def test_a_disk_that_is_full_from_the_beginning_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_up(journal: Journal, here: dict[str, Any]) -> None:
        journal._file.close()
        journal._file = FULL.open("r+b")
        journal._write(here)

    monkeypatch.setattr(Journal, "_take_up", take_up)
    with pytest.raises(JournalError, match=f"^{tmp_path}/match: No space left on device$"):
        Journal(tmp_path / "match", MATCH)


@pytest.mark.slow
def test_a_level_of_another_folder_is_known_by_its_strategy_there() -> None:
    assert strategy("casual", "samba") == "canasta.casual 1"
    assert strategy(f"casual@{ROOT}", "samba") == "canasta.casual 1"


def arena(path: Path, *more: str, pairs: int = 6) -> list[str]:
    words = ["botifarra", "casual", "novice", "--deals", "2", "--samples", "5", "--processes", "2"]
    words += ["--pairs", str(pairs), "--keep", str(path), *more]
    return [sys.executable, "-m", "workers.arena", *words]


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_and_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    process = subprocess.Popen(
        arena(killed, pairs=10**6), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while not killed.exists() or killed.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = killed.read_bytes()
    before = before[: before.rfind(b"\n") + 1]
    found = []
    for path in (killed, tmp_path / "whole"):
        file = path.with_suffix(".json")
        command = arena(path, "--json", str(file), pairs=40)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert ("Pairs kept" in done.stdout) == (path == killed)
        found += json.loads(file.read_text())
    assert killed.read_bytes().startswith(before)
    numbers = [json.loads(line)["pair"] for line in before.splitlines()[1:]]
    assert [fields["kept"] for fields in found] == [sum(number < 40 for number in numbers), 0]
    first, second = ({**fields, **dict.fromkeys(TIMES)} for fields in found)
    assert first == second
    assert first["pairs"] == 40


@pytest.mark.slow
def test_another_match_ends_the_command_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "match"
    subprocess.run(arena(path, pairs=1), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(arena(path, "--seed", "7"), cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"arena: {path}: another match: seed 0 there, 7 asked for\n"
