"""The bench measures what it says it does, and tells it in its form; no test here judges a time."""

import json
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import chain, repeat
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from benchmarks.bench import boardgame, games, growth
from benchmarks.bench.__main__ import PARTS, QUICKLY
from benchmarks.bench.cold import bracket
from benchmarks.bench.commands import AHEAD, Games
from benchmarks.bench.corpus import longest, of_family
from benchmarks.bench.figure import FORM, Figure, at_least, at_most, interval, quartiles
from benchmarks.bench.fold import commands, events, fold, step
from benchmarks.bench.http1 import LoadFailed, checked, request, whole
from benchmarks.bench.load import Crowd, Script, percentile
from benchmarks.bench.plan import Plan, service, turns
from service import replay
from service.rules import GAMES, seating
from service.shelf import Shelf
from service.stack import Stack
from service.store import codec
from service.store.memory import MemoryStore
from service.table import Tables

ROOT = Path(__file__).parent.parent


def figure(ours: list[float], theirs: list[float], **more: Any) -> Figure:
    asked: dict[str, Any] = {"name": "n", "what": "w", "beside": "b", "unit": "/s"}
    return Figure(ours=ours, theirs=theirs, **asked | {"bar": at_least(0.5)} | more)


# Figures.


def test_a_ratio_is_of_two_slices_side_by_side_and_a_figure_is_their_median() -> None:
    """Of slow times and of fast ones the ratio is the same: so noise falls on both."""
    told = figure([10, 100, 30], [20, 200, 100]).as_json()
    assert told["ratio"]["slices"] == [0.5, 0.5, 0.3]
    assert [told["ratio"][part] for part in ("low", "median", "high")] == [0.4, 0.5, 0.5]
    assert told["ours"]["median"] == 30
    assert told["theirs"]["median"] == 100


@pytest.mark.parametrize(
    ("bar", "ratio", "verdict"),
    [
        (at_least(0.6), 0.6, "met"),
        (at_least(0.6), 0.59, "missed"),
        (at_most(6), 6.0, "met"),
        (at_most(6), 6.1, "missed"),
        (None, 1.0, ""),
    ],
)
def test_a_bar_is_met_or_missed(bar: Any, ratio: float, verdict: str) -> None:
    assert figure([ratio], [1.0], bar=bar).verdict == verdict


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([0.60, 0.70, 0.80], "met"),
        ([0.48, 0.52, 0.56], "at the bar"),
        ([0.44, 0.48, 0.52], "at the bar"),
        ([0.20, 0.30, 0.40], "missed"),
    ],
)
def test_where_the_bar_lies_within_the_interval_of_the_median_it_is_neither_met_nor_missed(
    ratios: list[float], verdict: str
) -> None:
    assert figure(ratios, [1.0] * len(ratios)).verdict == verdict


def test_the_interval_narrows_with_the_number_of_slices_as_the_middle_half_does_not() -> None:
    """Notches of McGill, Tukey and Larsen (1978): 1.57 times the middle half by the root of n."""
    few, many = ([0.50, 0.52, 0.54] * times for times in (3, 27))
    assert quartiles(few) == quartiles(many) == (0.50, 0.52, 0.54)
    assert interval(few) == pytest.approx((0.52 - 0.0628 / 3, 0.52 + 0.0628 / 3))
    assert interval(many) == pytest.approx((0.52 - 0.0628 / 9, 0.52 + 0.0628 / 9))
    assert figure(few, [1.0] * 9).verdict == "at the bar"
    assert figure(many, [1.0] * 81).verdict == "met"
    assert figure(many, [1.0] * 81).row()["ratio"] == "0.52 ± 0.01"


def test_what_was_not_measured_says_why_and_has_no_numbers() -> None:
    row = figure([], [], why="no npm here")
    assert row.row()["verdict"] == "not measured: no npm here"
    assert row.row()["ratio"] == "–"
    assert row.as_json()["ratio"] is None


def test_quartiles_and_percentiles() -> None:
    assert quartiles([4.0]) == (4.0, 4.0, 4.0)
    assert quartiles([1, 2, 3, 4, 5]) == (2, 3, 4)
    assert percentile([*range(1, 101)], 0.99) == 100
    assert percentile([*range(1, 101)], 0.50) == 51
    assert percentile([7.0], 0.99) == 7.0


def test_the_two_sides_take_turns_in_beginning() -> None:
    order: list[str] = []
    count = iter(range(100))

    def side(name: str) -> float:
        order.append(name)
        return float(next(count))

    ours, theirs = turns(Plan(4, 1.0, 1.0), lambda: side("a"), lambda: side("b"))
    assert "".join(order) == "abbaabba"
    assert (ours, theirs) == ([0, 3, 4, 7], [1, 2, 5, 6])


