"""What every keeper of guests promises."""

import hashlib

import pytest
import redis

from service.store import People, Player
from service.store.redis_people import RedisPeople

ANNA = Player("p1", "Añna 🂡")


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def test_a_guest_is_known_by_the_token(people: People) -> None:
    people.add(ANNA, hashed("t"))
    assert people.by_token(hashed("t")) == ANNA
    assert people.by_token(hashed("u")) is None


def test_names_of_those_that_exist(people: People) -> None:
    people.add(ANNA, hashed("t"))
    people.add(Player("p2", ""), hashed("u"))
    assert people.names(["p1", "nobody", "p2", "p1"]) == {"p1": "Añna 🂡", "p2": ""}
    assert people.names([]) == {}


@pytest.mark.parametrize("token", ["", "secret-token", "A" * 64, "g" * 64, hashed("t") + "\n"])
def test_a_token_in_clear_is_neither_stored_nor_shown(people: People, token: str) -> None:
    with pytest.raises(ValueError, match="known here by its SHA-256") as refused:
        people.add(ANNA, token)
    assert not token or token not in str(refused.value)
    with pytest.raises(ValueError, match="known here by its SHA-256"):
        people.by_token(token)
    assert people.names(["p1"]) == {}


def test_what_redis_holds_of_a_guest(redis_url: str) -> None:
    RedisPeople(redis_url, prefix="x:").add(ANNA, hashed("t"))
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        assert {key: client.hgetall(key) for key in client.scan_iter()} == {
            "x:player:{p1}": {"name": "Añna 🂡"},
            f"x:token:{{{hashed('t')}}}": {"player": "p1"},
        }
