"""Ways out that the search must find, or must not: what each of its parts is there for.

Small positions of partners at the table, each with one answer. A way that is found is given to
`decide`, so that it is also a lawful one.
"""

import pytest

from service.rules.canasta.arrange import arrange, lay
from service.rules.canasta.commands import AskPartner, Group, Meld, Plan, TakeTop
from service.rules.canasta.decide import decide
from service.rules.canasta.fillings import Filling
from service.rules.canasta.legal import exits, legal, openings
from service.rules.canasta.search import Arrangement, Goal, Search
from service.rules.canasta.state import Meld as TableMeld
from service.rules.canasta.state import State
from service.rules.canasta.variants import VARIANTS
from tests.rules.canasta.notation import cards, position

TWO = "7c 7c 7d 7d 7h 2c 2c | 8c 8c 8d 8d 8h 2d 2d"
"""Two canastas of samba and bolivia that take no more wilds."""

FULL = "7c 7c 7d 7d 2c 2d 2h"
"""A canasta of canasta that takes no more wilds."""

LONG = "4s 5s 6s 7s 8s 9s 10s"
"""A sequence canasta."""

FOURS = "4c 4c 4c 4d 4d 4s 4s"
EIGHTS = "8c 8c 8c 8d 8d 8s 8s"


def table(name: str, hand: str, melds: str, scores: str = "") -> State:
    """Seat 0 to play, with the melds of its side divided by bars."""
    rows = [f"side 0: m{k} = {row.strip()}" for k, row in enumerate(melds.split("|"), 1) if row]
    return position(name, 4, "\n".join([f"P0: {hand}", *rows, scores, "play: P0"]))


def ways(state: State) -> list[Plan]:
    """The ways out, all of them lawful."""
    found = list(exits(state, 0))
    for plan in found:
        assert decide(state, AskPartner(0, plan)), plan
    return found


def discards(state: State) -> list[str]:
    """What each way out discards; `-` is nothing."""
    return [plan.discard or "-" for plan in ways(state)]


