"""A decision made again from the log alone: the same one, side by side with what was kept."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import pytest

from service import record
from service.decision import Chosen
from service.store import codec
from service.store.redis import RedisStore
from tests.records.__main__ import shortest
from tests.workers.desk import CASUAL, NOVICE, Desk
from tests.workers.weighing import EVERYWHERE, weigh
from workers import again, choosing, strategies
from workers.moments import Moment, moments
from workers.strategies import Budget, Choice, Player, Situation

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "STRATEGIES", EVERYWHERE)


def commits(desk: Desk, game: str) -> Iterator[Any]:
    return (codec.decode(entry.line) for entry in desk.store.read(game).entries)


def file(desk: Desk, game: str, folder: Path) -> str:
    """The record of a game that is over, in a file."""
    lines = [entry.line for entry in desk.store.read(game).entries]
    path = folder / f"{game}.ndjson"
    path.write_bytes(b"".join(record.write(game, lines)))
    return str(path)


def finished(monkeypatch: pytest.MonkeyPatch, player: Player) -> tuple[Desk, str]:
    """A game of that player and a novice."""
    everywhere = {**EVERYWHERE, "casual": {"canasta": player}}
    monkeypatch.setattr(strategies, "STRATEGIES", everywhere)
    desk = Desk()
    game = desk.open(CASUAL, NOVICE, variant="canasta", **shortest("canasta", 2)).id
    desk.work()
    return desk, game


@pytest.mark.parametrize("name", ["decided-samba", "decided-botifarra"])
def test_what_was_kept_is_decided_again(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = RECORDS / "0.2" / f"{name}.ndjson"
    kept = path.read_bytes()
    fell = kept.count(b'"type":"fell_back"')
    same = kept.count(b'"type":"chosen"')
    assert again.main([str(path), "--all"]) == 0
    more = f", {fell} fell back" if fell else ""
    assert capsys.readouterr().out == f"{same + fell} decisions: {same} the same{more}\n"


def hurried(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """By the clock it looks at more or less, as it happens."""
    samples = SystemRandom().randrange(2, 50) if budget.samples is None else budget.samples
    return weigh(situation, rng, Budget(budget.seconds, samples))


def test_what_the_clock_ended_is_decided_again_by_its_samples(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk, game = finished(monkeypatch, Player("hurried 1", hurried))
    counts = {
        commit.decision.samples
        for commit in commits(desk, game)
        if isinstance(commit.decision, Chosen)
    }
    assert len(counts) > 5
    assert again.main([file(desk, game, tmp_path), "--all"]) == 0
    assert "another" not in capsys.readouterr().out


def test_another_choice_is_told_with_both(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk, game = finished(monkeypatch, Player("weighing 1", weigh))
    path = file(desk, game, tmp_path)

    def fickle(situation: Situation, rng: Random, budget: Budget) -> Choice:
        choice = weigh(situation, rng, budget)
        last = choice.candidates[-1]
        return replace(choice, command=last.command) if len(choice.candidates) > 1 else choice

    player = Player("weighing 1", fickle)
    monkeypatch.setattr(strategies, "STRATEGIES", {**EVERYWHERE, "casual": {"canasta": player}})
    assert again.main([path, "--all"]) == 1
    *lines, summary = capsys.readouterr().out.splitlines()
    first = lines[0].split()[1].rstrip(",")
    assert " another" in summary
    assert again.main([path, first]) == 1
    out = capsys.readouterr().out
    assert out in "\n".join(lines) + "\n"
    assert out.endswith("  now: another\n")
    assert out.count("chosen then") == out.count("chosen now") == 1


def test_values_that_differ_are_another_decision_too(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, game = finished(monkeypatch, Player("weighing 1", weigh))
    secret = desk.load(game).secret
    moment = next(
        one
        for one in moments(commits(desk, game))
        if isinstance(one.decision, Chosen) and len(one.decision.candidates) > 1
    )
    assert isinstance(moment.decision, Chosen)
    assert again.again(moment, secret).outcome == "same"
    for other in (
        replace(moment.decision, samples=moment.decision.samples + 1),
        replace(moment.decision, candidates=moment.decision.candidates[:1]),
    ):
        assert again.again(replace(moment, decision=other), secret).outcome == "other"


def test_a_strategy_of_another_version_is_said_to_be_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(RECORDS / "0.2" / "decided-samba.ndjson")
    newer = {**EVERYWHERE, "casual": {"canasta": Player("weighing 2", weigh)}}
    monkeypatch.setattr(strategies, "STRATEGIES", newer)
    assert again.main([path, "4"]) == 2
    assert "not decided again: today's is weighing 2" in capsys.readouterr().out
    assert again.main([path, "--all"]) == 2
    assert "by strategies of another version than today's" in capsys.readouterr().out
    monkeypatch.setattr(strategies, "STRATEGIES", {})
    assert again.main([path, "4"]) == 2
    assert "there is no such level today" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("record", "arguments", "words"),
    [
        ("0.2/decided-samba", ["1"], "version 1 is no command of a seat"),
        ("0.2/decided-samba", ["3"], "version 3 is no command of a seat"),
        ("0.2/decided-samba", ["9999"], "version 9999 is no command of a seat"),
        ("0.2/words", ["--all"], "0 decisions: none"),
        ("0.2/canasta-2", ["4"], "how it came to that was not kept"),
        ("0.1/canasta-2", ["--all"], "not kept"),
    ],
)
def test_where_there_is_nothing_to_decide_again_that_is_said(
    record: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert again.main([str(RECORDS / f"{record}.ndjson"), *arguments]) == 2
    told = capsys.readouterr()
    assert words in told.out + told.err


def test_a_file_that_is_no_record_is_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.ndjson"
    for raw, words in ((b"", "0 records, and one is wanted"), (b"{}\n", "0 records")):
        path.write_bytes(raw)
        assert again.main([str(path), "--all"]) == 2
        assert words in capsys.readouterr().err


def test_a_game_that_goes_on_tells_its_cards_to_whoever_insists(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk()
    game = desk.open(CASUAL, NOVICE).id
    desk.work(until=12)
    monkeypatch.setattr(again, "opened", lambda _: desk.store)
    assert again.main([game, "--all"]) == 2
    assert "the game is not over; --show" in capsys.readouterr().err
    assert again.main([game, "--all", "--show"]) == 0
    assert again.main(["nobody", "--all"]) == 2
    assert "there is no game nobody" in capsys.readouterr().err


def test_a_moment_is_what_the_computer_player_was_given() -> None:
    desk = Desk()
    game = desk.open(CASUAL, NOVICE, variant="canasta").id
    given: dict[int, tuple[Any, ...]] = {}
    while len(given) < 40:
        table = desk.load(game)
        seat = table.game.to_act()
        assert seat is not None
        view: Any = table.game.view(seat).state
        heard = tuple(choosing.heard(desk.tables, table, seat))
        given[table.version + 1] = view, heard, table.game.level(seat)
        command, decision = choosing.choose(desk.tables, table, seat)
        desk.tables.play(table, command, decision)
    found = list(moments(commits(desk, game)))
    for one in found:
        assert isinstance(one, Moment)
        view, heard, level = given[one.version]
        assert (one.situation.view, one.situation.feed, one.level) == (view, heard, level)
    assert [one.version for one in found] == list(given)


@pytest.mark.slow
def test_a_stored_game_is_found_on_its_server(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk()
    game = desk.open(CASUAL, NOVICE, variant="canasta", **shortest("canasta", 2)).id
    desk.work()
    RedisStore(redis_url).plant(game, desk.store.read(game).entries)
    monkeypatch.setenv("TAPETE_REDIS_URL", redis_url)
    assert again.main([game, "--all"]) == 0
    assert capsys.readouterr().out.endswith(" the same\n")
    monkeypatch.setenv("TAPETE_REDIS_URL", "redis://127.0.0.1:1/0")
    assert again.main([game, "--all"]) == 2
    assert "the server of TAPETE_REDIS_URL does not answer" in capsys.readouterr().err


def test_what_a_process_knows_of_a_game_holds_no_decision() -> None:
    desk = Desk()
    game = desk.open(CASUAL, NOVICE).id
    desk.work(until=12)
    assert any(commit.decision for commit in commits(desk, game))
    for each in (desk, Desk(desk.store)):
        assert not any(commit.decision for commit in each.tables.commits(game, 1))
