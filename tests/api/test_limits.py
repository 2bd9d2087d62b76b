"""Who asks too much waits, each kind of request for itself, and nothing was done then."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.api.limits import OPEN, UNCOUNTED
from service.app import create_app
from service.config import Config
from service.rates import parse
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.memory_statistics import MemoryLedger
from service.store.memory_webhooks import memory_webhooks
from tests.api.client import HUMAN, House, Person
from tests.api.contract import DOCUMENT, _valid, operations

FEW = "moves=3/60 reads=4/60 makes=5/60 guests=3/60 codes=2/60 strangers=6/60"

Make = Callable[..., House]


@pytest.fixture
def make() -> Make:
    def made(rates: str, **more: Any) -> House:
        app = create_app(
            replace(Config(), rates=parse(rates), **more),
            store=MemoryStore(),
            people=MemoryPeople(),
            call=lambda *_: None,
            jobs=MemoryJobs(),
            hints=MemoryJobs(),
            ask=lambda *_: None,
            advise=lambda *_: None,
            ledger=MemoryLedger(),
            keepers=memory_webhooks(),
            tell=lambda *_: None,
        )
        return House(app)

    return made


@pytest.fixture
def few(make: Make) -> House:
    return make(FEW)


def drained(person: Person, method: str, path: str, **more: Any) -> int:
    """How often that could be asked until it was too often."""
    for count in range(20):
        answer = person(method, path, **more)
        if answer.status_code == 429:
            said = answer.get_json()
            assert said["code"] == "rate_limited"
            assert 1 <= int(answer.headers["Retry-After"]) <= 60
            assert ";r=0;" in answer.headers["RateLimit"]
            assert answer.headers["Cache-Control"] == "no-store"
            return count
    raise AssertionError("it was never too often")


def test_reading_too_much_takes_nobody_a_move(make: Make) -> None:
    house = make("reads=9/60 moves=3/60")
    game, mover, _ = house.table()
    while mover.get("/v1/me").status_code == 200:
        pass
    mover.act(game, type="draw")
    assert drained(mover, "POST", f"/v1/games/{game}/commands", json={"type": "resign"}) == 2
    mover.ok("POST", "/v1/games", json={"variant": "canasta", "seats": [HUMAN, HUMAN]})


def test_each_kind_has_a_bucket_of_its_own(few: House) -> None:
    anna = few.guest("Anna")
    game = anna.open()
    assert drained(anna, "GET", "/v1/me") == 4
    assert drained(anna, "PUT", f"/v1/games/{game}/seats/0", json={"nonce": "word"}) == 3
    assert drained(anna, "POST", "/v1/me/link", json={}) == 4  # and the game


def test_what_is_refused_or_unchanged_counts_as_well(few: House) -> None:
    anna = few.guest("Anna")
    tag = anna.get("/v1/me").headers["ETag"]
    assert anna.get("/v1/me", headers={"If-None-Match": tag}).status_code == 304
    anna.refused(404, "not_found", "GET", "/v1/games/aaaa")
    anna.refused(422, "invalid", "GET", "/v1/games?no=1")
    assert drained(anna, "GET", "/v1/me") == 0


def test_a_command_that_came_too_often_did_nothing_and_its_key_is_good_still(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make("moves=1/60")
    game, mover, _ = house.table()
    path, key = f"/v1/games/{game}/commands", {"Idempotency-Key": "k"}
    assert mover.post(path, {"type": "pass"}).status_code == 409
    version = mover.version(game)
    mover.refused(429, "rate_limited", "POST", path, json={"type": "draw"}, headers=key)
    assert mover.version(game) == version
    now = time.monotonic() + 61
    monkeypatch.setattr(house.app.extensions["tapete"].buckets["moves"], "_clock", lambda: now)
    again = mover.post(path, {"type": "draw"}, headers=key)
    assert again.status_code == 201
    assert "Idempotent-Replayed" not in again.headers


def test_all_tokens_of_a_player_share_a_bucket(few: House) -> None:
    anna = few.guest("Anna")
    other = Person(few.app, anna.ok("POST", "/v1/me/tokens", json={})["token"])
    assert drained(anna, "GET", "/v1/me") == 4
    assert drained(other, "GET", "/v1/me") == 0
    assert drained(few.guest("Bert"), "GET", "/v1/me") == 4


def test_guests_and_codes_are_counted_by_address(few: House) -> None:
    assert drained(few.anyone, "POST", "/v1/tokens", json={"link": "0000-0000-0000"}) == 2
    assert drained(few.anyone, "POST", "/v1/players", json={"name": "A"}) == 3
    elsewhere = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
    assert few.anyone.post("/v1/players", {"name": "A"}, **elsewhere).status_code == 201


@pytest.mark.parametrize("token", [None, "tpt_wrong", "nonsense"])
def test_who_has_no_good_token_is_a_stranger(few: House, token: str | None) -> None:
    nobody = Person(few.app, token)
    assert nobody.get("/v1/variants").status_code == 200
    assert nobody.get("/no/such/path").status_code == 404
    assert nobody("DELETE", "/v1/variants").status_code == 405
    assert nobody.get("/v1/me").status_code == 401
    assert drained(nobody, "GET", "/v1/me") == 2
    assert drained(few.anyone, "GET", "/") == 0
    assert few.guest("Anna").get("/v1/me").status_code == 200


@pytest.mark.sampled(7)
@pytest.mark.parametrize("where", operations(), ids=lambda one: " ".join(one))
def test_every_call_counts_once_with_a_token_and_with_a_bad_one(
    make: Make, where: tuple[str, str]
) -> None:
    house = make("")
    path, method = where
    path = path.replace("{id}", "aaaa").replace("{seat}", "0").replace("{token}", "0" * 24)
    path = path.replace("{name}", "bolivia").replace("{number}", "T.1")
    path = path.replace("{hook}", "aaaa").replace("{delivery}", "aaaa-1")
    bodies: dict[str, Any] = {"json": {}} if method in ("POST", "PUT", "PATCH") else {}
    for token in (house.guest("Anna").token, "tpt_wrong"):
        headers = Person(house.app, token)(method, path, **bodies).headers
        if path in ("/healthz", "/readyz", "/metrics"):
            assert "RateLimit" not in headers
            continue
        for name, schema in (("RateLimit", "RateLimit"), ("RateLimit-Policy", "RateLimitPolicy")):
            schema = DOCUMENT["components"]["headers"][schema]["schema"]
            assert _valid(schema, headers[name]), headers[name]
        bucket = headers["RateLimit"].partition(";")[0].strip('"')
        wanted = {
            ("/v1/players", "POST"): "guests",
            ("/v1/tokens", "POST"): "codes",
            ("/v1/games/{id}/commands", "POST"): "moves",
            ("/v1/games/{id}/seats/{seat}", "PUT"): "moves",
            ("/v1/games/{id}/hints", "POST"): "hints",
        }.get(where, "reads" if method == "GET" else "makes")
        is_open = operations()[where].get("security") == []
        if is_open or token == "tpt_wrong":
            assert bucket == (wanted if wanted in ("guests", "codes") else "strangers")
        else:
            assert bucket == wanted


def test_calls_without_a_token_are_in_the_blueprints_that_are_counted_so(few: House) -> None:
    views = {rule.endpoint for rule in few.app.url_map.iter_rules()}
    assert {name.partition(".")[0] for name in views} >= OPEN
    assert views >= UNCOUNTED


def test_a_token_takes_nobody_out_of_the_count(make: Make) -> None:
    """Whatever the request, also where nobody looks at its token."""
    house = make("")
    parts = {"game": "aaaa", "seat": "0", "token": "0" * 24, "delivery": "aaaa-1"}
    for rule in house.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: parts.get(found[1], "aaaa"), rule.rule)
        for method in sorted((rule.methods or set()) - {"OPTIONS"}):
            headers = {"Authorization": "Bearer tpt_wrong"}
            answer = house.app.test_client().open(path, method=method, headers=headers)
            counted = "RateLimit" in answer.headers
            assert counted == (rule.endpoint not in UNCOUNTED), (method, path)


def test_an_address_is_one_with_the_port_that_some_proxies_add(make: Make) -> None:
    for first, second in (
        ("192.0.2.1:4711", "192.0.2.1:4712"),
        ("[2001:db8::1]:4711", "2001:db8::2"),
        ("[2001:db8::1]", "[2001:db8::2]:1"),
    ):
        anyone = make("strangers=1/60", trusted_proxies=1).anyone
        assert drained(anyone, "GET", "/", headers={"X-Forwarded-For": first}) == 1
        assert drained(anyone, "GET", "/", headers={"X-Forwarded-For": second}) == 0


def test_preflights_and_watchmen_are_not_counted(make: Make) -> None:
    house = make("strangers=1/60", cors_origins=("*",))
    asked = {"Origin": "https://cards.example", "Access-Control-Request-Method": "POST"}
    assert drained(house.anyone, "GET", "/") == 1
    for _ in range(3):
        assert house.anyone("OPTIONS", "/v1/games", headers=asked).status_code == 204
        assert house.anyone.get("/healthz").status_code == 200
        assert house.anyone.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("", "", True),
        ("no:address", "no:other", False),
    ],
)
def test_one_network_of_ipv6_is_one_client(make: Make, one: str, other: str, same: bool) -> None:
    anyone = make("strangers=1/60").anyone
    assert drained(anyone, "GET", "/", environ_base={"REMOTE_ADDR": one}) == 1
    assert drained(anyone, "GET", "/", environ_base={"REMOTE_ADDR": other}) == (0 if same else 1)


def test_an_address_in_a_header_counts_only_from_a_trusted_proxy(make: Make) -> None:
    for hops, free in ((0, 0), (1, 1)):
        anyone = make("strangers=1/60", trusted_proxies=hops).anyone
        for number in (1, 2):
            got = drained(anyone, "GET", "/", headers={"X-Forwarded-For": f"192.0.2.{number}"})
            assert got == (1 if number == 1 else free)


def test_off_is_off(make: Make) -> None:
    anna = make("off").guest("Anna")
    answers = [anna.get("/v1/me") for _ in range(50)]
    assert {answer.status_code for answer in answers} == {200}
    assert "RateLimit" not in answers[-1].headers
    assert "RateLimit-Policy" not in answers[-1].headers


def test_a_stream_counts_when_it_opens(few: House) -> None:
    game, mover, _ = few.table()
    path = f"/v1/games/{game}/events?wait=0"
    stream = mover.get(path, headers={"Accept": "application/x-ndjson"}, buffered=False)
    assert stream.headers["RateLimit"].startswith('"reads";r=')
    stream.close()
