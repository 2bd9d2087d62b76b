"""All public finished games in one stream of ndjson, which can be taken up again anywhere.

    header, commits, footer                        a game: its record, line for line
    {"type":"next","cursor":"…"}                   what is before this line need not come again
    {"type":"skipped","game":"…","code":"…"}       a game that has no record
    {"type":"end","cursor":"…","more":false}       the last line of a whole answer
    {"type":"error","code":"…"}                    the last line of one that failed on the way

An answer that does not end with `end` was cut off; its last `next` says where to go on. One game
is in memory at a time, and none is read before the client has taken the one before.
"""

import logging
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from flask import Blueprint, Response

from service import record
from service.api.edge import edge
from service.api.problems import where
from service.api.replies import NDJSON, private
from service.api.requests import caller, one_of, query, whole
from service.fault import altered
from service.languages.catalogue import Sentence
from service.rules import variants
from service.store import Ending, EventStore, StoreUnavailable, Unreadable, codec

log = logging.getLogger(__name__)

calls = Blueprint("export", __name__)

MOST: Final = 1000
"""Games in one answer."""

PAGE: Final = 100
"""Games looked up at a time."""

_INSTANT: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,20}))?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_ALWAYS: Final = 2**53


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games, how many, and behind which."""

    since: int
    until: int
    after: Ending | None
    variant: str | None
    practice: bool
    limit: int


@calls.get("/export")
def export() -> Response:
    """Records of public games in the order in which they were finished."""
    caller("export")
    asked = query(
        since=_instant,
        until=_instant,
        cursor=_ending,
        variant=one_of(*variants()),
        practice=one_of("true", "false"),
        limit=whole(1, MOST),
    )
    wanted = Wanted(
        asked.get("since", 0),
        asked.get("until", _ALWAYS),
        asked.get("cursor"),
        asked.get("variant"),
        asked.get("practice") == "true",
        asked.get("limit", MOST),
    )
    store = edge().store
    # Before the answer begins, so that a store that does not answer is a 503 and no torso.
    first = _page(store, wanted, wanted.after)
    response = Response(_stream(store, wanted, first), mimetype=NDJSON)
    response.headers["Content-Disposition"] = 'attachment; filename="games.ndjson"'
    return private(response)


def _stream(store: EventStore, wanted: Wanted, page: list[Ending]) -> Iterator[bytes]:
    after = told = wanted.after
    left, more = wanted.limit, False
    try:
        while page and not more:
            for ending in page:
                if not left:
                    more = True
                    break
                after = ending
                if piece := _piece(store, wanted, ending.game):
                    left -= 1
                    told = after
                    yield piece + _line(type="next", cursor=_cursor(after))
            else:
                # For games that were passed over too: what is cut off need not look again.
                if told != after:
                    yield _line(type="next", cursor=_cursor(after))
                page = _page(store, wanted, after)
        yield _line(type="end", cursor=_cursor(after), more=more)
    except Exception as error:  # it is too late for another status
        code = "store_unavailable" if isinstance(error, StoreUnavailable) else "internal"
        log.error("%s in an export\n%s", code, where(error))
        yield _line(type="error", code=code)


def _page(store: EventStore, wanted: Wanted, after: Ending | None) -> list[Ending]:
    return store.ended(wanted.since, wanted.until, after, PAGE)


def _piece(store: EventStore, wanted: Wanted, game: str) -> bytes:
    """One game's lines; nothing for a game that is not wanted."""
    try:
        reading = store.read(game)
        if reading.broken or not reading.entries or altered(reading.entries):
            raise Unreadable(reading.broken)
        opened: Any = codec.decode(reading.entries[0].line).command
        if wanted.variant not in (None, opened.variant):
            return b""
        if opened.visibility != "public" or (opened.setup and not wanted.practice):
            return b""
        return b"".join(record.write(game, [entry.line for entry in reading.entries]))
    except StoreUnavailable:
        raise
    except record.NotOver:
        return _line(type="skipped", game=game, code="not_over")
    except Exception as error:
        # Whatever is wrong with one game, the others can be had.
        log.error("game_damaged in an export\n%s", where(error))
        return _line(type="skipped", game=game, code="game_damaged")


def _line(**members: Any) -> bytes:
    return msgspec.json.encode(members) + b"\n"


def _instant(text: str) -> int:
    """Milliseconds since 1970 of an RFC 3339 instant; parts of one count as a whole one."""
    match = _INSTANT.fullmatch(text)
    try:
        if not match:
            raise ValueError
        second, fraction, offset = match.groups("0")
        since = datetime.fromisoformat((second + offset).upper()) - _EPOCH
    except (ValueError, OverflowError):
        raise ValueError(
            Sentence(
                "Must be an instant as in RFC 3339 with its offset, such as 2026-11-30T06:00:00Z; "
                "a plus sign is written %2B."
            )
        ) from None
    part: int = -(-int(fraction) * 1000 // 10 ** len(fraction))  # rounded up
    return max(0, since // timedelta(milliseconds=1) + part)


def _cursor(ending: Ending | None) -> str | None:
    if ending is None:
        return None
    text = f"{ending.at}.{ending.game}"
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def _ending(cursor: str) -> Ending:
    """The place a cursor stands for. Raises ValueError when it is none of ours."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        at, _, game = urlsafe_b64decode(padded).decode("ascii").partition(".")
        ending = Ending(game, int(at[:16]))
    except ValueError:
        raise ValueError(Sentence("Not a cursor of an export.")) from None
    if _cursor(ending) != cursor:
        raise ValueError(Sentence("Not a cursor of an export."))
    return ending
