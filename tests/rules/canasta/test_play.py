"""What holds in every random deal of the family, and a second opinion on the score."""

from collections import Counter

import pytest

from service.rules.canasta.events import WentOut
from service.rules.canasta.state import State
from service.rules.cards import Card
from service.rules.deals import DealScored
from tests.rules.spans import each
from tests.rules.tables import DEALS, TABLES, Table, played

FAMILY = [table for table in TABLES if isinstance(table.start(), State)]
every_table = pytest.mark.parametrize("table", each(FAMILY), ids=str)
seeds = pytest.mark.parametrize(
    "seed", [seed if not seed else pytest.param(seed, marks=pytest.mark.more) for seed in range(3)]
)


@every_table
@seeds
def test_sheets_add_up_and_agree_with_a_second_count(table: Table, seed: int) -> None:
    """6: lines add up to totals, totals to scores, all of them multiples of 5."""
    scored = 0
    for step in played(str(table), seed):
        state, out = step.state.copy(), None
        for event in step.events:
            if isinstance(event, WentOut):
                out = event
            if isinstance(event, DealScored):
                scored += 1
                for side, sheet in enumerate(event.sides):
                    assert sum(line.points for line in sheet.lines) == sheet.total
                    assert event.scores[side] == state.scores[side] + sheet.total
                    assert sheet.total % 5 == 0
                    assert sheet.total == second_count(state, side, out)
            table.rules.evolve(state, event)
    assert scored == DEALS


@every_table
@seeds
def test_no_hand_is_ever_stuck(table: Table, seed: int) -> None:
    """3.3.3, 3.10: no red three in a hand, and two cards to act with unless the way is open."""
    for step in played(str(table), seed):
        state: State = step.state
        if state.phase == "dealing":
            continue
        assert not {"3d", "3h"} & {card for hand in state.hands for card in hand}
        assert all(state.hands)
        for meld in (meld for melds in state.melds for meld in melds):
            assert len(meld.cards) >= 3
            assert meld.kind != "b3" or len(state.hands[state.turn]) == 1


def second_count(state: State, side: int, out: WentOut | None) -> int:
    """The total of a side, counted anew from the table and written against the rules' text."""
    name, seats = state.variant.name, range(side, state.players, len(state.scores))
    laid = [card for meld in state.melds[side] for card in meld.cards]
    total = sum(map(value, laid))
    kinds: Counter[str] = Counter()
    for meld in state.melds[side]:
        wild = [card for card in meld.cards if card == "JK" or card[0] == "2"]
        if len(meld.cards) < 7 or meld.kind == "b3":
            continue
        if meld.kind == "seq":
            kinds["seq"] += 1
            total += 500 if name == "bolivie" else 1500
        elif len(wild) == len(meld.cards):
            kinds["wild"] += 1
            total += 2500
        else:
            kinds["set"] += 1
            total += 300 if wild else 500
    if out and out.seat in seats:
        total += 200 if out.concealed or name == "samba" else 100
    need = {"canasta": 2 if state.players == 2 else 1}.get(name, 2)
    ready = sum(kinds.values()) >= need and (name in ("canasta", "samba") or bool(kinds["seq"]))
    red = len(state.red_threes[side])
    six = name in ("samba", "bolivia")
    worth = (1000 if six else 800) if red == (6 if six else 4) else 100 * red
    good = {"canasta": bool(laid), "bolivie": True}.get(name, ready)
    total += worth if good else -worth
    for seat in seats:
        for card in state.hands[seat]:
            black = card in ("3c", "3s") and name in ("bolivia", "bolivie")
            total -= 100 if black else value(card)
    return total


def value(card: Card) -> int:
    """2.1, once more."""
    if card == "JK":
        return 50
    if card[:-1] in ("2", "A"):
        return 20
    return 10 if card[:-1] in ("8", "9", "10", "J", "Q", "K") else 5
