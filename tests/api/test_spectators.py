"""Spectators: at once, late, or not at all; and never more than any player sees."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.client import HUMAN, House, Person
from tests.api.conftest import BOTH

pytestmark = BOTH

LOOKS = ["", "/events", "/steps", "/commands", "/record", "/audit", "/events?after=1&wait=1"]


def play(house: House, game: str, people: list[Person], luck: random.Random) -> None:
    """One command of whoever is to act."""
    table = house.app.extensions["tapete"].tables.load(game)
    mover = people[table.game.to_act()]
    legal = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
    mover.act(game, **luck.choice(legal))


def table(house: House, spectators: Any, seats: int = 2, **more: Any) -> tuple[str, list[Person]]:
    people = [house.guest(f"P{seat}") for seat in range(seats)]
    game = people[0].open(*[HUMAN] * seats, spectators=spectators, **more)
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    return game, people


def test_nobody_watches_until_the_end(house: House) -> None:
    eve = house.guest("Eve")
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN, spectators="off")
    path = f"/v1/games/{game}"
    before = eve.look(game)  # nothing is hidden yet, and one may want to sit down
    assert before["spectators"] == "off"
    bert.ok("POST", f"{path}/seats", json={})
    for look in LOOKS:
        eve.refused(403, "no_spectators", "GET", path + look)
    eve.refused(403, "no_seat", "POST", f"{path}/commands", json={"type": "draw"})
    said = eve.refused(409, "already_started", "POST", f"{path}/seats", json={})
    assert "version" not in said
    (listed,) = eve.ok("GET", "/v1/games?status=playing")["items"]
    assert (listed["id"], listed["status"]) == (game, "playing")
    assert (listed["version"], listed["to_act"], listed["scores"]) == (2, [], [0, 0])
    assert "table" not in listed
    assert anna.look(game)["table"]
    anna.act(game, type="resign")
    assert eve.look(game)["result"]["why"] == "resigned"
    assert eve.ok("GET", f"{path}/events")["items"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("delay", [1, 5, 30])
def test_a_spectator_is_late_everywhere(house: House, delay: int) -> None:
    game, people = table(house, {"delay": delay})
    eve, path = house.guest("Eve"), f"/v1/games/{game}"
    tables = house.app.extensions["tapete"].tables
    luck, last = random.Random(delay), 0
    for _ in range(25):
        play(house, game, people, luck)
        seen = eve.look(game)
        version = seen["version"]
        commits = tables.commits(game, 1)
        (start,) = (one.version for one in commits if type(one.command).__name__ == "StartGame")
        hidden = sum(len(one.events) for one in commits if one.version > version)
        nearer = sum(len(one.events) for one in commits if one.version > version + 1)
        assert version == start - 1 or hidden >= delay
        assert nearer < delay or version == start - 1  # and no later than it must be
        assert version >= last
        last = version
        feed = eve.ok("GET", f"{path}/events?limit=500")
        steps = eve.ok("GET", f"{path}/steps?limit=500")
        assert feed["version"] == steps["version"] == version
        assert {item["version"] for item in feed["items"]} == set(range(1, version + 1))
        assert [step["version"] for step in steps["items"]] == list(range(1, version + 1))
        assert eve.ok("GET", f"{path}/commands") == {"version": version, "commands": []}
        eve.refused(404, "no_such_version", "GET", f"{path}?at={version + 1}")
        (listed,) = eve.ok("GET", "/v1/games?status=playing")["items"]
        assert (listed["version"], listed["to_act"]) == (version, seen["to_act"])
        said = eve.refused(409, "already_started", "POST", f"{path}/seats", json={})
        assert said["version"] == version
        # What lies open, and nothing else: as somebody without a delay saw it then.
        then = tables.at(tables.load(game), version).game.view(None)
        assert seen["table"] == (dict(then.state.table()) if then.state else None)
    people[0].act(game, type="resign")
    assert eve.look(game)["version"] == people[0].look(game)["version"]
    assert eve.ok("GET", f"{path}?as=all")["table"]


def test_a_late_poll_wakes_when_there_is_something_to_see(house: House) -> None:
    game, people = table(house, {"delay": 3})
    eve, luck = house.guest("Eve"), random.Random(1)
    after = eve.look(game)["version"]
    with ThreadPoolExecutor(1) as pool:
        poll = pool.submit(eve.ok, "GET", f"/v1/games/{game}/events?after={after}&wait=30")
        for _ in range(8):  # far from the end, which all may see at once
            play(house, game, people, luck)
        said = poll.result(30)
    assert said["items"][0]["version"] == after + 1
    assert said["version"] < people[0].version(game)


@pytest.mark.slow
def test_a_late_poll_ends_in_its_time(house: House) -> None:
    game, _ = table(house, {"delay": 1000})
    eve = house.guest("Eve")
    after = eve.look(game)["version"]
    path = f"/v1/games/{game}/events?after={after}&wait=1"
    assert eve.ok("GET", path)["items"] == []


@pytest.mark.parametrize("spectators", ["off", {"delay": 1000}])
def test_who_gave_up_keeps_what_they_saw(house: House, spectators: Any) -> None:
    game, people = table(house, spectators, seats=3, variant="samba")
    luck = random.Random(3)
    for _ in range(4):
        play(house, game, people, luck)
    table_ = house.app.extensions["tapete"].tables.load(game)
    gone = people[table_.game.to_act() - 1]
    seen = gone.look(game)
    gone.act(game, type="resign")
    mover = house.app.extensions["tapete"].tables.load(game).game.to_act()
    legal = people[mover].ok("GET", f"/v1/games/{game}/commands")["commands"]
    people[mover].act(game, **luck.choice(legal))
    after = gone.look(game)
    assert after["version"] == seen["version"] < people[mover].version(game)
    assert after["table"] == seen["table"]
    (listed,) = gone.ok("GET", "/v1/me/games")["items"]
    assert listed["version"] == seen["version"]


def test_a_player_is_never_late(house: House) -> None:
    game, people = table(house, {"delay": 1000})
    play(house, game, people, random.Random(2))
    versions = {person.look(game)["version"] for person in people}
    assert versions == {house.app.extensions["tapete"].tables.load(game).version}
