"""Webhooks over HTTP: made, changed, tried, looked after; strict, and each only by its owner."""

from typing import Any

import pytest

from service.store.webhooks import BY_PLAYER, Attempt, Keepers
from service.webhooks.news import KINDS
from tests.api.client import House, Person
from tests.api.conftest import BOTH

URL = "https://bot.example/tapete"
KEY = {"Idempotency-Key": "k1"}


@pytest.fixture
def anna(house: House) -> Person:
    return house.guest("Anna")


def made(person: Person, **more: Any) -> Any:
    return person.ok("POST", "/v1/webhooks", json={"url": URL} | more)


@BOTH
def test_made_looked_at_changed_and_removed(anna: Person) -> None:
    response = anna.post("/v1/webhooks", {"url": URL, "types": ["question", "your_turn"]})
    hook = response.get_json()
    path = f"/v1/webhooks/{hook['id']}"
    assert (response.status_code, response.headers["Location"]) == (201, path)
    assert response.headers["Cache-Control"] == "no-store"
    assert hook["secret"].startswith("whsec_")
    assert hook["types"] == ["your_turn", "question"]
    del hook["secret"]
    assert anna.ok("GET", path) == hook  # never shown again
    assert anna.ok("GET", "/v1/webhooks") == {"items": [hook]}
    changed = anna.ok("PATCH", path, json={"label": "My bot", "url": f"{URL}/2"})
    assert changed == hook | {"label": "My bot", "url": f"{URL}/2"}
    off = anna.ok("PATCH", path, json={"enabled": False})
    assert (off["enabled"], off["disabled"]["why"]) == (False, "owner")
    anna.refused(409, "webhook_disabled", "POST", f"{path}/test", json={})
    assert anna.ok("PATCH", path, json={"enabled": True})["disabled"] is None
    assert anna("DELETE", path).status_code == 204
    for method in ("GET", "DELETE"):
        anna.refused(404, "not_found", method, path)
    anna.refused(404, "not_found", "PATCH", path, json={})
    assert anna.ok("GET", "/v1/webhooks") == {"items": []}


def test_all_types_unless_told(anna: Person) -> None:
    assert made(anna)["types"] == list(KINDS)


@BOTH
def test_the_same_key_is_the_same_webhook(anna: Person, house: House) -> None:
    first = anna.post("/v1/webhooks", {"url": URL}, headers=KEY)
    again = anna.post("/v1/webhooks", {"url": URL}, headers=KEY)
    assert again.get_json() == first.get_json()  # the secret too: the first answer may be lost
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    other = {"url": f"{URL}/other"}
    reused = 422, "idempotency_key_reused", "POST", "/v1/webhooks"
    anna.refused(*reused, json=other, headers=KEY)
    bert = house.guest("Bert").post("/v1/webhooks", {"url": URL}, headers=KEY)
    assert bert.get_json()["id"] != first.get_json()["id"]
    anna("DELETE", f"/v1/webhooks/{first.get_json()['id']}")
    anna.refused(*reused, json={"url": URL}, headers=KEY)


def test_there_are_so_many_and_no_more(anna: Person) -> None:
    for _ in range(BY_PLAYER):
        hook = made(anna)
    anna.refused(409, "too_many_webhooks", "POST", "/v1/webhooks", json={"url": URL})
    anna("DELETE", f"/v1/webhooks/{hook['id']}")
    made(anna)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "/url"),
        ({"url": None}, "/url"),
        ({"url": 7}, "/url"),
        ({"url": "http://bot.example/"}, "/url"),
        ({"url": "https://127.0.0.1/"}, "/url"),
        ({"url": "https://user:pass@bot.example/"}, "/url"),
        ({"url": "https://bot.example/" + "a" * 1000}, "/url"),
        ({"url": URL, "types": []}, "/types"),
        ({"url": URL, "types": "your_turn"}, "/types"),
        ({"url": URL, "types": ["ping"]}, "/types/0"),
        ({"url": URL, "types": ["your_turn"] * 6}, "/types"),
        ({"url": URL, "label": "a" * 33}, "/label"),
        ({"url": URL, "secret": "whsec_AAAA"}, "/secret"),
        ({"url": URL, "enabled": True}, "/enabled"),
    ],
)
def test_what_cannot_be_made(anna: Person, body: Any, path: str) -> None:
    said = anna.refused(422, "invalid", "POST", "/v1/webhooks", json=body)
    assert said["errors"][0]["path"] == path
    assert "user:" not in str(said["errors"])
    assert anna.ok("GET", "/v1/webhooks")["items"] == []


