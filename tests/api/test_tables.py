"""Tables before the start, rematches, and ending a game together."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.conftest import BOTH

pytestmark = BOTH


def names(seen: Any) -> list[str | None]:
    return [seat["name"] or seat["level"] for seat in seen["seats"]]


def sit(game: str, *people: Person, **more: Any) -> None:
    for person in people:
        person.ok("POST", f"/v1/games/{game}/seats", json=more)


def refused(person: Person, game: str, status: int, code: str, **command: Any) -> None:
    person.refused(status, code, "POST", f"/v1/games/{game}/commands", json=command)


def test_people_sit_as_they_like_before_the_start(house: House) -> None:
    anna, bert, cleo = (house.guest(name) for name in ("Anna", "Bert", "Cleo"))
    game = anna.open(*[HUMAN] * 4)
    sit(game, bert, cleo)
    assert anna.look(game)["host"] == 0
    bert.act(game, type="move_seat", to=3)
    anna.act(game, type="swap_seats", one=0, other=1)
    seen = anna.look(game)
    assert names(seen) == [None, "Anna", "Cleo", "Bert"]
    assert (seen["you"], seen["host"]) == (1, 1)
    refused(bert, game, 409, "not_host", type="swap_seats", one=0, other=1)
    refused(bert, game, 409, "seat_taken", type="move_seat", to=2)
    refused(bert, game, 409, "no_such_seat", type="move_seat", to=-1)
    refused(house.guest("Eve"), game, 403, "no_seat", type="move_seat", to=0)
    refused(anna, game, 422, "unknown_level", type="fill_seat", place=0, level="grandmaster")
    refused(anna, game, 422, "invalid", type="move_seat", to=1.0)
    anna.act(game, type="fill_seat", place=0, level="casual")
    seen = anna.look(game)
    assert (seen["status"], names(seen)[0]) == ("playing", "casual")
    refused(bert, game, 409, "already_started", type="move_seat", to=0)


def test_play_waits_until_all_are_ready(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN, start="ready")
    anna.act(game, type="ready")
    sit(game, bert)
    seen = bert.look(game)
    assert (seen["status"], seen["start"]) == ("waiting", "ready")
    assert [seat["ready"] for seat in seen["seats"]] == [True, False]
    refused(bert, game, 409, "not_started", type="draw")
    refused(bert, game, 422, "invalid", type="ready", ready=1)
    bert.act(game, type="ready", ready=True)
    assert bert.look(game)["status"] == "playing"


def test_elsewhere_nobody_is_asked(house: House) -> None:
    anna = house.guest("Anna")
    refused(anna, anna.open(HUMAN, HUMAN), 409, "ready_not_asked", type="ready")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "more",
    [
        {"start": "now"},
        {"start": None},
        {"spectators": "some"},
        {"spectators": 4},
        {"spectators": {"delay": 0}},
        {"spectators": {"delay": True}},
        {"spectators": {"delay": 1001}},
        {"spectators": {"delay": 4, "more": 1}},
        {"spectators": None},
    ],
)
def test_terms_that_are_none(house: House, more: Any) -> None:
    body = {"variant": "canasta", "seats": [HUMAN, HUMAN]} | more
    house.guest("Anna").refused(422, "invalid", "POST", "/v1/games", json=body)


def test_a_new_invitation_ends_the_old_ones(house: House) -> None:
    anna, bert, cleo = (house.guest(name) for name in ("Anna", "Bert", "Cleo"))
    game = anna.open(*[HUMAN] * 3, visibility="private")
    old = anna.look(game)["invite"]
    assert old["expires"] is None
    sit(game, bert, invite=old["code"])
    refused(bert, game, 409, "not_host", type="change_invite")
    refused(anna, game, 409, "bad_invite", type="change_invite", minutes=0)
    anna.act(game, type="change_invite", minutes=60)
    new = anna.look(game)["invite"]
    assert new["code"] != old["code"]
    assert new["expires"] > anna.look(game)["changed"]
    path = f"/v1/games/{game}"
    cleo.refused(404, "not_found", "POST", f"{path}/seats", json={"invite": old["code"]})
    cleo.refused(404, "not_found", "GET", f"{path}?invite={old['code']}")
    cleo.ok("GET", new["url"].removeprefix("http://localhost"))
    assert all(new["code"] not in str(item) for item in anna.ok("GET", f"{path}/events")["items"])
    sit(game, cleo, invite=new["code"])


def test_an_invitation_ends(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN, visibility="private")
    anna.act(game, type="change_invite", minutes=1)
    code = anna.look(game)["invite"]["code"]
    table = house.app.extensions["tapete"].tables.load(game)
    assert table.admits(code)
    assert not replace(table, now=table.now + 60_001).admits(code)
    sit(game, bert, invite=code)


def test_who_got_up_is_out_at_once(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(*[HUMAN] * 3, visibility="private")
    sit(game, bert, invite=anna.look(game)["invite"]["code"])
    after = bert.version(game)
    path = f"/v1/games/{game}"
    with ThreadPoolExecutor(1) as pool:
        poll = pool.submit(bert.get, f"{path}/events?after={after}&wait=20")
        assert bert("DELETE", f"{path}/seats/1").status_code == 204
        assert poll.result(20).status_code == 404
    for more in ("", "/events", "/steps", "/commands"):
        bert.refused(404, "not_found", "GET", path + more)


def test_who_got_up_stays_out_when_somebody_gives_the_game_up(house: House) -> None:
    """Who resigned goes on as a spectator; who left before the start had nothing to go on with."""
    anna, bert, cleo, olga = (house.guest(name) for name in ("Anna", "Bert", "Cleo", "Olga"))
    game = anna.open(*[HUMAN] * 3, variant="samba", visibility="private")
    code = anna.look(game)["invite"]["code"]
    sit(game, olga, invite=code)
    assert olga("DELETE", f"/v1/games/{game}/seats/1").status_code == 204
    for person in (bert, cleo):
        sit(game, person, invite=code)
    for person in (bert, anna):  # the second ends the game
        olga.refused(404, "not_found", "GET", f"/v1/games/{game}")
        person.act(game, type="resign")
        assert olga.ok("GET", "/v1/me/games")["items"] == []
        assert person.look(game)["id"] == game
    for more in ("", "/events", "/steps", "/record", "/audit"):
        olga.refused(404, "not_found", "GET", f"/v1/games/{game}{more}")


def test_a_game_ends_when_all_agree(house: House) -> None:
    game, mover, other = house.table()
    mover.act(game, type="abandon")
    assert mover.look(game)["status"] == "playing"
    mover.act(game, type="abandon", agree=False)
    other.act(game, type="abandon")
    mover.act(game, type="abandon")
    seen = other.look(game)
    assert (seen["status"], seen["result"]["winner"]) == ("abandoned", None)
    assert seen["fair"]["secret"]
    refused(mover, game, 410, "game_over", type="abandon")


def test_once_more_with_the_same_people(house: House) -> None:
    anna, bert, eve = (house.guest(name) for name in ("Anna", "Bert", "Eve"))
    game = anna.open(ROBOT, HUMAN, HUMAN, ROBOT, start="ready", options={"target_score": 7500})
    sit(game, bert)
    path = f"/v1/games/{game}/rematch"
    for person in (anna, bert):
        person.refused(409, "not_over", "POST", path)
        person.act(game, type="ready")
    anna.refused(409, "not_over", "POST", path)
    bert.act(game, type="resign")
    eve.refused(403, "no_seat", "POST", path)
    answer = bert.post(path)
    new = answer.get_json()
    assert (answer.status_code, new["you"], new["status"]) == (201, 2, "waiting")
    assert answer.headers["Location"] == f"/v1/games/{new['id']}"
    assert new["options"] == anna.look(game)["options"]
    assert new["start"] == "ready"
    assert new["id"] != game
    assert bert.post(path).status_code == 200
    seats = f"/v1/games/{new['id']}/seats"
    eve.refused(409, "seat_offered", "POST", seats, json={})
    eve.refused(409, "seat_offered", "POST", seats, json={"seat": 1})
    seen = anna.ok("POST", path)
    assert (seen["id"], seen["you"]) == (new["id"], 1)
    assert names(seen) == ["novice", "Anna", "Bert", "novice"]


def test_a_private_rematch_needs_no_code(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN, visibility="private")
    sit(game, bert, invite=anna.look(game)["invite"]["code"])
    anna.act(game, type="resign")
    path = f"/v1/games/{game}/rematch"
    house.guest("Eve").refused(404, "not_found", "POST", path)
    new = bert.ok("POST", path)
    assert new["visibility"] == "private"
    assert anna.ok("POST", path)["status"] == "playing"


def test_a_game_that_never_began_has_no_rematch(house: House) -> None:
    anna = house.guest("Anna")
    game = anna.open(HUMAN, HUMAN)
    anna("DELETE", f"/v1/games/{game}/seats/0")
    anna.refused(409, "nothing_to_play", "POST", f"/v1/games/{game}/rematch")


def test_all_ask_for_a_rematch_at_once(house: House) -> None:
    people = [house.guest(f"P{seat}") for seat in range(4)]
    game = people[0].open(*[HUMAN] * 4)
    sit(game, *people[1:])
    people[2].act(game, type="resign")
    with ThreadPoolExecutor(8) as pool:
        ask = [*people, *people]
        answers = list(pool.map(lambda one: one.post(f"/v1/games/{game}/rematch"), ask))
    assert sorted(answer.status_code for answer in answers) == [200] * 4 + [201] * 4
    (new,) = {answer.get_json()["id"] for answer in answers}
    seen = people[0].look(new)
    assert (seen["status"], names(seen)) == ("playing", ["P0", "P1", "P2", "P3"])


def test_a_rematch_that_was_interrupted_is_made_good(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process died between opening the game and keeping the seats."""
    game, mover, other = house.table()
    mover.act(game, type="resign")
    tables = house.app.extensions["tapete"].tables
    with monkeypatch.context() as patch:
        patch.setattr(type(tables), "offer", lambda *_: 1 / 0)
        mover.refused(500, "internal", "POST", f"/v1/games/{game}/rematch")
    new = other.ok("POST", f"/v1/games/{game}/rematch")
    assert new["you"] == other.look(game)["you"]
    assert mover.ok("POST", f"/v1/games/{game}/rematch")["status"] == "playing"
