"""The caller's tokens, and how another device of theirs gets one.

Only a token with all usual scopes rules over others: one that was given away for a purpose can
neither see, make nor revoke any, but itself.
"""

import re
import time
from typing import Any, Final

from flask import Blueprint, Response
from marshmallow import fields, validate

from service.api.body import read_body
from service.api.edge import edge
from service.api.fields import OneOf, Record, Row, load, problem
from service.api.names import Name
from service.api.problems import Problem
from service.api.replies import moment, private, reply
from service.api.requests import bearer, caller, idempotency_key, token
from service.api.sentences import LENGTH
from service.languages.catalogue import Sentence
from service.store.tokens import SCOPES, USUAL, Token
from service.tokens import LINK_SECONDS, NoSuchCode, Other, Revoked, TooMany

calls = Blueprint("tokens", __name__)


class Wish(Record):
    """The body of `POST /me/tokens` and of `POST /me/link`."""

    scopes = Row(OneOf(SCOPES), len(SCOPES), load_default=None)
    label = Name(load_default="")


class Link(Record):
    """The body of `POST /tokens`."""

    link = fields.String(required=True, validate=validate.Length(1, 64, error=LENGTH))


_WISH: Final = Wish()
_LINK: Final = Link()


@calls.get("/me/tokens")
def listed() -> Response:
    """The caller's tokens, the oldest first."""
    caller(*USUAL)
    found = edge().guests.tokens.of(bearer())
    return private(reply({"items": [_show(one) for one in found]}))


@calls.post("/me/tokens")
def make() -> Response:
    """Another token, of no more scopes than the caller's. It is shown here and never again."""
    caller(*USUAL)
    scopes, label = _wish()
    try:
        made = edge().guests.tokens.make(bearer(), token(), scopes, label, idempotency_key())
    except TooMany:
        raise Problem("too_many_tokens") from None
    except Other:
        raise Problem("idempotency_key_reused") from None
    except Revoked:
        gone = Sentence("The token made under that Idempotency-Key has been revoked since.")
        raise Problem("idempotency_key_reused", gone) from None
    response = reply(
        _show(made.token) | {"token": made.secret},
        201,
        Location=f"/v1/me/tokens/{made.token.id}",
        Cache_Control="no-store",
    )
    if made.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


@calls.delete("/me/tokens/<token:named>")
def revoke(named: str) -> Response:
    """Ends a token at once; any token may end itself."""
    own = bearer()
    if not own.token.startswith(named):
        caller(*USUAL)
    if not edge().guests.tokens.revoke(own, named):
        raise Problem("not_found")
    return Response(status=204)


@calls.post("/me/link")
def link() -> Response:
    """A code that another device exchanges for a token of the same player."""
    caller(*USUAL)
    code = edge().guests.tokens.link(bearer(), *_wish())
    expires = time.time_ns() // 1_000_000 + LINK_SECONDS * 1000
    body = {"link": code, "expires": moment(expires)}
    return reply(body, 201, Cache_Control="no-store")


@calls.post("/tokens")
def exchange() -> Response:
    """The token that a code stands for; the code is used up."""
    code = load(_LINK, read_body().data)["link"]
    try:
        player, made = edge().guests.tokens.exchange(re.sub(r"\s", "", code))
    except NoSuchCode:
        raise Problem("link_invalid") from None
    except TooMany:
        raise Problem("too_many_tokens") from None
    body = {"id": player.id, "name": player.name, "bot": player.bot, "token": made.secret}
    return reply(body, 201, Location="/v1/me", Cache_Control="no-store")


def _wish() -> tuple[tuple[str, ...], str]:
    """The scopes, in their order and each once, and the label that are asked for.

    Raises:
        Problem: 422, the caller's own token may do less.
    """
    asked = load(_WISH, read_body().data)
    own = bearer().scopes
    wanted = USUAL if asked["scopes"] is None else asked["scopes"]
    faults = {
        place: [Sentence("Your own token lacks {scope}.", scope=scope)]
        for place, scope in enumerate(wanted)
        if scope not in own
    }
    if faults:
        raise problem({"scopes": faults})
    if not wanted:
        raise problem({"scopes": [Sentence("Must name at least one.")]})
    return tuple(scope for scope in SCOPES if scope in wanted), asked["label"]


def _show(one: Token) -> dict[str, Any]:
    return {
        "id": one.id,
        "label": one.label,
        "scopes": list(one.scopes),
        "created": moment(one.created) if one.created else None,
        "current": one.hash == bearer().token,
    }
