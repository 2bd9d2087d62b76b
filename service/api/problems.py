"""Every error as `application/problem+json` (RFC 9457) with a stable `code`.

    Problem                 raised here in the edge, by its code
    HTTPException           werkzeug's: routing and protocol errors
    Refusals of use cases   NoSuchGame, NoSeat, GameOver, Moved, KeyReused, StoreUnavailable …
    anything else           500, logged by where it happened, never by what values it held

`type` is `about:blank`: the status says what kind of problem it is, `code` which one.

Over 250 lines, half of them the table of all codes.
"""

import http
import logging
import traceback
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from service import answers, rulebook
from service.api import languages
from service.filing import TooManyGames
from service.languages.catalogue import Sentence, told
from service.rules.errors import IllegalMove
from service.shelf import NoSuchGame, NoSuchVersion
from service.store import Foreign, StoreUnavailable, Unreadable
from service.store import webhooks as hooks_kept
from service.store.jobs import Crowded
from service.webhooks import hooks

log = logging.getLogger(__name__)

CODES: Final[dict[str, tuple[int, str]]] = {
    "bad_request": (400, "The request cannot be read."),
    "bad_json": (400, "The body is not JSON in UTF-8."),
    "duplicate_member": (400, "The body names a member twice."),
    "too_deep": (400, "The body is nested too deeply."),
    "bad_number": (400, "The body has a number beyond 2^53 or one that JSON does not know."),
    "bad_if_match": (400, 'If-Match takes one version, such as "17", or *.'),
    "bad_idempotency_key": (
        400,
        "Idempotency-Key takes 1 to 128 visible ASCII characters, no comma.",
    ),
    "bad_last_event_id": (
        400,
        "Last-Event-ID takes the id of an item, such as 17.0, or a version.",
    ),
    "unauthorized": (401, "A token is needed: Authorization: Bearer …, from POST /v1/players."),
    "missing_scope": (403, "Your token lacks a scope that this call needs."),
    "no_spectators": (403, "This game is not for spectators until it is over."),
    "no_seat": (403, "You have no seat at this table."),
    "not_your_seat": (403, "That seat is not yours."),
    "not_found": (404, "There is nothing here, or it is private and not open to you."),
    "no_such_version": (404, "The game has not come to that version."),
    "no_such_deal": (404, "The game has not come to that deal."),
    "link_invalid": (404, "The code is none, is too old, or was used; ask for another."),
    "method_not_allowed": (405, "This method is not for this URL; Allow names those that are."),
    "not_acceptable": (406, "This call answers in application/json only."),
    "too_slow": (408, "The rest of the body did not come in time."),
    "not_over": (409, "The game is not over; its cards and its record are closed until then."),
    "too_many_tokens": (409, "You have as many tokens as one may have; revoke some."),
    "too_many_games": (
        409,
        "You have as many unfinished games as one may have; finish or leave some.",
    ),
    "too_many_webhooks": (409, "You have as many webhooks as one may have; remove some."),
    "webhook_disabled": (409, "The webhook is disabled, so nothing is sent; enable it first."),
    "nothing_to_play": (409, "Nothing was left to play at that version."),
    "rules_changed": (409, "Today's rules refuse what was done at `version`."),
    "game_faulted": (409, "The game's log is damaged; nothing more can be played."),
    "game_over": (410, "The game is over."),
    "version_mismatch": (412, "The game is no longer at that version."),
    "body_too_large": (413, "The body is larger than this server takes."),
    "uri_too_long": (414, "The URL is too long."),
    "unsupported_media_type": (415, "The body must be application/json, without a coding."),
    "invalid": (422, "The request does not have the form that is asked for; see errors."),
    "unknown_variant": (422, "There is no such variant; see errors."),
    "unknown_card": (422, "The variant has no such card; see errors."),
    "unknown_level": (422, "There are no computer players of that level; see errors."),
    "idempotency_key_reused": (422, "That Idempotency-Key came with another body before."),
    "rate_limited": (
        429,
        "Too many requests of this kind; wait as long as Retry-After says, in seconds.",
    ),
    "too_many_polls": (
        429,
        "Too many streams and long polls are open; end some, or ask without wait.",
    ),
    "too_many_jobs": (
        429,
        "Too many audits, imports or hints are waiting; try again when some are done.",
    ),
    "headers_too_large": (431, "The headers are larger than this server takes."),
    "internal": (500, "The server failed; the fault is logged."),
    "game_damaged": (500, "The game's log cannot be read; the fault is logged."),
    "audit_failed": (
        500,
        "The audit came to no end; the fault is logged. POST /v1/audits tries again.",
    ),
    "analysis_failed": (500, "The analysis came to no end; the fault is logged."),
    "busy": (503, "Others were faster several times over; try again."),
    "store_unavailable": (
        503,
        "The store does not answer. Whether the request took effect is unknown: "
        "repeat it with its Idempotency-Key.",
    ),
}
"""The edge's own codes: status and usual detail. Codes are stable; sentences may change.
The rules' reasons (`IllegalMove`) are codes too."""

TITLES: Final = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    408: "Request Timeout",
    409: "Conflict",
    410: "Gone",
    412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
"""By status, in the words of RFC 9110; those of `http` differ from one Python to the next."""

