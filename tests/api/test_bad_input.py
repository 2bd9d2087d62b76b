"""Bad input: each kind has its code, changes nothing, and is never a 500 (issue: Bad input)."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from service.rules import variants
from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.conftest import BOTH
from tests.api.contract import DOCUMENT

pytestmark = BOTH

JSON = {"Content-Type": "application/json"}

UNREADABLE: list[tuple[bytes, int, str]] = [
    (b"", 400, "bad_json"),
    (b"{", 400, "bad_json"),
    (b"{'type': 'draw'}", 400, "bad_json"),
    (b'{"type": "draw"} trailing', 400, "bad_json"),
    (b'\xff\xfe{"type": "draw"}', 400, "bad_json"),
    ('{"type": "draw"}'.encode("utf-16"), 400, "bad_json"),
    (b'\xef\xbb\xbf{"type": "draw"}', 400, "bad_json"),
    (b'{"type": "\xff"}', 400, "bad_json"),
    (b'{"type": "\\ud800"}', 400, "bad_json"),
    (b'{"\\udfff": 1}', 400, "bad_json"),
    (b'{"type": "dr\naw"}', 400, "bad_json"),
    (b'{"type": NaN}', 400, "bad_number"),
    (b'{"type": -Infinity}', 400, "bad_number"),
    (b'{"type": 1e999}', 400, "bad_number"),
    (b'{"type": 1' + b"0" * 30 + b"}", 400, "bad_number"),
    (b'{"type": 9007199254740993}', 400, "bad_number"),
    (b'{"type": ' + b"9" * 10_000 + b"}", 400, "bad_number"),
    (b'{"type": "draw", "type": "pass"}', 400, "duplicate_member"),
    (b'{"type": "meld", "groups": [{"cards": [], "cards": []}]}', 400, "duplicate_member"),
    (b"[" * 2000, 400, "too_deep"),
    (b"[" * 2000 + b"]" * 2000, 400, "too_deep"),
    (b'{"a":' * 2000 + b"1" + b"}" * 2000, 400, "too_deep"),
    (b'{"type": ' + b"[" * 32 + b"]" * 32 + b"}", 400, "too_deep"),
    (b'{"type": "' + b"x" * 70_000 + b'"}', 413, "body_too_large"),
    (b"null", 422, "invalid"),
    (b"[]", 422, "invalid"),
    (b'"draw"', 422, "invalid"),
    (b"17", 422, "invalid"),
    (b"{}", 422, "invalid"),
]

WRONG: list[tuple[Any, str, str]] = [
    ({"type": "fly"}, "invalid", "/type"),
    ({"type": None}, "invalid", "/type"),
    ({"type": ["draw"]}, "invalid", "/type"),
    ({"type": "deal_cards", "pack": []}, "invalid", "/type"),
    ({"type": "reveal_secret", "secret": ""}, "invalid", "/type"),
    ({"type": "sit_down", "player": "x"}, "invalid", "/type"),
    ({"type": "draw", "seat": 1}, "invalid", "/seat"),
    ({"type": "draw", "more": 1}, "invalid", "/more"),
    ({"type": "discard"}, "invalid", "/card"),
    ({"type": "discard", "card": 4}, "invalid", "/card"),
    ({"type": "discard", "card": None}, "invalid", "/card"),
    ({"type": "discard", "card": ["4d"]}, "invalid", "/card"),
    ({"type": "discard", "card": "11h"}, "unknown_card", "/card"),
    ({"type": "discard", "card": "??"}, "unknown_card", "/card"),
    ({"type": "discard", "card": "4D"}, "unknown_card", "/card"),
    ({"type": "discard", "card": ""}, "unknown_card", "/card"),
    ({"type": "discard", "card": "O9"}, "unknown_card", "/card"),
    ({"type": "meld", "groups": {}}, "invalid", "/groups"),
    ({"type": "meld", "groups": [[]]}, "invalid", "/groups/0"),
    ({"type": "meld", "groups": [{}]}, "invalid", "/groups/0/cards"),
    ({"type": "meld", "groups": [{"cards": "4d"}]}, "invalid", "/groups/0/cards"),
    ({"type": "meld", "groups": [{"cards": ["4d", "4x"]}]}, "unknown_card", "/groups/0/cards/1"),
    ({"type": "meld", "groups": [{"card": ["4d"]}]}, "invalid", "/groups/0/card"),
    ({"type": "meld", "groups": [{"cards": ["4d"], "target": 1}]}, "invalid", "/groups/0/target"),
    ({"type": "meld", "groups": [{"cards": ["4d"], "target": ""}]}, "invalid", "/groups/0/target"),
    ({"type": "meld", "groups": [{"cards": ["4d"] * 109}]}, "invalid", "/groups/0/cards"),
    ({"type": "answer", "answer": True}, "invalid", "/answer"),
    ({"type": "answer", "answer": "maybe"}, "invalid", "/answer"),
    ({"type": "ask_partner", "plan": {"take": {"also": []}}}, "invalid", "/plan/take/cards"),
    ({"type": "ask_partner", "plan": {"take": {"cards": [], "x": 1}}}, "invalid", "/plan/take/x"),
    ({"type": "go_out", "groups": None}, "invalid", "/groups"),
    ({"type": "draw", "a/b~c": 1}, "invalid", "/a~1b~0c"),
]  # fmt: skip


@pytest.fixture
def table(house: House) -> Iterator[tuple[str, Person, Person]]:
    """A game that must come out of the test as it went in."""
    game, mover, other = house.table()
    before = mover.look(game), mover.ok("GET", f"/v1/games/{game}/events?limit=500")
    yield game, mover, other
    assert (mover.look(game), mover.ok("GET", f"/v1/games/{game}/events?limit=500")) == before


Table = tuple[str, Person, Person]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("body", "status", "code"), UNREADABLE)
def test_a_body_that_cannot_be_read(table: Table, body: bytes, status: int, code: str) -> None:
    game, mover, _ = table
    for path in (
        f"/v1/games/{game}/commands",
        "/v1/games",
        "/v1/players",
        f"/v1/games/{game}/seats",
    ):
        if (status, body) == (422, b"{}") and path.endswith("/seats"):
            continue  # an empty object is a fine way to ask for any seat
        mover.refused(status, code, "POST", path, data=body, headers=JSON)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("body", "code", "path"), WRONG)
def test_a_command_of_the_wrong_form(table: Table, body: Any, code: str, path: str) -> None:
    game, mover, _ = table
    said = mover.refused(422, code, "POST", f"/v1/games/{game}/commands", json=body)
    assert path in [error["path"] for error in said["errors"]]


def test_a_thousand_errors_are_not_all_told(table: Table) -> None:
    game, mover, _ = table
    for command in (
        {"type": "meld", "groups": [{"cards": ["x"] * 108}]},
        {"type": "draw"} | {f"f{number}": 1 for number in range(1000)},
    ):
        answer = mover.post(f"/v1/games/{game}/commands", command)
        assert answer.status_code == 422
        assert len(answer.get_data()) < 4000
    answer = mover.post(f"/v1/games/{game}/commands", {"type": "draw", "x" * 60_000: 1})
    assert len(answer.get_data()) < 4000


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "kind",
    ["text/plain", "", "application/x-www-form-urlencoded", "application/json; charset=utf-16"],
)
def test_a_body_of_another_type(table: Table, kind: str) -> None:
    game, mover, _ = table
    headers = {"Content-Type": kind}
    mover.refused(
        415,
        "unsupported_media_type",
        "POST",
        f"/v1/games/{game}/commands",
        data=b'{"type": "draw"}',
        headers=headers,
    )


def test_a_compressed_body(table: Table) -> None:
    game, mover, _ = table
    headers = JSON | {"Content-Encoding": "gzip"}
    path = f"/v1/games/{game}/commands"
    mover.refused(415, "unsupported_media_type", "POST", path, data=b"\x1f\x8b", headers=headers)


@pytest.mark.parametrize("coding", ["gzip, chunked", "deflate,chunked", "gzip"])
def test_a_body_compressed_on_its_way(table: Table, coding: str) -> None:
    """gunicorn takes the chunks apart, and hands on what is in them as it is."""
    game, mover, _ = table
    sent = {"HTTP_TRANSFER_ENCODING": coding, "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    path, more = f"/v1/games/{game}/commands", {"data": b'{"type": "draw"}', "headers": JSON}
    mover.refused(415, "unsupported_media_type", "POST", path, environ_overrides=sent, **more)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "header", ["17", '"0"', '"-1"', '"x"', 'W/"4"', '"4", "5"', '""', "", '"10000000000000000000"']
)
def test_an_if_match_that_is_no_version(table: Table, header: str) -> None:
    game, mover, _ = table
    mover.refused(
        400,
        "bad_if_match",
        "POST",
        f"/v1/games/{game}/commands",
        json={"type": "draw"},
        headers={"If-Match": header},
    )


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", ["a,b", "", " ", "a b", "x" * 129, "\u00fc", "tab\there"])
def test_an_idempotency_key_that_is_none(table: Table, key: str) -> None:
    game, mover, _ = table
    told = DOCUMENT["components"]["parameters"]["IdempotencyKey"]["schema"]["pattern"]
    assert not re.search(told, key)
    for path, body in [
        (f"/v1/games/{game}/commands", {"type": "draw"}),
        ("/v1/games", {"variant": "canasta", "seats": [HUMAN, HUMAN]}),
    ]:
        headers = {"Idempotency-Key": key}
        mover.refused(400, "bad_idempotency_key", "POST", path, json=body, headers=headers)


def test_parameters_that_are_no_text(table: Table) -> None:
    """Bytes that no URL has, and how a URL would say them."""
    game, mover, _ = table
    for path in (f"/v1/games/{game}", "/v1/games", f"/v1/games/{game}/events"):
        raw = {"QUERY_STRING": "limit=\xff"}
        mover.refused(422, "invalid", "GET", path, environ_overrides=raw)
        mover.refused(422, "invalid", "GET", path + "?limit=%ff")


def test_a_wrong_version(table: Table) -> None:
    game, mover, other = table
    version = mover.version(game)
    for person in (mover, other):
        for wrong in (version - 1, version + 1, 10**15):
            said = person.refused(
                412,
                "version_mismatch",
                "POST",
                f"/v1/games/{game}/commands",
                json={"type": "draw"},
                headers={"If-Match": f'"{wrong}"'},
            )
            assert said["version"] == version


def test_a_rule_says_no(table: Table) -> None:
    game, mover, other = table
    path = f"/v1/games/{game}/commands"
    version = mover.version(game)
    said = other.refused(409, "not_your_turn", "POST", path, json={"type": "draw"})
    assert (said["version"], said["rule"]) == (version, "3.1.3")
    said = mover.refused(409, "wrong_phase", "POST", path, json={"type": "discard", "card": "4d"})
    assert said["version"] == version


def test_a_stranger_at_the_table(table: Table, house: House) -> None:
    game, _, _ = table
    eve = house.guest("Eve")
    eve.refused(403, "no_seat", "POST", f"/v1/games/{game}/commands", json={"type": "draw"})
    eve.refused(403, "no_seat", "DELETE", f"/v1/games/{game}/seats/0")
    eve.refused(403, "no_seat", "PUT", f"/v1/games/{game}/seats/0", json={"nonce": "x"})
    eve.refused(409, "already_started", "POST", f"/v1/games/{game}/seats", json={})


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "query",
    ["at=0", "at=-1", "at=x", "at=1.0", "at=%D9%A1", "at=1&at=2", "when=1", "at=" + "9" * 40],
)
def test_a_bad_query(table: Table, query: str) -> None:
    game, mover, _ = table
    mover.refused(422, "invalid", "GET", f"/v1/games/{game}?{query}")


def test_cards_that_are_not_held(house: House) -> None:
    """Not held, or named more often than held: the same answer, and nothing moves."""
    game, mover, _ = house.table()
    mover.act(game, type="draw")
    version = mover.version(game)
    seen = mover.look(game)
    hand = seen["table"]["hands"][seen["you"]]
    absent = next(card for card in ("4c", "5c", "6c", "7c", "8c", "9c", "Jc") if card not in hand)
    held = hand[-1]
    for command in (
        {"type": "discard", "card": absent},
        {"type": "meld", "groups": [{"cards": [absent] * 3}]},
        {"type": "meld", "groups": [{"cards": [held] * (hand.count(held) + 1)}]},
    ):
        path = f"/v1/games/{game}/commands"
        mover.refused(409, "card_not_in_hand", "POST", path, json=command)
    assert mover.version(game) == version


def test_a_finished_game(house: House) -> None:
    game, mover, other = house.table()
    mover.act(game, type="resign")
    before = mover.look(game)
    assert before["status"] == "finished"
    path = f"/v1/games/{game}"
    for person in (mover, other, house.guest("Eve")):
        for command in ({"type": "draw"}, {"type": "resign"}):
            person.refused(410, "game_over", "POST", f"{path}/commands", json=command)
        person.refused(410, "game_over", "PUT", f"{path}/seats/0", json={"nonce": "x"})
        person.refused(410, "game_over", "DELETE", f"{path}/seats/0")
    house.guest("Eve").refused(410, "game_over", "POST", f"{path}/seats", json={})
    assert mover.look(game) == before


NEW: list[tuple[dict[str, Any], str]] = [
    ({"variant": "poker"}, "unknown_variant"),
    ({"variant": 3}, "invalid"),
    ({"seats": []}, "bad_table_size"),
    ({"seats": [HUMAN] * 5}, "bad_table_size"),
    ({"seats": [HUMAN] * 9}, "invalid"),
    ({"seats": [{"kind": "cat"}, HUMAN]}, "invalid"),
    ({"seats": [{"kind": "ai"}, HUMAN]}, "invalid"),
    ({"seats": [{"kind": "human", "level": "novice"}, HUMAN]}, "invalid"),
    ({"seats": [{"kind": "ai", "level": "deity"}, HUMAN]}, "unknown_level"),
    ({"seats": [{"kind": "human", "player": "me"}, HUMAN]}, "invalid"),
    ({"options": {"target_score": 3}}, "bad_option"),
    ({"options": {"target_score": True}}, "invalid"),
    ({"options": {"target_score": 5000.0}}, "invalid"),
    ({"options": {"target_score": "5000"}}, "invalid"),
    ({"options": {"speed": 1}}, "unknown_option"),
    ({"options": None}, "invalid"),
    ({"visibility": "secret"}, "invalid"),
    ({"sit": "yes"}, "invalid"),
    ({"sit": 1}, "invalid"),
    ({"seed": 7}, "invalid"),
    ({"commitment": "0" * 64}, "invalid"),
    ({"setup": {"dealer": 2, "scores": [0, 0]}}, "bad_setup"),
    ({"setup": {"dealer": 0, "scores": [0]}}, "bad_setup"),
    ({"setup": {"dealer": 0.0, "scores": [0, 0]}}, "invalid"),
    ({"setup": {"dealer": 0, "scores": [0, 10**9]}}, "invalid"),
    ({"setup": {"dealer": 0, "scores": [0, 0], "packs": [["4d"]]}}, "wrong_pack"),
    ({"setup": {"dealer": 0, "scores": [0, 0], "packs": [["O9"]]}}, "unknown_card"),
    ({"setup": {"dealer": 0, "scores": [0, 0], "seed": 1}}, "invalid"),
]  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("change", "code"), NEW)
def test_a_game_that_cannot_be_opened(house: House, change: dict[str, Any], code: str) -> None:
    anna = house.guest("Anna")
    body = {"variant": "canasta", "seats": [HUMAN, ROBOT]} | change
    problem = anna.refused(422, code, "POST", "/v1/games", json=body)
    if code == "unknown_variant":
        assert problem["errors"][0]["detail"] == f"Must be one of: {', '.join(variants())}."
    assert anna.ok("GET", "/v1/me/games")["items"] == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 33,
        "a\x00b",
        "a\nb",
        "\u202egnirts",
        "zero\u200bwidth",
        "\u3164",
        7,
        None,
        ["A"],
        "\u2066x",
        "a\u00adb",
        "\ufeff",
    ],
)
def test_a_name_that_is_none(house: House, name: Any) -> None:
    house.anyone.refused(422, "invalid", "POST", "/v1/players", json={"name": name})
