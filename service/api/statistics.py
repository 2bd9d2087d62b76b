"""Statistics of players and variants, ratings and leaderboards. Only read here: workers count.

What is public is made of public games. A player sees private ones in their own numbers, and may
hide: then nobody else sees any of theirs, and no leaderboard names them.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any, Final, get_args

from flask import Blueprint, Response

from service.api.body import read_body
from service.api.edge import edge
from service.api.fields import Flag, Record, load
from service.api.problems import Problem
from service.api.replies import moment, private, reply
from service.api.requests import caller, one_of, query, whole
from service.statistics import Rating, Row, variants
from service.store import Player
from service.store.statistics import Board, Rank
from service.store.tokens import USUAL
from service.tally import DAY, Sums

calls = Blueprint("statistics", __name__)

Json = dict[str, Any]

USUAL_LIMIT: Final = 20
MOST: Final = 100


class Listing(Record):
    """The body of `PUT /me/listed`."""

    listed = Flag(required=True)


_LISTING: Final = Listing()


@calls.get("/me/statistics")
def mine() -> Response:
    """The caller's numbers, private games among them."""
    player = caller("lobby")
    query()
    listed = not edge().statistics.hidden([player.id])
    return private(reply(_of(player, True) | {"listed": listed}))


@calls.put("/me/listed")
def listed() -> Response:
    """Whether others see the caller in statistics and on leaderboards."""
    player = caller(*USUAL)
    wish = load(_LISTING, read_body().data)
    edge().statistics.hide(player.id, not wish["listed"])
    return private(reply(wish))


@calls.get("/players/<player:player>/statistics")
def of_player(player: str) -> Response:
    """A player's numbers over public games."""
    asker = caller("lobby")
    query()
    return private(reply(_of(_seen(player, asker), False)))


@calls.get("/players/<player:player>/ratings/<name>")
def history(player: str, name: str) -> Response:
    """A player's rating of a variant, day by day, the newest first."""
    asker = caller("lobby")
    asked = query(cursor=_day, limit=whole(1, MOST))
    _check_variant(name)
    owner = _seen(player, asker)
    limit = asked.get("limit", USUAL_LIMIT)
    found = edge().statistics.history(owner.id, name, asked.get("cursor"), limit + 1)
    items = [
        {"day": _date(one.day), "games": one.games} | _standing(Rating(one.day, one.standing))
        for one in found[:limit]
    ]
    following = _cursor(str(found[limit - 1].day)) if len(found) > limit else None
    return private(reply({"items": items, "next": following}))


@calls.get("/variants/<name>/statistics")
def of_variant(name: str) -> Response:
    """What all public games of a variant come to."""
    caller("lobby")
    query()
    _check_variant(name)
    sums = edge().statistics.of_variant(name).sums
    body = {
        "variant": name,
        **{what: sums.get((what,), 0) for what in ("games", "drawn", "resigned", "abandoned")},
        **_deals(sums),
        "seats": _parts(sums, "seats", lambda size: {"seats": int(size)}, ("games",)),
        "between": _parts(sums, "between", lambda kind: {"kind": kind}, ("games",)),
        "tally": _tally(sums),
    }
    return private(reply(body))


@calls.get("/variants/<name>/leaderboard")
def leaderboard(name: str) -> Response:
    """The players of a variant whose rating is sure, the best first."""
    caller("lobby")
    asked = query(kind=one_of(*get_args(Board)), cursor=_rank, limit=whole(1, MOST))
    _check_variant(name)
    statistics = edge().statistics
    kind: Board = asked.get("kind", "people")
    limit = asked.get("limit", USUAL_LIMIT)
    leaders = statistics.leaders(name, kind, asked.get("cursor"), limit + 1)
    page = leaders[:limit]
    ids = [rank.player for _, rank in page]
    ratings, people = statistics.ratings(ids, name), edge().guests.known(ids)
    items = [
        {"rank": number, "player": _player(people[rank.player])} | _standing(ratings[rank.player])
        for number, rank in page
        if rank.player in people and rank.player in ratings
    ]
    last = page[-1][1] if len(leaders) > limit else None
    following = _cursor(f"{last.points}.{last.player}") if last else None
    return private(reply({"items": items, "next": following}))


