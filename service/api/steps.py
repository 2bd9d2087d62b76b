"""Walking through a game: each command with what it caused, forward and back.

A viewer that shows version 16 goes

    GET …/steps?after=16&limit=1    forward: the step from 16 to 17, and shows ?at=17 then
    GET …/steps?before=17&limit=1   back: the step from 15 to 16, and shows ?at=15 then
"""

from typing import Any, Final

from flask import Blueprint, Response

from service.api import show
from service.api.edge import edge
from service.api.eyes import Eyes, look, named, through
from service.api.problems import Problem
from service.api.replies import moment, private, reply
from service.api.requests import caller, query, whole
from service.languages.catalogue import Sentence
from service.replay import Commit
from service.rules.protocol import HOUSE
from service.shelf import Table
from service.store import codec

calls = Blueprint("steps", __name__)

USUAL: Final = 100
MOST: Final = 500


@calls.get("/games/<game:game>/steps")
def steps(game: str) -> Response:
    """The steps after a version, or the nearest before one; always in the order played."""
    player = caller("spectate")
    version = whole(0, 2**53)
    asked = query(after=version, before=version, limit=whole(1, MOST), invite=str, **{"as": named})
    if "after" in asked and "before" in asked:
        errors = [{"path": "?before", "detail": Sentence("Either after or before.")}]
        raise Problem("invalid", errors=errors)
    table, eyes = look(game, player.id, asked.get("invite", ""))
    eyes = through(table, eyes, asked.get("as"))
    limit = asked.get("limit", USUAL)
    if "before" in asked:
        behind = min(asked["before"], table.whole + 1)
        first = max(behind - limit, 1)
    else:
        first = min(asked.get("after", 0), table.whole) + 1
        behind = min(first + limit, table.whole + 1)
    body = {
        "items": _steps(table, eyes, first, behind - 1),
        "version": table.version,
        # At the end of a game that is over nothing follows, so there is nothing to ask for.
        "next": None if table.over and behind > table.whole else max(behind - 1, 0),
        "previous": first if first > 1 else None,
    }
    return private(reply(body))


def _steps(table: Table, eyes: Eyes, first: int, last: int) -> list[show.Json]:
    if last < first:
        return []
    # One commit more: it names the hash of the last.
    commits = edge().tables.commits(table.id, first, min(last + 1, table.whole))
    heads = [commit.prev for commit in commits[1:]]
    if last == table.whole:
        heads.append(table.whole_head)
    return [
        _step(table, eyes, commit, head)
        for commit, head in zip(commits[: last - first + 1], heads, strict=True)
    ]


def _step(table: Table, eyes: Eyes, commit: Commit, head: str) -> show.Json:
    return {
        "version": commit.version,
        "at": moment(commit.at),
        "seat": None if commit.seat == HOUSE else commit.seat,
        "command": _command(commit, eyes),
        "head": head,
        "events": show.items(table, commit, eyes),
    }


def _command(commit: Commit, eyes: Eyes) -> dict[str, Any]:
    """The command as it was given, or only its type: a pack, a plan or a secret is in others'."""
    if eyes.whole or commit.seat == eyes.at(commit.version):
        return show.command(commit.command)
    return {"type": codec.to_wire(commit.command)["type"]}
