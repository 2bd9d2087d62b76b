"""What mutants found untested: small faults beside a greater one, and what an event says."""

from typing import Any

import pytest

from service.rules.canasta import decide
from service.rules.canasta.commands import Pass
from service.rules.canasta.events import CanastaClosed, TurnPassed, WentOut
from service.rules.canasta.laying import concealed
from service.rules.canasta.legal import legal
from service.rules.canasta.scoring import game_end, score
from service.rules.canasta.state import State
from service.rules.canasta.variants import VARIANTS
from service.rules.errors import IllegalMove
from service.rules.protocol import GameEnded
from service.rules.seating.commands import Resign
from tests.rules.canasta.notation import cards, command, position, run


@pytest.mark.parametrize(
    "asked",
    [
        "meld [Kc Kd Kh]",
        "meld [9c 9c 9d]",
        "meld [9c 9d 9h] [9c > m1]",
        "go_out [9c 9d Kh] discard 4c",
        "go_out [9c 9d 9h] discard 9c",
        "go_out [9c 9d 4c] discard Kd",
    ],
)
def test_cards_that_are_not_there_come_before_their_shape(asked: str) -> None:
    """4.4, 4.6"""
    given = "P0: 9c 9d 9h 4c 5d\nside 0: m1 = 9s 9s 9h\nplay: P0"
    assert run(position("samba", 2, given), f"P0 {asked}") == "card_not_in_hand"


def test_a_pass_says_whose_it_is() -> None:
    """4.8"""
    state = position("canasta", 2, "draw: P0")
    state.stock = ()
    assert decide(state, Pass(0))[0] == TurnPassed(0)


def test_the_pile_must_be_taken_for_a_sequence_too() -> None:
    """3.11 B"""
    state = position("bolivie", 4, "side 0: m1 = 9c 10c Jc\npile: 5c 8c\ndraw: P0")
    state.stock = ()
    assert run(state, "P0 pass") == "must_take_pile"
    assert not any(isinstance(command, Pass) for command in legal(state, 0))


@pytest.mark.parametrize("name", VARIANTS)
def test_going_out_is_concealed_by_whom_the_variant_says(name: str) -> None:
    """3.9.3"""
    state = position(name, 4, "play: P0")
    by = state.variant.concealed_by
    assert concealed(state, 0) is (by is not None)
    state.laid[0] = True
    assert concealed(state, 0) is (by == "side")
    state.laid[0], state.melded_before = False, True
    state.melds[0] = position(name, 4, "side 0: m1 = 9c 9d 9h").melds[0]
    assert concealed(state, 0) is (by == "player")
    assert cards("4c 5d") == state.hands[0]


def test_a_sheet_says_how_its_deal_ended() -> None:
    """6"""
    state = position("canasta", 2, "play: P0")
    assert score(state, WentOut(0, False)).why == "went_out"
    assert score(state, None).why == "stock_exhausted"


def test_the_last_deal_that_may_be_opens_the_hands() -> None:
    """7"""
    state = position("canasta", 2, "play: P0")
    cap = state.variant.deal_cap
    assert cap
    state.deal = cap
    assert game_end(state) == GameEnded(None, (0, 0), "deal_cap", tuple(state.hands))
    state.deal = cap - 1
    assert game_end(state) is None


def test_what_is_no_command_of_the_game_is_a_fault() -> None:
    stranger: Any = Resign(0)
    with pytest.raises(AssertionError, match="Resign"):
        decide(position("canasta", 2, "play: P0"), stranger)


def test_a_first_meld_that_is_too_small_is_told_by_how_much() -> None:
    """3.8"""
    state = position("canasta", 2, "P0: 9c 9d 9h 4c 5d\nplay: P0")
    with pytest.raises(IllegalMove) as no:
        decide(state, command("P0 meld [9c 9d 9h]"))
    assert (no.value.code, no.value.rule) == ("below_minimum", "3.8.1")
    assert "50" in no.value.detail
    assert "30" in no.value.detail


