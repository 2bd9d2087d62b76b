"""How often a request goes to Redis, and that nothing old is told for it."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from service.api import body
from service.app import create_app
from service.config import Config
from service.store.link import Link
from tests.api.client import HUMAN, House, Person
from tests.api.conftest import NOBODY_IS_LIMITED


@pytest.fixture
def backing() -> str:
    return "redis"


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many commands went together, each time."""
    went: list[int] = []
    ask = Link.ask

    def counted(self: Link, *asked: Any) -> list[Any]:
        went.append(len(asked))
        return ask(self, *asked)

    def client(self: Link) -> Any:
        went.append(-1)  # a client sends what it likes
        return opened(self)

    opened: Any = Link.client.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(Link, "ask", counted)
    monkeypatch.setattr(Link, "client", property(client))
    return went


def another(url: str) -> House:
    """Another process on the same server."""
    config = Config(redis_url=url, queue_url=url, rates=NOBODY_IS_LIMITED)
    return House(create_app(config, call=lambda *_: None))


def there(house: House, person: Person) -> Person:
    return Person(house.app, person.token, person.id)


def drawn(house: House) -> tuple[str, Person, dict[str, Any]]:
    """A game in which somebody drew, who that was, and what they may discard.

    By then it is remembered who is at the table and that nobody wants to be told of it.
    """
    game, mover, _ = house.table()
    mover.act(game, type="draw")
    allowed = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
    return game, mover, next(one for one in allowed if one["type"] == "discard")


def taken(trips: list[int]) -> list[int]:
    """The trips since the last look. Nobody took the client to make others: `ask` looks for it
    only the first time."""
    went = trips.copy()
    assert -1 not in went
    trips.clear()
    return went


def test_a_look_is_one_trip_and_a_command_two(house: House, trips: list[int]) -> None:
    game, mover, discard = drawn(house)
    seen = mover.get(f"/v1/games/{game}")
    trips.clear()
    mover.ok("GET", f"/v1/games/{game}")
    assert taken(trips) == [3]
    same = mover.get(f"/v1/games/{game}", headers={"If-None-Match": seen.headers["ETag"]})
    assert (same.status_code, taken(trips)) == (304, [3])
    mover.ok("GET", f"/v1/games/{game}/commands")
    assert taken(trips) == [3]
    mover.refused(409, "wrong_phase", "POST", f"/v1/games/{game}/commands", json={"type": "draw"})
    assert taken(trips) == [3]
    mover.act(game, **discard)
    assert taken(trips) == [3, 1]


def test_a_body_that_comes_slowly_has_the_time_of_its_end(
    house: House, trips: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "FRESH", 0.0)
    game, mover, discard = drawn(house)
    trips.clear()
    mover.act(game, **discard)
    assert taken(trips) == [3, 1, 2, 1]  # the token is looked at anew, and then the game


def test_a_token_that_another_process_revoked_ends_with_the_answer(
    house: House, redis_url: str
) -> None:
    game, mover, _ = house.table()
    made = mover.ok("POST", "/v1/me/tokens", json={"scopes": ["play", "spectate"]})
    here, other = Person(house.app, made["token"], mover.id), another(redis_url)
    for who in (here, there(other, here)):
        who.look(game)
    there(other, mover).ok("DELETE", f"/v1/me/tokens/{made['id']}")
    for who in (here, there(other, here)):
        who.refused(401, "unauthorized", "GET", f"/v1/games/{game}")
        path = f"/v1/games/{game}/commands"
        who.refused(401, "unauthorized", "POST", path, json={"type": "draw"})


def test_what_another_process_did_is_seen_at_once(house: House, redis_url: str) -> None:
    game, mover, other = house.table()
    elsewhere = another(redis_url)
    for person in (mover, other):
        there(elsewhere, person).look(game)
    version = mover.act(game, type="draw")["version"]
    seen = there(elsewhere, other).look(game)
    assert (seen["version"], seen["head"]) == (version, other.look(game)["head"])
    path = f"/v1/games/{game}/commands"
    there(elsewhere, mover).refused(409, "wrong_phase", "POST", path, json={"type": "draw"})


