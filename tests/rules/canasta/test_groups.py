"""The single melds and lay-offs that are offered (3.7), and what takes the pile (3.5), in full."""

import pytest

from service.rules.canasta.commands import AskPartner, Draw, Plan, TakePile
from service.rules.canasta.decide import decide
from service.rules.canasta.groups import single_groups
from service.rules.canasta.legal import legal
from service.rules.canasta.state import State
from tests.rules.canasta.notation import cards, position

LONG = "4s 5s 6s 7s 8s 9s 10s"


@pytest.mark.parametrize(
    ("name", "meld", "hand", "expected"),
    [
        (
            "canasta",
            "",
            "4c 4d 4h 4s 2c 2d JK",
            "4c 4d 4h | 4c 4d 4h 4s | 4c 4d 2c | 4c 4d 4h 4s 2c | 4c 4d 4h 4s JK"
            " | 4c 4d 4h 4s 2c 2d JK",
        ),
        (
            "canasta",
            "",
            "4c 4d 4h 5c 2c 2d JK",
            "4c 4d 4h | 4c 4d 2c | 4c 4d 4h 2c | 4c 4d 4h JK | 4c 4d 4h 2c 2d",
        ),
        ("canasta", "9c 9d 9h", "9c 9d 9h", "9c > m1 | 9c 9d 9h > m1"),
        (
            "canasta",
            "9c 9d 9h 9s",
            "9c 2c 2d JK",
            "9c > m1 | 2c > m1 | JK > m1 | 9c 2c 2d > m1",
        ),
        ("canasta", "9c 9c 9d 9h 9s", "9d 2c", "9d > m1 | 2c > m1 | 9d 2c > m1"),
        ("samba", "", "4h 5h 6h 8h", "4h 5h 6h"),
        ("samba", "10h Jh Qh", "9h Kh", "9h > m1 | Kh > m1 | 9h Kh > m1"),
        ("samba", "9c 9d 9h", "9d 9h", "9d > m1 | 9h > m1 | 9d 9h > m1"),
        ("bolivia", "", "2c 2c 2c 2d 2d 2d 2h 2h", "2c 2c 2c | 2c 2c 2c 2d 2d 2d 2h"),
        ("bolivia", "2c 2d 2h", "2s JK", "2s > m1 | JK > m1 | 2s JK > m1"),
        ("bolivie", "", "2c 2d 2h 2s", "2c 2d 2h | 2c 2d 2h 2s"),
        (
            "bolivie",
            "2c 2d 2h",
            "2c 2d 2h 2s JK",
            "2c > m1 | JK > m1 | 2c 2d 2h 2s > m1 | 2c 2d 2h 2s JK > m1",
        ),
    ],
)
def test_single_groups(name: str, meld: str, hand: str, expected: str) -> None:
    state = position(name, 4, f"side 0: m1 = {meld}" if meld else "")
    found = single_groups(state.variant, state.melds[0], cards(hand))
    words = [" ".join(each.cards) + (f" > {each.target}" if each.target else "") for each in found]
    assert words == expected.split(" | ")


def drawing(name: str, hand: str, pile: str, *melds: str) -> State:
    rows = [f"side 0: m{number} = {meld}" for number, meld in enumerate(melds, 1)]
    return position(name, 4, "\n".join([f"P0: {hand}", *rows, f"pile: {pile}", "draw: P0"]))


@pytest.mark.parametrize("name", ["canasta", "samba", "bolivie"])
def test_nothing_is_taken_from_an_empty_pile(name: str) -> None:
    """3.5.1"""
    assert legal(drawing(name, "3c 3s 9c 9d", ""), 0) == (Draw(0),)


def test_no_question_takes_a_card_with_the_last_one() -> None:
    """3.5.4"""
    melds = (LONG, "9c 9c 9d 9d 9h 9h 9s")
    assert legal(drawing("bolivie", "4c", "9s", *melds), 0) == (Draw(0),)
    asked = legal(drawing("bolivie", "4c", "6s 9s", *melds), 0)
    assert not any(isinstance(command, AskPartner) for command in asked)
    asked = legal(drawing("bolivie", "4c 4d", "4h 9s", *melds), 0)
    assert any(isinstance(command, AskPartner) for command in asked)


