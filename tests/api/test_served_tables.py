"""Many at once at the tables, as it is served: two processes of gunicorn on a real server."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.test_served import SEATS, call
from tests.api.test_served import server as server

pytestmark = pytest.mark.slow


def guests(server: str, count: int) -> list[str]:
    """The tokens of so many new players."""
    return [
        call(server, "POST", "/v1/players", {"name": f"P{number}"})[1]["token"]
        for number in range(count)
    ]


def all_at_once(server: str, path: str, body: Any, tokens: list[str]) -> list[tuple[int, Any]]:
    with ThreadPoolExecutor(len(tokens)) as pool:
        ask = [pool.submit(call, server, "POST", path, body, token) for token in tokens]
        return [one.result()[:2] for one in ask]


def test_twenty_for_one_seat(server: str) -> None:
    host, *others = guests(server, 21)
    game = call(server, "POST", "/v1/games", {"variant": "canasta", "seats": SEATS}, host)[1]["id"]
    said = all_at_once(server, f"/v1/games/{game}/seats", {}, others)
    assert sorted(status for status, _ in said) == [201] + [409] * 19


def test_twenty_for_a_quick_match(server: str) -> None:
    said = all_at_once(
        server, "/v1/matches", {"variant": "canasta", "seats": 4}, guests(server, 20)
    )
    assert {status for status, _ in said} == {201}
    places = Counter((game["id"], game["you"]) for _, game in said)
    assert set(places.values()) == {1}
    assert sorted(Counter(game for game, _ in places).values()) == [4] * 5


def test_four_for_a_rematch(server: str) -> None:
    tokens = guests(server, 4)
    body = {"variant": "canasta", "seats": SEATS * 2}
    game = call(server, "POST", "/v1/games", body, tokens[0])[1]["id"]
    for token in tokens[1:]:
        call(server, "POST", f"/v1/games/{game}/seats", {}, token)
    call(server, "POST", f"/v1/games/{game}/commands", {"type": "resign"}, tokens[1])
    said = all_at_once(server, f"/v1/games/{game}/rematch", None, tokens * 2)
    assert sorted(status for status, _ in said) == [200] * 4 + [201] * 4
    assert len({new["id"] for _, new in said}) == 1


def test_a_revoked_token_is_gone_in_every_process(server: str) -> None:
    (token,) = guests(server, 1)
    made = call(server, "POST", "/v1/me/tokens", {"scopes": ["play"]}, token)[1]
    path = f"/v1/me/tokens/{made['id']}"
    assert call(server, "GET", "/v1/me", None, made["token"])[0] == 200
    assert call(server, "DELETE", path, None, token)[0] == 204
    assert {call(server, "GET", "/v1/me", None, made["token"])[0] for _ in range(12)} == {401}
