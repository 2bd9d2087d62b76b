"""The score sheet on the wire says all that was scored, and shares nothing with the state."""

from dataclasses import asdict
from typing import Any

import msgspec

from service.rules.deals import DealScored, Line, SideScore, sheet

SCORED = DealScored(
    3,
    "out",
    (
        SideScore(
            (Line("melds", 210, "", {"sevens": 35, "jokers": 175}), Line("out", 100, "")), 310
        ),
        SideScore((), 0),
    ),
    (310, 0),
)


def plain(thing: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(thing))


def test_a_sheet_is_what_was_scored_but_for_the_scores_of_the_game() -> None:
    expected = plain(asdict(SCORED))
    del expected["scores"]
    assert plain(sheet(SCORED)) == expected
    assert sheet(None) is None


def test_who_changes_a_sheet_changes_no_state() -> None:
    made = sheet(SCORED)
    assert made
    made["sides"][0]["lines"][0]["parts"].clear()
    assert SCORED.sides[0].lines[0].parts == {"sevens": 35, "jokers": 175}