_HTTP: Final = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
}


class Problem(Exception):
    """A refusal by its code; `more` becomes further members of the answer.

    `retry` is after how many seconds it is worth trying again, where that is known.
    """

    def __init__(
        self, code: str, detail: Sentence | None = None, *, retry: int = 1, **more: Any
    ) -> None:
        super().__init__(code)
        self.retry = retry
        self.code = code
        self.status, usual = CODES[code]
        self.detail = detail or Sentence(usual)
        self.more = more


def refusal(error: IllegalMove, status: int, variant: str, version: int | None = None) -> Response:
    """A rule said no: its reason is the code, its paragraph the `rule`, which `link` leads to."""
    more: dict[str, Any] = {"rule": error.rule, "link": rulebook.link(variant, error.rule)}
    if version is not None:
        more["version"] = version
    return _answer(status, error.code, Sentence(error.sentence, **error.values), more)


def install(app: Flask) -> None:
    """Makes every error of the app a problem, those of routing included."""
    app.register_error_handler(Problem, _problem)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(answers.Moved, _moved)
    app.register_error_handler(answers.GameFaulted, _faulted)
    for error, code in {
        NoSuchGame: "not_found",
        NoSuchVersion: "no_such_version",
        answers.NotInvited: "not_found",
        answers.NoSeat: "no_seat",
        answers.GameOver: "game_over",
        TooManyGames: "too_many_games",
        answers.KeyReused: "idempotency_key_reused",
        Crowded: "too_many_jobs",
        hooks_kept.Crowded: "too_many_webhooks",
        hooks.NoSuchHook: "not_found",
        hooks.NoSuchDelivery: "not_found",
        hooks.TurnedOff: "webhook_disabled",
    }.items():
        app.register_error_handler(error, lambda _, code=code: _problem(Problem(code)))
    app.register_error_handler(StoreUnavailable, _unavailable)
    app.register_error_handler(Foreign, lambda error: _failed(error, "store_unavailable"))
    app.register_error_handler(Unreadable, lambda error: _failed(error, "game_damaged"))
    app.register_error_handler(Exception, lambda error: _failed(error, "internal"))


def _problem(problem: Problem) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
    if problem.status in (429, 503):
        headers = {"Retry-After": str(problem.retry)}
    return _answer(problem.status, problem.code, problem.detail, problem.more, headers)


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    code = _HTTP.get(status, "bad_request" if status < 500 else "internal")
    # Allow of a 405 and the like; the type and text of the HTML page are left behind.
    headers = {
        name: value
        for name, value in error.get_headers(request.environ)
        if name.lower() not in ("content-type", "content-length")
    }
    return _answer(status, code, Sentence(CODES[code][1]), {}, headers)


def _moved(error: answers.Moved) -> Response:
    if "If-Match" not in request.headers:
        return _problem(Problem("busy", version=error.version))
    detail = Sentence("The game is at version {version} now.", version=error.version)
    return _problem(Problem("version_mismatch", detail, version=error.version))


def _faulted(error: answers.GameFaulted) -> Response:
    fault = error.table.fault
    if fault is None:
        return _problem(Problem("game_faulted"))
    damage = {"version": fault.version, "what": fault.what}
    detail = Sentence("The game's log is damaged from version {version} on: {what}.", **damage)
    if not fault.tail:
        detail = Sentence(
            "The game's log is damaged from version {version} on: {what}. "
            "Nothing can be written behind it, so the game cannot be closed.",
            **damage,
        )
    elif not error.table.game.result:
        detail = Sentence(
            "The game's log is damaged from version {version} on: {what}. "
            "Nothing more can be played; resign closes the game.",
            **damage,
        )
    return _problem(Problem("game_faulted", detail, version=error.table.version))


def _unavailable(error: StoreUnavailable) -> Response:
    said = error.code or "nothing"
    log.warning("the store did not answer %s, it said %s: %s", request.method, said, where(error))
    return _problem(Problem("store_unavailable"))


def _failed(error: Exception, code: str) -> Response:
    log.error("%s on %s %s\n%s", code, request.method, request.url_rule, where(error))
    return _problem(Problem(code))


def where(error: BaseException | None) -> str:
    """A traceback by types and places alone: a message might hold a card or a secret."""
    lines = []
    while error is not None:
        lines.append(type(error).__name__)
        lines += traceback.format_list(traceback.extract_tb(error.__traceback__))
        error = error.__cause__ or error.__context__
    return "\n".join(line.rstrip() for line in lines)


def _answer(
    status: int,
    code: str,
    detail: Sentence,
    more: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
) -> Response:
    errors = more.get("errors", [])
    title = TITLES.get(status) or http.HTTPStatus(status).phrase
    sentences = [title, detail, *(error["detail"] for error in errors)]
    language, (title, plain, *details) = told(sentences, languages.wanted())
    body = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": plain,
        "code": code,
        **more,
    }
    if errors:
        body["errors"] = [
            error | {"detail": each} for error, each in zip(errors, details, strict=True)
        ]
    g.code = code
    text = msgspec.json.encode(body) + b"\n"
    response = Response(text, status, headers, mimetype="application/problem+json")
    return languages.spoken(response, language)
