"""Headers that tell browsers what they may do with our answers: nothing, unless it is allowed.

Security headers stand on every answer, unless a call sets its own. Pages of other origins may use
the API where TAPETE_CORS_ORIGINS names them (https://fetch.spec.whatwg.org/#http-cors-protocol).
A token is sent by the page itself in `Authorization` and never by the browser on its own, so there
are no cookies to protect, and credentials are never allowed.
"""

from collections.abc import Callable
from typing import Final

from flask import Flask, Response, request

from service.api.replies import put, vary

SECURITY: Final = {
    "X-Content-Type-Options": "nosniff",
    # Answers are data: should a browser show one as a page, it loads and runs nothing.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    # Addresses hold invite codes.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_SECURITY: Final = {name.lower(): (name, value) for name, value in SECURITY.items()}

EXPOSED: Final = (
    "ETag",
    "Location",
    "Retry-After",
    "Idempotent-Replayed",
    "RateLimit",
    "RateLimit-Policy",
)
"""What a page may read beside the few headers that it may always read."""

SENT: Final = (
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
)
"""What a page may send."""

METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")

DAY: Final = 86_400


def install(app: Flask, origins: tuple[str, ...]) -> None:
    """Sets the headers on every answer of the app, refusals included; pages of `origins` may use
    the API."""
    app.after_request(_guarded)
    if origins:
        app.after_request(_shared_with(origins))


def _guarded(response: Response) -> Response:
    # One look at what is there for all of them: each look goes through the whole list.
    there = {name.lower() for name, _ in response.headers}
    put(response, [pair for name, pair in _SECURITY.items() if name not in there])
    if response.status_code >= 400 and "cache-control" not in there:
        # A cache may keep a 404 or a 410 by itself (RFC 9110, 15.1).
        response.headers.add("Cache-Control", "no-store")
    return response


def _shared_with(origins: tuple[str, ...]) -> Callable[[Response], Response]:
    def shared(response: Response) -> Response:
        origin = request.headers.get("Origin")
        if origins == ("*",):
            origin = "*" if origin else None
        else:
            vary(response, "Origin")
        if origin is None or origin not in origins:
            return response
        response.headers["Access-Control-Allow-Origin"] = origin
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response.headers["Access-Control-Allow-Methods"] = ", ".join(METHODS)
            response.headers["Access-Control-Allow-Headers"] = ", ".join(SENT)
            response.headers["Access-Control-Max-Age"] = str(DAY)
        else:
            response.headers["Access-Control-Expose-Headers"] = ", ".join(EXPOSED)
        return response

    return shared
