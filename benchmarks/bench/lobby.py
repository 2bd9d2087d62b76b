"""Games created and joined, beside the lobby of boardgame.io."""

import json
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final

from benchmarks.bench import boardgame
from benchmarks.bench.figure import Figure, at_least
from benchmarks.bench.games import Guest
from benchmarks.bench.http1 import request
from benchmarks.bench.load import Crowd, Script
from benchmarks.bench.plan import Plan, Side, compared, service

CLIENTS: Final = 32
EACH: Final = 32
"""Guests of one client, who take turns: nobody comes to sit in many games."""

TABLE: Final = json.dumps({"variant": "botifarra", "seats": [{"kind": "human"}] * 4}).encode()


def figures(plan: Plan) -> Iterator[Figure]:
    """The row of the table about opening games."""
    ours: Sequence[float] = ()
    theirs: Sequence[float] = ()
    why = boardgame.why_not()
    if not why:
        with service() as (stack, house), boardgame.server() as peer:
            crowd = Crowd(stack.base_url, [_opening(house.guests(EACH)) for _ in range(CLIENTS)])
            other = Crowd(peer.first, [_theirs() for _ in range(CLIENTS)])
            (ours, theirs), _ = compared(plan, Side(crowd), Side(other))
            crowd.close()
            other.close()
    yield Figure(
        name="lobby",
        what="calls a second that create and join games",
        beside="boardgame.io's lobby, which keeps nothing",
        unit="/s",
        bar=at_least(0.5),
        load=f"{CLIENTS} clients, each asks again when answered, four players a game",
        ours=ours,
        theirs=theirs,
        why=why,
    )


def _opening(guests: Sequence[Guest]) -> Script:
    """One of four creates, which seats them, and three join; the last of them starts the game."""
    sitting = cycle(guests)
    while True:
        made = yield request("POST", "/v1/games", next(sitting).token, TABLE)
        path = f"/v1/games/{json.loads(made.body)['id']}/seats"
        for _ in range(3):
            yield request("POST", path, next(sitting).token, b"{}")


def _theirs() -> Script:
    """Somebody creates, which seats nobody, and four join."""
    while True:
        made = yield request("POST", "/games/peer/create", "", b'{"numPlayers":4}')
        path = f"/games/peer/{json.loads(made.body)['matchID']}/join"
        for seat in range(4):
            body = json.dumps({"playerID": str(seat), "playerName": f"Guest {seat}"}).encode()
            yield request("POST", path, "", body)