def _check_variant(name: str) -> None:
    if name not in variants():
        raise Problem("not_found")


def _seen(player: str, asker: Player) -> Player:
    """The player, if the asker may see their numbers.

    Raises:
        Problem: 404, there is none of that id, or they are hidden.
    """
    if player == asker.id:
        return asker
    found = edge().guests.known([player]).get(player)
    if found is None or edge().statistics.hidden([player]):
        raise Problem("not_found")
    return found


def _of(player: Player, also_private: bool) -> Json:
    statistics = edge().statistics
    rows = statistics.of_player(player.id, also_private)
    return {
        "player": _player(player),
        "variants": [
            _row(row, statistics.ratings([player.id], row.variant).get(player.id)) for row in rows
        ],
    }


def _row(row: Row, rating: Rating | None) -> Json:
    sums = row.sums
    how = ("games", "won", "lost", "drawn")
    return {
        "variant": row.variant,
        **{what: sums.get((what,), 0) for what in (*how, "resigned", "abandoned")},
        **_deals(sums),
        "seats": _parts(sums, "seats", lambda size: {"seats": int(size)}, how),
        "against": _parts(sums, "against", lambda kind: {"kind": kind}, how),
        "tally": _tally(sums),
        "rating": {"day": _date(rating.day)} | _standing(rating) if rating else None,
    }


def _deals(sums: Sums) -> Json:
    deals = sums.get(("deals",), 0)
    return {"deals": deals, "average_deal": _average(sums.get(("points",), 0), deals)}


def _parts(
    sums: Sums, what: str, name: Callable[[str], Json], numbers: tuple[str, ...]
) -> list[Json]:
    """The numbers of each part: of each table size, of each kind of opponents."""
    parts = sorted({path[1] for path in sums if path[0] == what})
    return [
        name(part) | {number: sums.get((what, part, number), 0) for number in numbers}
        for part in parts
    ]


def _tally(sums: Sums) -> list[Json]:
    names = sorted({path[1] for path in sums if path[0] == "tally"})
    found = []
    for name in names:
        times, total = (sums.get(("tally", name, number), 0) for number in ("times", "sum"))
        found.append(
            {"name": name, "times": times, "sum": total, "average": _average(total, times)}
        )
    return found


def _average(total: int, number: int) -> float | None:
    """To two places; None of nothing."""
    return round(total / number, 2) if number else None


def _standing(rating: Rating) -> Json:
    standing = rating.standing
    return {
        "rating": round(standing.rating, 2),
        "deviation": round(standing.deviation, 2),
        "volatility": round(standing.volatility, 6),
        "provisional": rating.provisional,
    }


def _player(player: Player) -> Json:
    return {"id": player.id, "name": player.name, "bot": player.bot}


def _date(day: int) -> str:
    return moment(day * DAY)[:10]


def _cursor(text: str) -> str:
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def _text(cursor: str) -> str:
    """What a cursor says. Raises ValueError when it is none."""
    padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
    return urlsafe_b64decode(padded).decode("ascii")


def _day(cursor: str) -> int:
    try:
        day = int(_text(cursor)[:9])
        if _cursor(str(day)) != cursor:
            raise ValueError
    except ValueError:
        raise ValueError("Not a cursor of this list.") from None
    return day


def _rank(cursor: str) -> Rank:
    try:
        points, _, player = _text(cursor).partition(".")
        rank = Rank(player, int(points[:12]))
        if _cursor(f"{rank.points}.{rank.player}") != cursor:
            raise ValueError
    except ValueError:
        raise ValueError("Not a cursor of this list.") from None
    return rank
