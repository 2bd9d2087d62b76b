"""The order of a hand, and cards taken from it."""

import pytest

from service.rules.cards import arranged, without


def test_a_hand_is_sorted_by_rank_then_suit_and_wilds_come_last() -> None:
    hand = ("??", "JK", "2s", "Ah", "10c", "9s", "4d", "4c", "Kd", "Qh", "Jc", "3s", "2c")
    assert " ".join(arranged(hand)) == "3s 4c 4d 9s 10c Jc Qh Kd Ah 2c 2s JK ??"


def test_a_card_that_is_not_seen_is_taken_from_the_unseen() -> None:
    assert without(("4c", "??", "??"), ("9d", "4c")) == ("??",)
    assert without(("4c", "4c", "??"), ("4c",)) == ("4c", "??")
    with pytest.raises(ValueError, match="not in list"):
        without(("4c",), ("9d",))
