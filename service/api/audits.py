"""Asking for an audit: of a stored game, or of a record that comes along. A worker makes it."""

import re
from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Response, request
from marshmallow import fields, validate

from service.api import jobs
from service.api.body import read_body, read_record
from service.api.edge import edge
from service.api.eyes import look
from service.api.fields import OneOf, Record, load
from service.api.problems import Problem
from service.api.replies import NDJSON, private
from service.api.requests import caller, idempotency_key, one_of, query
from service.api.sentences import PATTERN
from service.languages.catalogue import Sentence
from service.referee import DEPTHS, Depth
from service.shelf import Table

calls = Blueprint("audits", __name__)

DEPTH: Final[Depth] = "rules"
"""How deep an audit goes unless told."""

_GAME: Final = "[a-z2-7]{1,32}"
_HEAD: Final = "[A-Za-z0-9_-]{43}"


def _head(text: str) -> str:
    if not re.fullmatch(_HEAD, text):
        raise ValueError(Sentence("Must be the head of a game: 43 letters."))
    return text


_SETTINGS: Final[dict[str, Callable[[str], Any]]] = {"depth": one_of(*DEPTHS), "head": _head}


class Stored(Record):
    """The body of `POST /audits` that names a stored game."""

    game = fields.String(required=True, validate=validate.Regexp(rf"{_GAME}\Z", error=PATTERN))
    depth = OneOf(DEPTHS, load_default=DEPTH)
    head = fields.String(load_default="", validate=validate.Regexp(rf"{_HEAD}\Z", error=PATTERN))
    invite = fields.String(load_default="")


_STORED: Final = Stored()


@calls.post("/audits")
def ask() -> Response:
    """Asks for the audit of the record in the body, or of the stored game that it names."""
    player = caller("export")
    key = idempotency_key()
    if request.mimetype == NDJSON:
        asked = query(**_SETTINGS)
        raw = read_record()
        return jobs.taken_down(edge().audits.upload("audit", player.id, raw, *_of(asked), key))
    if request.mimetype != "application/json":
        both = Sentence(
            "The body must be {type} or application/json, without a coding.", type=NDJSON
        )
        raise Problem("unsupported_media_type", both)
    query()
    given = load(_STORED, read_body().data)
    table, _ = look(given["game"], player.id, given["invite"])
    _check_over(table)
    return jobs.taken_down(edge().audits.own(player.id, table.id, *_of(given), key))


@calls.get("/games/<game:game>/audit")
def verdict(game: str) -> Response:
    """The verdict over a stored game, once a worker has made it."""
    player = caller("export")
    asked = query(**_SETTINGS, invite=str)
    table, _ = look(game, player.id, asked.get("invite", ""))
    _check_over(table)
    job = edge().audits.shared(player.id, game, table.version, *_of(asked))
    if job.state == "done":
        return private(Response(job.result + b"\n", mimetype="application/json"))
    if job.state == "failed":
        raise Problem("audit_failed")
    return jobs.pending(job)


def _of(asked: dict[str, Any]) -> tuple[Depth, str]:
    """Depth and head, with what holds for those that are not given."""
    return asked.get("depth", DEPTH), asked.get("head", "")


def _check_over(table: Table) -> None:
    """Raises Problem: 409, an audit would tell what is still hidden."""
    if not table.over:
        raise Problem("not_over")
