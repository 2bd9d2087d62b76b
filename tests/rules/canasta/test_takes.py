"""Takes that are offered beside what else must be laid or may be planned with them.

Small positions of partners at the table. What is offered is given to `decide`, so that it is
lawful, too.
"""

import pytest

from service.rules.canasta.commands import AskPartner, TakePile
from service.rules.canasta.decide import decide
from service.rules.canasta.legal import legal
from service.rules.canasta.state import State
from tests.rules.canasta.notation import command, position

SEQUENCE = "side 0: m1 = 4s 5s 6s 7s 8s 9s 10s"
"""A sequence canasta."""

SIX = "side 0: m2 = 9c 9c 9d 9d 9h 9h"
"""A set that lacks one card to be the other canasta that bolivie requires (3.9.2)."""

HEARTS = "4h 5h 6h 7h 8h 9h 10h"
FIVES = "5c 5c 5d 5d 5h 5s 5s"


def questions(state: State) -> list[AskPartner]:
    """The questions on offer, all of them lawful."""
    found = [asked for asked in legal(state, 0) if isinstance(asked, AskPartner)]
    for asked in found:
        assert decide(state, asked), asked
    return found


def test_a_take_that_leaves_one_card_lays_what_is_required_at_once() -> None:
    """3.5.6, 3.9.2, 3.10: without the nine there are no two canastas when the pile is taken."""
    state = position("bolivie", 4, f"P0: Kc Kd 9s\n{SEQUENCE}\n{SIX}\npile: Kh\ndraw: P0")
    assert questions(state) == [
        command("P0 ask_partner take_pile [Kc Kd] also [9s > m2] then"),
    ]


def test_a_whole_hand_may_go_for_a_pile_of_three() -> None:
    """3.10, 3.13.3: two cards below the top are enough to stay with, and to go out with."""
    state = position("bolivie", 4, f"P0: Kc Kd\n{SEQUENCE}\n{SIX}\npile: 9s 4c Kh\ndraw: P0")
    assert questions(state) == [
        command("P0 ask_partner take_pile [Kc Kd] then [9s > m2] discard 4c"),
    ]


@pytest.mark.parametrize(("pile", "end"), [("Kh", ""), ("Jd Kh", " discard Jd")])
def test_a_first_meld_with_a_take_may_be_the_whole_hand(pile: str, end: str) -> None:
    """3.8.5, 3.10, 3.13.3: the eights are a set, but then a nine and a ten can go nowhere."""
    hand = f"Kc Kd {HEARTS} {FIVES} 8c 8d 8s 9c 10c 2c"
    state = position("bolivie", 4, f"P0: {hand}\npile: {pile}\ndraw: P0")
    laid = f"[{FIVES}] [8d 8s 2c] [8c 9c 10c] [{HEARTS}]"
    assert questions(state) == [
        command(f"P0 ask_partner take_pile [Kc Kd] also {laid} then{end}"),
    ]


def test_of_the_takes_that_go_out_one_is_offered() -> None:
    """3.5.2, 3.9.1: the wild may go as well, but then that is one more way to the same end."""
    given = "P0: Kc Kd 2c\nside 0: m1 = 7c 7c 7d 7d 7h 7h 7s\npile: Kh\ndraw: P0"
    state = position("canasta", 4, given)
    found = [taken for taken in legal(state, 0) if isinstance(taken, TakePile)]
    assert found == [command("P0 take_pile [Kc Kd]")]
    assert decide(state, found[0])
