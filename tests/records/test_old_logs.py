"""What an older release wrote, met by this one: looked at, answered for, played on."""

from collections.abc import Sequence

import msgspec
import pytest

from service import record
from service.record import Record
from service.rules.seating.commands import Chair, OpenGame, Terms
from service.store import Entry, Meta, codec
from tests.records.corpus import HERE
from tests.workers.desk import Desk

OLDEST = HERE / "0.1"


def entries(lines: Sequence[bytes], secret: str, first: Meta | None = None) -> tuple[Entry, ...]:
    """The lines as they are kept in a log."""
    meta = first or Meta("attempt", secret=secret)
    return tuple(
        Entry(number, line, codec.digest(line), Meta("attempt") if number > 1 else meta)
        for number, line in enumerate(lines, 1)
    )


def begun(desk: Desk, name: str, versions: int) -> Record:
    """A game of the oldest release, played so far."""
    read = record.read((OLDEST / f"{name}.ndjson").read_bytes())
    desk.store.plant(read.header.game, entries(read.lines[:versions], read.footer.secret))
    return read


@pytest.mark.parametrize("name", ["samba-2", "botifarra-4"])
def test_a_game_that_an_older_release_began_is_played_to_its_end(name: str) -> None:
    desk = Desk()
    old = begun(desk, name, 60)
    game = old.header.game
    desk.turn(game, 60)
    desk.work()
    lines = [entry.line for entry in desk.store.read(game).entries]
    assert tuple(lines[:60]) == old.lines[:60]
    whole = record.read(b"".join(record.write(game, lines)))
    assert whole.header == old.header
    assert whole.footer.secret == old.footer.secret


def test_an_answer_given_again_has_the_hash_that_the_old_line_had() -> None:
    """Not that of the line as it would be written today."""
    desk = Desk()
    chairs = (Chair("human", None, "anna"), Chair("human"))
    order = OpenGame("canasta", 1, chairs, {}, "public", "", "")
    first = desk.tables.open("anna", order, "key", "digest")
    (entry,) = desk.store.read(first.table.id).entries
    assert first.head == entry.hash
    terms = b',"terms":' + msgspec.json.encode(Terms())
    old = entry.line.replace(b"@2", b"").replace(b',"origin":null' + terms, b"")
    later = Desk()
    later.store.plant(first.table.id, entries([old], "", entry.meta))
    again = later.tables.open("anna", order, "key", "digest")
    assert (again.replayed, again.commits) == (True, first.commits)
    assert again.head == codec.digest(old) != first.head
    later.tables.join(first.table.id, "bert")
    again = later.tables.open("anna", order, "key", "digest")
    assert again.head == codec.digest(old)


def test_an_answer_names_the_last_of_its_commits_once_others_follow() -> None:
    desk = Desk()
    chairs = (Chair("human", None, "anna"), Chair("human", None, "bert"))
    order = OpenGame("canasta", 1, chairs, {}, "public", "", "")
    first = desk.tables.open("anna", order, "key", "digest")
    log = {entry.version: entry.hash for entry in desk.store.read(first.table.id).entries}
    assert (first.version, first.head) == (3, log[3])
    mover = first.table.game.to_act() or 0
    move = first.table.game.legal(mover)[0]
    moved = desk.tables.act(first.table.id, ("anna", "bert")[mover], lambda seat: move)
    assert moved.head == desk.load(first.table.id).head
    assert desk.tables.open("anna", order, "key", "digest").head == log[3]
