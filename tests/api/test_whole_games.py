"""A game of each kind from the first card to the last, over HTTP alone."""

import random
from typing import Any

import pytest

from service.rules import GAMES
from tests.api.client import HUMAN, House

VARIANTS = [next(iter(rules.VARIANTS.values())) for rules in GAMES.values()]


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_people_play_to_the_end(house: House, variant: Any) -> None:
    """With everybody a point from the target, so a deal or two decide."""
    seats = min(variant.seats)
    target = variant.options(seats)["target_score"].default
    sides = max(variant.sides(seats)) + 1
    people = [house.guest(f"P{seat}") for seat in range(seats)]
    setup = {"dealer": 0, "scores": [target - 1] * sides}
    game = people[0].open(*[HUMAN] * seats, variant=variant.name, setup=setup)
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    path, luck = f"/v1/games/{game}", random.Random(1)
    while to_act := people[0].look(game)["to_act"]:
        person = people[to_act[0]]
        legal = person.ok("GET", f"{path}/commands")["commands"]
        kind = luck.choice(sorted({command["type"] for command in legal}))
        person.act(game, **luck.choice([each for each in legal if each["type"] == kind]))
    ended = people[0].look(game)
    assert (ended["status"], ended["result"]["why"]) == ("finished", "target")
    assert max(ended["scores"]) >= target
    feed = house.guest("Eve").ok("GET", f"{path}/events?limit=500")
    assert "??" not in str(ended["table"]["hands"])
    assert [item["type"] for item in feed["items"]][:1] == ["game_opened"]
