"""Statistics, ratings and leaderboards over HTTP, after a worker has counted."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any, cast

import pytest

from service.api.edge import Edge
from service.glicko import Standing
from service.rules import GAMES
from service.statistics import Statistics
from service.store.statistics import Change, Entry, Ledger
from service.tally import Played
from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.conftest import BOTH

pytestmark = BOTH


@pytest.fixture
def work(house: House, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Counts what has ended so far, as a worker would."""
    for name in ("memory", "redis_lists"):
        monkeypatch.setattr(f"service.store.{name}.HELD_BACK", -10_000)
    return statistics(house).work


def statistics(house: House) -> Statistics:
    return cast("Edge", house.app.extensions["tapete"]).statistics


def resigned(house: House, **more: Any) -> tuple[Person, Person]:
    """Two people of whom one has given up: the winner and the loser."""
    game, mover, other = house.table(**more)
    mover.act(game, type="resign")
    return other, mover


def ranked(house: House, ratings: dict[str, float], kind: str = "people") -> dict[str, Person]:
    """People on the leaderboard of canasta with those ratings."""
    ledger: Ledger = statistics(house)._ledger
    people = {name: house.guest(name) for name in ratings}
    today = ledger.today()
    ledger.note("canasta", today, "g", Played((("a",), ("b",)), (0, 1)))
    due = ledger.unsettled("canasta")
    assert due
    changes = [
        Change(
            people[name].id,
            Entry(today, Standing(rating, 80), 3),
            cast("Any", kind),
            today + 9,
        )
        for name, rating in ratings.items()
    ]
    assert ledger.settle("canasta", due.mark, changes, None)
    return people


def test_nobody_has_played(house: House) -> None:
    anna = house.guest("Anna")
    own = anna.ok("GET", "/v1/me/statistics")
    player = {"id": anna.id, "name": "Anna", "bot": False}
    assert own == {"player": player, "variants": [], "listed": True}
    assert anna.ok("GET", f"/v1/players/{anna.id}/statistics") == {"player": player, "variants": []}
    for rules in GAMES.values():
        for name in rules.VARIANTS:
            told = anna.ok("GET", f"/v1/variants/{name}/statistics")
            assert (told["games"], told["average_deal"], told["tally"]) == (0, None, [])
            empty: Any = {"items": [], "next": None}
            assert anna.ok("GET", f"/v1/variants/{name}/leaderboard") == empty
            assert anna.ok("GET", f"/v1/players/{anna.id}/ratings/{name}") == empty


def test_a_game_that_ended(house: House, work: Callable[[], None]) -> None:
    winner, loser = resigned(house)
    work()
    told = winner.ok("GET", f"/v1/players/{loser.id}/statistics")
    (row,) = told["variants"]
    assert told["player"]["id"] == loser.id
    assert {name: row[name] for name in ("variant", "games", "won", "lost", "resigned")} == {
        "variant": "canasta", "games": 1, "won": 0, "lost": 1, "resigned": 1,
    }  # fmt: skip
    assert row["seats"] == [{"seats": 2, "games": 1, "won": 0, "lost": 1, "drawn": 0}]
    assert row["against"] == [{"kind": "people", "games": 1, "won": 0, "lost": 1, "drawn": 0}]
    assert (row["deals"], row["average_deal"]) == (0, None)
    assert row["rating"]["rating"] < 1500
    assert row["rating"]["provisional"]
    history = loser.ok("GET", f"/v1/players/{winner.id}/ratings/canasta")
    assert history["next"] is None
    (entry,) = history["items"]
    assert entry["games"] == 1
    assert entry["rating"] > 1500
    everybody = winner.ok("GET", "/v1/variants/canasta/statistics")
    assert (everybody["games"], everybody["seats"]) == (1, [{"seats": 2, "games": 1}])
    # Nobody is sure of a rating after one game.
    assert winner.ok("GET", "/v1/variants/canasta/leaderboard")["items"] == []


