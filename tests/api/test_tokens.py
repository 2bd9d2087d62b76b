"""Tokens: what each may do, who may see and end them, and how another device gets one."""

import io
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from service.store.tokens import SCOPES, USUAL
from tests.api.client import House, Person
from tests.api.conftest import BOTH
from tests.api.contract import operations

pytestmark = BOTH

GATED = [
    (where, scopes)
    for where, operation in operations().items()
    for scopes in [[one for scheme in operation.get("security") or () for one in scheme["token"]]]
    if scopes
]


def having(person: Person, *scopes: str, **more: Any) -> Person:
    """The same person with a token of those scopes."""
    made = person.ok("POST", "/v1/me/tokens", json={"scopes": list(scopes)} | more)
    return Person(person.app, made["token"], person.id)


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("where", "scopes"), GATED, ids=lambda value: "-".join(value))
def test_a_call_wants_its_scopes_and_says_which(
    house: House, where: tuple[str, str], scopes: list[str]
) -> None:
    """Each of those that `security` names in the contract, before anything else is said."""
    path, method = where
    words = {"id": "a", "hook": "a", "delivery": "a-1", "seat": "0", "token": "0" * 24}
    for name, word in words.items():
        path = path.replace(f"{{{name}}}", word)
    anna = house.guest("Anna")
    for missing in scopes:
        less = having(anna, *(scope for scope in USUAL if scope != missing))
        body: dict[str, Any] = {"json": {}} if method in ("POST", "PUT", "PATCH") else {}
        said = less.refused(403, "missing_scope", method, path, **body)
        assert missing in said["detail"]
        if len(scopes) == 1:
            answer = having(anna, missing)(method, path, **body)
            assert answer.status_code != 403 or answer.get_json()["code"] != "missing_scope"


def test_a_token_is_made_listed_and_revoked(house: House) -> None:
    anna = house.guest("Anna")
    answer = anna.post("/v1/me/tokens", {"scopes": ["spectate", "play"], "label": "  overlay "})
    made = answer.get_json()
    assert answer.headers["Cache-Control"] == "no-store"
    assert (made["scopes"], made["label"]) == (["play", "spectate"], "overlay")
    first, second = anna.ok("GET", "/v1/me/tokens")["items"]
    assert (first["current"], first["scopes"], first["label"]) == (True, list(USUAL), "")
    assert second == {name: value for name, value in made.items() if name != "token"}
    other = Person(house.app, made["token"])
    assert other.ok("GET", "/v1/me")["scopes"] == ["play", "spectate"]
    assert anna("DELETE", f"/v1/me/tokens/{made['id']}").status_code == 204
    other.refused(401, "unauthorized", "GET", "/v1/me")
    assert [one["id"] for one in anna.ok("GET", "/v1/me/tokens")["items"]] == [first["id"]]
    anna.refused(404, "not_found", "DELETE", f"/v1/me/tokens/{made['id']}")


def test_a_narrow_token_rules_over_itself_only(house: House) -> None:
    anna = house.guest("Anna")
    narrow = having(anna, "play")
    first, own = (one["id"] for one in anna.ok("GET", "/v1/me/tokens")["items"])
    narrow.refused(403, "missing_scope", "GET", "/v1/me/tokens")
    narrow.refused(403, "missing_scope", "DELETE", f"/v1/me/tokens/{first}")
    assert narrow("DELETE", f"/v1/me/tokens/{own}").status_code == 204
    narrow.refused(401, "unauthorized", "GET", "/v1/me")


