"""Webhooks of the caller: made, changed, tried, looked after."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from flask import Blueprint, Response
from marshmallow import fields, validate

from service.api.body import read_body
from service.api.edge import edge
from service.api.fields import Flag, OneOf, Record, Row, load, problem
from service.api.names import Name
from service.api.nothing import read_nothing
from service.api.problems import Problem
from service.api.replies import moment, private, reply
from service.api.requests import caller, idempotency_key, query, whole
from service.api.sentences import LENGTH
from service.languages.catalogue import Sentence
from service.store.webhooks import Attempt, Hook
from service.webhooks.address import LONGEST, BadUrl
from service.webhooks.news import KINDS
from service.webhooks.postman import delivery as named

calls = Blueprint("webhooks", __name__)

USUAL: Final = 20
MOST: Final = 100


class NewHook(Record):
    """The body of `POST /webhooks`."""

    url = fields.String(required=True, validate=validate.Length(1, LONGEST, error=LENGTH))
    types = Row(OneOf(KINDS), len(KINDS), load_default=KINDS)
    label = Name(load_default="")


class HookChange(Record):
    """The body of `PATCH /webhooks/{hook}`: what is to be another. None is what is left out."""

    url = fields.String(
        load_default=None, allow_none=False, validate=validate.Length(1, LONGEST, error=LENGTH)
    )
    types = Row(OneOf(KINDS), len(KINDS), load_default=None, allow_none=False)
    label = Name(load_default=None, allow_none=False)
    enabled = Flag(load_default=None, allow_none=False)


_NEW: Final = NewHook()
_CHANGE: Final = HookChange()


@calls.post("/webhooks")
def make() -> Response:
    """A new webhook. Its secret is shown here, and again only to the same key."""
    player = caller("webhook")
    key = idempotency_key()
    asked = load(_NEW, read_body().data)
    with _url_judged():
        done = edge().webhooks.make(player.id, asked["url"], _kinds(asked), asked["label"], key)
    path = f"/v1/webhooks/{done.hook.id}"
    response = reply(_with_secret(done.hook), 201, Location=path, Cache_Control="no-store")
    return _marked(response, done.replayed)


@calls.get("/webhooks")
def listed() -> Response:
    """The caller's webhooks, the oldest first."""
    player = caller("webhook")
    query()
    return private(reply({"items": [_show(one) for one in edge().webhooks.of(player.id)]}))


@calls.get("/webhooks/<hook:hook>")
def look(hook: str) -> Response:
    """One of them, and how it fares."""
    found = _own(hook)
    query()
    return private(reply(_show(found)))


@calls.patch("/webhooks/<hook:hook>")
def change(hook: str) -> Response:
    """Changes what the body names."""
    found = _own(hook)
    asked = load(_CHANGE, read_body().data)
    kinds = None if asked["types"] is None else _kinds(asked)
    with _url_judged():
        changed = edge().webhooks.change(
            found, asked["url"], kinds, asked["label"], asked["enabled"]
        )
    return private(reply(_show(changed)))


@calls.delete("/webhooks/<hook:hook>")
def remove(hook: str) -> Response:
    """Ends it."""
    edge().webhooks.remove(_own(hook))
    return Response(status=204)


@calls.post("/webhooks/<hook:hook>/secret")
def rotate(hook: str) -> Response:
    """Another secret; the one before signs beside it for a day."""
    found = _own(hook)
    key = idempotency_key()
    read_nothing()
    done = edge().webhooks.rotate(found, key)
    return _marked(reply(_with_secret(done.hook), 201, Cache_Control="no-store"), done.replayed)


@calls.post("/webhooks/<hook:hook>/test")
def test(hook: str) -> Response:
    """Sends a ping."""
    found = _own(hook)
    key = idempotency_key()
    read_nothing()
    return _queued(*edge().webhooks.test(found, key))


@calls.get("/webhooks/<hook:hook>/deliveries")
def deliveries(hook: str) -> Response:
    """What was sent, newest first, attempt by attempt."""
    found = _own(hook)
    asked = query(limit=whole(1, MOST), cursor=str)
    limit = asked.get("limit", USUAL)
    try:
        rows = edge().webhooks.log(found, asked.get("cursor", ""), limit + 1)
    except ValueError:
        detail = Sentence("Not a cursor of this list.")
        errors = [{"path": "?cursor", "detail": detail}]
        raise Problem("invalid", errors=errors) from None
    shown = rows[:limit]
    body = {
        "items": [_delivery(attempt) for _, attempt in shown],
        "next": shown[-1][0] if len(rows) > limit else None,
    }
    return private(reply(body))


@calls.post("/webhooks/<hook:hook>/deliveries/<delivery:delivery>/redeliver")
def redeliver(hook: str, delivery: str) -> Response:
    """Sends the same message again."""
    found = _own(hook)
    key = idempotency_key()
    read_nothing()
    return _queued(*edge().webhooks.redeliver(found, delivery, key))


@contextmanager
def _url_judged() -> Iterator[None]:
    """Makes a problem of a URL that may not be called."""
    try:
        yield
    except BadUrl as error:
        raise problem({"url": [error.sentence]}) from None


def _own(hook: str) -> Hook:
    """The caller's webhook of that id."""
    return edge().webhooks.find(caller("webhook").id, hook)


def _kinds(asked: dict[str, Any]) -> tuple[str, ...]:
    """The types that are asked for, in their order and each once."""
    if not asked["types"]:
        raise problem({"types": [Sentence("Must name at least one.")]})
    return tuple(kind for kind in KINDS if kind in asked["types"])


def _marked(response: Response, replayed: bool) -> Response:
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _queued(message: str, replayed: bool) -> Response:
    return _marked(reply({"message": message}, 202, Cache_Control="no-store"), replayed)


def _with_secret(hook: Hook) -> dict[str, Any]:
    return {**_show(hook), "secret": hook.secret}


def _show(hook: Hook) -> dict[str, Any]:
    overlap = hook.former_until if hook.now < hook.former_until else None
    return {
        "id": hook.id,
        "url": hook.url,
        "types": list(hook.kinds),
        "label": hook.label,
        "created": moment(hook.created),
        "enabled": not hook.off,
        "disabled": {"why": hook.off, "at": moment(hook.off_at)} if hook.off else None,
        "pending": hook.pending,
        "failures": hook.failures,
        "delivered": moment(hook.succeeded) if hook.succeeded else None,
        "former_secret_until": None if overlap is None else moment(overlap),
    }


def _delivery(attempt: Attempt) -> dict[str, Any]:
    return {
        "id": named(attempt.message, attempt.number),
        "message": attempt.message,
        "type": attempt.kind,
        "game": attempt.game or None,
        "version": attempt.version or None,
        "attempt": attempt.number,
        "at": moment(attempt.began),
        "took_ms": attempt.took,
        "status": attempt.status,
        "error": attempt.fault or None,
        "next": None if attempt.next is None else moment(attempt.next),
    }
