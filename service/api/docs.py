"""`/docs`: the contract to read and to try, in a browser, with nothing from anywhere else.

The viewer is Swagger UI as the wheel `flask-swagger-ui` brings it, pinned by its hash; the page
around it lies in `viewer/`. The wheel's own blueprint is not used: its page has scripts within,
which our policy forbids. Requests that the page sends go to this server alone.
"""

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, request

from service.api import compress
from service.api.problems import Problem
from service.api.replies import vary

calls = Blueprint("docs", __name__)

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        # Swagger UI writes colours into `style` attributes; no style sheet but ours is loaded.
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What the page may do (https://www.w3.org/TR/CSP3/): load from here, and ask here."""

OURS: Final = Path(__file__).parent / "viewer"

FILES: Final = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}
"""What the page loads, and its type; nothing else of the wheel is served."""

_DAY: Final = "public, max-age=86400"


@calls.get("/docs")
def page() -> Response:
    """The page."""
    response = Response(_read("index.html"), mimetype="text/html")
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Cache-Control"] = "no-cache"
    return response


@calls.get("/docs/<name>")
def asset(name: str) -> Response:
    """A file that the page loads."""
    if name not in FILES:
        raise Problem("not_found")
    coding = compress.coding() if FILES[name].startswith("text/") else None
    response = Response(_packed(name, coding), mimetype=FILES[name])
    response.headers["Cache-Control"] = _DAY
    response.set_etag(_tag(name))
    vary(response, "Accept-Encoding")
    if coding:
        response.headers["Content-Encoding"] = coding
    response.make_conditional(request)
    return response


@cache
def _packed(name: str, coding: str | None) -> bytes:
    """The file in a coding: the viewer is long, and packed once."""
    return compress.CODINGS[coding](_read(name)) if coding else _read(name)


@cache
def _tag(name: str) -> str:
    return hashlib.sha256(_read(name)).hexdigest()[:24]


@cache
def _read(name: str) -> bytes:
    ours = OURS / name
    if ours.exists():
        return ours.read_bytes()
    # Found, not imported: the wheel's module is of no use here.
    spec = find_spec("flask_swagger_ui")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "dist" / name).read_bytes()
