"""Playing over HTTP: versions, and requests that come twice."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.api.client import HUMAN, House, Person
from tests.api.conftest import BOTH_AT_ONCE

pytestmark = BOTH_AT_ONCE


def give(person: Person, game: str, command: dict[str, Any], **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return person.post(f"/v1/games/{game}/commands", command, headers=named)


def length(person: Person, game: str) -> int:
    """How many items the feed has."""
    return len(person.ok("GET", f"/v1/games/{game}/events?limit=500")["items"])


def test_what_may_be_done_is_accepted(house: House) -> None:
    game, mover, other = house.table()
    said = mover.ok("GET", f"/v1/games/{game}/commands")
    assert {"type": "draw"} in said["commands"]
    assert other.ok("GET", f"/v1/games/{game}/commands")["commands"] == []
    eve = house.guest("Eve")
    assert eve.ok("GET", f"/v1/games/{game}/commands")["commands"] == []
    answer = give(mover, game, {"type": "draw"}, If_Match=f'"{said["version"]}"')
    assert answer.status_code == 201
    done = answer.get_json()
    assert done["version"] == said["version"] + 1
    assert "Idempotent-Replayed" not in answer.headers
    (drawn,) = done["events"]
    assert (drawn["type"], drawn["id"]) == ("cards_drawn", f"{done['version']}.0")
    assert "??" not in drawn["data"]["cards"]
    seen = mover.look(game)
    assert (seen["version"], seen["head"]) == (done["version"], done["head"])


def test_the_deal_that_follows_belongs_to_the_answer(house: House) -> None:
    """The last seat starts the game: one answer tells of the start and of the deal."""
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN)
    bert.ok("POST", f"/v1/games/{game}/seats", json={})
    types = [item["type"] for item in bert.ok("GET", f"/v1/games/{game}/events")["items"]]
    assert types[:4] == ["game_opened", "seat_taken", "game_started", "deal_started"]


def test_without_a_version_the_command_meets_the_game_as_it_is(house: House) -> None:
    game, mover, _ = house.table()
    assert give(mover, game, {"type": "draw"}, If_Match="*").status_code == 201


def test_before_the_start(house: House) -> None:
    anna = house.guest("Anna")
    game = anna.open(HUMAN, HUMAN)
    assert anna.ok("GET", f"/v1/games/{game}/commands")["commands"] == []
    for command in ({"type": "draw"}, {"type": "resign"}):
        said = anna.refused(409, "not_started", "POST", f"/v1/games/{game}/commands", json=command)
        assert said["version"] == 1
        assert (said["rule"], said["link"]) == ("T.5", "/v1/variants/canasta/rules/T.5")


def test_twenty_at_one_version(house: House) -> None:
    game, mover, _ = house.table()
    version, before = mover.version(game), length(mover, game)
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(
                lambda _: give(mover, game, {"type": "draw"}, If_Match=f'"{version}"'), range(20)
            )
        )
    assert sorted(answer.status_code for answer in answers) == [201] + [412] * 19
    assert {a.get_json()["version"] for a in answers} == {version + 1}
    assert (mover.version(game), length(mover, game)) == (version + 1, before + 1)


def test_a_repeated_request_gets_the_first_answer(house: House) -> None:
    game, mover, other = house.table()
    version = mover.version(game)
    headers = {"Idempotency_Key": "k1", "If_Match": f'"{version}"'}
    first = give(mover, game, {"type": "draw"}, **headers)
    again = give(mover, game, {"type": "draw"}, **headers)
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert again.headers["Idempotent-Replayed"] == "true"
    legal = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
    give(mover, game, next(one for one in legal if one["type"] == "discard"))
    give(other, game, {"type": "draw"})
    count = length(mover, game)
    late = give(mover, game, {"type": "draw"}, **headers)
    assert late.get_json() == first.get_json()
    give(other, game, {"type": "resign"})
    assert give(mover, game, {"type": "draw"}, **headers).get_json() == first.get_json()
    assert length(mover, game) == count + 3


def test_another_body_under_the_same_key(house: House) -> None:
    game, mover, _ = house.table()
    give(mover, game, {"type": "draw"}, Idempotency_Key="k1")
    version = mover.version(game)
    mover.refused(
        422,
        "idempotency_key_reused",
        "POST",
        f"/v1/games/{game}/commands",
        json={"type": "resign"},
        headers={"Idempotency-Key": "k1"},
    )
    assert mover.version(game) == version


def test_another_spelling_of_the_same_body(house: House) -> None:
    game, mover, _ = house.table()
    headers = {"Idempotency-Key": "k1", "Content-Type": "application/json"}
    path = f"/v1/games/{game}/commands"
    give(mover, game, {"type": "draw"}, Idempotency_Key="k1")
    again = mover("POST", path, data=b' {"type" :\n"draw"}', headers=headers)
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_key_is_one_players_own(house: House) -> None:
    """A cached answer may hold a hand: another seat with the same key gets nothing of it."""
    game, mover, other = house.table()
    give(mover, game, {"type": "draw"}, Idempotency_Key="k1")
    version = mover.version(game)
    other.refused(
        409,
        "not_your_turn",
        "POST",
        f"/v1/games/{game}/commands",
        json={"type": "draw"},
        headers={"Idempotency-Key": "k1"},
    )
    assert mover.version(game) == version


def test_after_a_refusal_the_key_runs_afresh(house: House) -> None:
    game, mover, other = house.table()
    assert give(other, game, {"type": "draw"}, Idempotency_Key="k").status_code == 409
    give(mover, game, {"type": "draw"})
    legal = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
    give(mover, game, next(one for one in legal if one["type"] == "discard"))
    answer = give(other, game, {"type": "draw"}, Idempotency_Key="k")
    assert answer.status_code == 201
    assert "Idempotent-Replayed" not in answer.headers


def test_ten_at_once_under_one_key(house: House) -> None:
    game, mover, _ = house.table()
    before = length(mover, game)
    with ThreadPoolExecutor(10) as pool:
        answers = list(
            pool.map(lambda _: give(mover, game, {"type": "draw"}, Idempotency_Key="k"), range(10))
        )
    assert [answer.status_code for answer in answers] == [201] * 10
    assert all(answer.get_json() == answers[0].get_json() for answer in answers)
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 9
    assert length(mover, game) == before + 1


def test_a_process_that_knows_nothing_knows_the_keys(house: House) -> None:
    game, mover, _ = house.table()
    first = give(mover, game, {"type": "draw"}, Idempotency_Key="k1")
    house.app.extensions["tapete"].tables.forget()
    again = give(mover, game, {"type": "draw"}, Idempotency_Key="k1")
    assert again.get_json() == first.get_json()


def test_opening_twice_opens_once(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    body = {"variant": "canasta", "seats": [HUMAN, HUMAN]}
    headers = {"Idempotency-Key": "k1"}
    first = anna.post("/v1/games", body, headers=headers)
    game = first.get_json()["id"]
    bert.ok("POST", f"/v1/games/{game}/seats", json={})
    again = anna.post("/v1/games", body, headers=headers)
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    anna.refused(
        422,
        "idempotency_key_reused",
        "POST",
        "/v1/games",
        json=body | {"visibility": "private"},
        headers=headers,
    )
    other = bert.post("/v1/games", body, headers=headers)
    assert other.get_json()["id"] != game
    assert "Idempotent-Replayed" not in other.headers
    # The same key serves for the commands of the game it opened: another route.
    mover = anna if anna.look(game)["to_act"] == [0] else bert
    answer = give(mover, game, {"type": "draw"}, Idempotency_Key="k1")
    assert answer.status_code == 201


def test_ten_open_at_once_under_one_key(house: House) -> None:
    anna = house.guest("Anna")
    body = {"variant": "canasta", "seats": [HUMAN, HUMAN]}
    headers = {"Idempotency-Key": "k"}
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: anna.post("/v1/games", body, headers=headers), range(10)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.get_json()["id"] for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 9
    assert len(anna.ok("GET", "/v1/me/games")["items"]) == 1
