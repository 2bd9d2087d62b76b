"""A faulted game over HTTP: readable up to the fault, closed by resign, and no other is harmed."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.app import create_app
from service.rules.protocol import HOUSE
from tests import damage
from tests.api.client import House, Person
from tests.damage import ANYWHERE, STREAM, Way
from workers.sweep import Sweep

AT = 6
"""The version that is damaged, of eight."""

EVERY = [
    *(pytest.param("memory", way, id=f"memory-{way.__name__}") for way in ANYWHERE),
    *(
        pytest.param("redis", way, id=f"redis-{way.__name__}", marks=marks)
        for way in (*ANYWHERE, *STREAM)
        for marks in [() if way in (damage.flipped_byte, damage.gap) else pytest.mark.slow]
    ),
]
"""The quick round takes two of them on the real server; together they are a minute's work."""
every_way = pytest.mark.parametrize(("backing", "way"), EVERY)
both = pytest.mark.parametrize(("backing", "way"), [EVERY[1], EVERY[len(ANYWHERE) + 1]])

Spoil = Callable[..., Callable[[], None]]


@pytest.fixture
def spoil(house: House, way: Way) -> Spoil:
    """Damages a game, of which the processes then know nothing."""
    edge = house.app.extensions["tapete"]

    def spoilt(game: str, version: int = AT) -> Callable[[], None]:
        mend = damage.damage(edge.store, edge.config.redis_url, game, version, way)
        edge.tables.forget()

        def mended() -> None:
            mend()
            edge.tables.forget()

        return mended

    return spoilt


def played(house: House, **more: Any) -> tuple[str, Person, Person]:
    """A game of eight commits and the two who play it."""
    game, one, two = house.table(**more)
    mover, other = one, two
    while (seen := mover.look(game))["version"] < 8:
        if seen["you"] not in seen["to_act"]:
            mover, other = other, mover
            continue
        listed = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
        mover.act(game, **listed[0])
    return game, one, two


def restarted(house: House) -> House:
    """Another process of the API on the same store."""
    edge = house.app.extensions["tapete"]
    people = edge.guests._people
    return House(
        create_app(edge.config, store=edge.store, people=people, call=lambda *_: None),
    )


def again(house: House, person: Person) -> Person:
    return Person(house.app, person.token, person.id)


def answers(person: Person, game: str) -> list[Any]:
    """What somebody reads of a game, in every way."""
    path = f"/v1/games/{game}"
    return [
        person.ok("GET", path),
        *(person.ok("GET", f"{path}?at={version}") for version in range(1, AT)),
        person.ok("GET", f"{path}/events?limit=500"),
        person.ok("GET", f"{path}/steps?limit=500"),
        person.ok("GET", f"{path}/commands"),
        person.ok("GET", "/v1/me/games"),
        person.ok("GET", "/v1/games?status=faulted"),
    ]


@pytest.mark.sampled(5)
@every_way
def test_it_is_readable_up_to_the_fault(house: House, spoil: Spoil) -> None:
    game, anna, _ = played(house)
    path = f"/v1/games/{game}"
    before = [anna.ok("GET", f"{path}?at={version}") for version in range(1, AT)]
    feed = anna.ok("GET", f"{path}/events?limit=500")["items"]
    spoil(game)
    seen = anna.look(game)
    assert (seen["status"], seen["version"], seen["to_act"]) == ("faulted", AT - 1, [])
    assert (seen["result"], seen["fair"]["secret"]) == (None, None)
    assert seen["table"] == before[-1]["table"]
    assert seen["head"] == before[-1]["head"]
    assert [anna.ok("GET", f"{path}?at={version}") for version in range(1, AT - 1)] == before[:-1]
    for version in (AT, 8, 9):
        anna.refused(404, "no_such_version", "GET", f"{path}?at={version}")
    told = anna.ok("GET", f"{path}/events?limit=500&wait=30")
    assert told["items"] == [item for item in feed if item["version"] < AT]
    assert told["over"]
    end = anna.ok("GET", f"{path}/events?after={told['next']}&wait=30")
    assert (end["items"], end["over"]) == ([], True)
    walked = anna.ok("GET", f"{path}/steps?limit=500")
    assert [step["version"] for step in walked["items"]] == list(range(1, AT))
    assert walked["items"][-1]["head"] == seen["head"]
    assert anna.ok("GET", f"{path}/commands") == {"version": AT - 1, "commands": []}


@pytest.mark.sampled(5)
@every_way
def test_a_fault_has_no_etag_of_a_version(house: House, spoil: Spoil) -> None:
    """It comes and goes without one, so nobody may believe to have it already."""
    game, anna, _ = played(house)
    spoil(game)
    for path in (f"/v1/games/{game}", f"/v1/games/{game}/commands"):
        answer = anna.get(path, headers={"If-None-Match": f'"{AT - 1}"'})
        assert answer.status_code == 200
        assert answer.headers["ETag"] != f'"{AT - 1}"'  # but the hash of what it says
    assert anna.get(f"/v1/games/{game}?at=2").headers["ETag"] == '"2"'


