"""What becomes of a computer player's turn while people wait for it."""

from contextlib import suppress

from flask import Blueprint, Response

from service.api.edge import edge
from service.api.eyes import find, last_seen
from service.api.problems import Problem
from service.api.replies import moment, private, reply
from service.api.requests import caller, query
from service.store import StoreUnavailable

calls = Blueprint("turn", __name__)


@calls.get("/games/<game:game>/turn")
def see(game: str) -> Response:
    """The turn that is due, if it is a computer player's: since when, and whether it is under way.

    Nothing of it tells how hard the hand is. A worker has the turn until it is played, and at a
    table with people that takes the same time whatever the choice took. Who sees the game late
    learns nothing of it: its workers are ahead of what they may see.
    """
    player = caller("spectate", game=game)
    now, eyes = find(game, player.id, query(invite=str).get("invite", ""))
    last = last_seen(now, eyes)
    if last is None:
        raise Problem("no_spectators")
    late = last != now.version
    table = edge().tables.at(now, last) if late else now
    waits = table.waits_for_computer()
    seat = table.to_act() if waits else None
    thinking, attempts = False, 0
    if waits and not late:
        with suppress(StoreUnavailable):  # then no worker is heard of, either
            turn = edge().turns.find(game)
            if turn and turn.version == table.version:
                thinking, attempts = turn.held, turn.attempts
    body = {
        "version": table.version,
        "seat": seat,
        "level": None if seat is None else table.game.level(seat),
        "state": "done" if not waits else None if late else "thinking" if thinking else "waiting",
        "since": moment(table.changed),
        "age": max(0, table.now - table.changed) / 1000,
        "attempts": attempts,
    }
    response = private(reply(body))
    if waits:
        response.headers["Retry-After"] = "1"
    return response
