"""The event feed: everything that happened, as the caller may see it, from any place on."""

import re
import time
from typing import Any, Final

from flask import Blueprint, Response, request

from service.api import show
from service.api.edge import edge
from service.api.eyes import Eyes, Named, look, named, through
from service.api.problems import Problem
from service.api.replies import private, reply
from service.api.requests import caller, query, whole
from service.api.waiting import SLICE, client_gone
from service.shelf import Table

calls = Blueprint("feed", __name__)

USUAL: Final = 100
MOST: Final = 500
LONGEST_WAIT: Final = 30

Place = tuple[int, int | None]
"""A version, and a place in its commit; None is behind all of it."""


@calls.get("/games/<game:game>/events")
def events(game: str) -> Response:
    """Items after a place; when there are none, `wait` seconds are waited for the next."""
    player = caller()
    accept = request.accept_mimetypes
    if accept and not accept.quality("application/json"):
        raise Problem("not_acceptable")
    asked = query(
        after=_place,
        limit=whole(1, MOST),
        wait=whole(0, LONGEST_WAIT),
        invite=str,
        **{"as": named},
    )
    after: Place = asked.get("after", (0, None))
    limit = asked.get("limit", USUAL)
    invite = asked.get("invite", "")
    table, eyes = _look(game, player.id, invite, asked.get("as"))
    items = _items(table, eyes, after, limit)
    # Nothing follows the opening of the secret, or a fault, so nobody waits for it.
    if not items and asked.get("wait") and not table.over:
        with edge().waiting.place(player.id):
            _wait(game, table.version, asked["wait"])
        table, eyes = _look(game, player.id, invite, asked.get("as"))
        items = _items(table, eyes, after, limit)
    body = {
        "items": items,
        "version": table.version,
        "next": items[-1]["id"] if items else _text(after),
        "over": table.over and len(items) < limit,
    }
    return private(reply(body))


def _look(game: str, player: str, invite: str, wanted: Named | None) -> tuple[Table, Eyes]:
    table, eyes = look(game, player, invite)
    return table, through(table, eyes, wanted)


def _wait(game: str, version: int, seconds: float) -> None:
    """Waits for an entry after `version`, or until nobody is there to be told."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not client_gone():
        if edge().tables.follow(game, version, min(left, SLICE)):
            return


def _items(table: Table, eyes: Eyes, after: Place, limit: int) -> list[dict[str, Any]]:
    version, place = after
    start = version + 1 if place is None else version
    # Each commit has an event, so `limit` commits beyond the first are enough.
    # Behind a fault there may be a gap before those that count.
    last = table.version if table.fault else min(table.version, start + limit)
    if start > last:
        return []
    found = [
        item
        for commit in edge().tables.commits(table.id, start, last)
        for number, item in enumerate(show.items(table, commit, eyes))
        if place is None or commit.version > version or number > place
    ]
    return found[:limit]


def _place(text: str) -> Place:
    """Reads an item's id, `17.0`, or a version, `17`."""
    match = re.fullmatch(r"([0-9]{1,15})(?:\.([0-9]{1,6}))?", text)
    if not match:
        raise ValueError("Must be an item's id or a version.")
    return int(match[1]), None if match[2] is None else int(match[2])


def _text(after: Place) -> str:
    version, place = after
    return str(version) if place is None else f"{version}.{place}"