@pytest.mark.sampled(5)
@every_way
def test_commands_are_refused_in_the_order_of_the_contract(house: House, spoil: Spoil) -> None:
    game, anna, bert = played(house)
    stranger = house.guest("Carl")
    spoil(game)
    path = f"/v1/games/{game}/commands"
    draw = {"type": "draw"}
    said = anna.refused(409, "game_faulted", "POST", path, json=draw)
    assert (said["version"], f"version {AT}" in said["detail"]) == (AT - 1, True)
    bert.refused(409, "game_faulted", "POST", path, json=draw)
    anna.refused(422, "invalid", "POST", path, json={"type": "nonsense"})
    stranger.refused(403, "no_seat", "POST", path, json=draw)
    stale = {"If-Match": '"8"'}
    anna.refused(412, "version_mismatch", "POST", path, json=draw, headers=stale)
    anna.refused(412, "version_mismatch", "POST", path, json={"type": "resign"}, headers=stale)
    seat = anna.look(game)["you"]
    anna.refused(409, "game_faulted", "DELETE", f"/v1/games/{game}/seats/{seat}")
    nonce = {"nonce": "x"}
    anna.refused(409, "game_faulted", "PUT", f"/v1/games/{game}/seats/{seat}", json=nonce)
    stranger.refused(409, "game_faulted", "POST", f"/v1/games/{game}/seats", json={})
    anna.refused(409, "game_faulted", "GET", f"/v1/games/{game}/record")
    anna.refused(409, "game_faulted", "POST", f"/v1/games/{game}/hints")
    assert anna.look(game)["version"] == AT - 1


@pytest.mark.sampled(5)
@every_way
def test_who_resigns_closes_it(house: House, spoil: Spoil) -> None:
    game, anna, bert = played(house)
    path = f"/v1/games/{game}"
    spoil(game)
    asked = {
        "json": {"type": "resign"},
        "headers": {"If-Match": f'"{AT - 1}"', "Idempotency-Key": "k"},
    }
    first = anna("POST", f"{path}/commands", **asked)
    assert first.status_code == 201
    done = first.get_json()
    assert [item["type"] for item in done["events"]] == ["game_ended", "secret_revealed"]
    seen = bert.look(game)
    assert (seen["status"], seen["to_act"], seen["version"]) == ("faulted", [], 10)
    assert (seen["result"]["winner"], seen["result"]["why"]) == (None, "abandoned")
    assert (seen["head"], seen["version"]) == (done["head"], done["version"])
    assert seen["fair"]["secret"]
    again = anna("POST", f"{path}/commands", **asked)
    assert again.get_json() == done
    assert again.headers["Idempotent-Replayed"] == "true"
    for kind in ("draw", "resign"):
        bert.refused(410, "game_over", "POST", f"{path}/commands", json={"type": kind})
    told = anna.ok("GET", f"{path}/events?after={AT - 2}&limit=500")
    assert sorted({item["version"] for item in told["items"]}) == [AT - 1, 9, 10]
    assert (told["over"], told["version"]) == (True, 10)
    rest = anna.ok("GET", f"{path}/events?after={AT - 1}&limit=1")
    assert ([item["type"] for item in rest["items"]], rest["over"]) == (["game_ended"], False)
    assert anna.ok("GET", f"{path}?at={AT - 1}")["result"] is None
    assert anna.ok("GET", f"{path}?at=9")["fair"]["secret"] is None
    for version in (AT, 8, 11):
        anna.refused(404, "no_such_version", "GET", f"{path}?at={version}")
    assert len(anna.ok("GET", f"{path}/steps")["items"]) == AT - 1
    anna.refused(409, "game_faulted", "GET", f"{path}/record")
    onward = {"from": {"game": game, "version": 4}}
    anna.refused(409, "game_faulted", "POST", "/v1/games", json=onward)


@pytest.mark.sampled(5)
@every_way
def test_others_play_on_and_lists_are_whole(house: House, spoil: Spoil) -> None:
    game, anna, _ = played(house)
    other, *others = played(house)
    mine, carl, _ = played(house)
    anna_too = anna.open({"kind": "human"}, {"kind": "human"})
    edge = house.app.extensions["tapete"]
    spoil(game)
    assert [item["id"] for item in anna.ok("GET", "/v1/me/games")["items"]] == [anna_too, game]
    assert {item["id"] for item in carl.ok("GET", "/v1/games?status=playing")["items"]} == {
        other,
        mine,
    }
    Sweep(edge.store, edge.tables, patience=5.0).once()
    assert anna.ok("GET", "/readyz") == {"status": "ok", "faulted": 1}
    [listed] = carl.ok("GET", "/v1/games?status=faulted")["items"]
    assert (listed["id"], listed["status"], listed["to_act"]) == (game, "faulted", [])
    [own] = anna.ok("GET", "/v1/me/games?status=faulted")["items"]
    assert own["id"] == game
    assert carl.get("/v1/export").status_code == 200
    [mover] = [one for one in others if one.look(other)["you"] in one.look(other)["to_act"]]
    listed = mover.ok("GET", f"/v1/games/{other}/commands")["commands"]
    assert mover.act(other, **listed[0])["version"] == 9
    anna.act(game, type="resign")
    assert anna.ok("GET", "/readyz")["faulted"] == 1
    assert carl.ok("GET", "/v1/games?status=abandoned")["items"] == []