def test_nobody_ends_anothers_token(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    (own,) = anna.ok("GET", "/v1/me/tokens")["items"]
    bert.refused(404, "not_found", "DELETE", f"/v1/me/tokens/{own['id']}")
    assert anna.ok("GET", "/v1/me")["name"] == "Anna"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "body",
    [
        {"scopes": []},
        {"scopes": ["admin"]},
        {"scopes": ["play", "admin"]},
        {"scopes": ["all"]},
        {"scopes": "play"},
        {"scopes": list(SCOPES) * 2},
        {"label": ""},
        {"label": "x" * 33},
        {"label": "a\u200bb"},
        {"more": 1},
    ],
)
def test_a_wish_that_is_none(house: House, body: dict[str, Any]) -> None:
    anna = house.guest("Anna")
    for call in ("tokens", "link"):
        anna.refused(422, "invalid", "POST", f"/v1/me/{call}", json=body)
    assert len(anna.ok("GET", "/v1/me/tokens")["items"]) == 1


def test_a_key_gives_the_same_token_again(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    headers = {"Idempotency-Key": "k"}
    first, again = (
        anna.post("/v1/me/tokens", {"scopes": ["play"]}, headers=headers) for _ in range(2)
    )
    assert first.get_json() == again.get_json()
    assert again.headers["Idempotent-Replayed"] == "true"
    body = {"scopes": ["lobby"]}
    reused = 422, "idempotency_key_reused", "POST", "/v1/me/tokens"
    anna.refused(*reused, json=body, headers=headers)
    theirs = bert.post("/v1/me/tokens", {"scopes": ["play"]}, headers=headers).get_json()
    assert theirs["token"] != first.get_json()["token"]
    anna("DELETE", f"/v1/me/tokens/{first.get_json()['id']}")
    said = anna.refused(*reused, json={"scopes": ["play"]}, headers=headers)
    assert "revoked" in said["detail"]
    assert len(anna.ok("GET", "/v1/me/tokens")["items"]) == 1


def test_a_player_has_not_more_than_so_many(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.tokens.MOST", 3)
    anna = house.guest("Anna")
    codes = [anna.ok("POST", "/v1/me/link", json={})["link"] for _ in range(3)]
    having(anna, "play")
    house.anyone.ok("POST", "/v1/tokens", json={"link": codes[0]})
    anna.refused(409, "too_many_tokens", "POST", "/v1/me/tokens", json={})
    house.anyone.refused(409, "too_many_tokens", "POST", "/v1/tokens", json={"link": codes[1]})


def test_another_device_is_the_same_player(house: House) -> None:
    game, anna, _ = house.table()
    said = anna.ok("POST", "/v1/me/link", json={"label": "phone"})
    typed = said["link"].lower().replace("-", " ").replace("0", "o").replace("1", "l")
    made = house.anyone.ok("POST", "/v1/tokens", json={"link": f" {typed} "})
    phone = Person(house.app, made["token"])
    assert (made["id"], made["name"]) == (anna.id, anna.ok("GET", "/v1/me")["name"])
    assert phone.look(game) == anna.look(game)
    assert phone.post(f"/v1/games/{game}/seats").status_code == 200  # the same seat
    assert phone.ok("GET", "/v1/me/games")["items"][0]["id"] == game
    labels = [one["label"] for one in anna.ok("GET", "/v1/me/tokens")["items"]]
    assert labels == ["", "phone"]
    anyone = house.anyone
    anyone.refused(404, "link_invalid", "POST", "/v1/tokens", json={"link": said["link"]})


def test_a_code_brings_no_more_than_was_asked_for(house: House) -> None:
    anna = house.guest("Anna")
    code = anna.ok("POST", "/v1/me/link", json={"scopes": ["spectate"]})["link"]
    token = house.anyone.ok("POST", "/v1/tokens", json={"link": code})["token"]
    assert Person(house.app, token).ok("GET", "/v1/me")["scopes"] == ["spectate"]


def test_a_code_ends_with_the_token_that_asked_for_it(house: House) -> None:
    anna = house.guest("Anna")
    whole = having(anna, *USUAL)
    code = whole.ok("POST", "/v1/me/link", json={})["link"]
    (own,) = (one for one in whole.ok("GET", "/v1/me/tokens")["items"] if one["current"])
    whole("DELETE", f"/v1/me/tokens/{own['id']}")
    house.anyone.refused(404, "link_invalid", "POST", "/v1/tokens", json={"link": code})


@pytest.mark.parametrize("code", ["0000-0000-0000", "x", "é", "\u0130", "7K2M-Q9XD-04TR" * 4])
def test_a_code_that_is_none(house: House, code: str) -> None:
    house.anyone.refused(404, "link_invalid", "POST", "/v1/tokens", json={"link": code})


def test_a_poll_ends_with_its_token(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.feed.SLICE", 0.05)
    game, anna, _ = house.table()
    spare = having(anna, *USUAL)
    after = anna.version(game)
    said: list[int] = []
    path = f"/v1/games/{game}/events?after={after}&wait=30"
    waiting = threading.Thread(target=lambda: said.append(spare.get(path).status_code))
    waiting.start()
    edge = house.app.extensions["tapete"]
    until = time.monotonic() + 10
    while not edge.waiting._open and time.monotonic() < until:
        time.sleep(0.01)
    (own,) = (one for one in anna.ok("GET", "/v1/me/tokens")["items"] if not one["current"])
    anna("DELETE", f"/v1/me/tokens/{own['id']}")
    waiting.join(20)
    assert said == [401]


def test_a_bot_says_so_and_its_seat_shows_it(house: House) -> None:
    made = house.anyone.ok("POST", "/v1/players", json={"name": "R2", "bot": True})
    bot = Person(house.app, made["token"])
    assert made["bot"]
    assert bot.ok("GET", "/v1/me")["bot"]
    game = bot.open()
    house.guest("Anna").post(f"/v1/games/{game}/seats")
    assert [seat["bot"] for seat in bot.look(game)["seats"]] == [True, False]


def test_tokens_of_one_moment_have_an_order(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.tokens._now", lambda: 1_764_000_000_000)
    anna = house.guest("Anna")
    made = [anna.ok("POST", "/v1/me/tokens", json={"scopes": ["play"]})["id"] for _ in range(8)]
    assert [one["id"] for one in anna.ok("GET", "/v1/me/tokens")["items"]][1:] == made


class Dribbling(io.BytesIO):
    """A body in the midst of which something happens."""

    def __init__(self, body: Any, happens: Callable[[], object]) -> None:
        super().__init__(json.dumps(body).encode())
        self._happens = happens

    def read(self, size: int | None = -1, /) -> bytes:
        self._happens()
        self._happens = lambda: None
        return super().read(size)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/me/tokens", {}),
        ("/v1/me/link", {}),
        ("/v1/games", {"variant": "canasta", "seats": [{"kind": "human"}] * 2}),
        ("/v1/games/GAME/commands", {"type": "resign"}),
        ("/v1/webhooks", {"url": "https://hook.example/", "types": ["game_finished"]}),
    ],
)
def test_who_began_to_ask_before_their_token_was_revoked_comes_too_late(
    house: House, monkeypatch: pytest.MonkeyPatch, path: str, body: Any
) -> None:
    """Or a stolen token with half of a request open would make another, whatever is revoked."""
    monkeypatch.setattr("service.api.body.FRESH", 0.0)
    game, mover, _ = house.table()
    stolen = having(mover, *USUAL)
    (name,) = (one["id"] for one in mover.ok("GET", "/v1/me/tokens")["items"] if not one["current"])
    version = mover.version(game)
    dribbling = Dribbling(body, lambda: mover.ok("DELETE", f"/v1/me/tokens/{name}"))
    stolen.refused(
        401, "unauthorized", "POST", path.replace("GAME", game),
        input_stream=dribbling, content_type="application/json",
        content_length=len(dribbling.getvalue()),
    )  # fmt: skip
    assert len(mover.ok("GET", "/v1/me/tokens")["items"]) == 1
    assert mover.version(game) == version
