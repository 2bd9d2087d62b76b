"""Replaying: any moment through any eyes, and the steps between."""

import json
import random
from typing import Any

import msgspec
import pytest

from service.store import codec
from tests.api.client import HUMAN, House, Person
from tests.api.leaks import TABLES, cards_in, open_so_far, values
from tests.api.walks import give_up, table, wander

PRIVATE = ("you", "invite")
"""What depends on who asks, whatever eyes are borrowed."""


def look(person: Person, game: str, query: str = "") -> Any:
    seen = person.ok("GET", f"/v1/games/{game}{query}")
    return {name: value for name, value in seen.items() if name not in PRIVATE}


def walk(person: Person, game: str, query: str = "") -> Any:
    return person.ok("GET", f"/v1/games/{game}/steps{query}")


def feed(person: Person, game: str, query: str = "") -> Any:
    return person.ok("GET", f"/v1/games/{game}/events?limit=500{query}")["items"]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_nobody_learns_a_card_before_its_time_and_all_is_shown_again_as_it_was(
    house: House, variant: str, seats: int
) -> None:
    luck = random.Random(f"{variant} {seats}")
    game, people = table(house, variant, seats)
    eve = house.guest("Eve")
    tables = house.app.extensions["tapete"].tables
    pack = frozenset(tables.load(game).game.variant.pack())
    then: dict[int, list[Any]] = {}
    for _ in range(4):
        wander(game, people, luck, 2)
        loaded = tables.load(game)
        commits = tables.commits(game, 1)
        hidden = {loaded.secret.hex(), *(commit.salt for commit in commits)}
        seen: list[Any] = []
        for seat, person in [*enumerate(people), (None, eve)]:
            own = "" if seat is None else f"?as={seat}"
            answer = [look(person, game, own), walk(person, game, own)["items"]]
            assert walk(person, game, "?before=1000")["items"] == answer[1]
            assert cards_in(answer, pack) - {"JK"} <= open_so_far(commits, seat, pack), seat
            assert not any(secret in text for secret in hidden for text in values(answer))
            for step in answer[1]:
                if step["seat"] is None or step["seat"] != seat:
                    assert list(step["command"]) == ["type"]
            seen.append(answer)
        then[loaded.version] = seen
    give_up(game, people)
    for version, seen in then.items():
        *seats_saw, eve_saw = seen
        for seat, (table_then, steps_then) in enumerate(seats_saw):
            assert look(eve, game, f"?at={version}&as={seat}") == table_then
            steps = walk(eve, game, f"?as={seat}")["items"]
            assert steps[: len(steps_then)] == steps_then
            assert [item for step in steps for item in step["events"]] == feed(
                eve, game, f"&as={seat}"
            )
        assert look(eve, game, f"?at={version}") == eve_saw[0]
        assert "??" not in str(look(people[0], game, f"?at={version}&as=all"))


def test_all_eyes_see_every_card_and_every_command(house: House) -> None:
    game, people = table(house, "canasta", 4)
    wander(game, people, random.Random(2), 8)
    give_up(game, people)
    eve = house.guest("Eve")
    steps = walk(eve, game, "?as=all")["items"]
    assert "??" not in str(steps)
    tables = house.app.extensions["tapete"].tables
    for step, commit in zip(steps, tables.commits(game, 1), strict=True):
        given = codec.to_wire(commit.command)
        given.pop("seat")
        assert step["command"] == json.loads(msgspec.json.encode(given))
        assert step["seat"] == (None if commit.seat < 0 else commit.seat)
    dealt = next(step for step in steps if step["command"]["type"] == "deal_cards")
    (deal,) = (item for item in dealt["events"] if item["type"] == "deal_started")
    hands = [card for hand in deal["data"]["hands"] for card in hand]
    cards = [*hands, *deal["data"]["pile"], *deal["data"]["stock"]]
    assert sorted(cards) == sorted(dealt["command"]["pack"])
    assert feed(eve, game, "&as=all") == [item for step in steps for item in step["events"]]


def test_forward_and_back_are_the_same_steps(house: House) -> None:
    game, people = table(house, "botifarra", 4)
    wander(game, people, random.Random(3), 11)
    give_up(game, people)
    eve = house.guest("Eve")
    whole = walk(eve, game)["items"]
    last = len(whole)
    assert [step["version"] for step in whole] == list(range(1, last + 1))
    for limit in (1, 2, 3, 7, 500):
        forward: list[Any] = []
        after: int | None = 0
        while after is not None:
            page = walk(eve, game, f"?after={after}&limit={limit}")
            assert 1 <= len(page["items"]) <= limit
            forward += page["items"]
            after = page["next"]
        backward: list[Any] = []
        before: int | None = last + 1
        while before is not None:
            page = walk(eve, game, f"?before={before}&limit={limit}")
            backward = page["items"] + backward
            before = page["previous"]
        assert forward == backward == whole