def test_a_new_set_beside_one_that_is_full_of_wilds() -> None:
    """3.5.3, 3.7.4: in samba a taken set is a new one."""
    state = drawing("samba", "9c 9d 2h 4c 5c", "6c 9h", "9s 9s 9s 9c 2c 2d")
    assert TakePile(0, cards("9c 9d 2h")) in legal(state, 0)


def test_a_ten_is_of_its_suit() -> None:
    """3.5.4"""
    state = drawing("bolivie", "8h 9h 4c 5c", "6c 10h", "7c 7d 7h")
    assert TakePile(0, cards("8h 9h")) in legal(state, 0)


def takes(state: State) -> list[str]:
    """Every take on offer: its cards, its target, and what is laid beside them."""
    found = []
    for command in legal(state, 0):
        if isinstance(command, TakePile):
            assert decide(state, command)
            words = " ".join(command.cards) + (f" > {command.target}" if command.target else "")
            beside = [" ".join(group.cards) for group in command.also]
            found.append(" + ".join([words, *beside]))
    return found


KINGS = "Kc Kc Kd Kd 2c 2d 2h"
"""A canasta of canasta that takes no more wilds."""


@pytest.mark.parametrize(
    ("name", "hand", "pile", "melds", "expected"),
    [
        # One pair stands for all where suits mean nothing (3.5.2).
        ("canasta", "9c 9d 9h 4c 5d", "9s", ["7c 7d 7h"], ["9c 9d", "9c 9d 9h"]),
        (
            "canasta",
            "9c 9d 2c 2d JK 4c 5d",
            "9h",
            ["7c 7d 7h"],
            ["9c 9d", "9c 2c", "9c JK", "9c 9d 2c", "9c 9d JK", "9c 9d 2c 2d"],
        ),
        (
            "canasta",
            "9c 9d 9s 2c 2d 2h 2s 4c 5d",
            "9h",
            ["7c 7d 7h"],
            [
                *("9c 9d", "9c 9d 9s", "9c 2c", "9c 2s"),
                *("9c 9d 9s 2c", "9c 9d 9s 2s", "9c 9d 9s 2c 2d", "9c 9d 9s 2c 2d 2h"),
            ],
        ),
        # The top goes onto a set without wilds though the pile is frozen (3.5.4).
        ("bolivie", "4c 5d", "3c 9s", ["9c 9d 9h"], [" > m1"]),
        # The pile itself may bring the cards that must stay (3.10).
        ("canasta", "9c 9d", "4c 5d 9h", ["7c 7d 7h"], ["9c 9d"]),
        ("canasta", "9c 9d", "4c 9h", ["7c 7d 7h"], []),
        # No more is laid than the first meld lacks (3.8).
        ("canasta", "Kc Kh 9s 9d 9h Qc Qd Qh 4c 6d", "Kd", [], ["Kc Kh + Qc Qd Qh"]),
        ("canasta", "9c 9d 2c 4c 6d", "9h", [], ["9c 9d 2c"]),
        ("bolivie", "Kc Kc Kd Kd 4c 6d", "Kh", [], ["Kc Kc Kd Kd"]),
        # Going out at once: one of these takes is enough (3.9).
        (
            "canasta",
            "9s 9s Qc Qd Qh 4c",
            "9d",
            [KINGS, "9c 9d 9h"],
            ["9s 9s", "9s 9s + Qc Qd Qh"],
        ),
        (
            "canasta",
            "9s 9s 9d Qc Qd Qh 4c",
            "9d",
            [KINGS, "9c 9d 9h"],
            ["9d 9s", "9d 9s 9s + Qc Qd Qh", "9d 9s 9s"],
        ),
        ("canasta", "9s 9s Qc Qd Qh 4c 5c", "9d", [KINGS, "9c 9d 9h"], ["9s 9s"]),
        ("canasta", "9s 9s Qc Qd Qh", "4c 9d", [KINGS, "9c 9d 9h"], ["9s 9s", "9s 9s + Qc Qd Qh"]),
        ("canasta", "9s 9s Qc Qd Qh 4c", "4d 9d", [KINGS, "9c 9d 9h"], ["9s 9s"]),
        ("canasta", "9s 9s Qc Qd Qh 4c 4d", "4h 9d", [KINGS, "9c 9d 9h"], ["9s 9s"]),
        ("canasta", "4c 4c 4d 4d 4h 4s 9d", "4h", [], []),
        ("canasta", "9c 9c 9d 9d 9h 9s 4d", "9h", [], ["9c 9c 9d 9d 9h", "9c 9c 9d 9d 9h 9s"]),
    ],
)
def test_takes(name: str, hand: str, pile: str, melds: list[str], expected: list[str]) -> None:
    assert takes(drawing(name, hand, pile, *melds)) == expected


