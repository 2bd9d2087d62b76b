"""The feed as a stream that stays open: what there is, and then what comes, until the game ends.

    view     the whole game as the caller sees it, once, where no place to go on from was named
    item     one thing that happened
    over     nothing follows; the stream closes
    problem  the stream cannot go on: the token was revoked, the store does not answer; it closes

A view shows all of its version and items begin behind that, so none is missed and none comes
twice. The caller is looked at anew each time something happened: what is sent is what the token
and the seat of that moment may see. Ids are places in the feed; a client that lost its stream
names the last it saw and gets what comes behind it.

As text/event-stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) each of
these is an event of that name, and silence is broken by comments; as ndjson each is a line, and
silence is broken by empty lines.
"""

import random
import time
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from flask import Response, current_app, request, stream_with_context
from msgspec import Raw

from service.api import show
from service.api.edge import edge
from service.api.eyes import Eyes
from service.api.items import Asked, Item, Place, items
from service.api.replies import NDJSON as NDJSON
from service.api.replies import private
from service.api.requests import bearer, check_token
from service.api.waiting import client_gone
from service.shelf import Table
from service.table import Tables

SSE: Final = "text/event-stream"

HEARTBEAT: Final = 15.0
"""Seconds of silence after which something is sent all the same; proxies cut silent lines."""

AGAIN: Final = 4
"""Heartbeats after which the caller's token is looked at although nothing happened."""

BATCH: Final = 100
"""Items read at a time."""

PAUSE: Final = 1.0
"""Seconds between two looks at a log that has grown by nothing that can be read."""


class _Gone(Exception):
    """Nobody listens any more."""


def begin(
    form: str, wanted: Asked, after: Place | None, limit: int | None, wait: int | None
) -> Response:
    """The stream in that form, from the place on, or from now with the whole view first.

    It closes after `limit` items, and when nothing came for `wait` seconds.

    Raises:
        Problem: 429, the player or the process has too many open.
    """
    table, eyes = wanted.look()
    if request.method == "HEAD":
        response = Response(mimetype=form)
        response.automatically_set_content_length = False
    else:
        pieces = _Sse() if form == SSE else _Lines()
        release = edge().waiting.take(wanted.player)
        told = _listening(wanted.game, _told(pieces, wanted, table, eyes, after, limit, wait))
        response = Response(stream_with_context(told), mimetype=form)
        response.call_on_close(release)
    private(response)
    # Nobody on the way may keep it, hold it back or compress it.
    response.headers["Cache-Control"] = "no-cache, no-transform"
    response.headers["X-Accel-Buffering"] = "no"
    return response


class _Sse:
    """Pieces of text/event-stream."""

    def first(self) -> bytes:
        """Sent at once. Not all clients of a server that stops shall come again together."""
        return b"retry: %d\n\n" % random.randint(1000, 3000)

    def view(self, game: Any) -> bytes:
        return self._event("view", msgspec.json.encode(game), str(game["version"]))

    def item(self, item: Item) -> bytes:
        return self._event("item", item.text, item.id)

    def mark(self, kind: str, members: Any) -> bytes:
        return self._event(kind, msgspec.json.encode({**members, "type": kind}))

    def beat(self) -> bytes:
        return b":\n\n"

    def _event(self, name: str, data: bytes | Raw, place: str = "") -> bytes:
        head = f"id: {place}\nevent: {name}\n" if place else f"event: {name}\n"
        return b"%bdata: %b\n\n" % (head.encode(), data)


class _Lines:
    """Pieces of ndjson."""

    def first(self) -> bytes:
        return b"\n"

    def view(self, game: Any) -> bytes:
        return self.mark("view", {"id": str(game["version"]), "game": game})

    def item(self, item: Item) -> bytes:
        return b"%b\n" % item.text

    def mark(self, kind: str, members: Any) -> bytes:
        return msgspec.json.encode({**members, "type": kind}) + b"\n"

    def beat(self) -> bytes:
        return b"\n"


def _listening(game: str, told: Iterator[bytes]) -> Iterator[bytes]:
    with edge().listening.to(game, bearer().token):
        yield from told


def _told(
    pieces: _Sse | _Lines,
    wanted: Asked,
    table: Table,
    eyes: Eyes,
    after: Place | None,
    limit: int | None,
    wait: int | None,
) -> Iterator[bytes]:
    yield pieces.first()
    here, token = edge(), bearer().token
    try:
        if after is None:
            seen = eyes if wanted.eyes is not None else None
            yield pieces.view(show.game(table, wanted.player, seen))
            after = table.version, None
        newest = table.version
        while True:
            full = True
            while full:
                most = min(BATCH, limit or BATCH)
                found = items(table, eyes, after, most)
                if found:
                    yield b"".join(pieces.item(item) for item in found)
                    last = found[-1]
                    after = last.version, last.place
                if limit is not None:
                    limit -= len(found)
                    if not limit:
                        return
                full = len(found) == most
            if table.over:
                yield pieces.mark("over", {"version": table.version, "status": table.status})
                return
            for number in _silence(here.tables, wanted.game, newest, wait):
                if number % AGAIN == 0:
                    check_token()
                yield pieces.beat()
            # The game may be further on than who has no seat may see.
            read = here.tables.newer(wanted.game, newest)
            known, newest = newest, read.version
            if newest == known:
                check_token()
            else:
                here.listening.check(wanted.game, newest, token)
            table, eyes = wanted.look(read)
            if newest == known and not table.over:
                if wait is not None:
                    return
                time.sleep(PAUSE)  # what follows cannot be read, or is not there after all
    except _Gone:
        return
    except Exception as error:
        yield pieces.mark("problem", _problem(error))


def _silence(tables: Tables, game: str, version: int, wait: int | None) -> Iterator[int]:
    """Counts heartbeats, until there is an entry after `version` or `wait` is over.

    Between two of them an idle stream costs nothing; whether its client is there is seen then.
    """
    now = time.monotonic()
    end = None if wait is None else now + wait
    number = 0
    while end is None or now < end:
        seconds = HEARTBEAT if end is None else min(HEARTBEAT, end - now)
        if tables.follow(game, version, seconds):
            return
        if client_gone():
            raise _Gone
        now = time.monotonic()
        if seconds == HEARTBEAT:
            number += 1
            yield number


def _problem(error: Exception) -> Any:
    """What the answer would have said, had the call begun now."""
    answer: Any = current_app.handle_user_exception(error)
    return msgspec.json.decode(answer.get_data())
