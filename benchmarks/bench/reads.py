"""States read a second, and those that are unchanged, beside bare Flask reading Redis once."""

from collections.abc import Iterator
from typing import Final

from benchmarks.bench.figure import Bar, Figure, at_least
from benchmarks.bench.games import MIXED, House, Seated
from benchmarks.bench.http1 import ask, request
from benchmarks.bench.load import Crowd, Script
from benchmarks.bench.peer import Peer
from benchmarks.bench.plan import (
    CLIENTS,
    Compared,
    Plan,
    Side,
    compared,
    flask,
    nothing_yet,
    service,
)

COMMITS: Final = 300
"""Commits of the games that are read."""


def figures(plan: Plan) -> Iterator[Figure]:
    """The rows of the table that are about reading a state."""
    changed, unchanged = nothing_yet(), nothing_yet()
    for _ in range(plan.rounds):
        with service() as (stack, house), flask(stack) as peer:
            peer.start()
            games = [_game(house, number) for number in range(CLIENTS)]
            tags = [_keep(peer, stack.base_url, game) for game in games]
            for known, found in (([""] * CLIENTS, changed), (tags, unchanged)):
                looks = [*zip(games, known, strict=True)]
                crowd = Crowd(stack.base_url, [_looking(*look) for look in looks])
                other = Crowd(peer.base_url, [_looking(*look) for look in looks])
                own = Side(crowd, (stack.pids["api"], stack.pids["redis"]))
                found.add(compared(plan, own, Side(other, peer.pids)))
                crowd.close()
                other.close()
    yield from _rows("reads", "states read a second", "a state read", at_least(0.70), changed)
    what = "unchanged states (304) a second"
    yield from _rows("reads.unchanged", what, "a 304", at_least(0.85), unchanged)


def _rows(name: str, what: str, one: str, bar: Bar, found: Compared) -> Iterator[Figure]:
    for more, said, unit, asked, (ours, theirs) in (
        ("", what, "/s", bar, found.rates),
        (".cost", f"processor time of {one}, API and its Redis", "ms", None, found.costs),
    ):
        yield Figure(
            name=name + more,
            what=said,
            beside="a bare Flask app, one read",
            unit=unit,
            bar=asked,
            load=f"{CLIENTS} clients, each asks again when answered, games of {COMMITS} commits",
            ours=ours,
            theirs=theirs,
        )


def _game(house: House, number: int) -> Seated:
    variant, seats = MIXED[number % len(MIXED)]
    return house.live(variant, COMMITS, house.guests(seats), number)


def _keep(peer: Peer, base: str, game: Seated) -> str:
    """Lets the peer keep the state as the first seat sees it, and gives its ETag."""
    answer = ask(base, next(_looking(game)))
    tag = next(
        line.partition(b": ")[2] for line in answer.head.split(b"\r\n") if line[:5] == b"ETag:"
    )
    peer.keep(game.id, tag.decode(), answer.body)
    return tag.decode()


def _looking(game: Seated, known: str = "") -> Script:
    """Looks at a game from its first seat, again and again; `known` is the ETag it has."""
    headers = {"If_None_Match": known} if known else {}
    asked = request("GET", f"/v1/games/{game.id}", game.guests[0].token, None, **headers)
    while True:
        yield asked
