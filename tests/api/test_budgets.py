"""Answers stay small, for a phone on a train: a budget for views and for answers to commands.

Measured over random games, the largest are: a view 4.3 kB (1.3 kB compressed), an answer to a
command 1.7 kB (0.4 kB), one that ends a deal and begins the next 4.9 kB (1.0 kB). A third is
cards not seen, each of them `??` by contract; compressed they are nothing.
"""

import random
from typing import Any, Final

import pytest
from backports import zstd

from tests.api.client import HUMAN, House
from tests.api.test_leaks import TABLES

STEPS: Final = 150

VIEW: Final = 6000, 2000
ANSWER: Final = 2500, 800
NEW_DEAL: Final = 7000, 1600
"""Bytes as JSON, and compressed."""


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize(
    "number", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in (1, 2))]
)
def test_views_and_answers_keep_to_their_budgets(
    house: House, variant: str, seats: int, number: int
) -> None:
    luck = random.Random(f"{variant} {seats} {number}")
    people = [house.guest("N" * 30) for _ in range(seats)]
    game = people[0].open(*[HUMAN] * seats, variant=variant)
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    path, mover = f"/v1/games/{game}", people[0]
    for step in range(STEPS if number else STEPS // 5):
        if step % 10 == 0:
            assert fits(mover.get(path), VIEW)
        to_act = mover.look(game)["to_act"]
        if not to_act:
            break
        mover = people[to_act[0]]
        legal = mover.ok("GET", f"{path}/commands")["commands"]
        kind = luck.choice(sorted({command["type"] for command in legal}))
        command = luck.choice([one for one in legal if one["type"] == kind])
        answer = mover.post(f"{path}/commands", json=command)
        dealt = any(event["type"] == "deal_started" for event in answer.get_json()["events"])
        assert fits(answer, NEW_DEAL if dealt else ANSWER)
    assert fits(people[0].get(path), VIEW)


def fits(answer: Any, budget: tuple[int, int]) -> bool:
    """Whether an answer is a success within its budget."""
    body = answer.get_data()
    whole, compressed = budget
    return (
        answer.status_code < 300
        and len(body) <= whole
        and len(zstd.compress(body, 3)) <= compressed
    )
