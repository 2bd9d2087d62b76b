"""How much is searched: some in `./run check`, more in `./run test`, most in `./run laws`."""

import os
from collections.abc import Iterable
from typing import Final

import pytest

from tests.rules.tables import Table

LONG: Final = bool(os.environ.get("TAPETE_LONG"))


def span(usual: int, long: int) -> int:
    """The number of positions to look at."""
    return long if LONG else usual


def each(tables: Iterable[Table]) -> list[pytest.ParameterSet]:
    """All tables to try a law on; in the fast tests the largest of each variant, with partners."""
    return [
        pytest.param(
            table, marks=[pytest.mark.more] if table.seats < max(table.variant.seats) else []
        )
        for table in tables
    ]
