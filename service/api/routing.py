"""Which URLs exist: no redirects, and ids that are none of ours are unknown at once."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

from flask import Flask
from werkzeug.routing import BaseConverter, Map, MapAdapter, Rule

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_USUAL_HOST: Final = re.compile(
    r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE
)
"""A Host in which werkzeug finds nothing wrong."""

PATHS: Final = 4_000
"""Paths of which the rules are remembered."""

LONGEST: Final = 128
"""Characters of the longest path among them: ids are short, but a name may be anything."""

Found = tuple[Rule, Mapping[str, Any]]
"""A rule, and what its path names."""


class Route(Rule):
    """A rule that is matched only: nobody here asks for a URL (`url_for`).

    To compile what makes one, twice for each rule, is three quarters of what an app takes to make.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., NoReturn]:
        return _none


def _none(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError("URLs are matched, never made")


class Ways:
    """Finds the rules of requests in a map that changes no more.

    Clients ask for the same few paths again and again, so what was found is remembered; that a
    path leads nowhere is not.
    """

    def __init__(self, urls: Map) -> None:
        self._urls = urls
        self._find = lru_cache(PATHS)(self._found)

    def of(self, environ: "WSGIEnvironment") -> MapAdapter | None:
        """What finds the rule of a usual request; None where werkzeug must look more closely.

        It would take the host apart, for the beginning of URLs that nobody makes here, and for
        rules by host, of which there are none.
        """
        path, host = environ.get("PATH_INFO"), environ.get("HTTP_HOST", "")
        if not path or not _USUAL_HOST.fullmatch(host) or "HTTP_UPGRADE" in environ:
            return None
        path = path.encode("latin1").decode(errors="replace")  # as PEP 3333 has it
        way = _Way(self._urls, "", "/", "", "http", path, environ["REQUEST_METHOD"])
        way.find = self._find if len(path) <= LONGEST else self._found
        return way

    @property
    def remembered(self) -> int:
        """How many are."""
        return self._find.cache_info().currsize

    def _found(self, path: str, method: str) -> Found:
        usual = MapAdapter(self._urls, "", "/", "", "http", path, method)
        return usual.match(return_rule=True)


class _Way(MapAdapter):
    """Finds the rule of one request by `find`, which may remember it."""

    find: Callable[[str, str], Found]

    def match(self, *given: Any, return_rule: bool = False, **more: Any) -> Any:
        """See `MapAdapter.match`; who asks of another request is answered by werkzeug alone."""
        if given or more or not return_rule:
            return super().match(*given, return_rule=return_rule, **more)  # type: ignore[call-overload]
        rule, values = self.find(self.path_info, self.default_method)
        return rule, dict(values)


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
