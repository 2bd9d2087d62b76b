"""Real games: the records that every release left in the tests."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from service import record
from service.replay import Commit
from service.rules import GAMES, find
from service.store import Entry, Meta, codec

ROOT: Final = Path(__file__).parents[2]


@cache
def _files() -> dict[str, list[bytes]]:
    """The lines of each record, by its release and name."""
    paths = sorted((ROOT / "tests" / "records").glob("*/*.ndjson"))
    return {f"{path.parent.name}/{path.stem}": path.read_bytes().splitlines() for path in paths}


def longest() -> list[Entry]:
    """The log of the longest game, as it stood in its store."""
    _, *lines, last = max(_files().values(), key=len)
    secret = record.decode(last, record.Footer).secret
    first = Meta("0" * 16, secret=secret)
    return [
        Entry(number, line, codec.digest(line), Meta("0" * 16) if number > 1 else first)
        for number, line in enumerate(lines, 1)
    ]


def of_family(family: str) -> Iterator[Sequence[Commit]]:
    """The games of a family, `canasta` or `botifarra`, that nobody left: one a variant and size."""
    for name, (_, *lines, _) in _files().items():
        commits = [codec.decode(line) for line in lines]
        opened = commits[0].command
        plain = f"{opened.variant}-{len(opened.chairs)}"
        if name.partition("/")[2] == plain and find(opened.variant)[0] is GAMES[family]:
            yield commits
