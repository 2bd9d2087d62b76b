"""A game whose log is damaged stays readable up to there, can be closed, and harms no other."""

import logging
import os
import subprocess
import sys
from typing import Any

import pytest
from rq.timeouts import JobTimeoutException

from service import close, house, replay
from service.answers import GameFaulted, GameOver, NotFaulted
from service.config import Config
from service.referee import Verdict, referee_stored
from service.rules.protocol import HOUSE
from service.rules.seating.commands import Chair, CloseGame, OpenGame, RevealSecret
from service.shelf import NoSuchVersion, Table
from service.store import EventStore, Unreadable, codec
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from service.store.turns import MemoryTurns
from service.table import Tables
from tests import damage
from tests.clock import tick
from tests.damage import ANYWHERE, STREAM, Way
from workers.later import Later
from workers.playing import Post, take_turn
from workers.sweep import Sweep

ROBOTS = (Chair("ai", "novice"), Chair("ai", "novice"))
AT = 6
"""The version that is damaged, of eight."""

EVERY = [
    *(pytest.param("memory", way, id=f"memory {way.__name__}") for way in ANYWHERE),
    *(pytest.param("redis", way, id=f"redis {way.__name__}") for way in (*ANYWHERE, *STREAM)),
]
"""Every way to damage a log, on every store that it may happen to."""


class Place:
    """A store with games of computer players in it, and processes to look at them."""

    def __init__(self, store: EventStore, url: str) -> None:
        self.store, self.url = store, url
        self.calls: list[tuple[str, int, int]] = []

    def process(self) -> Tables:
        """A process that remembers nothing yet."""
        return Tables(self.store, self.call)

    def call(self, game: str, version: int, again: int, people: bool) -> None:
        self.calls.append((game, version, again))

    def played(self) -> str:
        """A game of eight commits."""
        tables = self.process()
        order = OpenGame("canasta", 1, ROBOTS, {}, "public", "", "")
        table = tables.open("anna", order).table
        while table.version < 8:
            seat = table.to_act()
            assert seat is not None
            table = tables.play(table, table.game.legal(seat)[0])
        return table.id

    def damage(self, game: str, way: Way, version: int = AT):  # type: ignore[no-untyped-def]
        return damage.damage(self.store, self.url, game, version, way)


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Place:
    backing = getattr(request, "param", "memory")
    if backing == "memory":
        return Place(MemoryStore(), "")
    url: str = request.getfixturevalue("redis_url")
    return Place(RedisStore(url), url)


every_way = pytest.mark.parametrize(("place", "way"), EVERY, indirect=["place"])
both = pytest.mark.parametrize("place", ["memory", "redis"], indirect=True)


def faulted(place: Place, way: Way = damage.flipped_byte) -> tuple[str, Table]:
    game = place.played()
    place.damage(game, way)
    return game, place.process().load(game)


@pytest.mark.sampled(5)
@every_way
def test_the_game_is_that_of_the_commits_before(place: Place, way: Way) -> None:
    game = place.played()
    before = place.process().at(place.process().load(game), AT - 1)
    place.damage(game, way)
    table = place.process().load(game)
    assert table.fault is not None
    assert (table.status, table.version, table.fault.version) == ("faulted", AT - 1, AT)
    assert (table.head, table.to_act(), table.over) == (before.head, None, True)
    assert table.game.view(0).state.table() == before.game.view(0).state.table()  # type: ignore[union-attr]
    assert not table.waits_for_computer()
    assert len(place.process().commits(game, 1)) == AT - 1
    assert place.process().at(table, 3).status == "playing"
    with pytest.raises(NoSuchVersion):
        place.process().at(table, AT)


@pytest.mark.sampled(5)
@every_way
def test_what_is_wrong_is_said_without_a_card(place: Place, way: Way) -> None:
    game = place.played()
    entries = place.store.read(game).entries
    place.damage(game, way)
    table = place.process().load(game)
    assert table.fault
    assert table.fault.what
    assert '"' not in table.fault.what
    assert table.secret.hex() not in table.fault.what
    assert all(entry.hash not in table.fault.what for entry in entries)


@pytest.mark.sampled(5)
@every_way
def test_what_a_process_remembers_makes_no_difference(place: Place, way: Way) -> None:
    game = place.played()
    early = place.process()
    early.load(game)
    early.forget(game)
    place.damage(game, way)
    once, again = early.load(game), early.load(game)
    assert (once.version, once.fault) == (again.version, again.fault)
    assert once.fault == place.process().load(game).fault


