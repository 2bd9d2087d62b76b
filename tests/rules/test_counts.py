"""How many commands and positions follow from fixed packs (as chess programs count theirs).

One number that differs says that `legal` lists more or less than it did, or that two commands no
longer lead to two positions; the golden playthroughs then show where.
"""

from typing import Any, Final

import pytest

from service.rules.protocol import HOUSE
from tests.golden.playthrough import Play
from tests.rules.tables import TABLES, Table, fingerprint

ENOUGH: Final = 200
"""So many positions are not looked beyond."""

Counts = list[tuple[int, int]]

COUNTS: Final[dict[str, dict[int, Counts]]] = {
    "canasta-2": {
        1: [(1, 1), (28, 28), (299, 295)],
        30: [(23, 23), (200, 172), (812, 717)],
        60: [(5, 5), (7, 7), (46, 46), (251, 227)],
    },
    "canasta-3": {
        1: [(1, 1), (20, 20), (93, 93), (572, 563)],
        30: [(10, 10), (13, 13), (205, 205)],
        60: [(20, 20), (136, 117), (668, 634)],
    },
    "canasta-4": {
        1: [(1, 1), (16, 16), (52, 52), (232, 232)],
        30: [(4, 4), (52, 51), (132, 129), (424, 424)],
        60: [(1, 1), (10, 10), (20, 20), (78, 78), (204, 204)],
    },
    "samba-2": {
        1: [(1, 1), (17, 17), (63, 63), (865, 852)],
        30: [(16, 16), (60, 57), (211, 205)],
        60: [(5, 5), (7, 7), (67, 67), (316, 296)],
    },
    "samba-3": {
        1: [(1, 1), (21, 21), (101, 101), (661, 661)],
        30: [(13, 13), (33, 33), (265, 265)],
        60: [(1, 1), (9, 9), (16, 16), (111, 111), (469, 430)],
    },
    "samba-4": {
        1: [(5, 5), (64, 63), (221, 221)],
        30: [(27, 27), (233, 202)],
        60: [(25, 25), (290, 226)],
    },
    "bolivia-2": {
        1: [(3, 3), (57, 56), (340, 325)],
        30: [(1, 1), (14, 14), (44, 42), (226, 224)],
        60: [(11, 11), (28, 27), (101, 101), (318, 303)],
    },
    "bolivia-3": {
        1: [(1, 1), (22, 22), (145, 144), (1109, 1087)],
        30: [(10, 10), (24, 24), (208, 207)],
        60: [(1, 1), (16, 16), (87, 76), (418, 408)],
    },
    "bolivia-4": {
        1: [(1, 1), (25, 25), (186, 184), (1190, 1167)],
        30: [(32, 32), (445, 406)],
        60: [(1, 1), (12, 12), (27, 27), (257, 257)],
    },
    "bolivie-4": {
        1: [(1, 1), (12, 12), (12, 12), (144, 144), (144, 144), (1728, 1728)],
        30: [(1, 1), (12, 12), (12, 12), (96, 96), (168, 168), (960, 960)],
        60: [(6, 6), (9, 9), (42, 42), (114, 114), (909, 909)],
    },
    "botifarra-4": {
        1: [(6, 6), (15, 15), (30, 30), (120, 115), (360, 351)],
        30: [(2, 2), (7, 7), (35, 35), (48, 48), (163, 163), (163, 163), (652, 652)],
        60: [(5, 5), (55, 55), (236, 236)],
    },
}
"""By table and step of its golden playthrough: at each depth the commands that may be given, and
the different positions to which they lead."""


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.slow
def test_counts(table: Table) -> None:
    assert {step: counted(table, step) for step in (1, 30, 60)} == COUNTS.get(str(table))


def counted(table: Table, step: int) -> Counts:
    """Level by level, from the position after that step."""
    play = Play(table)
    while play.step < step:
        play.give(play.choose())
    counts, level = [], [play.state]
    while 0 < len(level) <= ENOUGH:
        after = [state for each in level for state in following(table, each)]
        level = list({fingerprint(state): state for state in after}.values())
        counts.append((len(after), len(level)))
    return counts


def following(table: Table, state: Any) -> list[Any]:
    """The states after each command that may be given; none where the house deals."""
    seat = table.rules.to_act(state)
    if seat is None or seat == HOUSE:
        return []
    return [after(table, state, command) for command in table.rules.legal(state, seat)]


def after(table: Table, state: Any, command: Any) -> Any:
    """The state after a command."""
    twin = state.copy()
    for event in table.rules.decide(state, command):
        table.rules.evolve(twin, event)
    return twin
