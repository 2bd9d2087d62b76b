"""Reads a request's body as one JSON object, more strictly than `json` would.

What is refused: another media type or a content coding, more bytes than the limit (chunked or
not), other encodings than UTF-8, deep nesting, a member named twice, NaN and Infinity, integers
that a double cannot hold, and halves of surrogate pairs (RFC 8259, 4 to 8; RFC 7493).
"""

import hashlib
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Final

from service.api.edge import current, edge, noted
from service.api.problems import Problem
from service.api.replies import NDJSON
from service.api.requests import check_token
from service.languages.catalogue import Sentence

DEPTH: Final = 32
"""How deep a body may be nested."""

FRESH: Final = 0.05
"""Seconds that a body may take to come, so that game and token found before it are good enough.

A command's time is that at which the game was read: a slow body must not win time on the clock."""

SAFE: Final = 2**53
"""The largest integer that every JSON reader takes exactly (RFC 7493, 2.2)."""

# A string is skipped whole, one without its end to the last character; the possessive
# quantifiers keep that linear.
_STEPS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[{]|[\]}]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Body:
    """A JSON object, and a digest that is the same for every spelling of it.

    `slow` is whether it took longer than `FRESH` to come.
    """

    data: dict[str, Any]
    digest: str
    slow: bool = False


def read_body() -> Body:
    """The body of the current request.

    Raises:
        Problem: 400, 413, 415, or 422 when it is JSON but no object; 401 when the caller's token
            was revoked while it came.
    """
    asked = current()
    plain = asked.environ.get("CONTENT_TYPE") == "application/json"  # as nearly everybody says
    coded = asked.environ.get("HTTP_CONTENT_ENCODING")
    if (not plain and asked.mimetype != "application/json") or coded:
        raise Problem("unsupported_media_type")
    if not plain and asked.mimetype_params.get("charset", "utf-8").lower() != "utf-8":
        raise Problem("unsupported_media_type")
    raw, slow = _waited_for(edge().config.body_limit)
    return parse(raw, slow)


def read_record() -> bytes:
    """The body of the current request, a record as it is; whether it is one shows later.

    Raises:
        Problem: 400, 401, 413 or 415, as `read_body`.
    """
    asked = current()
    if asked.mimetype != NDJSON or asked.content_encoding:
        detail = Sentence("The body must be {type}, without a coding.", type=NDJSON)
        raise Problem("unsupported_media_type", detail)
    if asked.mimetype_params.get("charset", "utf-8").lower() != "utf-8":
        raise Problem("unsupported_media_type")
    return _waited_for(edge().config.record_limit)[0]


def parse(raw: bytes, slow: bool = False) -> Body:
    """See `read_body`; `slow` is whether the bytes were slow to come."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise Problem("bad_json") from None
    _check_depth(text)
    try:
        data = _DECODER.decode(text)
        digest = hashlib.sha256(_CANONICAL.encode(data).encode()).hexdigest()
    except ValueError:  # UnicodeEncodeError, for half a surrogate pair, is one too
        raise Problem("bad_json") from None
    if not isinstance(data, dict):
        error = {"path": "", "detail": Sentence("Must be an object.")}
        raise Problem("invalid", errors=[error])
    return Body(data, digest, slow)


def _waited_for(limit: int) -> tuple[bytes, bool]:
    """The body, and whether it was slow to come.

    Then the token of the caller, if there is one, is looked at anew: who stole it could keep half
    of a request open, and send the rest when it is revoked.
    """
    began = time.monotonic()
    raw = _bytes(limit)
    slow = time.monotonic() - began >= FRESH
    if slow and "bearer" in noted():
        check_token()
    return raw, slow


def _bytes(limit: int) -> bytes:
    """The body, whole, if it has at most `limit` bytes.

    A chunked body names no length beforehand, and werkzeug's own limit would cut it silently
    (pallets/flask#2229), so one byte more than allowed is asked for. Less than the length that
    was named is no body either: what came of it may be JSON by chance.
    """
    asked = current()
    coding = asked.environ.get("HTTP_TRANSFER_ENCODING")
    if coding and coding.lower() != "chunked":  # nobody before us takes the others off
        raise Problem("unsupported_media_type")
    length = asked.content_length
    if length is not None and length > limit:
        raise Problem("body_too_large")
    raw = bytearray()
    try:
        # Of a length that was named no more is read than that, which is all that werkzeug's would
        # see to.
        stream: Any = asked.stream if length is None else asked.environ["wsgi.input"]
        whole = limit + 1 if length is None else length
        while len(raw) < whole and (part := stream.read(whole - len(raw))):
            raw += part
    except TimeoutError:
        raise Problem("too_slow") from None
    except Exception:  # each server has errors of its own for a connection or chunk gone bad
        raise Problem("bad_request") from None
    if len(raw) > limit:
        raise Problem("body_too_large")
    if length is not None and len(raw) < length:
        raise Problem("bad_request")
    return bytes(raw)


def _check_depth(text: str) -> None:
    """Before parsing, since what the parser bears differs by version of Python."""
    if text.count("[") + text.count("{") <= DEPTH:
        return  # those in strings are counted, too: it is not deeper than that
    depth = 0
    for step in _STEPS.finditer(text):
        match step[0]:
            case "[" | "{":
                depth += 1
                if depth > DEPTH:
                    raise Problem("too_deep")
            case "]" | "}":
                depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Problem("duplicate_member")
    return members


def _integer(digits: str) -> int:
    # Compared by length first: int() of a long string is slow, and refused beyond 4,300 digits.
    if len(digits) > 17 or abs(number := int(digits)) > SAFE:
        raise Problem("bad_number")
    return number


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise Problem("bad_number")
    return number


def _constant(_: str) -> Any:
    raise Problem("bad_number")


_CANONICAL: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))

_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
)