@pytest.mark.sampled(5)
@every_way
def test_closing_opens_the_secret_and_stays(place: Place, way: Way) -> None:
    game = place.played()
    place.damage(game, way)
    table = place.process().close(game)
    later = place.process().load(game)
    assert later.fault is not None
    assert (later.version, later.head, later.fault) == (table.version, table.head, table.fault)
    assert (later.status, later.to_act(), later.over) == ("faulted", None, True)
    assert later.game.result
    assert (later.game.result.winner, later.game.result.why) == (None, "abandoned")
    assert later.game.secret == later.secret.hex()
    commits = place.process().commits(game, 1)
    assert [commit.version for commit in commits] == [1, 2, 3, 4, 5, 9, 10]
    assert commits[-2].command == CloseGame(HOUSE, AT)
    assert commits[-1].command == RevealSecret(later.secret.hex())
    assert house.command(place.process().at(later, 2).game, later.secret) == commits[2].command
    with pytest.raises(GameOver):
        place.process().close(game)


@pytest.mark.sampled(5)
@every_way
def test_an_audit_tells_why_once_it_is_closed(place: Place, way: Way) -> None:
    game = place.played()
    place.damage(game, way)

    def told() -> Verdict:
        read = place.store.read(game)
        return referee_stored(game, read.entries, read.broken, beyond=read.beyond)

    veiled = told()
    assert veiled.first_fault
    assert veiled.first_fault.view is None
    place.process().close(game)
    opened = told()
    assert opened.first_fault
    assert opened.first_fault.view
    assert "why is told" not in str(opened)


@pytest.mark.sampled(5)
@every_way
def test_once_mended_it_goes_on(place: Place, way: Way) -> None:
    game = place.played()
    tables = place.process()
    whole = tables.load(game)
    mend = place.damage(game, way)
    late = place.process()
    assert late.load(game).fault
    late.refile(game)
    mend()
    table = late.load(game)
    assert (table.fault, table.version, table.head) == (None, whole.version, whole.head)
    late.refile(game)
    assert game in set(place.store.unfinished())
    assert place.store.count("faulted") == 0
    seat = table.to_act()
    assert seat is not None
    assert late.play(table, table.game.legal(seat)[0]).version == 9


@pytest.mark.sampled(5)
@every_way
def test_nothing_but_closing_is_written(place: Place, way: Way) -> None:
    game = place.played()
    whole = place.process().load(game)
    seat = whole.to_act()
    assert seat is not None
    place.damage(game, way)
    tables = place.process()
    table = tables.load(game)
    with pytest.raises(GameFaulted):
        tables.play(table, whole.game.legal(seat)[0])
    assert tables.load(game).fault == table.fault