# Load.


def test_an_answer_is_taken_when_it_is_whole_and_what_follows_is_left() -> None:
    said = b"HTTP/1.1 201 CREATED\r\nETag: x\r\nContent-Length: 3\r\n\r\nabc"
    buffer = bytearray()
    for byte in said[:-1]:
        buffer.append(byte)
        assert whole(buffer) is None
    buffer += said[-1:] + b"HTTP/1.1 304"
    answer = whole(buffer)
    assert answer
    assert (answer.status, answer.body, bytes(buffer)) == (201, b"abc", b"HTTP/1.1 304")


def test_an_unchanged_answer_has_no_body_and_one_without_a_length_is_refused() -> None:
    assert whole(bytearray(b"HTTP/1.1 304 NOT MODIFIED\r\nETag: x\r\n\r\n"))
    with pytest.raises(LoadFailed):
        whole(bytearray(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))


def test_a_measurement_ends_where_an_answer_is_an_error() -> None:
    answer = whole(bytearray(b"HTTP/1.1 409 CONFLICT\r\nContent-Length: 2\r\n\r\nno"))
    assert answer
    with pytest.raises(LoadFailed, match=r"POST /x HTTP/1.1: 409 no"):
        checked(answer, request("POST", "/x", "token", b"{}"))


@contextmanager
def server(*answers: bytes) -> Iterator[str]:
    """One that hangs up unannounced behind each answer; the last of them it gives for ever."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for answer in chain(answers, repeat(answers[-1])):
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                with client:
                    if client.recv(1000):
                        client.sendall(answer)

        thread = Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


def test_who_was_hung_up_on_while_they_asked_nothing_connects_again() -> None:
    with server(FINE) as base:
        crowd = Crowd(base, [always(request("GET", "/"))])
        assert len(crowd.run(0.5, rate=20).latencies) > 2
        crowd.close()


def test_who_is_hung_up_on_without_a_word_asks_again_and_not_for_ever() -> None:
    with server(b"", b"", FINE) as base:
        crowd = Crowd(base, [always(request("GET", "/"))])
        assert len(crowd.run(0.01).latencies) > 0
        crowd.close()
    for answer in (b"", FINE[:5]):
        with server(answer) as base:
            crowd = Crowd(base, [always(request("GET", "/"))])
            with pytest.raises(LoadFailed, match="hung up"):
                crowd.run(0.01)
            crowd.close()


def test_what_scripts_need_is_made_ready_before_each_run() -> None:
    ready: list[str] = []
    with server(FINE) as base:
        crowd = Crowd(base, [always(request("GET", "/"))], lambda: ready.append("ready"))
        assert crowd.run(0.01).latencies
        assert crowd.run(0.01).latencies
        crowd.close()
    assert ready == ["ready"] * 3  # also before the first request is known


def always(asked: bytes) -> Script:
    while True:
        yield asked


# Games.


@pytest.mark.slow
def test_games_are_seated_ahead_and_given_in_their_order() -> None:
    seated: list[games.Seated] = []

    def seat(game: games.Played) -> games.Seated:
        seated.append(games.Seated(str(len(seated)), (), game))
        return seated[-1]

    ours = Games(seat, 0)
    ours.ahead(AHEAD)
    count, coming = len(seated), iter(ours)
    assert sum(len(one.played.moves) for one in seated) >= AHEAD
    assert [next(coming) for _ in range(count)] == seated
    assert len(seated) == count
    assert next(coming).id == str(count)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "seats"), sorted(set(games.MIXED)))
def test_a_game_that_was_played_can_be_played_again_by_others(variant: str, seats: int) -> None:
    played = games.played(variant, seats, 3)
    tables = Tables(MemoryStore(), lambda *_: None)
    people = [f"other {seat}" for seat in range(seats)]
    table = tables.open(people[0], games.order(variant, people, played.setup)).table
    for move in played.moves[:200]:
        player, make = people[move.seat], lambda _: move.command  # noqa: B023
        given = tables.act(table.id, player, make, expected=move.version)
        assert given.version > move.version
    assert len(played.moves) > 200 or tables.load(table.id).over


def test_a_game_may_go_on_for_as_long_as_it_is_wanted() -> None:
    played = games.played("botifarra", 4, 1, 700)
    assert 690 <= played.moves[-1].version + 1 <= 703


def test_as_many_commits_of_the_short_game_are_loaded_around_one_load_of_the_long() -> None:
    asked: list[str] = []
    assert min(bracket(asked.append, ("long", 50), ("short", 10))) > 0
    assert asked == ["short"] * 2 + ["long"] + ["short"] * 3


@pytest.mark.slow
def test_games_of_some_lengths_are_measured_and_loaded_cold() -> None:
    rows = {row.name: row for row in growth.figures(Plan(2, 0.1, 0.1), (20, 40, 80))}
    kinds = ("command.40", "command.80", "read.40", "read.80", "cold")
    assert [*rows] == [f"growth.{kind}" for kind in kinds]
    assert len(rows["growth.cold"].ratios) == 2 * growth.BRACKETS
    assert all(value > 0 for row in rows.values() for value in row.ratios)


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Stack, games.House]]:
    """One service for whoever would start some: what is measured of it means nothing here."""
    with service() as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize("part", ["commands", "reads"])
def test_the_slices_of_all_rounds_stand_in_one_row(
    part: str, served: tuple[Stack, games.House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"benchmarks.bench.{part}.service", lambda: nullcontext(served))
    monkeypatch.setattr("benchmarks.bench.reads.COMMITS", 20)  # it is not their length that matters
    rows = [*PARTS[part](Plan(2, 0.1, 0.1, rounds=2))]
    assert {len(row.ratios) for row in rows} == {4}
    assert all(value > 0 for row in rows for value in row.ratios)


# The corpus.


def test_the_longest_game_folds_as_its_log() -> None:
    log, store = longest(), MemoryStore()
    store.plant("g" * 16, log)
    table = Shelf(store, 0).load("g" * 16)
    assert (table.version, table.fault) == (len(log), None)
    assert table.over


@pytest.mark.slow
@pytest.mark.parametrize("family", GAMES)
def test_as_much_is_folded_and_stepped_as_is_counted(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [*of_family(family)]
    short = [game[:120] for game in records]
    calls: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        function = getattr(seating, name)

        def wrapper(*arguments: Any) -> Any:
            calls[name] += 1
            return function(*arguments)

        return wrapper

    for name in ("decide", "evolve"):
        monkeypatch.setattr(seating, name, counted(name))
    fold(records)
    assert calls["evolve"] == events(records) - len(records)  # the first of each opens the game
    step(short)
    assert calls["decide"] == commands(short)
    assert all(codec.encode(commit) for game in short for commit in game[:1])
    assert all(replay.fold(game).result for game in records)


# The whole.


def test_a_peer_that_npm_cannot_bring_is_a_reason_and_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boardgame, "BUILD", tmp_path)
    monkeypatch.setattr(boardgame, "_programs", lambda: (Path(sys.executable), Path("/no/npm")))
    boardgame.why_not.cache_clear()
    try:
        assert boardgame.why_not().startswith("npm failed: ")
        assert not (tmp_path / "package-lock.json").exists()
        monkeypatch.setattr(boardgame, "_programs", lambda: None)
        boardgame.why_not.cache_clear()
        for part in ("lobby", "together"):
            rows = [*PARTS[part](Plan(1, 0.1, 0.1))]
            assert {row.verdict for row in rows} == {"not measured"}
    finally:
        boardgame.why_not.cache_clear()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the quick bench prints and writes, in slices too short to mean anything."""
    file = tmp_path_factory.mktemp("bench") / "bench.json"
    command = [sys.executable, "-m", "benchmarks.bench", "--quick", "--slices", "2"]
    done = subprocess.run(
        [*command, "--seconds", "0.1", "--json", str(file)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    yield done.stdout, json.loads(file.read_text())


@pytest.mark.slow
def test_the_quick_bench_prints_its_rows_and_writes_its_form(
    told: tuple[str, dict[str, Any]],
) -> None:
    printed, document = told
    assert document["form"] == FORM
    assert "docs/performance.md" in printed.splitlines()[-1]
    assert document["plan"]["slices"] == 2
    names = [one["name"] for one in document["figures"]]
    assert len(names) == len(set(names))
    assert {name.partition(".")[0] for name in names} == set(QUICKLY)
    rows = [line for line in printed.splitlines() if line.startswith("|")][2:]
    assert len(rows) == len(names)
    for row, one in zip(rows, document["figures"], strict=True):
        assert one["what"] in row
        assert one["beside"] in row
        assert one["verdict"] in ("met", "at the bar", "missed", "", "not measured")
        assert one["load"]
        if one["verdict"] == "not measured":
            assert one["why"]
            assert one["ratio"] is None
        else:
            assert one["runs"] == 2
            for side in ("ours", "theirs", "ratio"):
                low, middle, high = (one[side][key] for key in ("low", "median", "high"))
                assert 0 < low <= middle <= high
                assert len(one[side]["slices"]) == 2


@pytest.mark.slow
def test_what_needs_only_ourselves_is_measured_wherever_the_tests_run(
    told: tuple[str, dict[str, Any]],
) -> None:
    measured = {one["name"] for one in told[1]["figures"] if not one["why"]}
    assert {"commands", "commands.slow", "reads", "reads.unchanged", "replay"} <= measured
    assert "computers" in measured
