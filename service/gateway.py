"""The gunicorn worker whose own error pages are problems like all others (RFC 9457).

What gunicorn cannot read never reaches the app: its answer would be a page of HTML.
"""

import http
import json
import socket
from typing import Final

from gunicorn import util
from gunicorn.workers.ggevent import GeventWorker

_CODES: Final = {414: "uri_too_long", 431: "headers_too_large"}


class Worker(GeventWorker):  # type: ignore[misc]
    """gunicorn's gevent worker, told to write its refusals our way."""


def write_problem(client: socket.socket, status: int, reason: str, _detail: str) -> None:
    """Answers a request that gunicorn could not read, and says that the connection ends.

    gunicorn's own detail is left out: it repeats what was sent, tokens included.
    """
    code = _CODES.get(status, "bad_request" if status < 500 else "internal")
    body = json.dumps(
        {
            "type": "about:blank",
            "title": http.HTTPStatus(status).phrase,
            "status": status,
            "detail": "The request is not HTTP that this server can read.",
            "code": code,
        }
    )
    head = (
        f"HTTP/1.1 {status} {reason}\r\n"
        "Connection: close\r\n"
        "Content-Type: application/problem+json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    util.write_nonblock(client, (head + body).encode("ascii"))


util.write_error = write_problem
