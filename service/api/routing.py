"""Which URLs exist: no redirects, and ids that are none of ours are unknown at once."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

from flask import Flask
from werkzeug.routing import BaseConverter, Map, MapAdapter, Rule

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_USUAL_HOST: Final = re.compile(
    r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE
)
"""A Host in which werkzeug finds nothing wrong."""


class Route(Rule):
    """A rule that is matched only: nobody here asks for a URL (`url_for`).

    To compile what makes one, twice for each rule, is three quarters of what an app takes to make.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., NoReturn]:
        return _none


def _none(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError("URLs are matched, never made")


def matching(urls: Map, environ: "WSGIEnvironment") -> MapAdapter | None:
    """What finds the rule of a usual request; None where werkzeug must look at it more closely.

    It would take the host apart, for the beginning of URLs that nobody makes here, and for rules
    by host, of which there are none.
    """
    path = environ.get("PATH_INFO")
    usual = _USUAL_HOST.fullmatch(environ.get("HTTP_HOST", "")) and "HTTP_UPGRADE" not in environ
    if not path or not usual:
        return None
    path = path.encode("latin1").decode(errors="replace")  # as PEP 3333 has it
    return MapAdapter(urls, "", "/", "", "http", path, environ["REQUEST_METHOD"])


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
