"""Answers in JSON, and those that need not be sent again."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from flask import Response, request
from werkzeug.datastructures import Headers

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

NDJSON: Final = "application/x-ndjson"

_VARY: Final = "Authorization, Accept-Language, Accept-Encoding"


_JSON: Final = ("Content-Type", "application/json")

_PRIVATE: Final = (("Cache-Control", "private, no-cache"), ("Vary", _VARY))


Pairs = Iterable[tuple[str, str]]


class Sound(Headers):
    """Headers that may be added to without a look at each value, or at what is there."""

    def __contains__(self, name: object) -> bool:
        """Whether a header is there. werkzeug's own makes an exception of each that is not."""
        wanted = str(name).lower()
        return wanted in [one.lower() for one, _ in self._list]

    def put(self, pairs: Pairs) -> None:
        """Adds what is not there yet, and has no line end in it."""
        self._list.extend(pairs)


class Plain(Response):
    """An answer in JSON, or without a body, that goes out as it stands.

    werkzeug's own would copy the headers, check each value again, and look through them several
    times for what none of these has: types that nobody named, addresses to be written anew.
    """

    default_mimetype = None
    headers: Sound

    def __init__(self, body: bytes | None = None, status: int = 200, headers: Pairs = ()) -> None:
        super().__init__(None, status, Sound())
        if body is not None:
            self.response = [body]
            self.headers.put((_JSON, ("Content-Length", str(len(body)))))
        self.headers.put(headers)

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:
        """The headers, with the length where there may be a body."""
        if self.status_code not in (204, 304) and "Content-Length" not in self.headers:
            self.headers["Content-Length"] = str(sum(map(len, self.iter_encoded())))
        return self.headers


def put(response: Response, pairs: Pairs) -> None:
    """Adds headers that the answer has not, and whose values are ours: they have no line end."""
    if isinstance(response, Plain):
        response.headers.put(pairs)
    else:
        response.headers.extend(pairs)


def reply(body: Any, status: int = 200, **headers: str) -> Response:
    """The body as JSON; `Content_Type` in `headers` is the header Content-Type."""
    response = Plain(_text(body), status)
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def _text(body: Any) -> bytes:
    # The last newline is for people who read in a terminal.
    return msgspec.json.encode(body) + b"\n"


def private(response: Response) -> Response:
    """Marks an answer as the caller's own: no shared cache keeps it (RFC 9111, 5.2.2.7).

    It must not say yet who may keep it, nor what it depends on.
    """
    put(response, _PRIVATE)
    return response


def vary(response: Response, name: str) -> None:
    """Says that the answer depends on that header of the request.

    `response.vary` would take the list apart and put it together again, on every answer.
    """
    known = response.headers.get("Vary", "")
    if name not in known.split(", "):
        response.headers["Vary"] = f"{known}, {name}" if known else name


def versioned(version: int, body: Callable[[], Any]) -> Response:
    """The body under the ETag of its version, or 304 when the caller has it (RFC 9110, 13.1.2)."""
    tag = f'"{version}"'
    if _has(tag):
        return _unchanged(tag)
    return Plain(_text(body()), 200, (("ETag", tag), *_PRIVATE))


def tagged(version: int, make: Callable[[], Response]) -> Response:
    """The same for an answer that is not JSON."""
    tag = f'"{version}"'
    if _has(tag):
        return _unchanged(tag)
    response = make()
    response.headers["ETag"] = tag
    return private(response)


def _has(tag: str) -> bool:
    """Whether the caller has the answer of that ETag."""
    asked = request.environ.get("HTTP_IF_NONE_MATCH")
    if asked is None or asked == tag:  # as nearly everybody says
        return asked is not None
    return request.if_none_match.contains_weak(tag[1:-1])


def _unchanged(tag: str) -> Response:
    return Plain(None, 304, (("ETag", tag), *_PRIVATE))


def moment(milliseconds: int) -> str:
    """A time in milliseconds since 1970 as RFC 3339 in UTC."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_second(seconds)}.{rest:03}Z"


@lru_cache(1000)  # much of what is shown has just happened
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("+00:00")
