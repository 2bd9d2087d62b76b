"""What was lost in a deal: by samples, with what each seat knew, whenever it is asked."""

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rq.timeouts import JobTimeoutException

from service import record
from service.store import codec
from service.store.jobs import Order
from service.store.memory_jobs import MemoryJobs
from tests.workers.weighing import EVERYWHERE, weigh
from workers import strategies
from workers.analysis import analysed
from workers.strategies import Budget, Candidate, Choice, Player, Situation

RECORDS = Path(__file__).parents[1] / "records"


def level(monkeypatch: pytest.MonkeyPatch, choose: Any, name: str = "best 1") -> None:
    """Lets the strongest level be that one."""
    player = Player(name, choose)
    best = {"canasta": player, "botifarra": player}
    monkeypatch.setattr(strategies, "STRATEGIES", {**EVERYWHERE, "best": best})


def analysis(name: str, deal: int = 1, samples: int = 2) -> Any:
    read = record.read((RECORDS / f"{name}.ndjson").read_bytes())
    commits = map(codec.decode, read.lines)
    return analysed(commits, bytes.fromhex(read.footer.secret), deal, samples)


def fixed(values: dict[str, float]) -> Callable[[Situation, Random, Budget], Choice]:
    """Weighs kinds of commands, each of the same worth; the best comes first."""

    def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
        assert budget.samples == 2
        legal = situation.rules.legal(situation.view, situation.seat)
        known = [one for one in legal if type(one).__name__ in values]
        weighed = [Candidate(one, values[type(one).__name__]) for one in known]
        best = sorted(weighed, key=lambda one: -one.value)
        return Choice(best[0].command if best else legal[0], 2, tuple(best))

    return choose


def test_the_loss_is_against_the_best_that_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    worth = {"Draw": 3.0, "TakePile": 5.24, "Discard": -1.0, "Meld": 4.0}
    level(monkeypatch, fixed(worth))
    found = analysis("0.2/decided-samba")
    assert (found["deal"], found["level"], found["strategy"], found["samples"]) == (
        *(1, "best", "best 1"),
        2,
    )
    losses = set()
    for one in found["decisions"]:
        values = {json.dumps(item["command"]): item["value"] for item in one["candidates"]}
        given = json.dumps(one["command"])
        if not values:
            assert one["loss"] in (0.0, None)
            assert not one["least"]
        elif given in values:
            assert one["loss"] == pytest.approx(max(values.values()) - values[given], abs=0.1)
            assert not one["least"]
            assert json.dumps(one["best"]) in values
        else:
            assert one["loss"] == pytest.approx(
                max(values.values()) - min(values.values()), abs=0.1
            )
            assert one["least"]
        assert "seat" not in one["command"]
        losses.add(one["loss"])
    assert {0.0, 2.2, 5.0} <= losses
    for seat in found["seats"]:
        own = [one for one in found["decisions"] if one["seat"] == seat["seat"]]
        known = [one["loss"] for one in own if one["loss"] is not None]
        assert (seat["decisions"], seat["weighed"]) == (len(own), len(known))
        assert seat["loss"] == pytest.approx(sum(known), abs=0.05)
    assert [seat["seat"] for seat in found["seats"]] == [0, 1, 2, 3]


def test_who_does_what_is_best_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Botifarra's best goes by the odds of the game, so another command may bring more points."""

    def bold(situation: Situation, rng: Random, budget: Budget) -> Choice:
        legal = situation.rules.legal(situation.view, situation.seat)[:5]
        weighed = tuple(Candidate(one, float(place)) for place, one in enumerate(legal))
        return Choice(legal[0], 2, weighed)

    level(monkeypatch, bold)
    found = analysis("0.2/decided-botifarra")["decisions"]
    followed = [one for one in found if one["command"] == one["best"]]
    assert {one["loss"] for one in followed} == {0.0}
    assert any(len(one["candidates"]) > 1 for one in followed)
    assert {one["loss"] for one in found} == {0.0}  # never below 0


def test_only_the_deal_that_was_asked_for_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch, weigh)
    versions = [
        [one["version"] for one in analysis("0.2/decided-botifarra", deal)["decisions"]]
        for deal in (1, 2, 3)
    ]
    assert versions[0]
    assert [*chain(*versions)] == sorted(chain(*versions))
    assert analysis("0.2/decided-botifarra", 99)["decisions"] == []


def test_what_computer_players_weighed_then_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch, weigh)
    for name in ("decided-samba", "decided-botifarra"):
        read = record.read((RECORDS / "0.2" / f"{name}.ndjson").read_bytes())
        kept = {line["version"]: line for line in map(json.loads, read.lines)}
        for one in analysis(f"0.2/{name}")["decisions"]:
            then, decision = one["then"], kept[one["version"]]["decision"]
            for field in ("level", "strategy", "budget"):
                assert then[field] == decision[field]
            assert then["samples"] == decision.get("samples")
            assert then["why"] == decision.get("why")
            tenths = [item["tenths"] for item in decision.get("candidates", ())]
            assert [item["value"] * 10 for item in then["candidates"]] == pytest.approx(tenths)
    assert {one["then"] for one in analysis("0.1/resigned")["decisions"]} <= {None}


def test_it_comes_out_the_same_if_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch, weigh)
    one = analysis("0.1/canasta-2")
    assert one == analysis("0.1/canasta-2")
    assert one["decisions"]
    assert one["decisions"] != analysis("0.1/canasta-2", samples=3)["decisions"]


@pytest.mark.parametrize(
    "answer",
    [
        lambda choice: 1 // 0,
        lambda choice: Choice(None),
        lambda choice: Choice(choice.command, 1, (Candidate(choice.command, float("nan")),)),
        lambda choice: Choice(choice.command, 1, (Candidate(None, 1.0),)),
    ],
)
def test_where_the_level_fails_a_decision_is_not_weighed(
    answer: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def choose(situation: Situation, rng: Random, budget: Budget) -> Any:
        return answer(weigh(situation, rng, budget))

    level(monkeypatch, choose)
    found = analysis("0.2/decided-botifarra")
    assert {one["loss"] for one in found["decisions"]} == {None}
    assert {one["best"] for one in found["decisions"]} == {None}
    assert {seat["loss"] for seat in found["seats"]} == {None}
    assert "is not analysed: " in caplog.text


def test_that_its_time_is_up_ends_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(situation: Situation, rng: Random, budget: Budget) -> Choice:
        raise JobTimeoutException

    level(monkeypatch, hang)
    with pytest.raises(JobTimeoutException):
        analysis("0.2/decided-botifarra")


def test_a_level_that_weighs_nothing_says_what_it_would_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def plain(situation: Situation, rng: Random, budget: Budget) -> Choice:
        return Choice(situation.rules.legal(situation.view, situation.seat)[0])

    level(monkeypatch, plain)
    found = analysis("0.1/canasta-2")
    assert {one["loss"] for one in found["decisions"]} == {None, 0.0}
    for one in found["decisions"]:
        if one["loss"] == 0:  # there was no choice
            assert one["best"] == one["command"]
    assert all(one["best"]["type"] for one in found["decisions"])


def test_an_order_keeps_its_deal() -> None:
    jobs = MemoryJobs()
    job, _ = jobs.add("x", Order("analysis", "anna", "", "game", deal=3), b"")
    assert job.order.deal == 3
