"""Going on from a version of a finished game."""

import random
from typing import Any

import pytest

from service import replay
from service.referee import referee, referee_stored
from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE
from service.scribe import Scribe
from service.store import StoreUnavailable
from service.table import Tables
from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.conftest import BOTH
from tests.api.leaks import TABLES
from tests.api.walks import give_up, table, wander

CASUAL = {"kind": "ai", "level": "casual"}
LONG = {"dealer": 0, "scores": [-500, -500]}
"""Too far from the target for one deal of botifarra."""


def go_on(person: Person, game: str, version: int, **more: Any) -> Any:
    seat = {"seat": more.pop("seat")} if "seat" in more else {}
    body = {"from": {"game": game, "version": version} | seat} | more
    return person.ok("POST", "/v1/games", json=body)


def tables_of(house: House) -> Tables:
    tables: Tables = house.app.extensions["tapete"].tables
    return tables


def finished(house: House, variant: str = "canasta", seats: int = 2, **more: Any) -> Any:
    """A game given up after some commands: its id, its people, and a version within."""
    game, people = table(house, variant, seats, **more)
    wander(game, people, random.Random(variant), 5)
    version = people[0].version(game)
    give_up(game, people)
    return game, people, version


def cards(state: Any) -> dict[str, Any]:
    """What a state holds, less what counts deals from the beginning of the game."""
    counts = ("deal", "last_deal")
    return {name: getattr(state, name) for name in state.__slots__ if name not in counts}


def audited(house: House, game: str) -> None:
    """Raises AssertionError with what an audit finds wrong in the game."""
    entries = house.app.extensions["tapete"].store.read(game).entries
    verdict = referee_stored(game, entries)
    assert verdict.ok, verdict.first_fault


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_it_stands_as_the_old_game_stood(house: House, variant: str, seats: int) -> None:
    luck = random.Random(f"{variant} {seats}")
    game, people = table(house, variant, seats)
    wander(game, people, luck, 60 if variant == "botifarra" else 12)
    give_up(game, people)
    tables = tables_of(house)
    commits = tables.commits(game, 1)
    over = next(commit.version for commit, each in replay.steps(commits) if each.result)
    begun = next(
        commit.version
        for commit, each in replay.steps(commits)
        if each.to_act() is not None and each.state and each.state.deal
    )
    for version in {begun, *luck.sample(range(begun, over), 3)}:
        then = replay.at(commits, version)
        seen = go_on(people[1], game, version)
        assert (seen["you"], seen["fair"]) == (1, None)
        assert seen["from"] == {"game": game, "version": version}
        assert seen["status"] == "playing"
        assert [one["kind"] for one in seen["seats"]].count("human") == 1
        if then.to_act() == HOUSE:
            continue
        now = tables.load(seen["id"]).game
        assert cards(now.state) == cards(then.state)
        old = people[1].ok("GET", f"/v1/games/{game}?at={version}&as=1")
        for name in ("options", "scores", "to_act", "variant"):
            assert seen[name] == old[name]
        for name in set(old["table"]) - {"deal", "last_deal"}:
            assert seen["table"][name] == old["table"][name]
        audited(house, seen["id"])


def test_it_is_played_to_its_end_and_has_a_record(house: House) -> None:
    game, people, version = finished(house, "botifarra", 4, setup=LONG)
    seen = go_on(people[0], game, version, seat=people[0].look(game)["you"])
    new = seen["id"]
    tables = tables_of(house)
    luck = random.Random(7)
    for _ in range(80):
        here = tables.load(new)
        seat = here.game.to_act()
        if seat is None:
            break
        if seat == 0:
            people[0].act(
                new, **luck.choice(people[0].ok("GET", f"/v1/games/{new}/commands")["commands"])
            )
        else:
            tables.play(here, luck.choice(here.game.legal(seat)))
    packs = [
        commit.command.pack
        for commit in tables.commits(new, 1)
        if type(commit.command).__name__ == "DealCards"
    ]
    assert len(set(packs)) == len(packs) > 1
    people[0].act(new, type="resign")
    audited(house, new)
    answer = people[0].get(f"/v1/games/{new}/record")
    assert answer.status_code == 200
    assert b'"fair":false' in answer.get_data()
    assert referee(answer.get_data()).ok


