"""Headers that tell browsers what they may do with our answers: nothing, unless it is allowed.

Security headers stand on every answer, unless a call sets its own. Pages of other origins may use
the API where TAPETE_CORS_ORIGINS names them (https://fetch.spec.whatwg.org/#http-cors-protocol).
A token is sent by the page itself in `Authorization` and never by the browser on its own, so there
are no cookies to protect, and credentials are never allowed.
"""

from typing import Final

from flask import Flask, Response, request

from service.api.edge import edge

SECURITY: Final = {
    "X-Content-Type-Options": "nosniff",
    # Answers are data: should a browser show one as a page, it loads and runs nothing.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    # Addresses hold invite codes.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}

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


def install(app: Flask) -> None:
    """Sets the headers on every answer of the app, refusals included."""
    app.after_request(_guarded)


def _guarded(response: Response) -> Response:
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    if response.status_code >= 400:
        # A cache may keep a 404 or a 410 by itself (RFC 9110, 15.1).
        response.headers.setdefault("Cache-Control", "no-store")
    _shared(response)
    return response


def _shared(response: Response) -> None:
    allowed, origin = edge().config.cors_origins, request.headers.get("Origin")
    if not allowed:
        return
    if allowed == ("*",):
        origin = "*" if origin else None
    else:
        response.vary.add("Origin")
    if origin is None or origin not in allowed:
        return
    response.headers["Access-Control-Allow-Origin"] = origin
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        response.headers["Access-Control-Allow-Methods"] = ", ".join(METHODS)
        response.headers["Access-Control-Allow-Headers"] = ", ".join(SENT)
        response.headers["Access-Control-Max-Age"] = str(DAY)
    else:
        response.headers["Access-Control-Expose-Headers"] = ", ".join(EXPOSED)
