"""What stands on every answer for browsers and caches, and what is not sent twice or at length."""

import gzip
import json
from dataclasses import replace
from typing import Any

import pytest
from backports import zstd

from service.api import compress, guards
from service.app import create_app
from service.config import Config
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from tests.api.client import House

HERE = "https://cards.example"
OPEN = {name: {"gzip": gzip.decompress, "zstd": zstd.decompress}[name] for name in compress.CODINGS}


def house_with(**settings: Any) -> House:
    store, people, jobs = MemoryStore(), MemoryPeople(), MemoryJobs()
    config = replace(Config(), **settings)
    app = create_app(
        config, store=store, people=people, call=lambda *_: None, jobs=jobs, ask=lambda *_: None
    )
    return House(app)


def test_security_headers_are_on_every_answer(house: House) -> None:
    anna = house.guest("Anna")
    answers = [
        anna.get("/v1/me"),
        anna.get("/v1/nothing"),
        anna.get("/v1/games/x0x"),
        anna.get("/openapi.yaml"),
        anna("DELETE", "/v1/me"),
        anna("OPTIONS", "/v1/me"),
        anna.post("/v1/games", json=[]),
        house.anyone.get("/v1/me"),
    ]
    for answer in answers:
        assert guards.SECURITY.items() <= dict(answer.headers).items()
        assert not any(name.startswith("Access-Control") for name, _ in answer.headers)
        assert answer.status_code < 400 or answer.headers["Cache-Control"] == "no-store"


def test_pages_of_named_origins_may_use_it() -> None:
    house = house_with(cors_origins=(HERE, "capacitor://localhost"))
    anna = house.guest("Anna")
    for path in ("/v1/me", "/v1/nothing", "/v1/games/aaaa"):  # refusals can be read too
        answer = anna.get(path, headers={"Origin": HERE})
        assert answer.headers["Access-Control-Allow-Origin"] == HERE
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "Retry-After", "Idempotent-Replayed"} <= {*exposed}
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Origin" in [*answer.vary]
    for origin in ("https://evil.example", "null", HERE + ".evil.example", "http://cards.example"):
        answer = anna.get("/v1/me", headers={"Origin": origin})
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Origin" in [*answer.vary]


def test_a_preflight_is_answered_without_a_token() -> None:
    house = house_with(cors_origins=(HERE,))
    asked = {
        "Origin": HERE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,idempotency-key,if-match",
    }
    answer = house.anyone("OPTIONS", "/v1/games/aaaa/commands", headers=asked)
    assert (answer.status_code, answer.get_data()) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == HERE
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "idempotency-key", "if-match", "last-event-id"} <= {*allowed}
    stranger = house.anyone("OPTIONS", "/v1/me", headers=asked | {"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Methods" not in stranger.headers


def test_all_origins_may_be_let_in() -> None:
    answer = house_with(cors_origins=("*",)).guest("A").get("/v1/me", headers={"Origin": HERE})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers


PROXIED = {
    "X-Forwarded-For": "6.6.6.6, 203.0.113.7",
    "X-Forwarded-Proto": "gopher, https",
    "X-Forwarded-Host": "evil.example, cards.example",
    "X-Forwarded-Prefix": "/evil",
}


def invited(house: House) -> str:
    seats = [{"kind": "human"}] * 2
    body = {"variant": "canasta", "seats": seats}
    made = house.guest("Anna").ok("POST", "/v1/games", json=body, headers=PROXIED)
    url: str = made["invite"]["url"]
    return url


@pytest.mark.parametrize(
    ("proxies", "root"),
    [
        (0, "http://localhost/v1/"),
        (1, "https://cards.example/v1/"),
        (2, "gopher://evil.example/v1/"),
        (3, "http://localhost/v1/"),  # fewer stand before it than were said to
    ],
)
def test_a_proxy_is_believed_as_far_as_there_are_some(proxies: int, root: str) -> None:
    assert invited(house_with(trusted_proxies=proxies)).startswith(root)


def test_the_address_set_goes_before_what_proxies_say() -> None:
    house = house_with(trusted_proxies=1, public_url="https://play.example")
    assert invited(house).startswith("https://play.example/v1/")


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("zstd;q=0.5, gzip", "gzip"),
        ("br, *;q=0.1", "zstd"),
        ("GZIP", "gzip"),
        ("gzip;q=0", None),
        ("gzip;q=0.5, identity", None),
        ("identity", None),
        ("br", None),
        ("", None),
        ("*;q=0", None),
        (";;,=,q=x", None),
        ("gzip," + "x" * 800_000, None),  # a head may be as long as that, and wishes are remembered
    ],
)
def test_a_long_answer_is_compressed_as_the_client_likes(
    house: House, accepted: str, coding: str | None
) -> None:
    plain = house.anyone.get("/v1/variants/bolivia")
    answer = house.anyone.http.get("/v1/variants/bolivia", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("Content-Encoding") == coding
    body = answer.get_data()
    assert int(answer.headers["Content-Length"]) == len(body)
    assert (OPEN[coding](body) if coding else body) == plain.get_data()
    assert answer.headers["ETag"] == plain.headers["ETag"]
    assert "Accept-Encoding" in [*answer.vary]
    assert "Accept-Encoding" in [*plain.vary]


def test_the_version_is_the_tag_whatever_the_coding(house: House) -> None:
    game, mover, _ = house.table(variant="samba")
    path = f"/v1/games/{game}"
    plain = mover.get(path)
    headers = {"Accept-Encoding": "gzip", "Authorization": f"Bearer {mover.token}"}
    packed = mover.http.get(path, headers=headers)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.get_data())) == plain.get_json()
    tag = packed.headers["ETag"]
    assert tag == plain.headers["ETag"] == f'"{plain.get_json()["version"]}"'
    for more in ({}, {"Accept-Encoding": "zstd"}):
        same = mover.get(path, headers={"If-None-Match": tag, **more})
        assert (same.status_code, same.get_data(), same.headers["ETag"]) == (304, b"", tag)
        assert "Content-Encoding" not in same.headers
    assert mover("HEAD", path, headers=headers).headers["Content-Encoding"] == "gzip"


