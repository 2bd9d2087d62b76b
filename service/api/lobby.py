"""Lists of games, newest first: the public ones, and the caller's own.

A cursor is a place in the list, so pages neither repeat nor skip a game while others are opened.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from itertools import islice
from typing import Any, Final, get_args

from flask import Blueprint, Response

from service.api import show
from service.api.edge import edge
from service.api.eyes import eyes_of
from service.api.replies import private, reply
from service.api.requests import caller, one_of, query, whole
from service.languages.catalogue import Sentence
from service.rules import variants
from service.rules.seating import Status
from service.shelf import Table
from service.store import Listing

calls = Blueprint("lobby", __name__)

USUAL: Final = 20
MOST: Final = 100

SEARCHED: Final = 500
"""Games looked at for one page; a page may be short, or empty, and still have a next one."""


@calls.get("/games")
def public() -> Response:
    """The public games of a status, those that wait for players first of all."""
    player = caller("lobby")
    asked = _asked(variant=one_of(*variants()))
    status = asked.get("status", "waiting")
    variant = asked.get("variant")

    def wanted(table: Table) -> bool:
        game = table.game
        return (
            game.visibility == "public"
            and table.status == status
            and variant in (None, game.variant.name)
        )

    return _page(asked, status, player.id, wanted)


@calls.get("/me/games")
def mine() -> Response:
    """The games in which the caller has or had a seat, private ones too, and imported ones."""
    player = caller("lobby")
    asked = _asked()
    status = asked.get("status")

    def wanted(table: Table) -> bool:
        return status in (None, table.status) and (
            table.imported or eyes_of(table, player.id).seat is not None
        )

    return _page(asked, status or "", player.id, wanted, mine=True)


def _asked(**more: Callable[[str], Any]) -> dict[str, Any]:
    return query(status=one_of(*get_args(Status)), limit=whole(1, MOST), cursor=_listing, **more)


def _page(
    asked: dict[str, Any],
    status: str,
    player: str,
    wanted: Callable[[Table], bool],
    mine: bool = False,
) -> Response:
    limit = asked.get("limit", USUAL)
    owner = player if mine else None
    places = edge().tables.listed(status, owner, asked.get("cursor"), limit + 1)
    found: list[Table] = []
    last: Listing | None = None
    more = False
    for place, table in islice(places, SEARCHED):
        if len(found) == limit:
            more = True
            break
        last = place
        if wanted(table):
            found.append(table)
    else:
        more = next(places, None) is not None
    body = {
        "items": show.summaries(found, player, mine),
        "next": _cursor(last) if last and more else None,
    }
    return private(reply(body))


def _cursor(listing: Listing) -> str:
    text = f"{listing.created}.{listing.game}"
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def _listing(cursor: str) -> Listing:
    """The place a cursor stands for. Raises ValueError when it is none of ours."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        created, _, game = urlsafe_b64decode(padded).decode("ascii").partition(".")
        listing = Listing(game, int(created[:16]))
    except ValueError:
        raise ValueError(Sentence("Not a cursor of this list.")) from None
    if _cursor(listing) != cursor:
        raise ValueError(Sentence("Not a cursor of this list."))
    return listing
