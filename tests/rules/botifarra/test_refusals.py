"""Every reason to say no, in the order in which they are looked at (rules 8)."""

from typing import get_args

import pytest

from service.rules.botifarra import decide
from service.rules.botifarra.cards import PACK
from service.rules.botifarra.commands import (
    ChooseTrump,
    Command,
    Delegate,
    Double,
    NoDouble,
    Play,
    Trump,
)
from service.rules.botifarra.reasons import REASONS, refuse
from service.rules.botifarra.state import State
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards
from tests.rules.botifarra.table import dealt, give, in_trick, opened, random_game, refusal


def doubling() -> State:
    """Seat 1 is asked whether it doubles."""
    state = dealt()
    give(state, ChooseTrump(0, "B"))
    return state


def over() -> State:
    """A finished game."""
    for state, _ in random_game(1, 50):
        last = state
    assert last.phase == "over"
    return last


REFUSED: list[tuple[State, Command, str]] = [
    (over(), Play(0, "O2"), "game_over"),
    (over(), DealCards(HOUSE, PACK), "game_over"),
    (opened(), ChooseTrump(0, "B"), "not_your_turn"),
    (opened(), DealCards(0, PACK), "not_your_turn"),
    (opened(), DealCards(HOUSE, PACK[1:]), "wrong_pack"),
    (opened(), DealCards(HOUSE, (*PACK[1:], "O2")), "wrong_pack"),
    (opened(), DealCards(HOUSE, (*PACK, "O1")), "wrong_pack"),
    (opened(), ChooseTrump(HOUSE, "B"), "wrong_phase"),
    (dealt(), ChooseTrump(2, "B"), "not_your_turn"),
    (dealt(), Delegate(1), "not_your_turn"),
    (dealt(), DealCards(HOUSE, PACK), "not_your_turn"),
    (dealt(), DealCards(0, PACK), "wrong_phase"),
    (dealt(), Double(0), "wrong_phase"),
    (dealt(), NoDouble(0), "wrong_phase"),
    (dealt(), Play(0, "O2"), "wrong_phase"),
    (dealt(), ChooseTrump(0, "X"), "unknown_suit"),  # type: ignore[arg-type]
    (doubling(), ChooseTrump(1, "X"), "wrong_phase"),  # type: ignore[arg-type]
    (doubling(), Delegate(1), "wrong_phase"),
    (doubling(), Play(1, "O13"), "wrong_phase"),
    (doubling(), NoDouble(3), "not_your_turn"),
    (in_trick("B", 1, ["O9"], ["O2"]), ChooseTrump(1, "B"), "wrong_phase"),
    (in_trick("B", 1, ["O9"], ["O2"]), NoDouble(1), "wrong_phase"),
    (in_trick("B", 1, ["O9"], ["O2"]), Play(2, "O2"), "not_your_turn"),
    (in_trick("B", 1, ["O9"], ["O2"]), Play(1, "C2"), "card_not_in_hand"),
    (in_trick("B", 1, ["O9"], ["O2", "C2"]), Play(1, "C2"), "must_follow_suit"),
    (in_trick("B", 1, ["O3"], ["O2", "O4"]), Play(1, "O2"), "must_beat"),
    (in_trick("B", 1, ["O9"], ["O2", "O4"]), Play(1, "O4"), "must_play_lowest"),
    (in_trick("B", 1, ["O9"], ["B2", "C4"]), Play(1, "C4"), "must_trump"),
    (in_trick("B", 2, ["O9", "B4"], ["B2", "B9"]), Play(2, "B2"), "must_overtrump"),
]


@pytest.mark.parametrize(
    ("state", "command", "code"),
    [pytest.param(*row, id=f"{row[2]}-{row[0].phase}") for row in REFUSED],
)
def test_refused(state: State, command: Command, code: str) -> None:
    assert refusal(state, command) == code


def test_every_reason_is_reached() -> None:
    delegated = dealt()
    give(delegated, Delegate(0))
    assert refusal(delegated, Delegate(2)) == "cannot_delegate"
    assert {code for *_, code in REFUSED} | {"cannot_delegate"} == set(REASONS)


def test_a_refusal_names_its_paragraph() -> None:
    with pytest.raises(IllegalMove) as no:
        decide(dealt(), Double(0))
    assert (no.value.code, no.value.rule) == ("wrong_phase", "8")
    assert no.value.detail == "This is not the time in the deal for that."
    for code, (rule, detail) in REASONS.items():
        error = refuse(code)
        assert (error.code, error.rule, error.detail) == (code, rule, detail)
        assert detail.endswith(".")
    assert {code: rule for code, (rule, _) in REASONS.items()} == {
        "game_over": "7",
        "not_your_turn": "8",
        "wrong_phase": "8",
        "wrong_pack": "1.2",
        "unknown_suit": "3",
        "cannot_delegate": "3",
        "card_not_in_hand": "5.3",
        "must_follow_suit": "5.3",
        "must_beat": "5.3.2",
        "must_play_lowest": "5.3.3",
        "must_trump": "5.3.2",
        "must_overtrump": "5.3.2",
    }


def test_the_trumps_are_those_of_the_type() -> None:
    for trump in get_args(Trump):
        state = dealt()
        give(state, ChooseTrump(0, trump))
        assert state.trump == trump
