"""Players: a guest comes in with a name and gets a token."""

from typing import Final

from flask import Blueprint, Response

from service.api.body import read_body
from service.api.edge import edge
from service.api.fields import Flag, Record, load
from service.api.names import Name
from service.api.replies import private, reply
from service.api.requests import bearer

calls = Blueprint("people", __name__)


class Guest(Record):
    """The body of `POST /players`."""

    name = Name(required=True)
    bot = Flag(load_default=False)


_GUEST: Final = Guest()


@calls.post("/players")
def welcome() -> Response:
    """A new guest. The token is shown here and never again."""
    guest = load(_GUEST, read_body().data)
    player, token = edge().guests.welcome(**guest)
    body = {"id": player.id, "name": player.name, "bot": player.bot, "token": token}
    return reply(body, 201, Location="/v1/me", Cache_Control="no-store")


@calls.get("/me")
def me() -> Response:
    """The caller, and what their token may do."""
    own = bearer()
    player = own.player
    body = {"id": player.id, "name": player.name, "bot": player.bot, "scopes": list(own.scopes)}
    return private(reply(body))
