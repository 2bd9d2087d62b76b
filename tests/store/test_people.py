"""What every keeper of guests promises."""

import hashlib
import threading
import time

import pytest
import redis

from service.store import Bearer, People, Player
from service.store.redis_people import RedisPeople
from service.store.tokens import USUAL, Ticket, Token

ANNA = Player("p1", "Añna 🂡")


def client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def first(token: str) -> Token:
    return Token(hashed(token), USUAL, "", 1)


def test_a_guest_is_known_by_the_token(people: People) -> None:
    people.add(ANNA, first("t"))
    assert people.by_token(hashed("t")) == Bearer(ANNA, hashed("t"), USUAL)
    assert people.by_token(hashed("u")) is None


def test_those_that_exist(people: People) -> None:
    bot = Player("p2", "", bot=True)
    people.add(ANNA, first("t"))
    people.add(bot, first("u"))
    assert people.known(["p1", "nobody", "p2", "p1"]) == {"p1": ANNA, "p2": bot}
    assert people.known([]) == {}


@pytest.mark.parametrize("token", ["", "secret-token", "A" * 64, "g" * 64, hashed("t") + "\n"])
def test_a_token_in_clear_is_neither_stored_nor_shown(people: People, token: str) -> None:
    with pytest.raises(ValueError, match="known here by its SHA-256") as refused:
        people.add(ANNA, Token(token))
    assert not token or token not in str(refused.value)
    for ask in (people.by_token, people.take):
        with pytest.raises(ValueError, match="known here by its SHA-256"):
            ask(token)
    assert people.known(["p1"]) == {}
    assert people.tokens("p1") == []


def test_tokens_are_listed_by_age_each_with_its_scopes(people: People) -> None:
    people.add(ANNA, first("t"))
    later = Token(hashed("v"), ("spectate",), "overlay", 9)
    sooner = Token(hashed("u"), ("play", "lobby"), "", 5)
    assert people.issue("p1", later)
    assert people.issue("p1", sooner)
    assert people.issue("p1", Token(hashed("u"), USUAL, "another", 6))  # once for ever
    assert people.tokens("p1") == [first("t"), sooner, later]
    assert people.by_token(hashed("u")) == Bearer(ANNA, hashed("u"), ("play", "lobby"))
    assert people.tokens("p2") == []


def test_what_is_revoked_is_gone_and_stays_gone(people: People) -> None:
    people.add(ANNA, first("t"))
    people.issue("p1", Token(hashed("u")))
    for _ in range(2):
        people.revoke("p1", hashed("u"))
        assert people.by_token(hashed("u")) is None
        assert people.tokens("p1") == [first("t")]
    assert not people.issue("p1", Token(hashed("u")))
    assert people.by_token(hashed("u")) is None
    assert people.tokens("p1") == [first("t")]


def test_one_of_many_gets_what_a_code_is_good_for(people: People) -> None:
    ticket = Ticket("p1", hashed("t"), ("play",), "phone")
    people.offer(hashed("code"), ticket, 60)
    got = []
    threads = [
        threading.Thread(target=lambda: got.append(people.take(hashed("code")))) for _ in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one for one in got if one] == [ticket]


@pytest.mark.slow
def test_a_code_is_good_for_its_time(people: People) -> None:
    people.offer(hashed("code"), Ticket("p1", hashed("t"), (), ""), 1)
    people.offer(hashed("new"), Ticket("p1", hashed("t"), (), ""), 60)
    time.sleep(1.2)
    assert people.take(hashed("code")) is None
    assert people.take(hashed("new"))


def test_a_token_from_before_there_were_scopes(redis_url: str) -> None:
    people = RedisPeople(redis_url)
    with client(redis_url) as old:
        old.hset("player:{p1}", "name", ANNA.name)
        old.hset(f"token:{{{hashed('t')}}}", "player", "p1")
    assert people.by_token(hashed("t")) == Bearer(ANNA, hashed("t"), USUAL)


def test_what_redis_holds_of_a_guest(redis_url: str) -> None:
    people = RedisPeople(redis_url, prefix="x:")
    people.add(ANNA, first("t"))
    people.issue("p1", Token(hashed("u")))
    people.revoke("p1", hashed("u"))
    told = '[["play","lobby","spectate","export","webhook"],"",1]'
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        assert {key: client.hgetall(key) for key in client.scan_iter()} == {
            "x:player:{p1}": {"name": "Añna 🂡"},
            "x:player:{p1}:tokens": {hashed("t"): told},
            f"x:token:{{{hashed('t')}}}": {"player": "p1", "scopes": " ".join(USUAL)},
            f"x:token:{{{hashed('u')}}}": {"gone": "1"},
        }
        assert client.ttl(f"x:token:{{{hashed('u')}}}") > 0


def test_a_player_met_lately_is_not_asked_for_and_their_token_is(redis_url: str) -> None:
    here, there = RedisPeople(redis_url), RedisPeople(redis_url)
    here.add(ANNA, first("t"))
    assert here.by_token(hashed("t")) == there.by_token(hashed("t"))
    with client(redis_url) as admin:
        admin.config_resetstat()
        assert here.by_token(hashed("t")) == Bearer(ANNA, hashed("t"), USUAL)
        assert here.known(["p1", "p1"]) == {"p1": ANNA}
        assert here.known(["p1", "p2"]) == {"p1": ANNA}
        assert admin.info("commandstats")["cmdstat_hmget"]["calls"] == 2
    there.revoke("p1", hashed("t"))
    assert here.by_token(hashed("t")) is None
    assert here.known(["p1"]) == {"p1": ANNA}


def test_which_of_many_tokens_count(people: People) -> None:
    people.add(ANNA, first("t"))
    people.add(Player("p2", "Ben"), first("u"))
    people.issue("p1", Token(hashed("v")))
    people.revoke("p1", hashed("v"))
    asked = [hashed(one) for one in "tuvw"]
    assert people.standing(asked) == {hashed("t"), hashed("u")}
    assert people.standing([]) == set()
    with pytest.raises(ValueError, match="SHA-256"):
        people.standing(["tpt_in-clear"])
