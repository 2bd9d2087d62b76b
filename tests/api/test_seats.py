"""Sitting down, setting a nonce, getting up."""

from concurrent.futures import ThreadPoolExecutor

from tests.api.client import HUMAN, ROBOT, House
from tests.api.conftest import BOTH_AT_ONCE

pytestmark = BOTH_AT_ONCE


def test_the_first_free_seat_or_the_one_asked_for(house: House) -> None:
    anna, bert, cleo = (house.guest(name) for name in ("Anna", "Bert", "Cleo"))
    game = anna.open(HUMAN, ROBOT, HUMAN, HUMAN)
    path = f"/v1/games/{game}/seats"
    assert bert.ok("POST", path, json={"seat": 3})["you"] == 3
    cleo.refused(409, "seat_taken", "POST", path, json={"seat": 3})
    cleo.refused(409, "seat_taken", "POST", path, json={"seat": 1})
    cleo.refused(409, "no_such_seat", "POST", path, json={"seat": 7})
    answer = cleo.post(path)
    seen = answer.get_json()
    assert (answer.status_code, seen["you"], seen["status"]) == (201, 2, "playing")
    assert answer.headers["ETag"] == f'"{seen["version"]}"'


def test_joining_again_gives_the_same_seat_and_changes_nothing(house: House) -> None:
    game, mover, other = house.table()
    before = mover.look(game)
    for person in (mover, other):
        answer = person.post(f"/v1/games/{game}/seats", {"seat": 0, "nonce": "again"})
        assert answer.status_code == 200
        assert answer.get_json()["you"] == person.look(game)["you"]
    assert mover.look(game) == before
    assert [item["id"] for item in mover.ok("GET", "/v1/me/games")["items"]] == [game]


def test_a_private_table_wants_its_code(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN, visibility="private")
    path = f"/v1/games/{game}/seats"
    for body in ({}, {"invite": "wrong"}, {"invite": ""}, {"seat": 7}, {"invite": "ü"}):
        bert.refused(404, "not_found", "POST", path, json=body)
    code = anna.look(game)["invite"]["code"]
    assert bert.post(path, {"invite": code}).status_code == 201
    assert bert.post(path).status_code == 200


def test_a_nonce_comes_along_or_later(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN)
    path = f"/v1/games/{game}/seats"
    seen = anna.ok("PUT", f"{path}/0", json={"nonce": "first"})
    assert seen["fair"]["nonces"] == ["first", None]
    assert anna.ok("PUT", f"{path}/0", json={"nonce": "second"})["you"] == 0
    bert.refused(403, "no_seat", "PUT", f"{path}/1", json={"nonce": "x"})
    anna.refused(403, "not_your_seat", "PUT", f"{path}/1", json={"nonce": "x"})
    anna.refused(404, "not_found", "PUT", f"{path}/2", json={"nonce": "x"})
    anna.refused(422, "invalid", "PUT", f"{path}/0", json={"nonce": "a\u0000b"})
    seen = bert.ok("POST", path, json={"nonce": " luck "})
    assert seen["fair"]["nonces"] == ["second", "luck"]
    assert seen["status"] == "playing"
    anna.refused(409, "already_started", "PUT", f"{path}/0", json={"nonce": "late"})


def test_the_same_nonce_again_changes_nothing(house: House) -> None:
    anna = house.guest("Anna")
    game = anna.open(HUMAN, HUMAN)
    path = f"/v1/games/{game}/seats/0"
    first = anna.ok("PUT", path, json={"nonce": "luck"})
    for _ in range(3):
        answer = anna("PUT", path, json={"nonce": "luck"})
        assert (answer.status_code, answer.get_json()) == (200, first)
        assert answer.headers["ETag"] == f'"{first["version"]}"'
    assert anna.ok("PUT", path, json={"nonce": "more"})["version"] == first["version"] + 1
    assert house.guest("Bert").ok("POST", f"/v1/games/{game}/seats", json={})
    anna.refused(409, "already_started", "PUT", path, json={"nonce": "more"})


def test_getting_up_before_the_start(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN, HUMAN)
    path = f"/v1/games/{game}/seats"
    bert.ok("POST", path, json={"nonce": "b"})
    bert.refused(403, "not_your_seat", "DELETE", f"{path}/0")
    bert.refused(404, "not_found", "DELETE", f"{path}/9")
    answer = bert("DELETE", f"{path}/1")
    assert (answer.status_code, answer.get_data()) == (204, b"")
    seen = anna.look(game)
    assert seen["seats"][1]["name"] is None
    assert seen["fair"]["nonces"] == [None] * 3
    bert.refused(403, "no_seat", "DELETE", f"{path}/1")
    assert bert.ok("GET", "/v1/me/games")["items"] == []
    anna("DELETE", f"{path}/0")
    over = anna.look(game)
    assert (over["status"], over["result"]["why"]) == ("abandoned", "abandoned")
    bert.refused(410, "game_over", "POST", path, json={})


def test_a_game_that_has_started_is_not_left_by_getting_up(house: House) -> None:
    game, mover, _ = house.table()
    seat = mover.look(game)["you"]
    mover.refused(409, "already_started", "DELETE", f"/v1/games/{game}/seats/{seat}")


def test_twenty_want_one_seat(house: House) -> None:
    game = house.guest("Anna").open(HUMAN, HUMAN)
    guests = [house.guest(f"G{number}") for number in range(20)]
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda guest: guest.post(f"/v1/games/{game}/seats"), guests))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    assert {a.get_json()["code"] for a in answers if a.status_code == 409} <= {
        "already_started", "seat_taken",
    }  # fmt: skip


def test_who_gave_up_and_was_taken_over_still_sees_what_they_saw(house: House) -> None:
    anna, bert, cleo = (house.guest(name) for name in ("Anna", "Bert", "Cleo"))
    game = anna.open(HUMAN, HUMAN, HUMAN, visibility="private")
    code = anna.look(game)["invite"]["code"]
    for person in (bert, cleo):
        person.ok("POST", f"/v1/games/{game}/seats", json={"invite": code})
    seen = bert.look(game)
    headers = {"Idempotency-Key": "give-up"}
    resign = {"json": {"type": "resign"}, "headers": headers}
    first = bert.ok("POST", f"/v1/games/{game}/commands", **resign)
    again = bert("POST", f"/v1/games/{game}/commands", **resign)
    assert (again.status_code, again.get_json()) == (201, first)
    after = bert.look(game)
    assert after["you"] is None
    assert after["seats"][1]["kind"] == "ai"
    assert all(set(hand) == {"??"} for hand in after["table"]["hands"])
    then = bert.ok("GET", f"/v1/games/{game}?at={seen['version']}")
    assert then["table"] == seen["table"]
    dealt = next(
        item
        for item in bert.ok("GET", f"/v1/games/{game}/events")["items"]
        if item["type"] == "deal_started"
    )
    assert ["??" in hand for hand in dealt["data"]["hands"]] == [True, False, True]
    assert [item["id"] for item in bert.ok("GET", "/v1/me/games")["items"]] == [game]
    house.guest("Eve").refused(404, "not_found", "GET", f"/v1/games/{game}")
