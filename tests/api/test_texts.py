"""The text of an item is made once for all who see the same, and nobody gets another's."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from service.api import show
from service.rules import GAMES
from service.rules.deals import DealScored, DealStarted, Line, SideScore

HANDS = (("O1", "O2"), ("C1", "C2"), ("E1", "E2"), ("B1", "B2"))
DEALT = DealStarted(1, 0, HANDS, (), (), (0, 0))


@pytest.fixture(autouse=True)
def _nothing_is_known() -> None:
    show._texts.cache_clear()


def seen(seat: int | None) -> Any:
    return GAMES["botifarra"].seen(DEALT, seat)


def test_each_seat_gets_the_text_of_what_it_sees() -> None:
    for _ in range(2):
        for seat in (0, 1, 2, 3, None):
            said = msgspec.json.decode(show._text(7, 0, 5, seen(seat)))
            shown = [
                list(hand) if owner == seat else ["??"] * 2 for owner, hand in enumerate(HANDS)
            ]
            assert said["data"]["hands"] == shown
            assert (said["id"], said["version"], said["type"]) == ("7.0", 7, "deal_started")


def test_what_is_seen_alike_is_written_once() -> None:
    assert show._text(7, 0, 5, seen(None)) is show._text(7, 0, 5, seen(None))
    assert show._text(7, 0, 5, seen(1)) is show._text(7, 0, 5, seen(1))
    assert show._text(7, 0, 5, seen(1)) != show._text(7, 0, 5, seen(2))


def test_another_place_or_time_is_another_item() -> None:
    whole = show._text(7, 0, 5, DEALT)
    others = [show._text(*key, DEALT) for key in ((8, 0, 5), (7, 1, 5), (7, 0, 6))]
    assert len({bytes(one) for one in (whole, *others)}) == 4
    assert show._text(7, 0, 5, replace(DEALT, dealer=1)) != whole


def test_what_cannot_be_hashed_is_written_too() -> None:
    line = Line("melds", 5, "", {"sevens": 5})
    scored = DealScored(1, "out", (SideScore((line,), 5),), (5, 0))
    text = show._text(7, 0, 5, scored)
    assert text is show._text(7, 0, 5, replace(scored))
    assert msgspec.json.decode(text)["data"]["sides"][0]["lines"][0]["parts"] == {"sevens": 5}


def test_not_more_is_kept_of_an_item_than_there_are_ways_to_see_it() -> None:
    for number in range(3 * show.WAYS):
        said = msgspec.json.decode(show._text(7, 0, 5, replace(DEALT, deal=number)))
        assert said["data"]["deal"] == number
    assert len(show._texts(7, 0, 5)) == show.WAYS
