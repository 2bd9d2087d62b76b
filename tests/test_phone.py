"""A few games over a bad network; `./run phone` plays fifty."""

import json
from pathlib import Path

import pytest

from benchmarks.phone import Phone, Trial, events, orders
from service.config import Config
from service.rules import GAMES
from service.stack import Stack

WHOLE = [
    b"retry: 1740\n",
    b"\n",
    b"id: 17\n",
    b"event: view\n",
    b'data: {"version":17}\n',
    b"\n",
    b":\n",
    b"\n",
    b"id: 18.0\n",
    b"event: item\n",
    b'data: {"id":"18.0"}\n',
    b"\n",
]


def test_an_event_counts_when_it_came_whole() -> None:
    assert list(events(WHOLE)) == [("view", {"version": 17}), ("item", {"id": "18.0"})]
    whole = b"".join(WHOLE)
    for end in range(len(whole)):
        told = list(events(whole[:end].splitlines(keepends=True)))
        assert told == [("view", {"version": 17}), ("item", {"id": "18.0"})][: len(told)]


def test_the_tables_are_of_every_kind() -> None:
    made = orders(50)
    kinds = {(order["variant"], len(order["seats"])) for order in made}
    tables = [
        (v.name, n) for rules in GAMES.values() for v in rules.VARIANTS.values() for n in v.seats
    ]
    assert kinds == set(tables)
    for kind in kinds:  # with computer players, and without
        mixed = [
            {seat["kind"] for seat in order["seats"]}
            for order in made
            if (order["variant"], len(order["seats"])) == kind
        ]
        assert {"human"} in mixed and {"human", "ai"} in mixed
    assert json.dumps(made[0]) != json.dumps(made[1])


@pytest.mark.slow
def test_phones_on_a_bad_network_lose_and_double_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Phone, "waits", 0.7)
    monkeypatch.setattr(Phone, "silence", 2.0)
    person, computer = {"kind": "human"}, {"kind": "ai", "level": "novice"}
    order = {
        "variant": "botifarra",
        "options": {"target_score": 50},
        "seats": [person, computer, computer, computer],
        "setup": {"dealer": 0, "scores": [49, 49]},  # one deal
    }
    config = Config(port=0, data=tmp_path, webhook_workers=0, ai_pace=0.0, sweep_seconds=0.5)
    with Stack(config, quiet=True) as stack:
        trial = Trial(stack, seed=3, rate=0.15)
        trial.play([order], together=1)
    assert trial.faults == []
    assert trial.wire.faults.total() > 3
    assert (len(trial.journal.games), len(trial.phones)) == (1, 1)
    assert len(trial.journal.commands) > 10
