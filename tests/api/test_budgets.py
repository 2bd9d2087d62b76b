"""Answers stay small, for a phone on a train: a budget for views and for answers to commands.

Measured over random games, the largest are: a view 4.3 kB (1.3 kB compressed), an answer to a
command 2.6 kB (0.5 kB) where seventeen melds were laid or grew at once, one that ends a deal and
begins the next 5.2 kB (1.0 kB). A third is cards not seen, each of them `??` by contract;
compressed they are nothing.
"""

import random
from typing import Any, Final

import pytest
from backports import zstd

from tests.api.client import HUMAN, House
from tests.api.leaks import TABLES

STEPS: Final = 150

VIEW: Final = 6000, 2000
ANSWER: Final = 1000, 450
EVENT: Final = 150, 30
NEW_DEAL: Final = 4000, 900
"""Bytes as JSON, and compressed: an answer, what each event adds to it, and what a deal that ends
and one that begins add."""


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize(
    "number", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in (1, 2))]
)
def test_views_and_answers_keep_to_their_budgets(
    house: House, variant: str, seats: int, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    luck = random.Random(f"{variant} {seats} {number}")
    # The same deals each time.
    monkeypatch.setattr("service.scribe.secrets.token_bytes", luck.randbytes)
    people = [house.guest("N" * 30) for _ in range(seats)]
    game = people[0].open(*[HUMAN] * seats, variant=variant)
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    path, mover = f"/v1/games/{game}", people[0]
    tables = house.app.extensions["tapete"].tables
    for step in range(STEPS if number else STEPS // 5):
        if step % 10 == 0:
            assert fits(mover.get(path), VIEW)
        to_act = tables.load(game).game.to_act()
        if to_act is None:
            break
        mover = people[to_act]
        legal = mover.ok("GET", f"{path}/commands")["commands"]
        kind = luck.choice(sorted({command["type"] for command in legal}))
        command = luck.choice([one for one in legal if one["type"] == kind])
        answer = mover.post(f"{path}/commands", json=command)
        types = [event["type"] for event in answer.get_json()["events"]]
        assert fits(answer, budget(types)), types
    assert fits(people[0].get(path), VIEW)


def budget(types: list[str]) -> tuple[int, int]:
    """What an answer with these events may take."""
    # The last deal of a game ends, and none begins.
    deals = "deal_scored" in types or "deal_started" in types
    parts = [ANSWER, *[EVENT] * len(types), *[NEW_DEAL] * deals]
    return sum(whole for whole, _ in parts), sum(compressed for _, compressed in parts)


def fits(answer: Any, most: tuple[int, int]) -> bool:
    """Whether an answer is a success of at most so many bytes, and compressed."""
    body = answer.get_data()
    whole, compressed = most
    return (
        answer.status_code < 300
        and len(body) <= whole
        and len(zstd.compress(body, 3)) <= compressed
    )
