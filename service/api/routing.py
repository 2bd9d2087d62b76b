"""Which URLs exist: no redirects, and ids that are none of ours are unknown at once."""

from collections.abc import Callable
from typing import Any, NoReturn

from flask import Flask
from werkzeug.routing import BaseConverter, Rule


class Route(Rule):
    """A rule that is matched only: nobody here asks for a URL (`url_for`).

    To compile what makes one, twice for each rule, is three quarters of what an app takes to make.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., NoReturn]:
        return _none


def _none(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError("URLs are matched, never made")


class GameId(BaseConverter):
    """A game's id: base32 in lower case, so nothing else ever becomes part of a key."""

    regex = "[a-z2-7]{1,32}"


class JobId(GameId):
    """A job's id, which is made in the same way."""


class PlayerId(GameId):
    """A player's id, which is made in the same way."""


class TokenName(BaseConverter):
    """A token's name: the first digits of its hash."""

    regex = "[0-9a-f]{24}"


class HookId(GameId):
    """A webhook's id, which is made in the same way."""


class Delivery(BaseConverter):
    """A delivery: a message's id and the number of an attempt."""

    regex = "[a-z2-7]{1,32}-[1-9][0-9]{0,8}"


class SeatNumber(BaseConverter):
    """A seat, in ASCII digits; werkzeug's own `int` takes digits of every script."""

    regex = "[0-9]{1,2}"

    def to_python(self, value: str) -> Any:
        """The number."""
        return int(value)


def configure(app: Flask) -> None:
    """To be called before the first rule is added.

    A redirect would lose the body or the Authorization header of a POST in many clients
    (pallets/flask#3994), so `/games/` is `/games` and `//games` is unknown.
    """
    app.url_rule_class = Route
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.url_map.converters |= {
        "delivery": Delivery,
        "game": GameId,
        "hook": HookId,
        "job": JobId,
        "player": PlayerId,
        "seat": SeatNumber,
        "token": TokenName,
    }
