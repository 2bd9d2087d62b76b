"""The sweep makes games compact some time after their end, and they stay what they were."""

import logging

import pytest

from service.answers import GameOver
from service.rules.seating.commands import OpenGame, Resign
from service.store import Entry, Unreadable
from service.store.memory import MemoryStore
from tests.workers.desk import CASUAL, PERSON, Desk
from workers.sweep import SOME, Sweep

DAY = 86_400


def ended(desk: Desk) -> str:
    """A game that one of two people gave up."""
    game = desk.open(PERSON, CASUAL, variant="canasta").id
    desk.tables.act(game, "anna", Resign, key="k", digest="d")
    return game


def sweep(desk: Desk, cold_after: int = DAY) -> None:
    """One in another process, that also walks over all games."""
    Sweep(desk.store, Desk(desk.store).tables, patience=5.0, cold_after=cold_after).once()


def lines(desk: Desk, game: str) -> list[bytes]:
    return [one.line for one in desk.store.read(game).entries]


def cold(desk: Desk, game: str) -> bool:
    """Whether what only guards against repeated commands is gone."""
    return not any(one.meta.attempt for one in desk.store.read(game).entries)


def test_a_game_is_made_compact_when_its_time_has_come() -> None:
    desk = Desk()
    game = ended(desk)
    before = lines(desk, game)
    desk.now += DAY * 1000
    sweep(desk)
    assert not cold(desk, game)
    desk.now += 1
    sweep(desk)
    assert cold(desk, game)
    assert lines(desk, game) == before


def test_what_a_process_remembers_of_it_stays_right() -> None:
    desk = Desk()
    game = ended(desk)
    before = desk.load(game)
    desk.now += 2
    sweep(desk, 0)
    assert cold(desk, game)
    for table in (desk.load(game), Desk(desk.store).load(game)):
        assert (table.version, table.head, table.opener) == (
            before.version,
            before.head,
            before.opener,
        )
        assert table.game.result == before.game.result
        assert table.secret == before.secret


def test_a_repeated_command_is_told_that_the_game_is_over() -> None:
    """Its key is forgotten with the attempt; before that the first answer is given again."""
    desk = Desk()
    game = ended(desk)
    assert Desk(desk.store).tables.act(game, "anna", Resign, key="k", digest="d").replayed
    desk.now += 2
    sweep(desk, 0)
    with pytest.raises(GameOver):
        Desk(desk.store).tables.act(game, "anna", Resign, key="k", digest="d")


def test_opening_it_again_under_its_key_finds_it() -> None:
    desk = Desk()
    order = OpenGame("canasta", 1, (PERSON, CASUAL), {}, "public", "", "")
    game = desk.tables.open("anna", order, key="k", digest="d").table.id
    desk.tables.act(game, "anna", Resign)
    desk.now += 2
    sweep(desk, 0)
    assert cold(desk, game)
    for tables in (desk.tables, Desk(desk.store).tables):
        again = tables.open("anna", order, key="k", digest="d")
        assert (again.table.id, again.replayed) == (game, True)


def test_a_process_that_remembers_the_key_gives_the_first_answer_still() -> None:
    desk = Desk()
    game = ended(desk)
    desk.now += 2
    sweep(desk, 0)
    assert cold(desk, game)
    assert desk.tables.act(game, "anna", Resign, key="k", digest="d").replayed


def test_one_that_goes_on_is_not_made_compact() -> None:
    desk = Desk()
    game = desk.open(PERSON, CASUAL, variant="canasta").id
    desk.now += DAY * 1000 * 9
    sweep(desk)
    assert not cold(desk, game)


def test_the_walk_files_games_that_ended_before_there_was_such_a_list() -> None:
    desk = Desk()
    game = ended(desk)
    desk.store._lists.clear()
    sweep(desk, 0)
    desk.now += 2
    sweep(desk, 0)
    assert cold(desk, game)
    sweep(desk, 0)
    assert desk.store.warm(-1, 9) == []
    assert [one.game for one in desk.store.ended(0, 1 << 52, None, 9)] == []
    desk.now += 2_000
    assert [one.game for one in desk.store.ended(0, 1 << 52, None, 9)] == [game]


def test_only_some_are_made_compact_at_a_time() -> None:
    class Counting(MemoryStore):
        chilled = 0

        def chill(self, game: str) -> bool:
            self.chilled += 1
            return super().chill(game)

    store = Counting()
    for number in range(SOME + 10):
        store._file_now("warm", f"g{number}")
    Sweep(store, Desk(store).tables, patience=5.0, cold_after=-9).once()
    assert 0 < store.chilled <= SOME


def test_a_damaged_game_is_told_once_and_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    damaged, whole = ended(desk), ended(desk)
    log = desk.store._logs[damaged]
    log[2] = Entry(3, log[2].line + b" ", log[2].hash, log[2].meta)
    desk.now += 2
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            sweeping = Sweep(desk.store, desk.tables, patience=5.0, cold_after=0)
            sweeping._walk = None
            sweeping.once()
    assert cold(desk, whole)
    assert [one.line for one in desk.store.read(damaged).entries] == [one.line for one in log]
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert damaged in told[0]
    with pytest.raises(Unreadable):
        desk.store.chill(damaged)