def test_a_canasta_is_closed_once() -> None:
    """1, 3.7.6"""
    given = "P0: 9c 9d 2c 4c 5d\nside 0: m1 = 9c 9d 9h 9s 9c 9d\nplay: P0"
    state = position("samba", 2, given)
    closed = decide(state, command("P0 meld [9c > m1] [9d > m1]"))
    assert [type(event).__name__ for event in closed] == [
        *("MeldExtended", "CanastaClosed", "MeldExtended")
    ]
    mixed = decide(state, command("P0 meld [9c > m1] [2c > m1]"))
    assert [event.canasta for event in mixed if isinstance(event, CanastaClosed)] == [
        *("natural", "mixed")
    ]


def test_only_the_top_is_taken() -> None:
    """3.6"""
    given = "P0: 4c 5d\nside 0: m1 = 9c 10c Jc\npile: 4d 5c 6c Qc\ndraw: P0"
    state = position("samba", 2, given)
    assert run(state, "P0 take_top m1") == "ok"
    assert state.pile == cards("4d 5c 6c")


def test_an_answered_plan_is_forgotten() -> None:
    """3.13"""
    given = "P0: 9c 4d\nside 0: m1 = 7c 7c 7d 7d 7h 7h 7s\nside 0: m2 = 9d 9h 9s\nplay: P0"
    state = position("canasta", 4, given)
    assert run(state, "P0 ask_partner [9c > m2] discard 4d") == "ok"
    asked = state.plan
    assert asked is not None
    assert run(state, "P2 answer no") == "ok"
    assert state.plan is None
    assert (state.phase, state.refused) == ("play", True)


@pytest.mark.parametrize("players", [2, 4])
def test_before_the_first_deal_nothing_has_happened(players: int) -> None:
    variant = VARIANTS["canasta"]
    sides = len(set(variant.sides(players)))
    state = variant.start(players, {"target_score": 5000}, 1, [0] * sides)
    assert {name: getattr(state, name) for name in State.__slots__} == {
        "variant": variant,
        "players": players,
        "target": 5000,
        "dealer": 1,
        "deal": 0,
        "turn": 1,
        "phase": "dealing",
        "stock": (),
        "pile": (),
        "hands": [()] * players,
        "melds": [()] * sides,
        "red_threes": [()] * sides,
        "scores": [0] * sides,
        "laid": [False] * players,
        "laid_now": False,
        "melded_before": False,
        "asked": False,
        "refused": False,
        "asked_in": "play",
        "plan": None,
        "passes": 0,
        "next_meld": 1,
        "last_deal": None,
        "result": None,
    }


def test_partners_sit_opposite() -> None:
    """1"""
    assert [position("canasta", 4, "").partner(seat) for seat in range(4)] == [2, 3, 0, 1]
    assert [position("canasta", 3, "").partner(seat) for seat in range(3)] == [None] * 3


def test_a_plan_may_begin_with_a_take_onto_a_meld() -> None:
    """3.13.3, 3.5.4"""
    given = "P0: 4c 4d\nside 0: m1 = 4s 5s 6s 7s 8s 9s\nside 0: m2 = 9d 9d 9h 9h 9s 9c 9c"
    state = position("bolivie", 4, f"{given}\npile: 4h 10s\ndraw: P0")
    assert run(state, "P0 ask_partner take_pile [ > m1] then [4c 4d 4h]") == "ok"


def test_partners_share_a_side() -> None:
    """1"""
    for name, variant in VARIANTS.items():
        assert variant.sides(4) == (0, 1, 0, 1), name
        assert variant.sides(3) == (0, 1, 2)
        assert variant.sides(2) == (0, 1)


def test_what_a_turn_leaves_to_the_next() -> None:
    """3.9.3, 3.13.1: who has laid something stays known; a question and its answer do not."""
    given = "P0: 9s 4c 5d 6h\nside 0: m1 = 9c 9d 9h\nside 1: m2 = Kc Kd Kh\nplay: P0"
    state = position("samba", 2, given)
    state.asked = state.refused = True
    assert run(state, "P0 meld [9s > m1]") == "ok"
    assert state.laid_now is True
    assert run(state, "P0 discard 4c") == "ok"
    assert (state.laid, state.laid_now) == ([True, False], False)
    assert (state.asked, state.refused, state.melded_before) == (False, False, True)
    assert run(state, "P1 draw") == "ok"
    assert run(state, f"P1 discard {state.hands[1][0]}") == "ok"
    assert run(state, "P0 draw") == "ok"
    assert run(state, "P0 discard 5d") == "ok"
    assert state.laid == [True, False]
