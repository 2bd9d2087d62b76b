"""What a seat may see (rules 4.10), and the wire's `table`."""

import pytest

from service.rules.canasta import decide, evolve, result, seen, to_act, view
from service.rules.canasta.events import (
    CanastaClosed,
    CardsDrawn,
    Event,
    MeldExtended,
    MeldLaid,
    PartnerAnswered,
    PartnerAsked,
    PileTaken,
    RedThreesReplaced,
    TopTaken,
    TurnPassed,
    WentOut,
)
from service.rules.canasta.variants import VARIANTS
from service.rules.deals import DealStarted
from service.rules.protocol import HOUSE, GameEnded, Result
from tests.rules.canasta.notation import cards, command, play, position

ASKING = """
    P0: 9c 4d
    P1: 5c 5d
    P2: Kc Kd Kh
    side 0: m1 = 7c 7d 7h 7s 7c 7d 7h
    side 0: m2 = 9d 9h 9s
    side 1: m3 = Qc Qd 2c
    red threes 1: 3h
    pile: 2c Kd
    score 1: 1500
    play: P0
"""


def test_a_view_hides_other_hands_and_the_stock() -> None:
    state = position("canasta", 4, ASKING)
    own = view(state, 2)
    assert own.hands == [("??", "??"), ("??", "??"), cards("Kc Kd Kh"), ("??", "??")]
    assert own.stock == ("??",) * 4
    assert own.pile == cards("2c Kd")
    assert view(state, None).hands == [("??",) * len(hand) for hand in state.hands]
    assert state.hands[0] == cards("4d 9c")


def test_every_card_of_the_deal_lies_somewhere() -> None:
    state = position("canasta", 4, ASKING)
    assert sorted(state.cards()) == sorted(
        (
            *cards("9c 4d 5c 5d Kc Kd Kh 3h 2c Kd"),
            *cards("7c 7d 7h 7s 7c 7d 7h 9d 9h 9s Qc Qd 2c"),
            *state.hands[3],
            *state.stock,
        )
    )


def test_only_the_asker_sees_the_plan() -> None:
    state = position("canasta", 4, ASKING)
    asked = command("P0 ask_partner [9c > m2] discard 4d")
    (event,) = decide(state, asked)
    assert isinstance(event, PartnerAsked)
    assert seen(event, 0) == event
    assert [seen(event, seat) for seat in (1, 2, 3, None)] == [PartnerAsked(0, None)] * 4
    evolve(state, event)
    assert view(state, 0).plan == event.plan
    assert [view(state, seat).plan for seat in (1, 2, 3, None)] == [None] * 4
    assert to_act(state) == 2


def test_in_the_partners_view_a_yes_shows_only_the_answer() -> None:
    """Without the plan nobody can say what follows; that a yes is allowed is certain."""
    state = position("canasta", 4, ASKING)
    play(state, "P0 ask_partner [9c > m2] discard 4d")
    yes = command("P2 answer yes")
    assert decide(view(state, 2), yes) == (PartnerAnswered(2, "yes"),)
    assert [type(event).__name__ for event in decide(state, yes)] == [
        *("PartnerAnswered", "MeldExtended", "CardDiscarded", "WentOut", "DealScored")
    ]


