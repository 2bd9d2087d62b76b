"""Answers in JSON, and those that need not be sent again."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from flask import Response, request

NDJSON: Final = "application/x-ndjson"

_VARY: Final = "Authorization, Accept-Language, Accept-Encoding"


def reply(body: Any, status: int = 200, **headers: str) -> Response:
    """The body as JSON; `Content_Type` in `headers` is the header Content-Type."""
    # The last newline is for people who read in a terminal.
    response = Response(msgspec.json.encode(body) + b"\n", status, mimetype="application/json")
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = value
    return response


def private(response: Response) -> Response:
    """Marks an answer as the caller's own: no shared cache keeps it (RFC 9111, 5.2.2.7)."""
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = _VARY
    return response


def versioned(version: int, body: Callable[[], Any]) -> Response:
    """The body under the ETag of its version, or 304 when the caller has it (RFC 9110, 13.1.2)."""
    return tagged(version, lambda: reply(body()))


def tagged(version: int, make: Callable[[], Response]) -> Response:
    """The same for an answer that is not JSON."""
    has_it = request.if_none_match.contains_weak(str(version))
    response = Response(status=304) if has_it else make()
    response.headers["ETag"] = f'"{version}"'
    return private(response)


def moment(milliseconds: int) -> str:
    """A time in milliseconds since 1970 as RFC 3339 in UTC."""
    seconds, rest = divmod(milliseconds, 1000)
    at = datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest * 1000)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
