"""Playing: what the caller may do now, and doing it."""

from typing import Any

from flask import Blueprint, Response

from service.api import show
from service.api.body import read_body
from service.api.edge import edge
from service.api.eyes import find, look
from service.api.problems import refusal
from service.api.replies import private, reply, versioned
from service.api.requests import caller, idempotency_key, if_match, query
from service.rules.errors import IllegalMove
from service.rules.protocol import Seat
from service.rules.seating import Game
from service.rules.seating.commands import ComeBack

calls = Blueprint("commands", __name__)


@calls.get("/games/<game:game>/commands")
def allowed(game: str) -> Response:
    """The commands that the rules allow the caller now, and the version they hold for.

    To resign is allowed throughout and is not among them, so that a bot that picks any of
    them plays on.
    """
    player = caller("play", game=game)
    table, _ = look(game, player.id, query(invite=str).get("invite", ""))
    seat = table.seat_of(player.id)

    def body() -> show.Json:
        legal = () if seat is None or table.fault else _legal(table.game, seat)
        return {
            "version": table.version,
            "commands": [show.command(command) for command in legal],
        }

    # A fault comes and goes without a version of its own.
    return private(reply(body())) if table.fault else versioned(table.version, body)


def _legal(game: Game, seat: Seat) -> tuple[Any, ...]:
    """What the seat's owner may give: nothing but to come back where a computer plays for them."""
    stand_in = game.stand_in(seat)
    if stand_in is None:
        return game.legal(seat)
    return (ComeBack(seat),) if stand_in.until == "return" and not game.result else ()


@calls.post("/games/<game:game>/commands")
def give(game: str) -> Response:
    """Carries out a command: once, whole, or not at all.

    The order of the checks is part of the contract: 401, 404, 422, a known Idempotency-Key,
    410, 403, 412, 409.
    """
    player = caller("play", game=game)
    table, _ = find(game, player.id, query(invite=str).get("invite", ""))
    body = read_body()
    key = idempotency_key()
    expected = if_match()
    own = edge()
    make = own.readers[table.game.variant.name].read(body.data)
    found = None if body.slow else table
    try:
        answer = own.tables.act(game, player.id, make, key, body.digest, expected, found)
    except IllegalMove as error:
        return refusal(error, 409, table.game.variant.name, error.version)
    response = reply(show.outcome(answer), 201)
    if answer.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return private(response)
