"""Nobody has more unfinished games than one may have; what is over counts no more."""

import pytest

from service.app import create_app
from service.config import Config
from service.store import Listing
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from tests.api.client import HUMAN, ROBOT, House, Person

NEW = {"variant": "canasta", "seats": [HUMAN, HUMAN]}


@pytest.fixture
def house() -> House:
    app = create_app(
        Config(open_games=2),
        store=MemoryStore(),
        people=MemoryPeople(),
        call=lambda *_: None,
        jobs=MemoryJobs(),
        hints=MemoryJobs(),
        ask=lambda *_: None,
        advise=lambda *_: None,
    )
    return House(app)


@pytest.fixture
def anna(house: House) -> Person:
    return house.guest("Anna")


def full(person: Person, path: str = "/v1/games", json: object = NEW, **more: object) -> None:
    person.refused(409, "too_many_games", "POST", path, json=json, **more)


def test_no_more_are_opened_until_one_is_over(anna: Person) -> None:
    games = [anna.open(), anna.open(ROBOT, ROBOT, sit=False)]
    full(anna)
    anna("DELETE", f"/v1/games/{games[0]}/seats/0")
    anna.open()
    full(anna)


def test_a_game_that_ended_counts_no_more(house: House) -> None:
    game, mover, other = house.table()
    mine = [person.open() for person in (mover, other)]
    assert len(mine) == 2
    full(mover)
    mover.act(game, type="resign")
    mover.open()
    other.open()


def test_a_repeated_request_is_answered_at_the_limit_too(anna: Person) -> None:
    key = {"headers": {"Idempotency-Key": "k"}}
    game = anna.ok("POST", "/v1/games", json=NEW, **key)["id"]
    anna.open()
    assert anna.ok("POST", "/v1/games", json=NEW, **key)["id"] == game
    full(anna, headers={"Idempotency-Key": "other"})


def test_nobody_sits_down_at_more_but_back_at_their_own(house: House, anna: Person) -> None:
    bert = house.guest("Bert")
    games = [bert.open(), bert.open(), house.guest("Carl").open(HUMAN, HUMAN, HUMAN)]
    for game in games[:2]:
        anna.ok("POST", f"/v1/games/{game}/seats", json={})
    full(anna, f"/v1/games/{games[2]}/seats", {})
    anna.ok("POST", f"/v1/games/{games[0]}/seats", json={})


def test_who_made_a_table_may_sit_down_at_it(anna: Person) -> None:
    game = anna.open(sit=False)
    anna.open()
    anna.ok("POST", f"/v1/games/{game}/seats", json={})


def test_quick_matches_and_rematches_count_as_well(house: House) -> None:
    game, mover, other = house.table()
    mover.act(game, type="resign")
    kind = {"variant": "canasta", "seats": 2}
    mover.open()
    again = mover.ok("POST", f"/v1/games/{game}/rematch", json={})["id"]
    full(mover, "/v1/matches", kind)
    other.open()
    other.open()
    full(other, f"/v1/games/{game}/rematch", {})
    assert mover.ok("POST", f"/v1/games/{game}/rematch", json={})["id"] == again


def test_a_practice_game_counts_as_well(house: House) -> None:
    game, mover, other = house.table()
    mover.act(game, type="resign")
    mover.open()
    mover.open()
    full(mover, json={"from": {"game": game, "version": 4}})
    del other


def test_who_gave_up_a_seat_for_good_has_that_game_no_more(house: House) -> None:
    anna, bert, carl = (house.guest(name) for name in ("Anna", "Bert", "Carl"))
    game = anna.open(HUMAN, HUMAN, HUMAN)
    for other in (bert, carl):
        other.ok("POST", f"/v1/games/{game}/seats", json={})
    for one in (anna, bert):
        one.open()
        full(one)
    bert.act(game, type="resign")
    bert.open()
    full(bert)
    full(anna)  # who plays on has it still


def test_what_a_killed_process_left_behind_keeps_nobody_from_playing(
    house: House, anna: Person
) -> None:
    edge = house.app.extensions["tapete"]
    game = anna.open(HUMAN, HUMAN)
    bert = house.guest("Bert")
    bert.ok("POST", f"/v1/games/{game}/seats", json={})
    anna.act(game, type="resign")
    # Listed before its first entry, which never came; and not taken away at its end.
    edge.store.mark(Listing("neverwritten", 1), "waiting", True, [anna.id], opener=anna.id)
    edge.store.mark(Listing(game, 1), "playing", True, [anna.id])
    assert len(edge.store.busy(anna.id)) == 2
    anna.open()
    anna.open()
    full(anna)
