"""A computer player's turn has a state that its table can see."""

from typing import Any

import pytest

from service.api.edge import Edge
from service.store import StoreUnavailable
from service.store.turns import MemoryTurns
from tests.api.client import House

COMPUTERS = [{"kind": "ai", "level": "casual"}, {"kind": "ai", "level": "novice"}]


@pytest.fixture
def edge(house: House) -> Edge:
    found: Edge = house.app.extensions["tapete"]
    return found


def opened(house: House, **more: Any) -> tuple[Any, str]:
    """A table of computer players, seen by who opened it, and its path."""
    anna = house.guest("Anna")
    order = {"variant": "canasta", "seats": COMPUTERS, "sit": False, **more}
    return anna, f"/v1/games/{anna.ok('POST', '/v1/games', json=order)['id']}"


def test_a_turn_waits_until_a_worker_has_it(house: House, edge: Edge) -> None:
    anna, path = opened(house)
    game = anna.ok("GET", path)
    seat = game["to_act"][0]
    asked = anna.get(f"{path}/turn")
    assert asked.headers["Retry-After"] == "1"
    turn = asked.get_json()
    assert turn.pop("age") >= 0
    assert turn == {
        "version": game["version"],
        "seat": seat,
        "level": game["seats"][seat]["level"],
        "state": "waiting",
        "since": turn["since"],
        "attempts": 0,
    }
    for attempt in (1, 2):
        held = edge.turns.begin(game["id"], game["version"], 60)
        assert held
        turn = anna.ok("GET", f"{path}/turn")
        assert (turn["state"], turn["attempts"]) == ("thinking", attempt)
        edge.turns.end(game["id"], held, "crashed")
        turn = anna.ok("GET", f"{path}/turn")
        assert (turn["state"], turn["attempts"]) == ("waiting", attempt)


def test_a_worker_that_was_not_heard_of_has_it_no_more(house: House, edge: Edge) -> None:
    anna, path = opened(house)
    game = anna.ok("GET", path)
    assert edge.turns.begin(game["id"], game["version"], 0.0)
    assert anna.ok("GET", f"{path}/turn")["state"] == "waiting"


def test_of_another_version_s_turn_nothing_is_told(house: House, edge: Edge) -> None:
    anna, path = opened(house)
    game = anna.ok("GET", path)
    assert edge.turns.begin(game["id"], game["version"] - 1, 60)
    turn = anna.ok("GET", f"{path}/turn")
    assert (turn["state"], turn["attempts"]) == ("waiting", 0)


def test_a_person_s_turn_is_none_of_a_worker_s(house: House) -> None:
    game, mover, _ = house.table()
    answer = mover.get(f"/v1/games/{game}/turn")
    assert "Retry-After" not in answer.headers
    turn = answer.get_json()
    assert (turn["seat"], turn["level"], turn["state"], turn["attempts"]) == (None, None, "done", 0)
    assert turn["version"] == mover.look(game)["version"]


def test_who_sees_the_game_late_learns_nothing_of_its_workers(house: House, edge: Edge) -> None:
    anna = house.guest("Anna")
    seats = [{"kind": "human"}, *COMPUTERS[:1]]
    terms = {"variant": "canasta", "seats": seats, "spectators": {"delay": 2}}
    while True:
        game = anna.ok("POST", "/v1/games", json=terms)["id"]
        if anna.look(game)["to_act"] == [1]:
            break
    assert edge.turns.begin(game, anna.look(game)["version"], 60)
    eve = house.guest("Eve")
    late = eve.ok("GET", f"/v1/games/{game}/turn")
    assert late["version"] < anna.look(game)["version"]
    assert late["state"] in (None, "done")
    assert late["attempts"] == 0
    assert anna.ok("GET", f"/v1/games/{game}/turn")["state"] == "thinking"


def test_that_nothing_is_heard_of_workers_is_no_error(
    house: House, edge: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_game: str) -> None:
        raise StoreUnavailable("no connection")

    anna, path = opened(house)
    monkeypatch.setattr(MemoryTurns, "find", lambda _self, game: away(game))
    assert anna.ok("GET", f"{path}/turn")["state"] == "waiting"
