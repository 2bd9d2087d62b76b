"""A table that waited for too long is given up, once, by an entry of its log like any other."""

import pytest

from service.referee import referee_stored
from service.rules.protocol import HOUSE
from service.rules.seating.commands import Chair, ClearTable
from service.shelf import Table
from service.store import Meta
from service.store.memory import MemoryStore
from tests.workers.desk import CASUAL, PERSON, Desk
from workers.sweep import Sweep

WEEK = 7 * 86_400
HUMAN = Chair("human")


def sweep(desk: Desk) -> None:
    Sweep(desk.store, desk.tables, patience=5.0, abandon_after=WEEK).once()


def waited(desk: Desk, *chairs: Chair) -> Table:
    """A table that waits and at which nothing has happened for all but a week."""
    table = desk.open(*chairs)
    desk.now = table.changed + WEEK * 1000 - 1
    sweep(desk)
    assert desk.load(table.id).status == "waiting"
    desk.now += 1
    return table


@pytest.mark.parametrize(
    "chairs", [(PERSON, HUMAN), (HUMAN, HUMAN), (PERSON, Chair("human", None, "bert"), HUMAN)]
)
def test_a_table_that_waited_for_a_week_is_given_up(chairs: tuple[Chair, ...]) -> None:
    desk = Desk()
    game = waited(desk, *chairs).id
    sweep(desk)
    sweep(desk)
    table = desk.load(game)
    assert (table.status, table.version) == ("abandoned", 3)
    assert [commit.command for commit in desk.tables.commits(game, 2, 2)] == [ClearTable(HOUSE)]
    assert table.game.secret  # so that it can be audited
    assert referee_stored(game, desk.store.read(game).entries).ok
    assert list(desk.store.unfinished()) == []
    assert desk.store.busy("anna") == set()


def test_whoever_comes_in_time_keeps_it_waiting() -> None:
    desk = Desk()
    game = waited(desk, HUMAN, HUMAN, HUMAN, HUMAN).id
    desk.tables.join(game, "bert")
    sweep(desk)
    assert desk.load(game).status == "waiting"


def test_a_game_under_way_is_never_given_up() -> None:
    desk = Desk()
    table = desk.open(PERSON, CASUAL, variant="canasta")
    desk.now += 10 * WEEK * 1000
    sweep(desk)
    assert desk.load(table.id).status == "playing"


def test_whoever_sits_down_while_the_house_gives_it_up_has_the_seat() -> None:
    desk = Desk()
    game = waited(desk, PERSON, HUMAN, HUMAN).id
    other = Desk(desk.store)

    class Late(MemoryStore):
        """The seat is taken between the sweep's look and its word."""

        def __getattribute__(self, name: str) -> object:
            if name == "append":
                desk.tables._scribe._store = desk.store
                other.tables.join(game, "bert")
            return getattr(desk.store, name)

    desk.tables._scribe._store = Late()
    sweep(desk)
    table = desk.load(game)
    assert (table.status, table.version) == ("waiting", 2)
    assert table.seat_of("bert") == 1


def test_the_house_alone_gives_a_table_up() -> None:
    desk = Desk()
    game = waited(desk, PERSON, HUMAN).id
    table = desk.load(game)
    desk.tables._scribe.write(table, ClearTable(0), Meta("attempt", "anna"))
    assert not referee_stored(game, desk.store.read(game).entries).ok
