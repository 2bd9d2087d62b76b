"""Makes the golden records of a release: `python -m tests.records 0.2`, once, and never again.

One a variant and table size, and one for each way in which a table can go otherwise. What was made
before stays as it is: `test_records.py` reads all of them on every build. A release that is in the
making gets those that it has not yet; take the file of its digests away to have them told again.
Without a release only those digests are made that are not there.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from unittest import mock

from service import archive, record
from service.rules import GAMES, find
from service.rules.seating.commands import Chair, GetUp, OpenGame, Resign, SetNonce, Setup
from service.shelf import Table
from tests.records.corpus import kept, told
from tests.workers.desk import Desk
from tests.workers.weighing import EVERYWHERE
from workers import strategies

FOLDER = Path(__file__).parent
TRIES = 5
"""How many games are played for a record."""

CASUAL = Chair("ai", "casual")
FREE = Chair("human")


def shortest(variant: str, seats: int) -> dict[str, int]:
    """The options under which a game is soonest over."""
    allowed = find(variant)[1].options(seats)
    return {name: min(option.allowed) for name, option in allowed.items()}


def computers(desk: Desk, variant: str, seats: int) -> Table:
    """A whole game of computer players."""
    return _finished(desk, variant, (CASUAL,) * seats)


def words(desk: Desk) -> Table:
    """Three people with words of their own, of whom one got up before it began."""
    table = _open(desk, "samba", (FREE,) * 3)
    tables = desk.tables
    tables.join(table.id, "anna", nonce="naïve ☂")
    tables.join(table.id, "bert", nonce="left behind")
    tables.act(table.id, "bert", GetUp)
    tables.join(table.id, "bert", seat=2)
    tables.act(table.id, "bert", lambda seat: SetNonce(seat, "luck"))
    tables.join(table.id, "carl")
    _resign(desk, table, "carl")
    return _resign(desk, table, "anna")


def resigned(desk: Desk) -> Table:
    """One of two gives up."""
    table = _open(desk, "canasta", (Chair("human", None, "anna"), CASUAL))
    desk.work()
    return _resign(desk, table, "anna")


def taken_over(desk: Desk) -> Table:
    """One of three gives up, and a computer player goes on."""
    table = _open(desk, "samba", (Chair("human", None, "anna"), CASUAL, CASUAL))
    desk.work()
    return _resign(desk, table, "anna")


def abandoned(desk: Desk) -> Table:
    """The last person at the table got up before it began."""
    table = _open(desk, "botifarra", (Chair("human", None, "anna"), FREE, CASUAL, CASUAL))
    desk.tables.act(table.id, "anna", GetUp)
    return desk.load(table.id)


def practice(desk: Desk) -> Table:
    """A game with a given dealer, scores and first pack; its later deals are shuffled."""
    pack = find("botifarra")[1].pack()
    return _finished(desk, "botifarra", (CASUAL,) * 4, Setup(2, (3, 5), (pack,)))


def went_on(desk: Desk) -> Table:
    """Computer players play the end of a game once more, and come to another."""
    whole = computers(desk, "canasta", 2)
    middle = archive.scene(whole.id, desk.tables.commits(whole.id, 1), whole.version // 2)
    opened = archive.play_on(desk.store, desk.tables, "anna", middle, (CASUAL,) * 2, "public")
    desk.work()
    return desk.load(opened.table.id)


def decided(desk: Desk, variant: str) -> Table:
    """Computer players of whom it is kept what they weighed, and where they failed."""
    with mock.patch.object(strategies, "STRATEGIES", EVERYWHERE):
        return computers(desk, variant, find(variant)[1].seats[-1])


OTHERS: dict[str, Callable[[Desk], Table]] = {
    "words": words,
    "resigned": resigned,
    "taken-over": taken_over,
    "abandoned": abandoned,
    "practice": practice,
    "went-on": went_on,
    "decided-botifarra": partial(decided, variant="botifarra"),
    "decided-samba": partial(decided, variant="samba"),
}


def _open(desk: Desk, variant: str, chairs: tuple[Chair, ...], setup: Setup | None = None) -> Table:
    options = shortest(variant, len(chairs))
    rules_version = find(variant)[1].rules_version
    order = OpenGame(variant, rules_version, chairs, options, "public", "", "", setup)
    return desk.tables.open("anna", order).table


def _finished(
    desk: Desk, variant: str, chairs: tuple[Chair, ...], setup: Setup | None = None
) -> Table:
    table = _open(desk, variant, chairs, setup)
    desk.work()
    return desk.load(table.id)


def _resign(desk: Desk, table: Table, player: str) -> Table:
    desk.tables.act(table.id, player, Resign)
    desk.work()
    return desk.load(table.id)


def tables() -> Iterator[tuple[str, Callable[[Desk], Table]]]:
    """Each record's name, and the game that it is of."""
    for rules in GAMES.values():
        for name, variant in rules.VARIANTS.items():
            for seats in variant.seats:
                yield f"{name}-{seats}", partial(computers, variant=name, seats=seats)
    yield from OTHERS.items()


def shortest_of(play: Callable[[Desk], Table]) -> bytes:
    """The shortest record of a few games."""
    records = []
    for _ in range(TRIES):
        desk = Desk()
        table = play(desk)
        lines = [entry.line for entry in desk.store.read(table.id).entries]
        records.append(b"".join(record.write(table.id, lines)))
    return min(records, key=len)


def make(release: str) -> None:
    """Writes the records of a release that are not there."""
    folder = FOLDER / release
    folder.mkdir(exist_ok=True)
    for name, play in tables():
        path = folder / f"{name}.ndjson"
        if not path.exists():
            raw = shortest_of(play)
            path.write_bytes(raw)
            print(name, len(raw), flush=True)


def main(releases: Sequence[str]) -> int:
    """Writes the records of the releases, and the digests that are not there."""
    for release in releases:
        make(release)
    for folder in sorted(path.parent for path in FOLDER.glob("*/abandoned.ndjson")):
        if not kept(folder).exists():
            kept(folder).write_text("".join(told(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
