"""Every answer to a GET that may be kept has an ETag, and is not sent again to who has it.

Answers about one game have its version as theirs (`replies.versioned`); for all others it is the
hash of the body and its language. That saves bytes, not work (RFC 9110, 13.1.2).
"""

import hashlib

from flask import Flask, Response, request


def install(app: Flask) -> None:
    """Gives the app's answers their ETags."""
    app.after_request(_tagged)


def _tagged(response: Response) -> Response:
    if response.status_code != 200 or "ETag" in response.headers:
        return response
    if request.method not in ("GET", "HEAD"):
        return response
    # Streams are neither kept nor changed, and the HEAD of one has no body to be told by.
    kept = not {"no-store", "no-transform"} & {
        *response.headers.get("Cache-Control", "").split(", ")
    }
    if response.is_streamed or not kept:
        return response
    # The same words may be said in two languages; who has one has not the other.
    body = response.get_data() + response.headers.get("Content-Language", "").encode()
    tag = hashlib.sha256(body).hexdigest()[:24]
    response.headers["ETag"] = f'"{tag}"'
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
        response.set_data(b"")
        for name in ("Content-Type", "Content-Length", "Content-Language"):
            response.headers.pop(name, None)
    return response