def test_strangers_learn_nothing_of_a_game_that_is_damaged(house: House, redis_url: str) -> None:
    game, mover, _ = house.table()
    mover.look(game)
    with redis.Redis.from_url(redis_url) as admin:
        admin.set(f"game:{{{game}}}:log", "no stream")
    stranger = Person(house.app, "tpt_" + "x" * 43)
    stranger.refused(401, "unauthorized", "GET", f"/v1/games/{game}")
    assert mover.get(f"/v1/games/{game}").status_code == 500


def test_two_processes_play_one_game_and_nothing_is_lost_or_doubled(
    house: House, redis_url: str
) -> None:
    """Both remember it, both are old half of the time, and each version has one winner."""
    game, *people = house.table()
    houses = [house, another(redis_url)]
    won: list[int] = []

    def play(number: int) -> None:
        rng = random.Random(number)
        for _ in range(12):
            me = there(rng.choice(houses), people[number % 2])
            allowed = me.ok("GET", f"/v1/games/{game}/commands")
            if not allowed["commands"]:
                continue
            match = {"If-Match": f'"{allowed["version"]}"', "Idempotency-Key": f"{number}-{_}"}
            command = rng.choice(allowed["commands"])
            path = f"/v1/games/{game}/commands"
            said = me.post(path, command, headers=match)
            assert said.status_code in (201, 412), said.get_data(as_text=True)
            if said.status_code == 201:
                won.append(said.get_json()["events"][0]["version"])
                again = there(houses[number % 2], me).post(path, command, headers=match)
                assert (again.status_code, again.get_json()) == (201, said.get_json())

    before = people[0].version(game)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(play, range(6)))
    assert len(set(won)) == len(won) > 0
    after = people[0].version(game)
    assert before + len(won) <= after
    assert after == there(houses[1], people[1]).version(game)


@pytest.mark.slow
def test_a_poll_does_not_look_without_end_at_a_log_that_was_set_back(
    house: House, redis_url: str, trips: list[int]
) -> None:
    """A failover may take back what this process has heard of; its ear need not notice."""
    game, mover, other = house.table()
    log = f"game:{{{game}}}:log"
    with redis.Redis.from_url(redis_url) as admin:
        kept, version = admin.dump(log), mover.version(game)
        mover.act(game, type="draw")
        other.get(f"/v1/games/{game}/events?after={version + 1}&wait=1")
        admin.restore(log, 0, kept, replace=True)
    trips.clear()
    said = other.ok("GET", f"/v1/games/{game}/events?after={version}&wait=1")
    assert (said["items"], said["version"]) == ([], version)
    assert len(trips) < 20


def test_opening_is_five_trips_and_joining_four(house: House, trips: list[int]) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    anna.look(anna.open(HUMAN, HUMAN))
    bert.look(anna.open(HUMAN, HUMAN))  # by now both are known here
    trips.clear()
    game = anna.open(HUMAN, HUMAN, HUMAN)
    # Who asks; what is there; what keeps her busy; the lists; the entry.
    assert taken(trips) == [1, 3, 1, 4, 1]
    bert.ok("POST", f"/v1/games/{game}/seats", json={})
    # Who asks and the game; what keeps him busy; the entry; his lists, and what keeps each busy.
    assert taken(trips) == [3, 1, 1, 3]


def test_who_joins_what_another_process_filled_is_told_so(house: House, redis_url: str) -> None:
    anna, bert, carl = (house.guest(name) for name in ("Anna", "Bert", "Carl"))
    game = anna.open(HUMAN, HUMAN)
    path = f"/v1/games/{game}/seats"
    elsewhere = another(redis_url)
    there(elsewhere, bert).ok("POST", path, json={})
    carl.refused(409, "already_started", "POST", path, json={})
    there(elsewhere, carl).refused(404, "not_found", "POST", "/v1/games/none/seats", json={})
