"""What statistics count of canasta, against what the events and sheets of random games say."""

from collections import Counter

import pytest

from service.rules.canasta import tally
from service.rules.canasta.events import WentOut
from service.rules.canasta.melds import canasta_of
from service.rules.deals import DealScored
from tests.rules.tables import TABLES, Table, played

FAMILY = [table for table in TABLES if table.rules.tally is tally]


@pytest.mark.parametrize("table", FAMILY, ids=str)
def test_random_games_are_counted_as_their_sheets_are(table: Table) -> None:
    opened: Counter[int] = Counter()
    closed: Counter[int] = Counter()
    for step in played(str(table), 0):
        state = step.state
        for mark in tally(state, step.events):
            side = state.side(mark.seat)
            if mark.name == "opening":
                assert mark.amount >= state.variant.minimum(state.scores[side])
                opened[side] += 1
            elif mark.name.startswith("canasta_"):
                assert mark.amount == state.variant.canasta_bonus[mark.name[8:]]
                closed[side] += 1
            elif mark.name.startswith("went_out"):
                (out,) = (event for event in step.events if isinstance(event, WentOut))
                assert mark.seat == out.seat
        after = state.copy()
        for event in step.events:
            if isinstance(event, DealScored):
                for side, melds in enumerate(after.melds):
                    there = sum(bool(canasta_of(meld.kind, meld.cards)) for meld in melds)
                    assert (opened[side], closed[side]) == (bool(melds), there)
                opened.clear()
                closed.clear()
            table.rules.evolve(after, event)