@pytest.mark.parametrize(
    ("name", "hand", "melds", "left"),
    [
        # Black threes are laid on the way out, and a card may be discarded as well (3.7.4).
        ("canasta", "4c 4c 4d 4d 4h 4h 4s 3c 3c 3s 9d", "", "9d"),
        ("canasta", "9c 9d 9h 3c 3s", FULL, ""),
        ("canasta", "9c 9d 9h 3c", FULL, "3c"),
        ("canasta", "9c 9d 9h 3c 3c 3s 3s", FULL, "3s -"),
        ("bolivia", "2c 3c 3c 3s", f"{LONG} | 8c 8c 8d 8d 8h 2c 2d", "2c"),
        # A first meld must reach the minimum on the way out, too (3.8).
        ("canasta", "4c 4c 4d 4d 4h 4h 4s 9d", "", ""),
        ("canasta", "4c 4c 4d 4d 4h 4h 4s Kc Kd Kh 9d", "", "9d"),
        # A set takes three wilds in canasta, two in samba, and there is one set a rank (3.7.1).
        ("canasta", "9c 9c 9d 9d 9h 9h JK JK 2s 2s", FULL, "2s"),
        ("canasta", "9c 9c 9d 9d 9h 9h JK JK 2s 2s 2s", FULL, ""),
        ("canasta", "9c 9d 9h 2h 2s", "9c 9d 9h 9s JK 2c 2d", ""),
        ("canasta", "2d 4c", f"{FULL} | 9c 9d 2c", ""),
        ("canasta", "2d 4c", f"{FULL} | 9c 9d 9h 2c", "4c"),
        ("canasta", "Kc Kd Kh Ks 9c 9d 9h 9s JK JK 2c 2d 2h 2s", FULL, "2c -"),
        ("samba", "9c 9c 9d 9d 9h 9h 9s 9s 2c 2d 2h 2s", TWO, "2c -"),
        ("samba", "9c 9c 9d 9d 9h 9h 9s 2c 2d 2h 2s", TWO, "2c"),
        ("samba", "9c 9c 9d 9d 9h 9h 9s 2c 2d 2h 2s 2s", TWO, ""),
        # Wild melds: new ones, one a side in bolivie, and cards for those there are (3.7.3).
        ("bolivia", "2c 2d 2h 4c", f"{LONG} | 8c 8c 8d 8d 8h 2c 2d", "4c"),
        ("bolivia", "2c 2c 2d 2d 2h 2h 2s 2s JK JK", f"{LONG} | 8c 8c 8d 8d 8h 2c 2d", "2c -"),
        ("bolivia", "2c 2c 2d 2d 2h 2h 2s 4c", LONG, "4c"),
        ("bolivia", "2c 2d 2h 4c", f"{LONG} | 2c 2c 2d 2d JK JK JK", "4c"),
        ("bolivia", "2c 2d 4c", f"{LONG} | 2c 2c 2d 2d JK JK JK", ""),
        ("bolivie", "2s 2s JK 4c", f"{LONG} | 8c 8c 8d 8d 2c 2d 2h", "4c"),
        ("bolivie", "2c 2d 4c", f"{LONG} | 2h 2h 2s JK JK", "4c"),
        ("bolivie", "2c 4c 5c", f"{LONG} | 2h 2h 2s JK JK JK", ""),
        # Sequences: what fits at their ends, and what a set needs itself (3.7.2).
        ("samba", "Qh 4c", f"{TWO} | 10h Jh Qh", ""),
        ("samba", "Kh 4c", f"{TWO} | 10h Jh Qh", "4c"),
        ("samba", "9h 4c", f"{TWO} | 10h Jh Qh", "4c"),
        ("samba", "9h Kh 4c", f"{TWO} | 10h Jh Qh", "4c"),
        ("samba", "9h Ah 4c", f"{TWO} | 10h Jh Qh", ""),
        ("samba", "5h 6h 6h 9h 4c", f"{TWO} | 10h Jh Qh", ""),
        ("samba", "4h 5h 6h 9h 10h Jh Qh Kh Ah 4c", TWO, "4c"),
        ("samba", "4h 5h 6h 7h 8h 9h 10h Jh 4c", TWO.replace("7", "Q").replace("8", "K"), "4c"),
        ("samba", "4c 4d 4h 4s 5h 6h", TWO, "-"),
        ("samba", "4c 4d 4h 5h 6h 9d", TWO, ""),
        ("samba", "4h 5h 6h 6h 7h 8h 6c 6d 6s", TWO, "4h -"),
        # Where a sequence canasta is required, the hand or a prolonged one must be it (3.9.2).
        ("bolivia", f"4h 5h 6h 7h 8h 9h 10h {EIGHTS} Kd", "", "Kd"),
        ("bolivia", f"7h 8h 9h 10h Jh Qh Kh {FOURS} Ad", "", "Ad"),
        ("bolivia", f"8h 9h 10h Jh Qh Kh Ah {FOURS} Kd", "", "Kd"),
        ("bolivia", f"9h 10h Jh Qh Kh Ah {FOURS} Kd", "", ""),
        ("bolivia", f"{FOURS} {EIGHTS} Kd", "", ""),
        ("bolivia", "4h 10h Kd", f"5h 6h 7h 8h 9h | {FOURS}", "Kd"),
        ("bolivia", "10h Jh Kd", f"5h 6h 7h 8h 9h | {FOURS}", "Kd"),
        ("bolivia", "10h Jh Qh Kd", f"5h 6h 7h 8h 9h | {FOURS}", ""),
        ("bolivia", "10h Kd", f"5h 6h 7h 8h 9h | {FOURS}", ""),
        ("bolivia", "4h 5h 10h Jh Qh Ad", f"6h 7h 8h 9h | 6h 7h 8h 9h | {LONG}", "Ad"),
        ("canasta", "4h 5h 6h 7h 8h 9h 10h Kd", "", ""),
    ],
)
def test_a_way_out(name: str, hand: str, melds: str, left: str) -> None:
    assert discards(table(name, hand, melds)) == left.split()


def test_a_last_card_is_a_way_out_by_itself() -> None:
    """3.12"""
    assert list(exits(table("canasta", "9d", FULL), 0)) == [Plan((), "9d")]


@pytest.mark.parametrize(
    ("name", "hand", "score", "laid"),
    [
        # Two cards stay: naturals, as far as there are no wilds (3.10).
        ("canasta", "Jc Jd Jh Qc Qd Qh Kc Kd Kh", 0, ["Jc Jd Jh Qc Qd Qh"]),
        ("canasta", "4c Jc Jd Jh Qc Qd Qh Kc Kd Kh", 0, ["Jc Jd Jh Qc Qd Qh"]),
        ("canasta", "4c 4d 4h 4s Qc Qd Qh Ac Ad Ah", 1500, ["Qc Qd Qh Ac Ad Ah"]),
        ("canasta", "Kc Kd Kh Ac Ad Ah", 0, ["Ac Ad Ah"]),
        ("canasta", "Kc Kd Kh Ac Ad Ah 4c 5d", 0, ["Ac Ad Ah", "Kc Kd Kh Ac Ad Ah"]),
        ("canasta", "Kc Kd Kh Ac Ad Ah 4c 2c", 0, ["Ac Ad Ah", "Kc Kd Kh Ac Ad Ah"]),
        ("canasta", "Kc Kd Kh Ac Ad Ah 2c 2d", 0, ["Ac Ad Ah", "Kc Kd Kh Ac Ad Ah"]),
        # Without wilds no natural needs to stay, as two wilds do (3.10).
        ("samba", "Jc Jd Jh Js Qh Kh 2c 2d", 0, ["Jc Jd Jh Js 2d", "Jc Jd Js Jh Qh Kh"]),
        # A six and a seven go into the sequence, or fifty points are not reached (3.8).
        (
            "samba",
            "4c 5d 6c 6d 6h 6s 7c 7d 7h 7s 8h",
            0,
            ["6c 6d 6s 7c 7d 7s 6h 7h 8h"],
        ),
    ],
)
def test_first_melds(name: str, hand: str, score: int, laid: list[str]) -> None:
    state = table(name, hand, "", f"score 0: {score}")
    found = [
        " ".join(card for group in groups for card in group.cards) for groups in openings(state, 0)
    ]
    assert found == laid
    for groups in openings(state, 0):
        assert decide(state, Meld(0, groups))


