"""Every variant and table size is played as it was played before."""

import re
from difflib import unified_diff
from itertools import islice
from typing import Any

import pytest

from service.rules import GAMES
from service.store.codec import WIRE_NAMES
from tests.golden.playthrough import path, text
from tests.rules.tables import TABLES, Table

REWRITE = "if it is meant, .venv/bin/python -m tests.golden writes it anew"


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_game_is_played_as_before(table: Table) -> None:
    file = path(table)
    assert file.exists(), f"{table} has no golden playthrough; {REWRITE}"
    kept, played = file.read_text(encoding="utf-8"), text(table)
    if kept != played:
        lines = unified_diff(
            kept.splitlines(), played.splitlines(), "kept", "played now", lineterm=""
        )
        shown = "\n".join(line[:200] for line in islice(lines, 60))
        pytest.fail(f"{file.name} changed; {REWRITE}\n{shown}", pytrace=False)


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_command_is_given_somewhere(game: str) -> None:
    rules: Any = GAMES[game]
    told = "".join(
        path(table).read_text(encoding="utf-8") for table in TABLES if table.rules is rules
    )
    commands = {*re.findall(r"^\d+ (?:house|seat \d) (\w+)", told, re.MULTILINE)}
    assert commands == {WIRE_NAMES[kind] for kind in rules.COMMANDS}