def test_where_the_house_is_to_act_it_does(house: House) -> None:
    game, people = table(house, "botifarra", 4, setup=LONG)
    wander(game, people, random.Random(1), 80)
    give_up(game, people)
    tables = tables_of(house)
    commits = tables.commits(game, 1)
    dealing = [
        commit.version
        for commit, each in replay.steps(commits)
        if each.to_act() == HOUSE and not each.result
    ]
    between = [version for version in dealing if version > 6]
    assert between
    for version in between:
        then = replay.at(commits, version)
        assert then.state
        dealer = then.state.table()["dealer"]
        seen = go_on(people[0], game, version)
        assert (seen["table"]["deal"], seen["table"]["dealer"]) == (
            2,
            (dealer + 1) % 4,
        )
        assert seen["scores"] == list(then.scores())


@pytest.mark.parametrize("version", [1, 2, 3])
def test_before_the_first_card_it_is_the_start(house: House, version: int) -> None:
    game, people = table(house, "canasta", 2, setup={"dealer": 1, "scores": [500, -5]})
    give_up(game, people)
    seen = go_on(people[0], game, version)
    assert (seen["table"]["dealer"], seen["scores"]) == (1, [500, -5])
    assert (seen["table"]["deal"], seen["version"]) == (1, 3)
    old = people[0].ok("GET", f"/v1/games/{game}?at=4&as=all")
    assert seen["table"]["hands"][0] != old["table"]["hands"][0]


def test_its_computer_player_is_called(house: House, calls: list[tuple[str, int, int]]) -> None:
    game, people, version = finished(house)
    (to_act,) = people[0].ok("GET", f"/v1/games/{game}?at={version}")["to_act"]
    calls.clear()
    seen = go_on(people[0], game, version, seat=1 - to_act)
    assert calls == [(seen["id"], seen["version"], 0)]
    mine = people[0].ok("GET", "/v1/me/games?status=playing")["items"]
    assert [one["id"] for one in mine] == [seen["id"]]
    listed = people[0].ok("GET", "/v1/games?status=playing")["items"]
    assert [one["id"] for one in listed] == [seen["id"]]


def test_the_seats(house: House) -> None:
    game, people, version = finished(house, "bolivia", 4)
    eve = house.guest("Eve")
    (to_act,) = eve.ok("GET", f"/v1/games/{game}?at={version}")["to_act"]
    assert go_on(people[2], game, version)["you"] == 2
    assert go_on(eve, game, version)["you"] == to_act
    assert go_on(eve, game, 1)["you"] == 0
    assert go_on(eve, game, version, seat=3)["you"] == 3
    seats = [ROBOT, CASUAL, HUMAN, ROBOT]
    seen = go_on(eve, game, version, seats=seats)
    assert seen["you"] == 2
    assert [one["level"] for one in seen["seats"]] == ["novice", "casual", None, "novice"]
    assert go_on(eve, game, version, seats=seats, seat=2)["you"] == 2
    standing = go_on(eve, game, version, sit=False)
    assert standing["you"] is None
    assert {one["level"] for one in standing["seats"]} == {"casual"}
    assert go_on(eve, game, version, sit=False, seats=[ROBOT] * 4)["you"] is None


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"variant": "canasta"}, "/variant"),
        ({"options": {}}, "/options"),
        ({"setup": None}, "/setup"),
        ({"from": None}, "/from"),
        ({"from": {"game": "a"}}, "/from/version"),
        ({"from": {"game": "A", "version": 1}}, "/from/game"),
        ({"from": {"game": "a\n", "version": 1}}, "/from/game"),
        ({"from": {"game": "a", "version": 0}}, "/from/version"),
        ({"from": {"game": "a", "version": "1"}}, "/from/version"),
        ({"from": {"game": "a", "version": 1, "seat": 8}}, "/from/seat"),
        ({"from": {"game": "a", "version": 1, "at": 1}}, "/from/at"),
        ({"seats": []}, "/seats"),
        ({"seats": [HUMAN]}, "/seats"),
        ({"seats": [HUMAN, HUMAN]}, "/seats"),
        ({"seats": [ROBOT, ROBOT]}, "/seats"),
        ({"seats": [HUMAN, ROBOT, ROBOT]}, "/seats"),
        ({"sit": False, "seats": [HUMAN, ROBOT]}, "/seats"),
        ({"visibility": "hidden"}, "/visibility"),
    ],
)
def test_what_cannot_be_read(house: House, change: dict[str, Any], path: str) -> None:
    game, people, version = finished(house)
    body = {"from": {"game": game, "version": version}} | change
    said = people[0].refused(422, "invalid", "POST", "/v1/games", json=body)
    assert path in [error["path"] for error in said["errors"]]
    assert len(people[0].ok("GET", "/v1/me/games")["items"]) == 1