def test_a_top_that_completes_what_is_required_may_leave_one_card() -> None:
    """3.6, 3.9.2, 3.10"""
    given = "P0: 4c\nside 0: m1 = 7c 7c 7d 7d 7h 7h 7s\nside 0: m2 = {}\npile: Jh\ndraw: P0"
    state = position("samba", 4, given.format("5h 6h 7h 8h 9h 10h"))
    assert TakeTop(0, "m2") in legal(state, 0)
    state = position("samba", 4, given.format("6h 7h 8h 9h 10h"))
    assert TakeTop(0, "m2") not in legal(state, 0)


@pytest.mark.parametrize("name", ["canasta", "samba", "bolivia"])
def test_nobody_asks_before_drawing_where_it_is_not_compulsory(name: str) -> None:
    """3.13.3"""
    given = (
        f"P0: 9c 9d 4d\nside 0: m1 = {LONG}\nside 0: m2 = 8c 8c 8d 8d 8h 8h 8s\npile: 9h\ndraw: P0"
    )
    if name == "canasta":
        given = f"P0: 9c 9d 4d\nside 0: m1 = {FULL}\npile: 9h\ndraw: P0"
    assert not any(
        isinstance(command, AskPartner) for command in legal(position(name, 4, given), 0)
    )


def test_nobody_asks_twice_before_drawing() -> None:
    """3.13.1"""
    given = (
        f"P0: 9c 9d 4d\nside 0: m1 = {LONG}\nside 0: m2 = 8c 8c 8d 8d 8h 8h 8s\npile: 9h\ndraw: P0"
    )
    state = position("bolivie", 4, given)
    assert any(isinstance(command, AskPartner) for command in legal(state, 0))
    state.asked = True
    assert not any(isinstance(command, AskPartner) for command in legal(state, 0))


def test_what_wants_nothing_lays_nothing() -> None:
    variant, hand = VARIANTS["canasta"], cards("4c 5d Kc Kd Kh")
    assert arrange(variant, 4, (), hand, Goal(keep=5)) == Arrangement((), hand)
    assert arrange(variant, 4, (), hand, Goal(keep=6)) is None


def test_laid_groups_are_melds_or_join_them() -> None:
    melds = table("samba", "", "8c 8d 8h").melds[0]
    hand = cards("4c 8s 9c 9d 9h Kc Kd Kh")
    groups = (Group(cards("Kc Kd Kh")), Group(cards("8s"), "m1"), Group(cards("9c 9d 9h")))
    assert lay(melds, hand, groups, 5) == (
        (
            TableMeld("m1", "set", cards("8c 8d 8h 8s")),
            TableMeld("m5", "set", cards("Kc Kd Kh")),
            TableMeld("m6", "set", cards("9c 9d 9h")),
        ),
        cards("4c"),
    )


def test_single_melds_on_offer() -> None:
    """3.8, 3.10: what reaches the minimum exactly; and lay-offs behind a meld that is too much."""
    state = table("canasta", "Kc Kd Kh 2c Ac Ad Ah 4c 5d", "")
    assert Meld(0, (Group(cards("Kc Kd Kh 2c")),)) in legal(state, 0)
    state = table("canasta", "4c 9c 9d 9h", "4d 4h 4s")
    assert [command for command in legal(state, 0) if isinstance(command, Meld)] == [
        Meld(0, (Group(cards("4c"), "m1"),))
    ]


def asked(hand: str, goal: Goal) -> tuple[Arrangement | None, int]:
    """What a search of samba finds, and how often it looks at a rank's sets on the way."""
    search = Search(VARIANTS["samba"], (), cards(hand), goal)
    look, looks = search._fillings, []

    def counted(rank: int, naturals: int) -> dict[int, Filling]:
        looks.append(rank)
        return look(rank, naturals)

    search._fillings = counted  # type: ignore[method-assign]
    return search.solve(), len(looks)


def test_no_dead_end_is_walked_into_twice() -> None:
    """What cannot be done takes three times as many looks without a memory."""
    found, looks = asked(
        "4c 4c 4h 4h 4h 5c 5h 6c 6c 6h 7c 7c 7h 8c 8h 9c 9c 9c 9h 9h", Goal(value=130, keep=2)
    )
    assert found is None
    assert looks < 300


def test_patience_ends_behind_so_many_dead_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.rules.canasta.search.PATIENCE", 0)
    assert asked("9c 9d 9h", Goal(value=30))[0] == Arrangement((Group(cards("9c 9d 9h")),), ())
    assert asked("4c 4d 4h 4s 5h 6h", Goal(most=0, out=True))[0] is None
