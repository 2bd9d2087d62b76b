"""The feed: every item once, in order, from any place on, and waiting for the next."""

import threading
import time
from typing import Any

import pytest

from tests.api.client import HUMAN, House, Person
from tests.api.conftest import BOTH

pytestmark = BOTH


def feed(person: Person, game: str, query: str = "") -> Any:
    return person.ok("GET", f"/v1/games/{game}/events{query}")


def test_items_from_the_beginning(house: House) -> None:
    game, mover, _ = house.table()
    mover.act(game, type="draw")
    said = feed(mover, game)
    items = said["items"]
    assert items[0]["type"] == "game_opened"
    assert (items[0]["id"], items[0]["seat"]) == ("1.0", None)
    assert said["version"] == mover.version(game)
    assert said["next"] == items[-1]["id"]
    places = [tuple(map(int, item["id"].split("."))) for item in items]
    assert places == sorted(places)
    assert [item["version"] for item in items] == [version for version, _ in places]
    assert items[0]["at"].endswith("Z")
    assert feed(mover, game, f"?after={said['next']}") == said | {"items": []}


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_by_item_or_by_version_are_the_whole(house: House, limit: int) -> None:
    game, mover, _ = house.table()
    mover.act(game, type="draw")
    mover.act(game, type="resign")
    whole = feed(mover, game)["items"]
    found: list[Any] = []
    after = "0"
    while page := feed(mover, game, f"?after={after}&limit={limit}")["items"]:
        assert len(page) <= limit
        found += page
        after = page[-1]["id"]
    assert found == whole
    for item in whole:
        later = feed(mover, game, f"?after={item['version']}")["items"]
        assert later == [one for one in whole if one["version"] > item["version"]]


def test_a_place_that_is_not_reached_yet(house: House) -> None:
    game, mover, _ = house.table()
    said = feed(mover, game, "?after=999.5")
    assert (said["items"], said["next"]) == ([], "999.5")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "query",
    [
        "after=-1",
        "after=x",
        "after=1.",
        "after=1.2.3",
        "after=1e3",
        "after=",
        "limit=0",
        "limit=501",
        "wait=31",
        "wait=-1",
        "wait=0.5",
        "after=" + "9" * 40,
        "since=1",
    ],
)
def test_a_bad_query(house: House, query: str) -> None:
    game, mover, _ = house.table()
    mover.refused(422, "invalid", "GET", f"/v1/games/{game}/events?{query}")


def test_waiting_for_what_comes(house: House) -> None:
    game, mover, other = house.table()
    after = feed(other, game)["next"]
    said: list[Any] = []
    waiting = threading.Thread(
        target=lambda: said.append(feed(other, game, f"?after={after}&wait=20"))
    )
    start = time.monotonic()
    waiting.start()
    time.sleep(0.3)
    mover.act(game, type="draw")
    waiting.join(10)
    assert time.monotonic() - start < 8
    (item,) = said[0]["items"]
    assert (item["type"], set(item["data"]["cards"])) == ("cards_drawn", {"??"})


@pytest.mark.slow
def test_waiting_ends(house: House) -> None:
    game, mover, _ = house.table()
    after = feed(mover, game)["next"]
    start = time.monotonic()
    assert feed(mover, game, f"?after={after}&wait=1")["items"] == []
    assert 0.9 < time.monotonic() - start < 5
    mover.act(game, type="resign")
    after = feed(mover, game)["next"]
    start = time.monotonic()
    feed(mover, game, f"?after={after}&wait=30")
    assert time.monotonic() - start < 5


def test_the_form_is_the_one_asked_for(house: House) -> None:
    game, mover, _ = house.table()
    path = f"/v1/games/{game}/events?wait=0"
    for accept in ("text/html", "application/json;q=0", "text/event-streams"):
        mover.refused(406, "not_acceptable", "GET", path, headers={"Accept": accept})
    for accept, form in {
        "application/json": "application/json",
        "*/*": "application/json",
        "application/*": "application/json",
        "text/html, */*;q=0.1": "application/json",
        "text/event-stream": "text/event-stream",
        "text/event-stream, application/json;q=0.5": "text/event-stream",
        "text/*": "text/event-stream",
        "application/x-ndjson": "application/x-ndjson",
    }.items():
        answer = mover.get(path, headers={"Accept": accept})
        assert (answer.status_code, answer.mimetype) == (200, form)
        assert "Accept" in [*answer.vary]


def test_a_spectator_sees_no_more_than_any_player(house: House) -> None:
    game, mover, other = house.table()
    mover.act(game, type="draw")
    eve = house.guest("Eve")
    for seen, mine, theirs in zip(
        feed(eve, game)["items"],
        feed(mover, game)["items"],
        feed(other, game)["items"],
        strict=True,
    ):
        assert seen["id"] == mine["id"] == theirs["id"]
        if seen["type"] == "deal_started":
            assert all(set(hand) == {"??"} for hand in seen["data"]["hands"])
        if seen["type"] == "cards_drawn":
            assert set(seen["data"]["cards"]) == {"??"}


def test_a_private_feed_is_closed(house: House) -> None:
    game, mover, _ = house.table(variant="samba")
    assert feed(house.guest("Eve"), game)["items"] == feed(house.guest("Eve"), game)["items"]
    anna = house.guest("Anna")
    private = anna.open(HUMAN, HUMAN, visibility="private")
    house.guest("Eve").refused(404, "not_found", "GET", f"/v1/games/{private}/events")
    assert mover.look(game)["variant"] == "samba"
