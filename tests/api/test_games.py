"""Opening a game, looking at it, and at what it was."""

import pytest

from tests.api.client import HUMAN, ROBOT, House
from tests.api.conftest import BOTH

pytestmark = BOTH


def test_the_creator_sits_down_first(house: House) -> None:
    anna = house.guest("Anna")
    answer = anna.post("/v1/games", {"variant": "samba", "seats": [ROBOT, HUMAN, HUMAN, ROBOT]})
    game = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    assert answer.headers["ETag"] == f'"{game["version"]}"'
    assert (game["status"], game["you"], game["to_act"]) == ("waiting", 1, [])
    assert [seat["name"] for seat in game["seats"]] == [None, "Anna", None, None]
    assert [seat["side"] for seat in game["seats"]] == [0, 1, 0, 1]
    assert game["options"] == {"target_score": 10000}
    assert game["table"] is None
    assert game["deadline"] is None
    assert game["fair"]["secret"] is None
    assert game["fair"]["nonces"] == [None] * 4
    assert game == anna.look(game["id"])


def test_the_creator_may_stay_standing(house: House) -> None:
    anna = house.guest("Anna")
    game = anna.look(anna.open(HUMAN, HUMAN, sit=False, visibility="private"))
    assert game["you"] is None
    bert = house.guest("Bert")
    bert.ok("POST", f"/v1/games/{game['id']}/seats", json={"invite": game["invite"]["code"]})


def test_play_starts_at_once_when_nobody_is_awaited(
    house: House, calls: list[tuple[str, int, int]]
) -> None:
    anna = house.guest("Anna")
    game = anna.look(anna.open(*[ROBOT] * 4, variant="bolivie"))
    assert (game["status"], game["version"], game["you"]) == ("playing", 3, None)
    assert calls == [(game["id"], 3, 0)]
    assert all(set(hand) == {"??"} for hand in game["table"]["hands"])


def test_nothing_changed_is_said_in_a_few_bytes(house: House) -> None:
    game, mover, other = house.table()
    for path in (f"/v1/games/{game}", f"/v1/games/{game}/commands"):
        first = mover.get(path)
        etag = first.headers["ETag"]
        assert etag == f'"{mover.version(game)}"'
        assert first.headers["Vary"] == "Authorization, Accept-Language, Accept-Encoding"
        assert first.headers["Cache-Control"] == "private, no-cache"
        for given in (etag, f"W/{etag}", f'"0", {etag}', "*"):
            again = mover.get(path, headers={"If-None-Match": given})
            assert (again.status_code, again.get_data()) == (304, b"")
            assert again.headers["ETag"] == etag
            assert again.headers["Vary"] == first.headers["Vary"]
    other_still = other.get(f"/v1/games/{game}", headers={"If-None-Match": etag})
    assert other_still.status_code == 304
    mover.act(game, type="draw")
    assert mover.get(f"/v1/games/{game}", headers={"If-None-Match": etag}).status_code == 200


def test_nothing_is_said_about_a_game_before_the_token_is_read(house: House) -> None:
    game, _, _ = house.table()
    headers = {"If-None-Match": "*"}
    assert house.anyone.get(f"/v1/games/{game}", headers=headers).status_code == 401


def test_every_moment_can_be_seen_again_as_it_was_seen(house: House) -> None:
    game, mover, other = house.table()
    seen: dict[int, list[object]] = {}
    for command in ({"type": "draw"}, None):
        if command is None:
            legal = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
            command = next(one for one in legal if one["type"] == "discard")
        mover.act(game, **command)
        version = mover.version(game)
        seen[version] = [person.look(game) for person in (mover, other, house.guest("Eve"))]
    mover.act(game, type="resign")
    for version, views in seen.items():
        eve = house.guest("Eve")
        then = [
            person.ok("GET", f"/v1/games/{game}?at={version}") for person in (mover, other, eve)
        ]
        assert then == views
        answer = mover.get(f"/v1/games/{game}?at={version}")
        assert answer.headers["ETag"] == f'"{version}"'
    first = mover.ok("GET", f"/v1/games/{game}?at=1")
    assert (first["status"], first["version"]) == ("waiting", 1)
    mover.refused(404, "no_such_version", "GET", f"/v1/games/{game}?at=1000")


def test_a_game_that_does_not_exist(house: House) -> None:
    anna = house.guest("Anna")
    for path in ("", "/events", "/commands"):
        anna.refused(404, "not_found", "GET", f"/v1/games/{'a' * 21}{path}")
    anna.refused(404, "not_found", "POST", f"/v1/games/{'a' * 21}/seats", json={})
    anna.refused(404, "not_found", "POST", f"/v1/games/{'a' * 21}/commands", json={"type": "draw"})
    anna.refused(404, "not_found", "DELETE", f"/v1/games/{'a' * 21}/seats/0")


def test_the_end_opens_the_secret_and_the_hands(house: House) -> None:
    game, mover, other = house.table()
    commitment = mover.look(game)["fair"]["commitment"]
    answer = mover.act(game, type="resign")
    assert [event["type"] for event in answer["events"]] == [
        "seat_resigned", "game_ended", "secret_revealed",
    ]  # fmt: skip
    over = other.look(game)
    assert over["result"]["winner"] == over["seats"][over["you"]]["side"]
    assert over["result"]["why"] == "resigned"
    assert (over["status"], over["version"]) == ("finished", answer["version"])
    assert over["fair"]["commitment"] == commitment
    assert over["fair"]["secret"] == answer["events"][-1]["data"]["secret"]
    assert over["to_act"] == []
    assert all("??" not in hand for hand in over["table"]["hands"])


def test_a_practice_game(house: House) -> None:
    anna = house.guest("Anna")
    pack = house.anyone.ok("GET", "/v1/variants/canasta")["pack"]
    pack.reverse()
    setup = {"dealer": 1, "scores": [100, -50], "packs": [pack]}
    body = {"variant": "canasta", "seats": [HUMAN, ROBOT], "setup": setup}
    answer = anna.post("/v1/games", body)
    game = answer.get_json()
    assert game["fair"] is None
    assert game["scores"] == [100, -50]
    assert game["table"]["dealer"] == 1
    assert game["to_act"] == [0]
    assert sorted(game["table"]["hands"][0]) == sorted(pack[0:30:2])
    opened = anna.ok("GET", f"/v1/games/{game['id']}/events")["items"][0]
    assert opened["data"]["setup"] == {"dealer": 1, "scores": [100, -50], "packs": []}


@pytest.mark.parametrize("path", ["", "/events", "/commands"])
def test_a_private_game_is_nowhere_for_strangers(house: House, path: str) -> None:
    anna, eve = house.guest("Anna"), house.guest("Eve")
    game = anna.open(HUMAN, HUMAN, visibility="private")
    code = anna.look(game)["invite"]["code"]
    where = f"/v1/games/{game}{path}"
    assert anna.get(where).status_code == 200
    for query in ("", "?invite=", "?invite=wrong", "?invite=%C3%BC"):
        eve.refused(404, "not_found", "GET", where + query)
    assert eve.get(f"{where}?invite={code}").status_code == 200
    if not path:
        assert eve.ok("GET", f"{where}?invite={code}")["invite"] is None


def test_the_invite_is_for_players_who_wait(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN)
    invite = anna.look(game)["invite"]
    assert invite["url"].endswith(f"/v1/games/{game}?invite={invite['code']}")
    assert bert.look(game)["invite"] is None
    bert.ok("POST", f"/v1/games/{game}/seats", json={})
    assert anna.look(game)["invite"] is None
