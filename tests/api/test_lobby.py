"""Lists of games: pages that neither repeat nor skip, and nothing private in them."""

import time
from typing import Any

import pytest

from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.conftest import BOTH

pytestmark = BOTH


def pages(person: Person, path: str, limit: int) -> list[list[Any]]:
    """All pages of a list."""
    found, cursor = [], ""
    while True:
        page = person.ok("GET", f"{path}&limit={limit}{cursor}")
        found.append(page["items"])
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_the_lobby_shows_who_waits_for_players(house: House) -> None:
    anna = house.guest("Anna")
    waiting = anna.open(HUMAN, HUMAN)
    playing = anna.open(HUMAN, ROBOT)
    private = anna.open(HUMAN, HUMAN, visibility="private")
    eve = house.guest("Eve")
    assert [item["id"] for item in eve.ok("GET", "/v1/games")["items"]] == [waiting]
    listed = eve.ok("GET", "/v1/games?status=playing")["items"]
    assert [item["id"] for item in listed] == [playing]
    assert eve.ok("GET", "/v1/games?status=finished")["items"] == []
    assert eve.ok("GET", "/v1/games?variant=samba")["items"] == []
    # Opened within one millisecond they come in the order of their ids.
    mine = {item["id"]: item for item in anna.ok("GET", "/v1/me/games")["items"]}
    assert set(mine) == {private, playing, waiting}
    assert [item["you"] for item in mine.values()] == [0, 0, 0]
    assert mine[playing]["seats"][0]["name"] == "Anna"
    assert "table" not in mine[playing]
    assert [item["id"] for item in anna.ok("GET", "/v1/me/games?status=playing")["items"]] == [
        playing
    ]
    anna.act(playing, type="resign")
    assert [item["id"] for item in eve.ok("GET", "/v1/games?status=finished")["items"]] == [playing]


def test_the_newest_comes_first(house: House) -> None:
    anna = house.guest("Anna")
    games = []
    for _ in range(3):
        games.append(anna.open(HUMAN, HUMAN))
        time.sleep(0.005)
    for path in ("/v1/games", "/v1/me/games"):
        listed = anna.ok("GET", path)["items"]
        assert [item["id"] for item in listed] == games[::-1]
        assert [item["created"] for item in listed] == sorted(
            (item["created"] for item in listed), reverse=True
        )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 10])
def test_pages_are_the_whole_and_nothing_twice(house: House, limit: int) -> None:
    anna = house.guest("Anna")
    variants = ["canasta", "samba"] * 3 + ["canasta"]
    games = [anna.open(HUMAN, HUMAN, variant=name, sit=False) for name in variants]
    secret = anna.open(HUMAN, HUMAN, visibility="private", sit=False)
    first, *_ = pages(anna, "/v1/games?status=waiting", limit)
    late = anna.open(HUMAN, HUMAN, sit=False)
    found = [item["id"] for page in pages(anna, "/v1/games?status=waiting", limit) for item in page]
    assert set(found) == {*games, late}
    assert len(found) == len(games) + 1
    assert secret not in found
    sambas = pages(anna, "/v1/games?variant=samba", limit)
    assert [item["variant"] for page in sambas for item in page] == ["samba"] * 3
    assert len(first) == min(limit, len(games))


def test_games_opened_meanwhile_move_no_page(house: House) -> None:
    anna = house.guest("Anna")
    games = [anna.open(HUMAN, HUMAN, sit=False) for _ in range(4)]
    page = anna.ok("GET", "/v1/games?limit=2")
    anna.open(HUMAN, HUMAN, sit=False)
    rest = anna.ok("GET", f"/v1/games?limit=2&cursor={page['next']}")
    assert rest["next"] is None
    assert {item["id"] for item in page["items"] + rest["items"]} == set(games)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=-1",
        "limit=1000000000",
        "limit=1.5",
        "limit=",
        "cursor=",
        "cursor=x",
        "cursor=%00",
        "cursor=MTIzLmFiYw==",
        "cursor=%C3%BC",
        "status=lost",
        "page=2",
        "limit=1&limit=2",
    ],
)
def test_a_bad_query(house: House, query: str) -> None:
    anna = house.guest("Anna")
    for path in ("/v1/games", "/v1/me/games"):
        anna.refused(422, "invalid", "GET", f"{path}?{query}")
    anna.refused(422, "invalid", "GET", "/v1/games?variant=poker")
