"""Guests: a name, a token shown once, a hash kept."""

import hashlib
import unicodedata

import pytest
import redis

from service.app import create_app
from service.config import Config
from tests.api.client import House
from tests.api.conftest import BOTH


@BOTH
def test_a_guest_comes_in(house: House) -> None:
    answer = house.anyone.post("/v1/players", {"name": "  Ada  "})
    made = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    assert made["name"] == "Ada"
    assert len(made["token"]) > 40
    headers = {"Authorization": f"Bearer {made['token']}"}
    me = house.anyone.ok("GET", "/v1/me", headers=headers)
    scopes = ["play", "lobby", "spectate", "export", "webhook"]
    assert me == {"id": made["id"], "name": "Ada", "bot": False, "scopes": scopes}


def test_each_call_makes_another_guest(house: House) -> None:
    tokens = {house.guest("Ada").token for _ in range(20)}
    assert len(tokens) == 20


@pytest.mark.parametrize(
    "name", ["Ada", "Zoë", "玩家一", "Ναυσικά", "O'Neill-3", "x" * 32, "🂡 ace"]
)
def test_names_of_every_script(house: House, name: str) -> None:
    made = house.anyone.ok("POST", "/v1/players", json={"name": name})
    assert made["name"] == unicodedata.normalize("NFC", name)


def test_a_name_is_normalised_before_it_is_measured(house: House) -> None:
    made = house.anyone.ok("POST", "/v1/players", json={"name": "e\u0301" * 32})
    assert made["name"] == "é" * 32


def test_the_token_is_kept_only_as_its_hash(redis_url: str) -> None:
    guest = House(create_app(Config(redis_url=redis_url), call=lambda *_: None)).guest("Ada")
    assert guest.token
    hashed = hashlib.sha256(guest.token.encode()).hexdigest().encode()
    with redis.Redis.from_url(redis_url) as client:
        keys = list(client.scan_iter())
        everything = b"".join([*keys, *(client.dump(key) or b"" for key in keys)])
    assert hashed in everything
    assert guest.token.encode() not in everything
