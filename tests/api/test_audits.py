"""Audits over HTTP: asked for here, made by a worker, told to whom they concern."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.store.jobs import AUDITS
from tests.api.client import House, Person
from tests.api.conftest import BOTH
from workers.audits import attempt

pytestmark = BOTH

RECORDS = Path(__file__).parent.parent / "records" / "0.1"
NDJSON = "application/x-ndjson"
RAW = (RECORDS / "resigned.ndjson").read_bytes()

Work = Callable[[], None]


@pytest.fixture
def work(house: House, asked: list[str]) -> Work:
    """Does what was asked of workers, in its order."""

    def work() -> None:
        while asked:
            attempt(house.app.extensions["tapete"].audits, asked.pop(0))

    return work


def send(person: Person, raw: bytes = RAW, query: str = "") -> Any:
    """Uploads a record for an audit; the job."""
    path = f"/v1/audits{query}"
    response = person("POST", path, data=raw, content_type=NDJSON)
    assert response.status_code == 202, response.get_data(as_text=True)
    job = response.get_json()
    assert response.headers["Location"] == f"/v1/jobs/{job['id']}"
    return job


def verdict(person: Person, job: Any) -> Any:
    """The result of a job that must be done."""
    response = person.get(f"/v1/jobs/{job['id']}")
    seen = response.get_json()
    assert (response.status_code, seen["state"]) == (200, "done"), seen
    assert "Retry-After" not in response.headers
    return seen["result"]


def _finished(house: House, **more: Any) -> tuple[str, Person, Person]:
    """A game that somebody resigned: its id, and its two players."""
    game, one, other = house.table(**more)
    one.act(game, type="resign")
    return game, one, other


def test_an_uploaded_record_is_queued_then_judged(house: House, work: Work) -> None:
    anna = house.guest("Anna")
    job = send(anna)
    assert (job["kind"], job["game"], job["state"]) == ("audit", None, "queued")
    assert (job["attempts"], job["result"], job["error"]) == (0, None, None)
    waiting = anna.get(f"/v1/jobs/{job['id']}")
    assert waiting.headers["Retry-After"] == "1"
    work()
    said = verdict(anna, job)
    assert said["ok"]
    assert said["first_fault"] is None
    assert all(check["ok"] for check in said["checks"])
    assert anna.ok("GET", f"/v1/jobs/{job['id']}")["attempts"] == 1


def test_a_tampered_record_is_found_out_in_plain_words(house: House, work: Work) -> None:
    anna = house.guest("Anna")
    job = send(anna, RAW.replace(b'"type":"resign","seat":0', b'"type":"resign","seat":1'))
    work()
    said = verdict(anna, job)
    assert not said["ok"]
    fault = said["first_fault"]
    assert fault["check"] == "chain"
    assert fault["what"]
    assert [check["ok"] for check in said["checks"]].count(False) > 1


def test_depth_and_head_are_those_that_were_asked_for(house: House, work: Work) -> None:
    anna = house.guest("Anna")
    head = json.loads(RAW.splitlines()[-1])["head"]
    shallow, kept, other = (
        send(anna, query=query)
        for query in ("?depth=record", f"?head={head}", f"?head={head[:-2] + 'xx'}")
    )
    work()
    names = [check["name"] for check in verdict(anna, shallow)["checks"]]
    assert "decisions" not in names
    names = [check["name"] for check in verdict(anna, kept)["checks"]]
    assert {"decisions", "head"} <= set(names)
    assert verdict(anna, kept)["ok"]
    assert verdict(anna, other)["first_fault"]["check"] == "head"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "raw",
    [b"", b"\n", b"{}", b"\xff\xfe", RAW[:-1], RAW + RAW, b"[" * 100_000, RAW[: len(RAW) // 2]],
    ids=range(8),
)
def test_what_is_no_record_gets_a_verdict_too(house: House, work: Work, raw: bytes) -> None:
    anna = house.guest("Anna")
    job = send(anna, raw)
    work()
    said = verdict(anna, job)
    assert (said["ok"], said["first_fault"]["check"]) == (False, "form")


def test_nobody_else_sees_the_job_of_an_upload(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    job = send(anna)
    bert.refused(404, "not_found", "GET", f"/v1/jobs/{job['id']}")
    house.anyone.refused(401, "unauthorized", "GET", f"/v1/jobs/{job['id']}")
    anna.refused(404, "not_found", "GET", "/v1/jobs/nosuchjob")
    anna.refused(404, "not_found", "GET", "/v1/jobs/NO")
    anna.refused(422, "invalid", "GET", f"/v1/jobs/{job['id']}?x=1")


def test_the_same_key_is_the_same_job_and_another_body_is_refused(
    house: House, asked: list[str], work: Work
) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    headers = {"Idempotency-Key": "k"}
    more: dict[str, Any] = {"data": RAW, "content_type": NDJSON, "headers": headers}
    first = anna("POST", "/v1/audits", **more).get_json()
    again = anna("POST", "/v1/audits", **more)
    assert again.get_json()["id"] == first["id"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(asked) == 1
    other = more | {"data": RAW + b" "}
    anna.refused(422, "idempotency_key_reused", "POST", "/v1/audits", **other)
    anna.refused(422, "idempotency_key_reused", "POST", "/v1/audits?depth=record", **more)
    assert bert("POST", "/v1/audits", **more).get_json()["id"] != first["id"]
    assert anna("POST", "/v1/records", **more).get_json()["id"] != first["id"]
    work()
    assert anna("POST", "/v1/audits", **more).get_json()["state"] == "done"
    anna.refused(
        400,
        "bad_idempotency_key",
        "POST",
        "/v1/audits",
        **more | {"headers": {"Idempotency-Key": ""}},
    )


def test_a_player_has_a_few_unfinished_jobs_at_most(house: House, work: Work) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    for _ in range(AUDITS.by_player):
        send(anna)
    more: dict[str, Any] = {"data": RAW, "content_type": NDJSON}
    said = anna("POST", "/v1/records", **more)
    assert (said.status_code, said.get_json()["code"]) == (429, "too_many_jobs")
    assert said.headers["Retry-After"] == "1"
    send(bert)
    work()
    send(anna)


def test_what_cannot_be_taken_is_refused_and_no_job_is_made(house: House, asked: list[str]) -> None:
    anna = house.guest("Anna")
    path = "/v1/audits"
    big = b"x" * (8 * 1024 * 1024 + 1)
    cases: list[tuple[str, int, dict[str, Any]]] = [
        ("body_too_large", 413, {"data": big, "content_type": NDJSON}),
        ("unsupported_media_type", 415, {"data": RAW, "content_type": "text/plain"}),
        ("unsupported_media_type", 415, {"data": RAW, "content_type": f"{NDJSON}; charset=latin1"}),
        ("unsupported_media_type", 415, {"data": RAW}),
        ("bad_json", 400, {"data": b"{", "content_type": "application/json"}),
        ("invalid", 422, {"json": {}}),
        ("invalid", 422, {"json": {"game": "a}b:{c"}}),
        ("invalid", 422, {"json": {"game": "abc", "depth": "deep"}}),
        ("invalid", 422, {"json": {"game": "abc", "head": "short"}}),
        ("invalid", 422, {"json": {"game": "abc", "more": 1}}),
        ("not_found", 404, {"json": {"game": "abc"}}),
    ]
    for code, status, more in cases:
        anna.refused(status, code, "POST", path, **more)
    for query in ("?depth=deep", "?head=short", "?game=abc", "?depth=rules&depth=rules"):
        anna.refused(422, "invalid", "POST", path + query, data=RAW, content_type=NDJSON)
    anna.refused(422, "invalid", "POST", path + "?depth=rules", json={"game": "abc"})
    house.anyone.refused(401, "unauthorized", "POST", path, data=RAW, content_type=NDJSON)
    coded = {"data": RAW, "content_type": NDJSON, "headers": {"Content-Encoding": "gzip"}}
    anna.refused(415, "unsupported_media_type", "POST", path, **coded)
    assert asked == []


def test_a_stored_game_is_audited_once_for_all_who_see_it(
    house: House, asked: list[str], work: Work
) -> None:
    game, anna, bert = _finished(house)
    path = f"/v1/games/{game}/audit"
    waiting = anna.get(path)
    assert waiting.status_code == 202
    assert waiting.headers["Retry-After"] == "1"
    job = waiting.get_json()
    assert job["game"] == game
    assert bert.ok("GET", path)["id"] == job["id"]
    assert house.guest("Carl").ok("GET", f"/v1/jobs/{job['id']}")["state"] == "queued"
    assert len(asked) == 1
    work()
    said = bert.get(path)
    assert said.status_code == 200
    assert said.get_json() == verdict(anna, job)
    assert said.get_json()["ok"]
    head = anna.look(game)["head"]
    others = [f"{path}?depth=record", f"{path}?head={head}"]
    assert len({anna.ok("GET", other)["id"] for other in others} | {job["id"]}) == 3
    work()
    assert all(anna.ok("GET", other)["ok"] for other in others)


def test_a_stored_game_can_be_named_in_the_body(house: House, work: Work) -> None:
    game, anna, bert = _finished(house)
    body = {"game": game, "depth": "record", "head": anna.look(game)["head"]}
    job = bert.ok("POST", "/v1/audits", json=body)
    work()
    assert verdict(anna, job)["ok"]
    assert [check["name"] for check in verdict(anna, job)["checks"]][-1] == "head"


def test_while_a_game_is_played_its_audit_tells_nothing(house: House, asked: list[str]) -> None:
    game, anna, _ = house.table()
    anna.refused(409, "not_over", "GET", f"/v1/games/{game}/audit")
    anna.refused(409, "not_over", "POST", "/v1/audits", json={"game": game})
    assert asked == []


def test_the_audit_of_a_private_game_is_as_private(house: House, work: Work) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(visibility="private")
    code = anna.look(game)["invite"]["code"]
    bert.ok("POST", f"/v1/games/{game}/seats", json={"invite": code})
    anna.act(game, type="resign")
    job = anna.ok("GET", f"/v1/games/{game}/audit")
    work()
    carl = house.guest("Carl")
    carl.refused(404, "not_found", "GET", f"/v1/games/{game}/audit")
    carl.refused(404, "not_found", "POST", "/v1/audits", json={"game": game})
    carl.refused(404, "not_found", "GET", f"/v1/jobs/{job['id']}")
    assert carl.ok("GET", f"/v1/games/{game}/audit?invite={code}")["ok"]
    assert carl.ok("GET", f"/v1/jobs/{job['id']}?invite={code}")["state"] == "done"
    body = {"game": game, "invite": code}
    assert carl.ok("POST", "/v1/audits", json=body)["state"] == "queued"


def test_an_audit_that_fails_says_so_and_can_be_asked_for_again(
    house: House, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, anna, _ = _finished(house)
    path = f"/v1/games/{game}/audit"
    job = anna.ok("GET", path)
    audits = house.app.extensions["tapete"].audits

    def broken(*_: Any, **__: Any) -> Any:
        raise KeyError("10h")

    monkeypatch.setattr("service.audits.referee_stored", broken)
    for _ in range(3):
        with pytest.raises(Exception, match="KeyError in") as failure:
            attempt(audits, job["id"])
        assert "10h" not in str(failure.value)
    seen = anna.ok("GET", f"/v1/jobs/{job['id']}")
    assert (seen["state"], seen["error"], seen["attempts"]) == ("failed", "internal", 3)
    anna.refused(500, "audit_failed", "GET", path)
    monkeypatch.undo()
    asked.clear()
    again = anna.ok("POST", "/v1/audits", json={"game": game})
    attempt(audits, again["id"])
    assert verdict(anna, again)["ok"]
