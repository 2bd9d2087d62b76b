"""Games that have ended, quickly: dealt and played at random, and given up after some moves."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from service import replay
from service.replay import Commit
from service.rules import seating
from service.rules.protocol import HOUSE
from service.rules.seating.commands import (
    Abandon,
    Chair,
    OpenGame,
    Resign,
    SitDown,
    StartGame,
)
from service.scribe import entry_of
from service.store import EventStore, Listing, Meta
from tests.rules.tables import TABLES, choose

DAY = 86_400_000
ROBOT = Chair("ai", "casual")


def commits_of(
    variant: str,
    players: Sequence[str | Chair],
    *,
    at: int = 20_000 * DAY,
    seed: int = 0,
    moves: int = 12,
    end: Any = None,
    **more: Any,
) -> list[Commit]:
    """A game of those players that one of them gives up after so many moves, or that plays on to
    the end without a limit of moves. `end` is what is given instead by each person."""
    random = Random(f"{variant} {seed}")
    chairs = tuple(
        one if isinstance(one, Chair) else Chair("human", None, one if place == 0 else None)
        for place, one in enumerate(players)
    )
    table = next(one for one in TABLES if (one.variant.name, one.seats) == (variant, len(chairs)))
    opened = OpenGame(variant, 1, chairs, {}, more.pop("visibility", "public"), "", "", **more)
    commits = [Commit(1, "", "", at, opened, seating.opening(opened))]
    game = replay.open_game(commits[0])

    def give(command: Any) -> None:
        prev = entry_of(commits[-1], Meta("")).hash
        done = Commit(len(commits) + 1, prev, "", at, command, seating.decide(game, command, at))
        commits.append(done)
        replay.advance(game, (done,))

    for seat, one in enumerate(players):
        if seat and isinstance(one, str):
            give(SitDown(seat, one))
    give(StartGame(random.randrange(len(chairs))))
    while not game.result:
        if len(commits) > moves and game.to_act() != HOUSE:
            people = [seat for seat, chair in enumerate(game.chairs) if chair.player]
            if end:
                for seat in people:
                    give(replace(end, seat=seat))
            else:
                give(Resign(random.choice(people)))
        else:
            give(choose(table, game.state, random))
    return commits


def plant(store: EventStore, game: str, commits: list[Commit], source: str = "") -> str:
    """Puts the game into the store and files it as over."""
    first = Meta("a", "anna", source=source)
    later = Meta("a")
    store.plant(game, [entry_of(one, first if one.version == 1 else later) for one in commits])
    end = replay.fold(commits)
    status = "abandoned" if end.result and end.result.why == "abandoned" else "finished"
    store.mark(Listing(game, 1), status, end.visibility == "public", [])
    return game


ABANDON = Abandon(0)