@pytest.mark.sampled(5)
@every_way
def test_another_process_says_the_same(house: House, spoil: Spoil) -> None:
    game, anna, _ = played(house)
    spoil(game)
    edge = house.app.extensions["tapete"]
    Sweep(edge.store, edge.tables, patience=5.0).once()
    assert answers(anna, game) == answers(again(restarted(house), anna), game)
    again(restarted(house), anna).act(game, type="resign")
    assert answers(anna, game) == answers(again(restarted(house), anna), game)


@pytest.mark.sampled(5)
@every_way
def test_once_mended_it_is_played_on(house: House, spoil: Spoil) -> None:
    game, anna, bert = played(house)
    before = [person.look(game) for person in (anna, bert)]
    mend = spoil(game)
    assert anna.look(game)["status"] == "faulted"
    edge = house.app.extensions["tapete"]
    sweep = Sweep(edge.store, edge.tables, patience=5.0)
    sweep.once()
    mend()
    Sweep(edge.store, edge.tables, patience=5.0).once()  # as after its next start
    assert [person.look(game) for person in (anna, bert)] == before
    assert anna.ok("GET", "/readyz")["faulted"] == 0
    mover = anna if before[0]["you"] in before[0]["to_act"] else bert
    listed = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
    assert mover.act(game, **listed[0])["version"] == 9


@both
def test_who_gave_up_at_a_table_of_three_still_sees_what_they_saw(
    house: House, spoil: Spoil
) -> None:
    people = [house.guest(name) for name in ("Anna", "Bert", "Carl")]
    game = people[0].open(*[{"kind": "human"}] * 3, variant="samba")
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    gone = people[2]
    gone.act(game, type="resign")
    last = gone.version(game)
    other = people[0]
    spoil(game, last)
    assert other.look(game)["status"] == "faulted"
    assert gone.look(game)["you"] == 2
    other.act(game, type="resign")
    for person in (*people, house.guest("Dora")):
        told = person.ok("GET", f"/v1/games/{game}/events?limit=500")
        assert [item["type"] for item in told["items"]][-2:] == ["game_ended", "secret_revealed"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("way", ANYWHERE)
def test_an_export_says_which_game_it_leaves_out(
    house: House, spoil: Spoil, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.memory.HELD_BACK", -1000)
    games = []
    for _ in range(3):
        game, anna, _ = played(house)
        anna.act(game, type="resign")
        games.append(game)
    spoil(games[1])
    found = [json.loads(line) for line in anna.get("/v1/export").get_data().splitlines()]
    headers = [line["game"] for line in found if line.get("type") == "header"]
    assert headers == [games[0], games[2]]
    skipped = [line for line in found if line.get("type") == "skipped"]
    assert skipped == [{"type": "skipped", "game": games[1], "code": "game_damaged"}]
    assert found[-1]["type"] == "end"
    anna.refused(409, "game_faulted", "GET", f"/v1/games/{games[1]}/record")
    assert anna.look(games[1])["status"] == "faulted"


@pytest.mark.parametrize("way", [damage.flipped_byte])
def test_a_record_is_never_made_of_what_was_altered(house: House, way: Way) -> None:
    """Also where the process remembers the game as it was."""
    game, anna, _ = played(house)
    anna.act(game, type="resign")
    assert anna.get(f"/v1/games/{game}/record").status_code == 200
    damage.damage(house.app.extensions["tapete"].store, "", game, AT, way)
    anna.refused(500, "game_damaged", "GET", f"/v1/games/{game}/record")


@both
def test_private_games_stay_so(house: House, spoil: Spoil) -> None:
    game, anna, _ = played_in_private(house)
    stranger = house.guest("Carl")
    spoil(game, 4)
    edge = house.app.extensions["tapete"]
    Sweep(edge.store, edge.tables, patience=5.0).once()
    assert anna.look(game)["status"] == "faulted"
    stranger.refused(404, "not_found", "GET", f"/v1/games/{game}")
    assert stranger.ok("GET", "/v1/games?status=faulted")["items"] == []
    assert anna.ok("GET", "/readyz")["faulted"] == 1


def played_in_private(house: House) -> tuple[str, Person, Person]:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open({"kind": "human"}, {"kind": "human"}, visibility="private")
    code = anna.look(game)["invite"]["code"]
    bert.ok("POST", f"/v1/games/{game}/seats", json={"invite": code})
    edge = house.app.extensions["tapete"]
    seat = edge.tables.load(game).to_act()
    assert seat != HOUSE
    (anna, bert)[seat].act(game, type="draw")
    return game, anna, bert