def test_each_step_names_the_head_of_its_version(house: House) -> None:
    game, people = table(house, "canasta", 2)
    wander(game, people, random.Random(4), 4)
    heads = {step["version"]: step["head"] for step in walk(people[0], game)["items"]}
    assert heads[people[0].version(game)] == people[0].look(game)["head"]
    for version, head in heads.items():
        assert look(people[0], game, f"?at={version}")["head"] == head
        (alone,) = walk(people[0], game, f"?after={version - 1}&limit=1")["items"]
        assert alone["head"] == head


def test_the_ends_of_a_walk(house: House) -> None:
    game, people = table(house, "canasta", 2)
    now = people[0].version(game)
    ends = [
        (f"?after={now}", ([], now, now + 1)),
        ("?after=1000", ([], now, now + 1)),
        ("?before=1", ([], 0, None)),
        ("?before=0", ([], 0, None)),
        (f"?before={now + 1}&limit=1", ([now], now, now)),
        ("?before=1000&limit=1", ([now], now, now)),
        ("?limit=1", ([1], 1, None)),
    ]
    for query, expected in ends:
        said = walk(people[0], game, query)
        found = [step["version"] for step in said["items"]]
        assert (found, said["next"], said["previous"]) == expected, query
        assert said["version"] == now
    give_up(game, people)
    assert walk(people[0], game)["next"] is None


def test_only_one_s_own_eyes_while_it_is_played(house: House) -> None:
    game, people = table(house, "samba", 3)
    eve = house.guest("Eve")
    for path in ("", "/events", "/steps"):
        where = f"/v1/games/{game}{path}"
        assert people[1].get(f"{where}?as=1").status_code == 200
        for person, wanted in [(people[1], "0"), (people[1], "all"), (eve, "0"), (eve, "all")]:
            person.refused(409, "not_over", "GET", f"{where}?as={wanted}")
        for person in (people[1], eve):
            said = person.refused(422, "invalid", "GET", f"{where}?as=3")
            assert said["errors"][0]["path"] == "?as"


def test_who_gave_up_sees_no_more_of_the_seat_until_the_end(house: House) -> None:
    game, people = table(house, "samba", 3)
    people[0].act(game, type="resign")
    kept = people[0].version(game)
    tables = house.app.extensions["tapete"].tables
    table_now = tables.load(game)
    if table_now.game.to_act() == 0:  # the computer player's turn: done here in its place
        tables.play(table_now, table_now.game.legal(0)[0])
    else:
        wander(game, people, random.Random(5), 1)
    seen = people[0].ok("GET", f"/v1/games/{game}?as=0")
    assert all(set(hand) == {"??"} for hand in seen["table"]["hands"])
    give_up(game, people[1:])
    seen = people[0].ok("GET", f"/v1/games/{game}?as=0&at={kept}")
    assert set(seen["table"]["hands"][0]) != {"??"}
    assert seen["you"] is None


@pytest.mark.parametrize("wanted", ["", "-1", "x", "ALL", "100", "1.0", "\u0661"])
def test_eyes_that_are_none(house: House, wanted: str) -> None:
    game, people = table(house, "canasta", 2)
    for path in ("", "/events", "/steps"):
        people[0].refused(422, "invalid", "GET", f"/v1/games/{game}{path}?as={wanted}")


@pytest.mark.parametrize(
    "query",
    ["after=-1", "before=x", "after=1&before=2", "after=1.0", "limit=0", "limit=501", "at=1"],
)
def test_a_bad_walk(house: House, query: str) -> None:
    game, people = table(house, "canasta", 2)
    people[0].refused(422, "invalid", "GET", f"/v1/games/{game}/steps?{query}")


def test_a_private_game_is_walked_by_its_people_only(house: House) -> None:
    anna, eve = house.guest("Anna"), house.guest("Eve")
    game = anna.open(HUMAN, HUMAN, visibility="private")
    code = anna.look(game)["invite"]["code"]
    eve.refused(404, "not_found", "GET", f"/v1/games/{game}/steps")
    assert walk(eve, game, f"?invite={code}")["items"][0]["command"] == {"type": "open_game"}