@pytest.mark.sampled(5)
@every_way
def test_the_sweep_files_it_tells_it_once_and_goes_on(
    place: Place, way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    game, other = place.played(), place.played()
    place.damage(game, way)
    place.calls.clear()
    sweep = Sweep(place.store, place.process(), patience=0.0001)
    tick()
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            sweep.once()
    told = [record for record in caplog.records if game in record.getMessage()]
    assert [record.levelname for record in told] == ["ERROR"]
    assert f"faulted in version {AT}" in told[0].getMessage()
    assert {called for called, _, _ in place.calls} == {other}
    assert set(place.store.unfinished()) == {other}
    assert place.store.count("faulted") == 1
    listed = place.process().listed("faulted", None, None, 10)
    assert [table.id for _, table in listed] == [game]


@pytest.mark.sampled(5)
@every_way
def test_a_late_job_does_nothing(place: Place, way: Way) -> None:
    game = place.played()
    place.damage(game, way)
    place.calls.clear()
    for version in (AT - 1, AT, 8):
        tables = place.process()
        later = Later()
        take_turn(Post(tables, place.call, MemoryTurns(), Config(), later), game, version)
        later.close()
    assert place.calls == []
    assert place.process().load(game).version == AT - 1


@pytest.mark.parametrize("place", ["redis"], indirect=True)
@pytest.mark.parametrize("way", [damage.without("l"), damage.without("h"), damage.without("a")])
def test_behind_a_last_entry_that_is_none_nothing_is_written(place: Place, way: Way) -> None:
    game = place.played()
    place.damage(game, way, 8)
    with pytest.raises(GameFaulted) as refused:
        place.process().close(game)
    assert refused.value.table.tail is None
    place.process().tend(game, 1.0)
    assert place.store.count("faulted") == 1
    assert len(place.process().commits(game, 1)) == 7


@pytest.mark.parametrize("place", ["redis"], indirect=True)
def test_without_a_first_entry_there_is_no_game(place: Place) -> None:
    game, other = place.played(), place.played()
    damage.behead(place.url, game)
    for use in (place.process().load, place.process().close, place.process().refile):
        with pytest.raises(Unreadable):
            use(game)
    assert [table.id for _, table in place.process().listed("playing", None, None, 9)] == [other]


@both
@pytest.mark.parametrize("way", [damage.flipped_byte, damage.bad_json, damage.wrong_prev])
def test_a_damaged_first_entry_is_no_game(place: Place, way: Way) -> None:
    game = place.played()
    place.damage(game, way, 1)
    with pytest.raises(Unreadable):
        place.process().load(game)


@both
def test_an_end_that_is_not_ours_does_not_count(place: Place) -> None:
    game, table = faulted(place)
    damage.smuggle(place.store, game)
    smuggled = place.process().load(game)
    assert smuggled.game.result is None
    assert smuggled.version == table.version
    assert place.process().close(game).game.result.winner is None  # type: ignore[union-attr]


@both
def test_a_closer_that_dies_is_seen_to_by_the_sweep(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = faulted(place)
    tables = place.process()
    tables.refile(game)
    monkeypatch.setattr(tables._scribe, "_house", lambda table: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tables.close(game)
    half = place.process().load(game)
    assert (half.to_act(), half.over, half.game.secret) == (HOUSE, False, None)
    assert game in set(place.store.unfinished())
    Sweep(place.store, place.process(), patience=5.0).once()
    assert place.process().load(game).game.secret
    assert game not in set(place.store.unfinished())
    assert place.store.count("faulted") == 1


@both
def test_a_damaged_reveal_is_made_good_by_closing(place: Place) -> None:
    game, _ = faulted(place)
    tables = place.process()
    tables.close(game)
    place.damage(game, damage.flipped_byte, 10)
    assert place.process().load(game).to_act() == HOUSE
    table = place.process().close
    with pytest.raises(GameOver):
        table(game)  # on the way to it the house did its part
    assert place.process().load(game).version == 11


@both
def test_a_game_that_waits_for_people_can_be_closed_too(place: Place) -> None:
    tables = place.process()
    order = OpenGame(
        "canasta", 1, (Chair("human", None, "anna"), Chair("human")), {}, "public", "", ""
    )
    game = tables.open("anna", order).table.id
    tables.join(game, "bert")
    place.damage(game, damage.flipped_byte, 2)
    table = place.process().load(game)
    assert (table.status, table.version, table.game.status) == ("faulted", 1, "waiting")
    with pytest.raises(GameFaulted):
        place.process().join(game, "carl")
    closed = place.process().close(game)
    assert closed.game.result
    assert closed.game.secret


@both
def test_damage_in_what_was_read_before_is_met_when_it_is_read_again(place: Place) -> None:
    game = place.played()
    tables = place.process()
    tables.load(game)
    place.damage(game, damage.flipped_byte)
    assert [commit.version for commit in tables.commits(game, 1, 8)] == [1, 2, 3, 4, 5]
    assert tables.load(game).fault


def test_a_rule_that_breaks_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events that cannot be applied would be a fault for ever."""
    place = Place(MemoryStore(), "")
    game = place.played()
    tables = place.process()
    table = tables.load(game)
    seat = table.to_act()
    assert seat is not None
    command = table.game.legal(seat)[0]
    with monkeypatch.context() as broken:
        broken.setattr(replay, "advance", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            tables.play(table, command)
    assert tables.load(game).version == place.process().load(game).version == 8
    assert tables.play(tables.load(game), command).version == 9


def test_running_out_of_memory_is_no_fault_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(MemoryStore(), "")
    game = place.played()

    def full(*_: object, **__: object) -> None:
        raise MemoryError

    for module, name in ((codec, "decode"), (replay, "advance")):
        with monkeypatch.context() as broken:
            broken.setattr(module, name, full)
            with pytest.raises(MemoryError):
                place.process().load(game)


@pytest.mark.parametrize("place", ["redis"], indirect=True)
def test_an_operator_closes(place: Place) -> None:
    broken, sound = place.played(), place.played()
    place.damage(broken, damage.gap)
    said: list[str] = []
    assert close.close(place.store, [broken, sound, "nowhere"], said.append) == 2
    assert said[0] == f"{broken}: closed, its log is damaged from version {AT} on"
    assert said[1].startswith(f"{sound}: its log is whole")
    assert said[2] == "nowhere: there is no such game"
    with pytest.raises(NotFaulted):
        place.process().close(sound)
    assert place.store.count("faulted") == 1


@pytest.mark.slow
@pytest.mark.parametrize("place", ["redis"], indirect=True)
def test_another_process_closes_by_command(place: Place) -> None:
    game, _ = faulted(place)
    env = os.environ | {"TAPETE_REDIS_URL": place.url}
    command = [sys.executable, "-m", "service.close", game]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{game}: closed, its log is damaged from version {AT} on\n"
    again = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stdout) == (1, f"{game}: it is closed already\n")
    away = env | {"TAPETE_REDIS_URL": "redis://127.0.0.1:1"}
    lost = subprocess.run(command, env=away, capture_output=True, text=True, check=False)
    assert lost.returncode == 2
    assert lost.stderr


@pytest.mark.parametrize("error", [JobTimeoutException, MemoryError])
def test_time_or_memory_that_ran_out_is_no_fault_of_the_game(
    place: Place, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    game = place.played()
    for name in ("advance", "open_game"):
        with monkeypatch.context() as patched:
            patched.setattr(replay, name, raiser(error))
            with pytest.raises(error):
                place.process().load(game)
    with monkeypatch.context() as patched:
        patched.setattr(codec, "decode", raiser(error))
        with pytest.raises(error):
            place.process().load(game)
    assert place.process().load(game).fault is None


def raiser(error: type[Exception]) -> Any:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    return fail