def test_nobody_goes_out_with_the_pile_after_a_no() -> None:
    """3.13.4"""
    state = drawing("canasta", "9s 9s Qc Qd Qh 4c", "9d", KINGS, "9c 9d 9h")
    state.refused = True
    assert takes(state) == ["9s 9s"]


KINGS_7 = "Kc Kc Kd Kd Kh Kh Ks"


@pytest.mark.parametrize(
    ("hand", "pile", "score", "expected"),
    [
        # The king from the pile completes the second canasta.
        (
            "5s 6s 7s 8s 9s 10s Kc Kc Kd Kd Kh Ks 4c",
            "Kh 4s",
            1500,
            "5s 6s 7s 8s + Kc Kc Kd Kd Kh Ks then Kh > m2 + 9s 10s > m1 + discard 4c",
        ),
        # Two cards stay after the take, or the canastas are there already.
        (
            "5s 6s 7s 8s 9s 10s Kc Kc Kd Kd Kh Ks 2c",
            "4s",
            1500,
            "5s 6s + Kc Kc Kd Kd Kh Ks 2c then 7s 8s 9s 10s > m1",
        ),
        # The pile brings them.
        (
            "5s 6s 7s 8s 9s 10s Kc Kc Kd Kd Kh Ks",
            "Kh 4c 4s",
            1500,
            "5s 6s 7s 8s + Kc Kc Kd Kd Kh Ks then Kh > m2 + 9s 10s > m1 + discard 4c",
        ),
        # All at once, with the take itself.
        (f"5s 6s 7s 8s 9s 10s {KINGS_7}", "4s", 3000, f"5s 6s 7s 8s 9s 10s + {KINGS_7} then"),
        (
            f"5s 6s 7s 8s 9s 10s {KINGS_7} 4c 4d 4h 3c 3c 3s",
            "4s",
            7000,
            f"5s 6s 7s 8s 9s 10s + 4c 4d 4h + {KINGS_7} + 3c 3c 3s then",
        ),
        (f"5s 6s 7s 8s 9s 10s {KINGS_7} 3c 3c 3s", "4s", 7000, ""),
    ],
)
def test_a_question_before_drawing_lays_what_the_first_meld_lacks(
    hand: str, pile: str, score: int, expected: str
) -> None:
    """3.8, 3.13.3"""
    state = drawing("bolivie", hand, pile)
    state.scores = [score, 0]
    asked = [command for command in legal(state, 0) if isinstance(command, AskPartner)]
    for command in asked:
        assert decide(state, command)
    assert [told(command.plan) for command in asked] == ([expected] if expected else [])


def told(plan: Plan) -> str:
    """A plan with a take, in words."""
    assert plan.take
    beside = [" ".join(group.cards) for group in plan.take.also]
    after = [" ".join(group.cards) + f" > {group.target}" for group in plan.groups]
    after += [f"discard {plan.discard}"] if plan.discard else []
    return f"{' + '.join([' '.join(plan.take.cards), *beside])} then {' + '.join(after)}".strip()
