"""Answers in JSON, and those that need not be sent again."""

from collections.abc import Callable
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


_JSON: Final = "application/json"


class Plain(Response):
    """An answer that goes out as it stands: nothing is added to it but the length of its body.

    werkzeug's own would copy the headers, check each value again, and look through them several
    times for what none of these has: types that nobody named, addresses to be written anew.
    """

    default_mimetype = None

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:
        """The headers, with the length where there may be a body."""
        if self.status_code not in (204, 304):
            self.headers.setdefault("Content-Length", sum(map(len, self.iter_encoded())))
        return self.headers


def reply(body: Any, status: int = 200, **headers: str) -> Response:
    """The body as JSON; `Content_Type` in `headers` is the header Content-Type."""
    # The last newline is for people who read in a terminal.
    response = Plain(msgspec.json.encode(body) + b"\n", status, content_type=_JSON)
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def private(response: Response) -> Response:
    """Marks an answer as the caller's own: no shared cache keeps it (RFC 9111, 5.2.2.7)."""
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = _VARY
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
    return tagged(version, lambda: reply(body()))


def tagged(version: int, make: Callable[[], Response]) -> Response:
    """The same for an answer that is not JSON."""
    has_it = request.if_none_match.contains_weak(str(version))
    response = Plain(status=304) if has_it else make()
    response.headers["ETag"] = f'"{version}"'
    return private(response)


def moment(milliseconds: int) -> str:
    """A time in milliseconds since 1970 as RFC 3339 in UTC."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_second(seconds)}.{rest:03}Z"


@lru_cache(1000)  # much of what is shown has just happened
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("+00:00")