def test_private_games_are_the_players_own(house: House, work: Callable[[], None]) -> None:
    opener = house.guest("Anna")
    game = opener.open(ROBOT, HUMAN, visibility="private")
    opener.act(game, type="resign")
    work()
    assert opener.ok("GET", f"/v1/players/{opener.id}/statistics")["variants"] == []
    (row,) = opener.ok("GET", "/v1/me/statistics")["variants"]
    assert row["against"][0]["kind"] == "novice"
    assert row["rating"] is None
    assert opener.ok("GET", "/v1/variants/canasta/statistics")["games"] == 0


def test_the_leaderboard_in_pages(house: House) -> None:
    names = {"Anna": 1700.0, "Bert": 1600.0, "Carl": 1600.0, "Dora": 1600.0, "Emil": 1500.25}
    people = ranked(house, names)
    asker = people["Carl"]
    board = "/v1/variants/canasta/leaderboard"
    whole = asker.ok("GET", board)
    assert whole["next"] is None
    same = sorted(people[name].id for name in ("Bert", "Carl", "Dora"))
    order = [people["Anna"].id, *same, people["Emil"].id]
    assert [item["player"]["id"] for item in whole["items"]] == order
    assert [item["rank"] for item in whole["items"]] == [1, 2, 3, 4, 5]
    assert whole["items"][4]["rating"] == 1500.25
    for limit in (1, 2, 3, 5):
        found: list[Any] = []
        cursor = ""
        while True:
            page = asker.ok("GET", f"{board}?limit={limit}{cursor}")
            assert len(page["items"]) <= limit
            found += page["items"]
            if page["next"] is None:
                break
            cursor = f"&cursor={page['next']}"
        assert found == whole["items"]
    assert asker.ok("GET", f"{board}?kind=bots")["items"] == []


def test_who_hides_is_seen_by_nobody_else(house: House) -> None:
    people = ranked(house, {"Anna": 1700.0, "Bert": 1600.0})
    anna, bert = people.values()
    board = "/v1/variants/canasta/leaderboard"
    assert anna.ok("PUT", "/v1/me/listed", json={"listed": False}) == {"listed": False}
    assert anna.ok("GET", "/v1/me/statistics")["listed"] is False
    assert [item["rank"] for item in bert.ok("GET", board)["items"]] == [2]
    for path in ("statistics", "ratings/canasta"):
        bert.refused(404, "not_found", "GET", f"/v1/players/{anna.id}/{path}")
        assert anna.get(f"/v1/players/{anna.id}/{path}").status_code == 200
    anna.ok("PUT", "/v1/me/listed", json={"listed": True})
    assert [item["rank"] for item in bert.ok("GET", board)["items"]] == [1, 2]
    assert bert.get(f"/v1/players/{anna.id}/statistics").status_code == 200


def test_no_cursor_tells_of_who_hides(house: House) -> None:
    names = {"Anna": 1700.0, "Bert": 1600.0, "Carl": 1500.0, "Dora": 1500.0, "Emil": 1400.0}
    people = ranked(house, names)
    board = "/v1/variants/canasta/leaderboard"
    for name in ("Anna", "Bert", "Emil"):
        people[name].ok("PUT", "/v1/me/listed", json={"listed": False})
    asker = people["Carl"]
    found: list[Any] = []
    cursor = ""
    while True:
        page = asker.ok("GET", f"{board}?limit=1{cursor}")
        found += page["items"]
        if page["next"] is None:
            break
        said = urlsafe_b64decode(page["next"] + "==").decode()
        assert not [name for name in ("Anna", "Bert", "Emil") if people[name].id in said]
        assert page["items"]
        cursor = f"&cursor={page['next']}"
    assert [item["rank"] for item in found] == [3, 4]
    # Nor does a made-up one: whether somebody who hides stands there cannot be asked.
    answers = [
        asker.ok("GET", f"{board}?cursor={urlsafe_b64encode(made.encode()).decode().rstrip('=')}")
        for made in (f"140000.{people['Emil'].id}", "140000.zzzzzzzzzzzzzzzz", "140000.")
    ]
    assert answers[0] == answers[1] == answers[2]
    for points, ranks in ((170_000, [3, 4]), (160_000, [3, 4])):
        made = f"{points}.{people['Anna'].id}"
        cursor = urlsafe_b64encode(made.encode()).decode().rstrip("=")
        items = asker.ok("GET", f"{board}?cursor={cursor}")["items"]
        assert [item["rank"] for item in items] == ranks