@pytest.mark.parametrize(
    "body",
    [{"url": "https://10.0.0.1/"}, {"types": []}, {"enabled": 1}, {"enabled": "yes"},
     {"secret": "x"}, {"label": ""}, {"url": None}, {"types": None}, {"label": None},
     {"enabled": None}],
)  # fmt: skip
def test_what_cannot_be_changed(anna: Person, body: Any) -> None:
    hook = made(anna)
    path = f"/v1/webhooks/{hook.pop('id')}"
    anna.refused(422, "invalid", "PATCH", path, json=body)
    assert anna.ok("GET", path)["url"] == URL


def test_somebody_elses_is_not_there(anna: Person, house: House) -> None:
    hook = f"/v1/webhooks/{made(anna)['id']}"
    eve = house.guest("Eve")
    for method, path in [
        ("GET", ""), ("DELETE", ""), ("GET", "/deliveries"),
    ]:  # fmt: skip
        eve.refused(404, "not_found", method, hook + path)
    for method, path in [
        ("PATCH", ""), ("POST", "/test"), ("POST", "/secret"),
        ("POST", "/deliveries/a-1/redeliver"),
    ]:  # fmt: skip
        eve.refused(404, "not_found", method, hook + path, json={})
    assert anna.ok("GET", hook)["enabled"]


def test_each_call_wants_the_scope(anna: Person, house: House) -> None:
    hook = f"/v1/webhooks/{made(anna)['id']}"
    tokens = {
        scope: anna.ok("POST", "/v1/me/tokens", json={"scopes": [scope]})["token"]
        for scope in ("play", "lobby", "spectate", "export", "webhook")
    }
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/v1/webhooks", {}),
        ("POST", "/v1/webhooks", {"json": {"url": URL}}),
        ("GET", hook, {}),
        ("PATCH", hook, {"json": {}}),
        ("GET", f"{hook}/deliveries", {}),
        ("POST", f"{hook}/test", {"json": {}}),
        ("POST", f"{hook}/secret", {"json": {}}),
        ("POST", f"{hook}/deliveries/a-1/redeliver", {"json": {}}),
        ("DELETE", hook, {}),
    ]
    for method, path, more in calls:
        house.anyone.refused(401, "unauthorized", method, path, **more)
        for scope, token in tokens.items():
            person = Person(house.app, token)
            if scope != "webhook":
                person.refused(403, "missing_scope", method, path, **more)
            else:
                assert person(method, path, **more).status_code in (200, 201, 202, 204, 404)


@BOTH
def test_another_secret(anna: Person) -> None:
    first = made(anna)
    path = f"/v1/webhooks/{first['id']}"
    response = anna.post(f"{path}/secret", headers=KEY)
    second = response.get_json()
    assert response.status_code == 201
    assert second["secret"] != first["secret"]
    assert second["former_secret_until"] > second["created"]
    again = anna.post(f"{path}/secret", headers=KEY)
    assert again.get_json()["secret"] == second["secret"]
    assert again.headers["Idempotent-Replayed"] == "true"
    third = anna.ok("POST", f"{path}/secret", json={})
    assert third["secret"] not in (first["secret"], second["secret"])
    anna.refused(422, "invalid", "POST", f"{path}/secret", json={"secret": "mine"})


def test_a_ping_is_called_for_once_a_key(anna: Person, sent: list[str]) -> None:
    hook = made(anna)["id"]
    path = f"/v1/webhooks/{hook}/test"
    one, same = (anna.post(path, headers=KEY) for _ in range(2))
    assert (one.status_code, same.status_code) == (202, 202)
    assert one.get_json() == same.get_json()
    assert same.headers["Idempotent-Replayed"] == "true"
    other = anna.post(path)
    assert other.get_json() != one.get_json()
    assert sent == [hook, hook]
    assert anna.ok("GET", f"/v1/webhooks/{hook}")["pending"] == 2


