"""What statistics count of canasta, against what the events and sheets of random games say."""

from collections import Counter

import pytest

from service.rules.canasta import tally
from service.rules.canasta.events import (
    CanastaClosed,
    MeldExtended,
    MeldLaid,
    PileTaken,
    WentOut,
)
from service.rules.canasta.melds import canasta_of
from service.rules.deals import DealScored
from service.rules.protocol import Mark
from tests.rules.canasta.notation import cards, position
from tests.rules.tables import TABLES, Table, played

FAMILY = [table for table in TABLES if table.rules.tally is tally]


@pytest.mark.sampled(3)
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


def test_the_first_meld_is_worth_its_cards() -> None:
    state = position("canasta", 4, "side 1: m1 = 8c 8d 8s")
    laid = MeldLaid(2, "m2", "set", cards("Kc Kd Kh")), MeldLaid(2, "m3", "set", cards("4c 4d 4h"))
    more = MeldExtended(2, "m3", cards("2c"))
    assert tally(state, [*laid, more]) == (Mark(2, "opening", 65),)
    assert tally(state, laid[:1]) == (Mark(2, "opening", 30),)
    assert tally(state, [MeldLaid(1, "m2", "set", cards("Kc Kd Kh"))]) == ()


def test_a_pile_is_counted_by_its_cards() -> None:
    events = [PileTaken(1, "Kc", cards("5c 6d Kc"), ())]
    assert tally(position("canasta", 4, ""), events) == (Mark(1, "pile_taken", 3),)


def test_a_canasta_is_counted_once() -> None:
    state = position("canasta", 4, "side 1: m1 = 8c 8d 8s 8h 8c 8d 8s")
    events = [
        CanastaClosed(1, "m1", "mixed"),
        CanastaClosed(3, "m2", "natural"),
        CanastaClosed(3, "m2", "mixed"),
        CanastaClosed(3, "m3", "mixed"),
    ]
    assert tally(state, events) == (
        Mark(3, "canasta_natural", 500),
        Mark(3, "canasta_mixed", 300),
    )


@pytest.mark.parametrize(
    ("concealed", "mark"),
    [(False, Mark(2, "went_out", 100)), (True, Mark(2, "went_out_concealed", 200))],
)
def test_who_went_out_gets_the_bonus(concealed: bool, mark: Mark) -> None:
    assert tally(position("canasta", 4, ""), [WentOut(2, concealed)]) == (mark,)
