"""Who asks too much is told to wait: 429 `rate_limited`, before anything is done.

What of a game was read in one go with their token is not looked at then.

Each request counts in one bucket of its caller, whatever comes of it. Buckets do not meet: who has
read too much may still play, and who has made too much may still read.

    moves      commands in a game and nonces                        by player
    reads      every other GET                                      by player
    hints      POST …/hints, each of which costs a worker a second  by player
    makes      everything else                                      by player
    guests     POST /players                                        by address
    codes      POST /tokens, so that codes cannot be guessed        by address
    strangers  what needs no token, or comes without a good one     by address

Not counted are OPTIONS, lest a neighbour behind the same address keeps a browser from its game, and
`/healthz`, `/readyz` and `/metrics`.

`RateLimit-Policy` and `RateLimit` say on each answer where the caller stands (Internet-Draft
draft-ietf-httpapi-ratelimit-headers-11).
"""

import re
from functools import cache
from ipaddress import IPv6Address
from math import ceil
from typing import Final

from flask import Flask, Response

from service.api.edge import current, edge, noted
from service.api.problems import Problem
from service.api.replies import put
from service.rates import Rate, Taken

BY_ADDRESS: Final = {"people.welcome": "guests", "tokens.exchange": "codes"}
MOVES: Final = frozenset({"commands.give", "seats.set_nonce"})
HINTS: Final = "hints.ask"
OPEN: Final = frozenset({"catalogue", "docs", "operations"})
"""Blueprints whose calls take no token."""
UNCOUNTED: Final = frozenset({"operations.alive", "operations.ready", "operations.measured"})

_WITH_PORT: Final = re.compile(r"([0-9.]+):[0-9]+|\[(.*)\](?::[0-9]+)?")


def install(app: Flask) -> None:
    """Counts every request of the app, and says so on its answers."""
    app.before_request(_before)
    app.after_request(_told)


def count_player(player: str) -> None:
    """Counts the request as one of the player's, once they are known.

    Raises:
        Problem: 429.
    """
    asked = current()
    call = asked.endpoint
    if call in MOVES:
        _take("moves", player)
    elif call == HINTS:
        _take("hints", player)
    else:
        _take("reads" if asked.method in ("GET", "HEAD") else "makes", player)


def count_stranger() -> None:
    """Counts the request as one from its address, as nobody is known to have made it.

    Raises:
        Problem: 429.
    """
    _take("strangers", _address())


def _before() -> None:
    asked = current()
    call = asked.endpoint or ""
    if asked.method == "OPTIONS" or call in UNCOUNTED:
        return
    if bucket := BY_ADDRESS.get(call):
        _take(bucket, _address())
    elif not call or call.partition(".")[0] in OPEN or not asked.environ.get("HTTP_AUTHORIZATION"):
        count_stranger()


def _take(bucket: str, caller: str) -> None:
    buckets = edge().buckets.get(bucket)
    notes = noted()
    if buckets is None or "taken" in notes:
        return
    taken = buckets.take(caller)
    notes.taken = buckets.rate, taken
    if taken.wait:
        raise Problem("rate_limited", retry=ceil(taken.wait))


def _address() -> str:
    """The client's; of IPv6 the network, since one client has as many addresses as it likes.

    What a trusted proxy says of it was put there before (`ProxyFix`); some say the port too.
    """
    address = current().remote_addr or ""
    if with_port := _WITH_PORT.fullmatch(address):
        address = with_port[1] or with_port[2]
    if ":" not in address:
        return address
    try:
        there = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(there.ipv4_mapped or there.exploded[:19])


def _told(response: Response) -> Response:
    if known := noted().get("taken"):
        rate, taken = known
        put(response, (("RateLimit-Policy", policy(rate)), ("RateLimit", limit(rate, taken))))
    return response


@cache
def policy(rate: Rate) -> str:
    """The field RateLimit-Policy: so many in so many seconds."""
    return f'"{rate.name}";q={rate.quota};w={rate.window}'


def limit(rate: Rate, taken: Taken) -> str:
    """The field RateLimit: so many are left, and in so many seconds it will be all."""
    return f'"{rate.name}";r={taken.left};t={ceil(taken.full)}'
