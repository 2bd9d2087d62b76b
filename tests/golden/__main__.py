"""Writes the golden playthroughs anew: `python -m tests.golden`. Read the diff before a commit."""

from tests.golden.playthrough import path, text
from tests.rules.tables import TABLES

for table in TABLES:
    new = text(table)
    old = path(table).read_text(encoding="utf-8") if path(table).exists() else None
    if new != old:
        path(table).write_text(new, encoding="utf-8")
        print(path(table).name, "written anew" if old else "written")