def test_history_in_pages(house: House) -> None:
    anna = ranked(house, {"Anna": 1700.0})["Anna"]
    ledger: Ledger = statistics(house)._ledger
    today = ledger.today()
    ledger.note("canasta", today, "h", Played((("a",), ("b",)), (0, 1)))
    due = ledger.unsettled("canasta")
    assert due
    changes = [Change(anna.id, Entry(today - n, Standing(1500 + n), n), None) for n in range(1, 5)]
    assert ledger.settle("canasta", due.mark, changes, None)
    path = f"/v1/players/{anna.id}/ratings/canasta"
    whole = anna.ok("GET", path)["items"]
    assert [item["rating"] for item in whole] == [1700, 1501, 1502, 1503, 1504]
    first = anna.ok("GET", f"{path}?limit=2")
    second = anna.ok("GET", f"{path}?limit=3&cursor={first['next']}")
    assert first["items"] + second["items"] == whole
    assert second["next"] is None


def test_refusals(house: House) -> None:
    anna = house.guest("Anna")
    nobody = "a" * 16
    for path in (
        f"/v1/players/{nobody}/statistics",
        f"/v1/players/{nobody}/ratings/canasta",
        f"/v1/players/{anna.id}/ratings/whist",
        "/v1/players/An*na/statistics",
        "/v1/variants/whist/statistics",
        "/v1/variants/whist/leaderboard",
    ):
        anna.refused(404, "not_found", "GET", path)
    board = "/v1/variants/canasta/leaderboard"
    for query in (
        "limit=0", "limit=101", "limit=-1", "cursor=", "cursor=%20", "cursor=MTIz", "cursor=é",
        "kind=robots", "kind=people&kind=bots", "page=2",
    ):  # fmt: skip
        anna.refused(422, "invalid", "GET", f"{board}?{query}")
    for query in ("cursor=Og", "cursor=MA==", "limit=x", "at=3"):
        anna.refused(422, "invalid", "GET", f"/v1/players/{anna.id}/ratings/canasta?{query}")
    for path in ("me/statistics", f"players/{anna.id}/statistics", "variants/canasta/statistics"):
        anna.refused(422, "invalid", "GET", f"/v1/{path}?private=true")
        house.anyone.refused(401, "unauthorized", "GET", f"/v1/{path}")
    for body in ({}, {"listed": 1}, {"listed": None}, {"listed": True, "name": "x"}):
        anna.refused(422, "invalid", "PUT", "/v1/me/listed", json=body)


def test_scopes(house: House) -> None:
    anna = house.guest("Anna")
    made = anna.ok("POST", "/v1/me/tokens", json={"scopes": ["play", "spectate"]})
    narrow = Person(house.app, made["token"])
    for path in ("me/statistics", f"players/{anna.id}/statistics", "variants/canasta/leaderboard"):
        narrow.refused(403, "missing_scope", "GET", f"/v1/{path}")
    made = anna.ok("POST", "/v1/me/tokens", json={"scopes": ["lobby"]})
    lobby = Person(house.app, made["token"])
    assert lobby.get("/v1/me/statistics").status_code == 200
    lobby.refused(403, "missing_scope", "PUT", "/v1/me/listed", json={"listed": False})
