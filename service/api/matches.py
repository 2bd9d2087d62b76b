"""Coming to a table quickly: a quick match, and once more with the same people."""

from typing import Final

from flask import Blueprint, Response
from marshmallow import fields

from service import rematch
from service.api import show
from service.api.body import read_body
from service.api.edge import edge
from service.api.eyes import look
from service.api.fields import Fault, Record, integer, load, problem
from service.api.nothing import read_nothing
from service.api.places import MOST_SEATS
from service.api.problems import Problem, refusal
from service.api.replies import private, reply
from service.api.requests import caller, idempotency_key, query
from service.api.sentences import choice
from service.languages.catalogue import Sentence
from service.rules import variants
from service.rules.errors import IllegalMove
from service.shelf import Table
from service.store import Player

calls = Blueprint("matches", __name__)


class Kind(Record):
    """The body of `POST /matches`."""

    variant = fields.String(required=True)
    seats = integer(1, MOST_SEATS, required=True)


_KIND: Final = Kind()


@calls.post("/matches")
def match() -> Response:
    """A seat at a public table that waits, or at a new one: 201; 200 for who waits already."""
    player = caller("lobby")
    kind = load(_KIND, read_body().data)
    key = idempotency_key()
    key = f"matches {key}" if key else ""
    try:
        found = edge().matches.match(player.id, **kind, key=key)
    except KeyError:
        raise problem({"variant": [Fault.of(choice(variants()), "unknown_variant")]}) from None
    except IllegalMove as error:
        return refusal(error, 422, kind["variant"])
    response = _seated(found.table, player, found.seated or found.replayed)
    if found.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


@calls.post("/games/<game:game>/rematch")
def again(game: str) -> Response:
    """The next game of the same people, each on the seat they had: one for all of them."""
    player = caller("lobby")
    table, _ = look(game, player.id, query(invite=str).get("invite", ""))
    read_nothing()
    try:
        new, sat = rematch.rematch(edge().tables, table, player.id)
    except rematch.NotOver:
        raise Problem("not_over") from None
    except rematch.NotPlayed:
        raise Problem("nothing_to_play", Sentence("That game was never played.")) from None
    except IllegalMove as error:
        return refusal(error, 409, table.game.variant.name, error.version)
    return _seated(edge().tables.load(new), player, sat)


def _seated(table: Table, player: Player, now: bool) -> Response:
    response = reply(show.game(table, player.id), 201 if now else 200)
    response.headers["Location"] = f"/v1/games/{table.id}"
    response.headers["ETag"] = f'"{table.version}"'
    return private(response)