def deliver(keepers: Keepers, hook: str, status: int) -> None:
    """Makes an attempt, as a sender would."""
    begun = keepers.messages.begin(hook, "one")
    assert isinstance(begun, tuple)
    message, now = begun
    fault = "" if status < 300 else "status"
    words = message.kind, message.game, message.version, message.attempts, now, 12, status, fault
    attempt = Attempt(message.id, *words, next=now if fault else None)
    keepers.messages.settle(message, attempt, holder="one")


def test_deliveries_are_logged_and_sent_again(
    anna: Person, keepers: Keepers, sent: list[str]
) -> None:
    hook = made(anna)["id"]
    path = f"/v1/webhooks/{hook}"
    message = anna.ok("POST", f"{path}/test", json={})["message"]
    assert anna.ok("GET", f"{path}/deliveries") == {"items": [], "next": None}
    for status in (500, 200):
        deliver(keepers, hook, status)
    first = anna.ok("GET", f"{path}/deliveries?limit=1")
    second = anna.ok("GET", f"{path}/deliveries?limit=1&cursor={first['next']}")
    assert second["next"] is None
    good, bad = first["items"][0], second["items"][0]
    assert (good["id"], good["attempt"], good["status"], good["error"]) == (
        f"{message}-2", 2, 200, None,
    )  # fmt: skip
    assert (bad["id"], bad["attempt"], bad["status"], bad["error"]) == (
        f"{message}-1", 1, 500, "status",
    )  # fmt: skip
    assert (bad["type"], bad["game"], bad["took_ms"]) == ("ping", None, 12)
    assert bad["next"]
    assert anna.ok("GET", path)["delivered"]

    again = f"{path}/deliveries/{bad['id']}/redeliver"
    sent.clear()
    assert anna.ok("POST", again, json={}, headers=KEY) == {"message": message}
    deliver(keepers, hook, 200)
    repeated = anna.post(again, headers=KEY)
    assert repeated.headers["Idempotent-Replayed"] == "true"
    assert sent == [hook]
    assert anna.ok("GET", path)["pending"] == 0
    other = f"{path}/deliveries/{good['id']}/redeliver"
    anna.refused(422, "idempotency_key_reused", "POST", other, json={}, headers=KEY)
    for wrong in (f"{message}-4", f"{message}-0", "abc-1", message, f"{message}-1-1"):
        anna.refused(404, "not_found", "POST", f"{path}/deliveries/{wrong}/redeliver", json={})
    anna.ok("PATCH", path, json={"enabled": False})
    anna.refused(409, "webhook_disabled", "POST", again, json={})


@pytest.mark.parametrize(
    "asked", ["limit=0", "limit=101", "limit=x", "cursor=x", "cursor=1-1-1", "from=1"]
)
def test_pages_are_asked_for_rightly(anna: Person, asked: str) -> None:
    hook = made(anna)["id"]
    anna.refused(422, "invalid", "GET", f"/v1/webhooks/{hook}/deliveries?{asked}")


def test_a_game_calls_for_its_webhooks_and_no_other(
    house: House, tellings: list[tuple[str, int]]
) -> None:
    quiet, *_ = house.table()
    assert tellings == []
    game, mover, other = house.table()
    assert tellings == []
    made(mover)
    other.act(game, type="resign")
    assert {name for name, _ in tellings} == {game}
    assert quiet != game


def test_a_queue_that_is_away_fails_no_request(
    anna: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise TimeoutError

    edge = house.app.extensions["tapete"]
    monkeypatch.setattr(edge.webhooks, "_deliver", away)
    hook = made(anna)["id"]
    assert anna.post(f"/v1/webhooks/{hook}/test").status_code == 202
    game = anna.open()
    monkeypatch.setattr(edge.tables._scribe._herald, "_tell", away)
    house.guest("Bert").ok("POST", f"/v1/games/{game}/seats", json={})
