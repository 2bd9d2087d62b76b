"""The event feed: everything that happened, as the caller may see it, from any place on.

One feed in three forms, by Accept: an answer in JSON, which may wait (long poll), and two streams
(`stream`), text/event-stream and ndjson.
"""

import time
from typing import Any, Final

from flask import Blueprint, Response, request

from service.api import stream
from service.api.edge import edge
from service.api.eyes import named
from service.api.items import BEGINNING, Asked, Place, items, place, text
from service.api.problems import Problem
from service.api.replies import private, reply
from service.api.requests import bearer, caller, check_token, query, whole
from service.api.waiting import SLICE, client_gone
from service.languages.catalogue import Sentence

calls = Blueprint("feed", __name__)

USUAL: Final = 100
MOST: Final = 500
LONGEST_WAIT: Final = 30

JSON: Final = "application/json"


@calls.get("/games/<game:game>/events")
def events(game: str) -> Response:
    """Items after a place; when there are none, `wait` seconds are waited for the next."""
    player = caller("spectate")
    form = _form()
    asked = query(
        after=place,
        limit=whole(1, MOST),
        wait=whole(0, LONGEST_WAIT),
        invite=str,
        **{"as": named},
    )
    wanted = Asked(game, player.id, asked.get("invite", ""), asked.get("as"))
    if form == JSON:
        after = asked.get("after", BEGINNING)
        response = _answer(wanted, after, asked.get("limit", USUAL), asked.get("wait", 0))
    else:
        # A browser that comes again repeats the URL, so what it saw last goes before `after`.
        resumed: Place | None = _last_seen() or asked.get("after")
        response = stream.begin(form, wanted, resumed, asked.get("limit"), asked.get("wait"))
    response.vary.add("Accept")
    return response


def _answer(wanted: Asked, after: Place, limit: int, wait: int) -> Response:
    table, eyes = wanted.look()
    found = items(table, eyes, after, limit)
    # Nothing follows the opening of the secret, or a fault, so nobody waits for it.
    if not found and wait and not table.over:
        until = time.monotonic() + wait
        token = bearer().token
        with (
            edge().waiting.place(wanted.player),
            edge().listening.to(wanted.game, token),
        ):
            # The game may be further on than who has no seat may see.
            read = edge().tables.newer(wanted.game, table.version - 1)
            while True:
                table, eyes = wanted.look(read)
                found = items(table, eyes, after, limit)
                if found or table.over or not _wait(wanted.game, read.version, until):
                    break
                known, read = read.version, edge().tables.newer(wanted.game, read.version)
                edge().listening.check(wanted.game, read.version, token)
                if read.version == known:
                    # What follows cannot be read, or is not there after all.
                    time.sleep(max(0.0, min(stream.PAUSE, until - time.monotonic())))
    body: dict[str, Any] = {
        "items": [item.text for item in found],
        "version": table.version,
        "next": found[-1].id if found else text(after),
        "over": table.over and len(found) < limit,
    }
    return private(reply(body))


def _wait(game: str, version: int, until: float) -> bool:
    """Waits for an entry after `version`; False when none came or nobody is there to be told."""
    while (left := until - time.monotonic()) > 0 and not client_gone():
        if edge().tables.follow(game, version, min(left, SLICE)):
            return True
        check_token()
    return False


def _form() -> str:
    """The media type that Accept prefers; JSON where it has no preference."""
    accept = request.accept_mimetypes
    form = accept.best_match((JSON, stream.SSE, stream.NDJSON)) if accept else JSON
    if form is None:
        forms = f"{JSON}, {stream.SSE}, {stream.NDJSON}"
        detail = Sentence("This call answers in {types} only.", types=forms)
        raise Problem("not_acceptable", detail)
    return form


def _last_seen() -> Place | None:
    """The id of the last item that a client saw before its stream broke off, if it says so."""
    given = request.headers.get("Last-Event-ID")
    if not given:
        return None
    try:
        return place(given)
    except ValueError:
        raise Problem("bad_last_event_id") from None
