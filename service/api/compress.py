"""Long answers are compressed where the client says that it can read that (RFC 9110, 12.5.3).

zstd (RFC 8878) or gzip. The ETag stays that of the version, whatever the coding, and `Vary` says
that there are several. Streams are never compressed: a compressor holds back what it is given.
"""

import gzip
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from backports import zstd
from flask import Flask, Response
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from service.api.edge import current
from service.api.replies import vary

LEAST: Final = 1000
"""Bytes of the shortest body that is compressed; a shorter one fits into a packet anyway."""

LONGEST: Final = 200
"""Characters of the longest wish that is heard, and remembered; nobody reads more codings."""

CODINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "zstd": lambda body: zstd.compress(body, 3),
    # Without the time, so that an answer is the same each time.
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
"""By name, the better first."""


def install(app: Flask) -> None:
    """Compresses the app's answers."""
    app.after_request(_compressed)


def _compressed(response: Response) -> Response:
    if response.is_streamed or "Content-Encoding" in response.headers:
        return response
    vary(response, "Accept-Encoding")
    wanted = coding()
    body = response.get_data() if wanted else b""
    if wanted is None or len(body) < LEAST:
        return response
    response.set_data(CODINGS[wanted](body))
    response.headers["Content-Encoding"] = wanted
    return response


def coding() -> str | None:
    """The coding that the client likes best, ours among equals; None to send it as it is."""
    asked = current().environ.get("HTTP_ACCEPT_ENCODING")
    return _best(asked) if asked and len(asked) <= LONGEST else None


@lru_cache(100)
def _best(asked: str) -> str | None:
    """By quality alone: werkzeug takes `gzip;q=0` for what it says, and `*` for any."""
    wanted = parse_accept_header(asked, Accept)
    plain = wanted.quality("identity") if "identity" in wanted.values() else 0
    quality, best = max(((wanted.quality(name), name) for name in CODINGS), key=lambda one: one[0])
    return best if quality > 0 and quality >= plain else None
