"""Quick matches: nobody waits alone where somebody else waits too."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.rules import variants
from tests.api.client import House
from tests.api.conftest import BOTH

pytestmark = BOTH
KIND = {"variant": "canasta", "seats": 2}


def test_two_who_want_the_same_meet(house: House) -> None:
    anna, bert, cleo = (house.guest(name) for name in ("Anna", "Bert", "Cleo"))
    first = anna.post("/v1/matches", KIND)
    waiting = first.get_json()
    assert (first.status_code, waiting["status"], waiting["you"]) == (201, "waiting", 0)
    assert first.headers["Location"] == f"/v1/games/{waiting['id']}"
    again = anna.post("/v1/matches", KIND)
    assert (again.status_code, again.get_json()) == (200, waiting)
    assert [one["id"] for one in cleo.ok("GET", "/v1/games")["items"]] == [waiting["id"]]
    found = bert.ok("POST", "/v1/matches", json=KIND)
    assert (found["id"], found["status"], found["you"]) == (waiting["id"], "playing", 1)
    assert cleo.ok("POST", "/v1/matches", json=KIND)["id"] != waiting["id"]


def test_other_kinds_are_other_tables(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    kinds = [KIND, KIND | {"seats": 4}, {"variant": "samba", "seats": 4}]
    ids = {anna.ok("POST", "/v1/matches", json=kind)["id"] for kind in kinds}
    assert len(ids) == 3
    assert bert.ok("POST", "/v1/matches", json=kinds[2])["status"] == "waiting"


def test_a_table_that_somebody_left_is_filled_first(house: House) -> None:
    kind = KIND | {"seats": 3, "variant": "samba"}
    anna, bert, cleo, dora = (house.guest(name) for name in ("Anna", "Bert", "Cleo", "Dora"))
    game = anna.ok("POST", "/v1/matches", json=kind)["id"]
    assert bert.ok("POST", "/v1/matches", json=kind)["id"] == game
    assert anna("DELETE", f"/v1/games/{game}/seats/0").status_code == 204
    for person in (cleo, dora):
        assert person.ok("POST", "/v1/matches", json=kind)["id"] == game
    assert bert.look(game)["status"] == "playing"
    other = anna.ok("POST", "/v1/matches", json=kind)["id"]
    anna("DELETE", f"/v1/games/{other}/seats/0")  # and so it is abandoned
    assert bert.ok("POST", "/v1/matches", json=kind)["id"] not in (game, other)


def test_a_key_finds_the_table_again_also_when_it_plays(house: House) -> None:
    people = [house.guest(f"P{number}") for number in range(5)]
    headers = {"Idempotency-Key": "k"}
    first = [person.post("/v1/matches", KIND, headers=headers) for person in people]
    again = [person.post("/v1/matches", KIND, headers=headers) for person in people]
    assert [one.get_json()["id"] for one in first] == [one.get_json()["id"] for one in again]
    assert {one.status_code for one in (*first, *again)} == {201}
    assert all(one.headers["Idempotent-Replayed"] == "true" for one in again)


THERE_ARE = f"Must be one of: {', '.join(variants())}."
"""What is said of a variant that is none."""


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ({"variant": "whist", "seats": 4}, "unknown_variant"),
        ({"variant": "botifarra", "seats": 3}, "bad_table_size"),
        ({"variant": "canasta"}, "invalid"),
        ({"variant": "canasta", "seats": 0}, "invalid"),
        ({"variant": "canasta", "seats": 2.0}, "invalid"),
        ({"variant": "canasta", "seats": 2, "level": "champion"}, "invalid"),
    ],
)
def test_a_kind_that_is_none(house: House, kind: dict[str, object], code: str) -> None:
    anna = house.guest("Anna")
    problem = anna.refused(422, code, "POST", "/v1/matches", json=kind)
    if code == "unknown_variant":
        assert problem["errors"][0]["detail"] == THERE_ARE
    assert anna.ok("GET", "/v1/me/games")["items"] == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("seats", "callers"), [(2, 20), (4, 20), (3, 20)])
def test_twenty_at_once(house: House, seats: int, callers: int) -> None:
    """No table is left half filled but one, and only if it must be."""
    variant = "canasta" if seats != 3 else "samba"
    people = [house.guest(f"P{number}") for number in range(callers)]
    body = {"variant": variant, "seats": seats}
    with ThreadPoolExecutor(callers) as pool:
        answers = list(pool.map(lambda one: one.post("/v1/matches", body), people))
    assert {answer.status_code for answer in answers} == {201}
    places = [(answer.get_json()["id"], answer.get_json()["you"]) for answer in answers]
    assert len(set(places)) == callers
    filled = sorted(Counter(game for game, _ in places).values(), reverse=True)
    whole, rest = divmod(callers, seats)
    assert filled == [seats] * whole + ([rest] if rest else [])


def test_a_process_that_knows_nothing_finds_the_table(house: House) -> None:
    people = [house.guest(f"P{number}") for number in range(11)]
    edge = house.app.extensions["tapete"]
    found = set()
    for person in people:
        edge.matches._newest.clear()
        edge.tables.forget()
        found.add(person.ok("POST", "/v1/matches", json=KIND)["id"])
    assert len(found) == 6