@pytest.mark.parametrize(
    "seat", [{"seat": 2}, {"seat": 1, "seats": [HUMAN, ROBOT]}, {"seat": 0, "sit": False}]
)
def test_a_seat_that_is_none(house: House, seat: dict[str, Any]) -> None:
    game, people, version = finished(house)
    more = {name: value for name, value in seat.items() if name != "seat"}
    moment = {"game": game, "version": version, "seat": seat.get("seat")}
    said = people[0].refused(422, "invalid", "POST", "/v1/games", json={"from": moment} | more)
    assert said["errors"][0]["path"] == "/from/seat"


def test_where_nothing_is_left_to_play(house: House) -> None:
    game, people, _ = finished(house)
    last = people[0].version(game)

    def refused(status: int, code: str, game: str, version: int) -> Any:
        body = {"from": {"game": game, "version": version}}
        return people[0].refused(status, code, "POST", "/v1/games", json=body)

    refused(409, "nothing_to_play", game, last)
    refused(409, "nothing_to_play", game, last - 1)
    refused(404, "no_such_version", game, last + 1)
    refused(404, "not_found", "a" * 21, 1)
    left = people[0].open(HUMAN, HUMAN)
    refused(409, "not_over", left, 1)
    people[0]("DELETE", f"/v1/games/{left}/seats/0")
    refused(409, "nothing_to_play", left, 1)
    playing, _, _ = house.table()
    refused(409, "not_over", playing, 3)


def test_a_private_game_stays_among_its_people(house: House) -> None:
    game, people, version = finished(house, visibility="private")
    code = tables_of(house).load(game).invite
    eve = house.guest("Eve")
    body = {"from": {"game": game, "version": version}}
    eve.refused(404, "not_found", "POST", "/v1/games", json=body)
    new = go_on(people[0], game, version)
    assert new["visibility"] == "private"
    eve.refused(404, "not_found", "GET", f"/v1/games/{new['id']}")
    public = body | {"visibility": "public"}
    said = people[0].refused(422, "invalid", "POST", "/v1/games", json=public)
    assert said["errors"][0]["path"] == "/visibility"
    invited = {"from": body["from"] | {"invite": code}}
    assert eve.ok("POST", "/v1/games", json=invited)["visibility"] == "private"
    other, others, at = finished(house)
    assert go_on(others[0], other, at, visibility="private")["visibility"] == "private"


def test_who_gave_up_in_the_deal_plays_on(house: House) -> None:
    game, people = table(house, "samba", 3)
    wander(game, people, random.Random(1), 2)
    people[1].act(game, type="resign")
    version = people[0].version(game)
    give_up(game, [people[0], people[2]])
    tables = tables_of(house)
    seen = go_on(people[1], game, version)
    assert (seen["you"], seen["seats"][1]["kind"]) == (1, "human")
    now = tables.load(seen["id"])
    assert now.game.resigned == ()
    assert cards(now.game.state) == cards(replay.at(tables.commits(game, 1), version).state)
    audited(house, seen["id"])


