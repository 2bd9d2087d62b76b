"""Taking a seat, setting a nonce, leaving before the game starts."""

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Response
from marshmallow import fields

from service.api import show
from service.api.body import read_body
from service.api.edge import edge
from service.api.eyes import eyes_of, find, last_seen
from service.api.fields import NONCE_LENGTH, Record, Text, integer, load
from service.api.places import MOST_SEATS
from service.api.problems import Problem, refusal
from service.api.replies import private, reply
from service.api.requests import caller, query, table
from service.languages.catalogue import Sentence
from service.rules.errors import IllegalMove
from service.rules.protocol import Seat
from service.rules.seating.commands import GetUp, SetNonce
from service.shelf import Table
from service.store import Player

calls = Blueprint("seats", __name__)


class Join(Record):
    """The body of `POST …/seats`."""

    invite = fields.String(load_default="")
    seat = integer(0, MOST_SEATS - 1, load_default=None)
    nonce = Text(NONCE_LENGTH, load_default=None)


class Nonce(Record):
    """The body of `PUT …/seats/{n}`."""

    nonce = Text(NONCE_LENGTH, required=True)


_JOIN: Final = Join()
_NONCE: Final = Nonce()


@calls.post("/games/<game:game>/seats")
def join(game: str) -> Response:
    """Takes a seat: 201, or 200 and the same seat again for who has one."""
    player = caller("lobby", game=game)
    # The invite is in the body, so that is read before anything is said about the game.
    body = read_body()
    asked = load(_JOIN, body.data)
    found = None if body.slow else table(game)
    try:
        answer = edge().tables.join(game, player.id, **asked, found=found)
    except IllegalMove as error:
        return _refused(error, game, player)
    if answer:
        return _shown(answer.table, player, 201)
    return _seated(game, player, 200)


@calls.put("/games/<game:game>/seats/<seat:seat>")
def set_nonce(game: str, seat: Seat) -> Response:
    """Mixes a word of the player's own into the deals, until the game starts."""
    player = caller("play")
    _check(game, player, seat)
    nonce = load(_NONCE, read_body().data)["nonce"]
    if edge().tables.has_nonce(game, player.id, seat, nonce):
        return _seated(game, player, 200)
    refused = _act(game, player, seat, lambda own: SetNonce(own, nonce))
    return refused or _seated(game, player, 200)


@calls.delete("/games/<game:game>/seats/<seat:seat>")
def leave(game: str, seat: Seat) -> Response:
    """Gives a seat back before the game starts; when the last person leaves, so ends the game."""
    player = caller("lobby")
    _check(game, player, seat)
    return _act(game, player, seat, GetUp) or Response(status=204)


def _check(game: str, player: Player, seat: Seat) -> None:
    invite = query(invite=str).get("invite", "")
    now, _ = find(game, player.id, invite)
    if seat >= len(now.game.chairs):
        raise Problem("not_found", Sentence("There is no such seat at this table."))


def _act(game: str, player: Player, seat: Seat, make: Callable[[Seat], Any]) -> Response | None:
    """Does something with one's own seat; the answer when a rule says no."""

    def own(held: Seat) -> Any:
        if held != seat:
            raise Problem("not_your_seat")
        return make(held)

    try:
        edge().tables.act(game, player.id, own)
    except IllegalMove as error:
        return _refused(error, game, player)
    return None


def _refused(error: IllegalMove, game: str, player: Player) -> Response:
    now = edge().tables.load(game)
    # How far it is is not everybody's to know.
    seen = last_seen(now, eyes_of(now, player.id))
    version = None if seen is None else min(seen, error.version)
    return refusal(error, 409, now.game.variant.name, version)


def _seated(game: str, player: Player, status: int) -> Response:
    return _shown(edge().tables.load(game), player, status)


def _shown(now: Table, player: Player, status: int) -> Response:
    response = reply(show.game(now, player.id), status)
    response.headers["ETag"] = f'"{now.version}"'
    return private(response)
