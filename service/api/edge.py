"""What the calls work with, hung on the app by the composition root."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Request, current_app, g, request

from service.api.derive import CommandReader
from service.api.listening import Listening
from service.api.waiting import Waiting
from service.audits import Audits
from service.config import Config
from service.hints import Hints
from service.matches import Matches
from service.players import Guests
from service.rates import Buckets
from service.statistics import Statistics
from service.store import EventStore
from service.store.entrance import Entrance
from service.store.turns import Turns
from service.table import Tables
from service.webhooks.hooks import Webhooks


@dataclass(frozen=True, slots=True)
class Edge:
    """The use cases, and what is built once at start.

    `readers` reads the commands of each variant, `waiting` counts the streams and long polls of
    this process, and `listening` knows of their games and tokens.
    """

    config: Config
    store: EventStore
    tables: Tables
    guests: Guests
    audits: Audits
    hints: Hints
    statistics: Statistics
    webhooks: Webhooks
    readers: Mapping[str, CommandReader]
    waiting: Waiting
    turns: Turns
    entrance: Entrance
    matches: Matches = field(init=False)
    buckets: Mapping[str, Buckets] = field(init=False)
    listening: Listening = field(init=False)

    def __post_init__(self) -> None:
        """What follows from the other parts."""
        object.__setattr__(self, "matches", Matches(self.tables))
        buckets = {rate.name: Buckets(rate) for rate in self.config.rates}
        object.__setattr__(self, "buckets", buckets)
        object.__setattr__(self, "listening", Listening(self.guests.tokens.standing))


def current() -> Request:
    """The request itself: `flask.request` finds it again at each look, and takes six times as long
    for each."""
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    return asked


def noted() -> Any:
    """What is noted of the current request: `flask.g` itself, for the same reason."""
    return g._get_current_object()


def edge() -> Edge:
    """The edge of the app that answers the current request."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    found: Edge = app.extensions["tapete"]
    return found
