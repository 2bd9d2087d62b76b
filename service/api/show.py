"""A game, its summary and its events, as JSON values in the words of the contract."""

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Final

import msgspec
from flask import request
from msgspec import Raw

from service.answers import Answer
from service.api import clocks, terms
from service.api.edge import edge
from service.api.eyes import Eyes, late
from service.api.replies import moment
from service.replay import FAILURES, Commit
from service.rules.protocol import HOUSE
from service.rules.seating import Game
from service.shelf import Table
from service.store import Player, codec

log = logging.getLogger(__name__)

Json = dict[str, Any]

WAYS: Final = 16
"""Ways in which one item is seen, of which the text is kept: each seat's and a stranger's."""

_HOST: Final = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


def game(table: Table, player: str, eyes: Eyes | None = None) -> Json:
    """The game as a player sees it: from their seat or as a spectator, or with those eyes."""
    seat = table.seat_of(player)
    people = _people([table])
    seen = (eyes or Eyes(seat)).view(table.game, table.version)
    host = seat is not None or table.opener == player
    return {
        **_summary(table, people),
        "head": table.head,
        "deadline": None if table.deadline is None else moment(table.deadline),
        "clock": clocks.shown(table.game),
        "you": seat,
        "host": None if table.imported else seen.host,
        "invite": _invite(table) if host and table.status == "waiting" else None,
        "fair": _fair(seen),
        "from": asdict(seen.origin) if seen.origin else None,
        "table": dict(seen.state.table()) if seen.state else None,
        "result": asdict(seen.result) if seen.result else None,
    }


def summaries(tables: Iterable[Table], player: str, mine: bool = False) -> list[Json]:
    """What lists show the player of games; of their own also which seat is theirs.

    A game that they may watch late, or not at all, is under way like others, and no more is told.
    Left out is a game that cannot be shown, lest it hides all others.
    """
    tables = list(tables)
    people = _people(tables)
    shown = []
    for table in tables:
        try:
            summary = _summary(late(table, player), people) | {"status": table.status}
        except FAILURES as error:
            _tell(table.id, type(error).__name__)
        else:
            shown.append(summary | ({"you": table.seat_of(player)} if mine else {}))
    return shown


@lru_cache(1000)
def _tell(game: str, kind: str) -> None:
    """Logs once that a game cannot be shown."""
    log.error("game %s cannot be shown in lists (%s)", game, kind)


def earlier(table: Table, version: int) -> Table:
    """The table as it was at a version it has come to."""
    return edge().tables.at(table, version)


def outcome(answer: Answer) -> Json:
    """The answer to a command: the newest version, its hash, and what the caller saw happen."""
    eyes = Eyes(answer.seat)
    seen = [item for commit in answer.commits for item in items(answer.table, commit, eyes)]
    return {"version": answer.version, "head": answer.head, "events": seen}


def items(table: Table, commit: Commit, eyes: Eyes) -> list[Raw]:
    """The feed items of a commit, seen with those eyes, in JSON."""
    return [
        _text(commit.version, place, commit.at, eyes.seen(table.game, event, commit.version))
        for place, event in enumerate(commit.events)
    ]


def _text(version: int, place: int, at: int, event: Any) -> Raw:
    """An item in JSON, made once for all who see the same.

    Nothing but what stands in it decides which text it is, so no two ways of seeing can be mixed.
    """
    known = _texts(version, place, at)
    for same, text in known:
        if same is event or same == event:
            return text
    text = Raw(msgspec.json.encode(_item(version, place, at, event)))
    if len(known) < WAYS:
        known.append((event, text))
    return text


@lru_cache(1000)  # the moves of some seconds: those who listen come at the same time
def _texts(_version: int, _place: int, _at: int) -> list[tuple[Any, Raw]]:
    """The texts that were made of items of that place and time, with what is seen in each."""
    return []


def command(given: Any) -> Json:
    """A command as the caller would send it: without the seat, which is the caller's own."""
    wire = codec.to_wire(given)
    del wire["seat"]
    return wire


def _item(version: int, place: int, at: int, event: Any) -> Json:
    data = codec.to_wire(event)
    return {
        "id": f"{version}.{place}",
        "version": version,
        "type": data.pop("type"),
        "seat": data.pop("seat", None),
        "at": moment(at),
        "data": data,
    }


def _summary(table: Table, people: Mapping[str, Player]) -> Json:
    state = table.game
    seat = table.to_act()
    return {
        "id": table.id,
        "variant": state.variant.name,
        "rules_version": state.rules_version,
        "status": table.status,
        "version": table.version,
        "visibility": state.visibility,
        "imported": table.imported,
        "options": state.options,
        **terms.show(state.terms),
        # Anybody could write a player's id into a record.
        "seats": _seats(state, {} if table.imported else people),
        "to_act": [] if seat is None or seat == HOUSE else [seat],
        "scores": list(state.result.scores if state.result else state.scores()),
        "created": moment(table.created),
        "changed": moment(table.changed),
    }


def _seats(state: Game, people: Mapping[str, Player]) -> list[Json]:
    return [
        {
            "seat": seat,
            "side": side,
            "kind": chair.kind,
            "player": person.id if person else None,
            "name": person.name if person else None,
            "level": chair.level,
            "stand_in": stand_in.until if (stand_in := state.stand_in(seat)) else None,
            "bot": bool(person and person.bot),
            "ready": seat in state.ready,
        }
        for seat, (side, chair) in enumerate(zip(state.sides, state.chairs, strict=True))
        for person in [people.get(chair.player) if chair.player else None]
    ]


def _people(tables: Iterable[Table]) -> Mapping[str, Player]:
    chairs = [chair for table in tables if not table.imported for chair in table.game.chairs]
    return edge().guests.known(sorted({chair.player for chair in chairs if chair.player}))


def _invite(table: Table) -> Json:
    # A Host that is none would make a link that leads nowhere, so the link is then a path.
    host = _HOST.fullmatch(request.host)
    root = edge().config.public_url or (request.host_url.rstrip("/") if host else "")
    url = f"{root}/v1/games/{table.id}?invite={table.invite}"
    until = table.game.invite_until
    return {"code": table.invite, "url": url, "expires": None if until is None else moment(until)}


def _fair(state: Game) -> Json | None:
    """What is committed to and what is revealed; null for practice games."""
    if not state.fair:
        return None
    return {
        "commitment": state.commitment,
        "algorithm": state.algorithm,
        "nonces": list(state.nonces),
        "secret": state.secret,
    }
