"""The analysis of a deal: for all who may see a game after its end, made once by a worker."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api.client import House, Person
from tests.api.conftest import BOTH
from tests.workers.desk import Desk
from tests.workers.weighing import EVERYWHERE
from workers import strategies
from workers.audits import attempt

pytestmark = BOTH

RECORDS = Path(__file__).parent.parent / "records"

Work = Callable[[], None]


@pytest.fixture(autouse=True)
def weighing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest level weighs by chance."""
    monkeypatch.setattr(strategies, "STRATEGIES", EVERYWHERE)


@pytest.fixture
def work(house: House, asked: list[str]) -> Work:
    """Does what was asked of workers, in its order."""

    def work() -> None:
        while asked:
            attempt(house.app.extensions["tapete"].audits, asked.pop(0))

    return work


def ended(house: House, **more: Any) -> tuple[str, Person, Person]:
    """A game in which somebody drew and discarded, and then gave up."""
    game, one, other = house.table(**more)
    one.act(game, type="draw")
    card = one.look(game)["table"]["hands"][one.look(game)["you"]][0]
    one.act(game, type="discard", card=card)
    other.act(game, type="resign")
    return game, one, other


def test_it_is_made_once_for_all_and_then_kept(house: House, work: Work, asked: list[str]) -> None:
    game, anna, bert = ended(house)
    path = f"/v1/games/{game}/analysis"
    answer = anna.get(path)
    job = answer.get_json()
    assert (answer.status_code, answer.headers["Retry-After"]) == (202, "1")
    assert answer.headers["Location"] == f"/v1/jobs/{job['id']}"
    assert (job["kind"], job["game"], job["state"]) == ("analysis", game, "queued")
    assert bert.get(path).get_json()["id"] == job["id"]
    assert house.guest("Eve").get(f"{path}?deal=1").get_json()["id"] == job["id"]
    assert asked == [job["id"]]
    work()
    found = bert.ok("GET", path)
    assert [one["command"]["type"] for one in found["decisions"]] == ["draw", "discard"]
    assert (found["deal"], found["level"], found["strategy"]) == (1, "casual", "weighing 1")
    discard = found["decisions"][1]
    assert discard["loss"] >= 0
    assert len(discard["candidates"]) == 5
    assert discard["then"] is None
    assert found["seats"] == [
        {
            "seat": discard["seat"],
            "decisions": 2,
            "weighed": 2,
            "loss": round(found["decisions"][0]["loss"] + discard["loss"], 1),
        }
    ]
    assert anna.ok("GET", f"/v1/jobs/{job['id']}")["result"] == found
    assert asked == []
    etag = bert.get(path).headers.get("ETag")
    assert bert("GET", path, headers={"If-None-Match": etag}).status_code == 304


def test_while_the_game_is_played_nothing_is_told(house: House, asked: list[str]) -> None:
    game, one, _ = house.table()
    one.act(game, type="draw")
    one.refused(409, "not_over", "GET", f"/v1/games/{game}/analysis")
    assert asked == []


def test_a_deal_that_never_came_is_not_there(house: House, asked: list[str]) -> None:
    game, anna, _ = ended(house)
    path = f"/v1/games/{game}/analysis"
    anna.refused(404, "no_such_deal", "GET", f"{path}?deal=2")
    for deal in ("0", "-1", "x", "1.0"):
        anna.refused(422, "invalid", "GET", f"{path}?deal={deal}")
    never = anna.open()
    anna.ok("DELETE", f"/v1/games/{never}/seats/0")
    anna.refused(404, "no_such_deal", "GET", f"/v1/games/{never}/analysis")
    assert asked == []


def test_that_of_a_private_game_is_as_private(house: House, work: Work) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(visibility="private")
    code = anna.look(game)["invite"]["code"]
    bert.ok("POST", f"/v1/games/{game}/seats", json={"invite": code})
    anna.act(game, type="resign")
    path = f"/v1/games/{game}/analysis"
    job = anna.ok("GET", path)
    work()
    carl = house.guest("Carl")
    carl.refused(404, "not_found", "GET", path)
    carl.refused(404, "not_found", "GET", f"/v1/jobs/{job['id']}")
    assert carl.ok("GET", f"{path}?invite={code}")["decisions"] == []


def test_what_a_computer_player_weighed_is_told_beside(
    house: House, work: Work, calls: list[tuple[str, int, int]]
) -> None:
    anna = house.guest("Anna")
    casual = {"kind": "ai", "level": "casual"}
    game = anna.open({"kind": "human"}, casual)
    tables = house.app.extensions["tapete"].tables
    while not (kept := tables.load(game)).waits_for_computer():
        anna.act(game, type="draw")
        seen = anna.look(game)
        anna.act(game, type="discard", card=seen["table"]["hands"][0][0])
    desk = Desk(tables=tables)
    desk.turn(game, kept.version)
    anna.act(game, type="resign")
    anna.ok("GET", f"/v1/games/{game}/analysis")
    work()
    found = anna.ok("GET", f"/v1/games/{game}/analysis")
    own = [one["then"] for one in found["decisions"] if one["seat"] == 1]
    assert own
    assert all((one["strategy"], one["samples"]) == ("weighing 1", 3) for one in own)
    assert all(one["then"] is None for one in found["decisions"] if one["seat"] == 0)


def test_one_that_fails_says_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game, anna, _ = ended(house)
    path = f"/v1/games/{game}/analysis"
    job = anna.ok("GET", path)

    def broken(*_: Any, **__: Any) -> Any:
        raise KeyError("10h")

    monkeypatch.setattr("workers.audits.analysed", broken)
    for _ in range(3):
        with pytest.raises(Exception, match="KeyError in") as failure:
            attempt(house.app.extensions["tapete"].audits, job["id"])
        assert "10h" not in str(failure.value)
    anna.refused(500, "analysis_failed", "GET", path)


def test_a_game_that_came_as_a_record_keeps_what_was_weighed_and_one_that_goes_on_does_not(
    house: House, work: Work
) -> None:
    anna = house.guest("Anna")
    raw = (RECORDS / "0.2" / "decided-samba.ndjson").read_bytes()
    job = anna("POST", "/v1/records", data=raw, content_type="application/x-ndjson").get_json()
    work()
    game = anna.ok("GET", f"/v1/jobs/{job['id']}")["result"]["game"]
    again = anna.get(f"/v1/games/{game}/record").get_data()
    assert again.splitlines()[1:-1] == raw.splitlines()[1:-1]
    anna.ok("GET", f"/v1/games/{game}/analysis")
    work()
    found = anna.ok("GET", f"/v1/games/{game}/analysis")["decisions"]
    assert found
    assert all(one["then"]["strategy"] == "weighing 1" for one in found)
    # Another secret, hence other luck: what was weighed there was not weighed here.
    new = anna.ok("POST", "/v1/games", json={"from": {"game": game, "version": 60}})["id"]
    entries = house.app.extensions["tapete"].store.read(new).entries
    assert len(entries) > 50
    assert not any(b'"decision"' in entry.line for entry in entries)