def test_the_same_key_opens_it_once(house: House) -> None:
    game, people, version = finished(house)
    (to_act,) = people[0].ok("GET", f"/v1/games/{game}?at={version}")["to_act"]
    body = {"from": {"game": game, "version": version, "seat": to_act}}
    headers = {"Idempotency-Key": "once"}
    first = people[0].post("/v1/games", body, headers=headers)
    assert first.status_code == 201
    assert "Idempotent-Replayed" not in first.headers
    new = first.get_json()["id"]
    assert first.headers["Location"] == f"/v1/games/{new}"
    legal = people[0].ok("GET", f"/v1/games/{new}/commands")["commands"]
    people[0].act(new, **legal[0])
    again = people[0].post("/v1/games", body, headers=headers)
    assert again.headers["Idempotent-Replayed"] == "true"
    same = ("id", "version", "head", "table", "you", "from")
    assert [again.get_json()[name] for name in same] == [first.get_json()[name] for name in same]
    for other in (
        {"from": {"game": game, "version": version - 1}},
        {"variant": "canasta", "seats": [HUMAN, HUMAN]},
    ):
        people[0].refused(
            422, "idempotency_key_reused", "POST", "/v1/games", json=other, headers=headers
        )
    assert people[1].post("/v1/games", body, headers=headers).get_json()["id"] != new


@pytest.mark.parametrize("chilled", [False, True])
def test_the_key_of_another_game_is_refused_also_when_that_is_cold(
    house: House, chilled: bool
) -> None:
    game, people, version = finished(house)
    anna = people[0]
    keys = [{"headers": {"Idempotency-Key": key}} for key in ("played", "practice")]
    body = {"variant": "canasta", "seats": [HUMAN, ROBOT]}
    again = {"from": {"game": game, "version": version}}
    opened = [
        anna.ok("POST", "/v1/games", json=what, **key)["id"]
        for what, key in zip((body, again), keys, strict=True)
    ]
    store = house.app.extensions["tapete"].store
    for one in opened:
        anna.act(one, type="resign")
        assert not chilled or store.chill(one)
    tables_of(house).forget()
    for key, own, others in (
        (keys[0], body, [again, body | {"variant": "samba"}, body | {"seats": [HUMAN, HUMAN]}]),
        (keys[1], again, [body, {"from": {"game": game, "version": version - 1}}]),
    ):
        for other in others:
            anna.refused(422, "idempotency_key_reused", "POST", "/v1/games", json=other, **key)
        answer = anna("POST", "/v1/games", json=own, **key)
        assert (answer.status_code, answer.get_json()["id"] in opened) == (201, True)
        assert answer.headers["Idempotent-Replayed"] == "true"


def test_after_a_lost_answer_the_key_finds_the_game(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted, and then the process is gone: what is left to do, the next one does."""
    game, people, _ = finished(house)
    body = {"from": {"game": game, "version": 2}}
    headers = {"Idempotency-Key": "lost"}

    def gone(*_: Any) -> Any:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as patch:
        patch.setattr(Scribe, "settle", gone)
        people[0].refused(503, "store_unavailable", "POST", "/v1/games", json=body, headers=headers)
    found = people[0].ok("GET", "/v1/me/games?status=playing")["items"]
    assert len(found) == 1
    again = people[0].ok("POST", "/v1/games", json=body, headers=headers)
    assert again["id"] == found[0]["id"]
    assert (again["version"], again["table"]["deal"]) == (3, 1)


def test_rules_that_have_changed_say_where(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    deals = random.Random(1)
    monkeypatch.setattr("service.scribe.secrets.token_bytes", deals.randbytes)  # with a discard
    game, people, version = finished(house)
    decide = seating.decide

    def stricter(game: Any, command: Any, at: int) -> Any:
        if type(command).__name__ == "Discard":
            raise IllegalMove("wrong_phase", "1", "No discards any more.")
        return decide(game, command, at)

    discard = next(
        step["version"]
        for step in people[0].ok("GET", f"/v1/games/{game}/steps")["items"]
        if step["command"]["type"] == "discard"
    )
    assert discard <= version
    monkeypatch.setattr(seating, "decide", stricter)
    body = {"from": {"game": game, "version": version}}
    said = people[0].refused(409, "rules_changed", "POST", "/v1/games", json=body)
    assert said["version"] == discard
    assert len(people[0].ok("GET", "/v1/me/games")["items"]) == 1


@BOTH
def test_a_guest_plays_on_over_either_store(house: House, backing: str) -> None:
    game, _, version = finished(house, "samba", 3)
    seen = go_on(house.guest("Eve"), game, version)
    tables_of(house).forget()
    assert house.guest("Ada").look(seen["id"])["from"] == {"game": game, "version": version}
    audited(house, seen["id"])