def test_what_is_short_stays_as_it_is(house: House) -> None:
    answer = house.guest("Anna").get("/v1/me", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


def test_reads_are_not_sent_again_to_who_has_them(house: House) -> None:
    game, mover, _ = house.table()
    mover.act(game, type="draw")
    for path in (
        "/v1/me",
        "/v1/me/games",
        "/v1/games?status=playing",
        "/v1/variants",
        "/v1/variants/canasta",
        "/v1/variants/canasta/rules/1",
        "/openapi.yaml",
        f"/v1/games/{game}",
        f"/v1/games/{game}?at=2",
        f"/v1/games/{game}/commands",
        f"/v1/games/{game}/events",
        f"/v1/games/{game}/steps",
    ):
        first = mover.get(path)
        if first.status_code == 404:
            continue
        tag = first.headers["ETag"]
        again = mover.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.get_data()) == (304, b""), path
        assert again.headers["ETag"] == tag
        assert again.headers.get("Cache-Control") == first.headers.get("Cache-Control")
        assert mover.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    mover.act(game, type="resign")
    assert mover.get("/v1/me/games", headers={"If-None-Match": tag}).status_code == 200


def test_what_must_not_be_kept_has_no_tag(house: House) -> None:
    for answer in (house.anyone.get("/healthz"), house.anyone.post("/v1/players", {"name": "A"})):
        assert "ETag" not in answer.headers


def test_headers_stand_once_and_in_one_order(house: House) -> None:
    """Those of the most frequent answers are put on them without a look at what is there."""
    game, mover, _ = house.table()
    seen = mover.get(f"/v1/games/{game}")
    same = mover.get(f"/v1/games/{game}", headers={"If-None-Match": seen.headers["ETag"]})
    done = mover.post(f"/v1/games/{game}/commands", json={"type": "draw"})
    kept = ["Cache-Control", "Vary"]
    common = ["RateLimit-Policy", "RateLimit", *guards.SECURITY]
    whole = ["Content-Type", "Content-Length"]
    assert [name for name, _ in seen.headers] == [*whole, "ETag", *kept, *common]
    assert [name for name, _ in same.headers] == ["ETag", *kept, *common]
    assert [name for name, _ in done.headers] == [*whole, *kept, *common]
    assert (seen.status_code, same.status_code, done.status_code) == (200, 304, 201)
    assert not same.data
    assert int(seen.headers["Content-Length"]) == len(seen.data)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ('"1"', 304),
        ('W/"1"', 304),
        ('"0", "1"', 304),
        ("*", 304),
        ('"2"', 200),
        ("1", 304),
        ("", 200),
    ],
)
def test_an_answer_is_unchanged_for_who_has_it(house: House, asked: str, status: int) -> None:
    anna = house.guest("Anna")
    game = anna.open({"kind": "human"}, {"kind": "human"})
    answer = anna.get(f"/v1/games/{game}", headers={"If-None-Match": asked})
    assert (answer.status_code, answer.headers["ETag"]) == (status, '"1"')