@pytest.mark.parametrize(
    ("event", "others"),
    [
        (
            DealStarted(1, 0, (("4c",), ("5c", "6c")), ("9h",), ("Kd", "Ks"), (0, 0)),
            DealStarted(1, 0, (("4c",), ("??", "??")), ("9h",), ("??", "??"), (0, 0)),
        ),
        (
            RedThreesReplaced(1, ("3d", "3h"), ("Kd",)),
            RedThreesReplaced(1, ("3d", "3h"), ("??",)),
        ),
        (CardsDrawn(1, ("Kd", "Ks"), ("3d",)), CardsDrawn(1, ("??", "??"), ("3d",))),
        (PileTaken(1, "Kd", ("5c", "Kd"), ()), PileTaken(1, "Kd", ("??", "??"), ())),
        (TurnPassed(1), TurnPassed(1)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_others_see_of_an_event(event: Event, others: Event) -> None:
    assert seen(event, 0) == others
    spectator = seen(event, None)
    assert "4c" not in repr(spectator)
    if not isinstance(event, DealStarted):
        assert seen(event, 1) == event


def test_a_take_tells_everything_in_its_order() -> None:
    """3.5.5: the pile, the meld of its top, the other melds, what became a canasta."""
    state = position(
        "canasta",
        4,
        """
        P0: Kc Kh 9c 9d 4c 6d
        side 0: m1 = Kc Kd Ks Kh
        side 0: m2 = 9c 9d 9h
        pile: 3h 5c Kd
        draw: P0
        """,
    )
    assert decide(state, command("P0 take_pile [Kc Kh] also [9c 9d > m2]")) == (
        PileTaken(0, "Kd", cards("5c Kd"), ("3h",)),
        MeldExtended(0, "m1", cards("Kc Kd Kh")),
        CanastaClosed(0, "m1", "natural"),
        MeldExtended(0, "m2", cards("9c 9d")),
    )


def test_a_canasta_closes_once_and_again_when_it_turns_mixed() -> None:
    state = position(
        "canasta", 4, "P0: 7s 7c 2c 2d 4c 5c\nside 0: m1 = 7c 7d 7h 7s 7d 7h\nplay: P0"
    )
    told = []
    for card in ("7s", "7c", "2c", "2d"):
        told.append(
            [type(event).__name__ for event in decide(state, command(f"P0 meld [{card} > m1]"))]
        )
        play(state, f"P0 meld [{card} > m1]")
    assert told == [
        *(["MeldExtended", "CanastaClosed"], ["MeldExtended"]),
        *(["MeldExtended", "CanastaClosed"], ["MeldExtended"]),
    ]


def test_a_top_card_that_closes_a_sequence() -> None:
    state = position("samba", 4, "side 0: m1 = 4h 5h 6h 7h 8h 9h\npile: 10h\ndraw: P0")
    assert decide(state, command("P0 take_top m1")) == (
        TopTaken(0, "10h", "m1"),
        CanastaClosed(0, "m1", "seq"),
    )


def test_going_out_in_its_order() -> None:
    state = position("canasta", 4, "P0: 7c 7d 7h 7s 7c 7d 7h Kc Kd Kh 4c\nplay: P0")
    events = decide(state, command("P0 go_out [7c 7d 7h 7s 7c 7d 7h] [Kc Kd Kh] discard 4c"))
    assert events[:3] == (
        MeldLaid(0, "m1", "set", cards("7c 7c 7d 7d 7h 7h 7s")),
        CanastaClosed(0, "m1", "natural"),
        MeldLaid(0, "m2", "set", cards("Kc Kd Kh")),
    )
    assert events[4] == WentOut(0, True)
    assert [type(event).__name__ for event in events[3:]] == [
        *("CardDiscarded", "WentOut", "DealScored")
    ]


def test_the_table() -> None:
    state = position("canasta", 4, ASKING)
    assert view(state, 0).table() == {
        "deal": 1,
        "dealer": 3,
        "turn": 0,
        "phase": "play",
        "stock": 4,
        "pile": {"size": 2, "top": "Kd", "frozen": [True, True]},
        "hands": [["4d", "9c"], ["??", "??"], ["??", "??", "??"], ["??", "??"]],
        "melds": [
            [
                {
                    "id": "m1",
                    "kind": "set",
                    "cards": ["7c", "7c", "7d", "7d", "7h", "7h", "7s"],
                    "canasta": "natural",
                },
                {"id": "m2", "kind": "set", "cards": ["9d", "9h", "9s"], "canasta": None},
            ],
            [{"id": "m3", "kind": "set", "cards": ["Qc", "Qd", "2c"], "canasta": None}],
        ],
        "red_threes": [[], ["3h"]],
        "minimum": [None, None],
        "last_deal": None,
    }


@pytest.mark.parametrize(
    ("variant", "pile", "frozen"),
    [
        ("canasta", "", [False, False]),
        ("canasta", "9c", [False, True]),
        ("canasta", "2c 9c", [True, True]),
        ("bolivie", "3c 9c", [True, True]),
        ("samba", "2c 9c", [False, False]),
    ],
)
def test_frozen_for_each_side(variant: str, pile: str, frozen: list[bool]) -> None:
    """3.5.2 to 3.5.4; an empty pile is frozen for nobody."""
    state = position(variant, 4, f"pile: {pile}\nside 0: m1 = Kc Kd Ks\nscore 1: 1500")
    table = state.table()
    assert table["pile"]["frozen"] == frozen
    assert table["pile"]["top"] == ("9c" if pile else None)
    assert table["minimum"] == [None, 90]


def test_the_last_sheet_stays_on_the_table() -> None:
    state = position("canasta", 4, "P1: Kc 4c\nstock:\nscore 1: 100\ndraw: P1")
    play(state, "P1 pass")
    assert (to_act(state), result(state)) == (HOUSE, None)
    sheet = view(state, None).table()["last_deal"]
    assert (sheet["deal"], sheet["why"]) == (1, "stock_exhausted")
    assert [side["total"] for side in sheet["sides"]] == [-20, -25]
    assert sheet["sides"][1]["lines"][4] == {
        "name": "hands",
        "points": -25,
        "detail": "seat 1: 2 cards, 15; seat 3: 2 cards, 10",
        "parts": {"1": -15, "3": -10},
    }


def test_a_game_that_is_over_hides_no_hand() -> None:
    state = position("canasta", 4, "P1: Kc 4c\nstock:\nscore 1: 6000\ndraw: P1")
    play(state, "P1 pass")
    assert (to_act(state), state.phase) == (None, "over")
    assert view(state, None).hands == state.hands
    assert view(state, 3).table()["hands"][1] == ["4c", "Kc"]


def test_a_game_given_up_before_its_first_deal_has_no_hands_to_open() -> None:
    rules = VARIANTS["samba"]
    state = rules.start(2, {"target_score": 2500}, 0, (0, 0))
    evolve(state, GameEnded(1, (0, 0), "resigned"))
    assert state.hands == [(), ()]
    assert result(state) == Result(1, (0, 0), "resigned")


def test_states_are_compared_by_all_they_hold() -> None:
    state = position("canasta", 4, ASKING)
    twin = state.copy()
    assert twin == state
    twin.hands[0] = ()
    assert twin != state
    assert state != "a state"
