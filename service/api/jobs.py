"""What became of an audit, an import or a hint."""

from typing import Any

import msgspec
from flask import Blueprint, Response

from service.api.edge import edge
from service.api.eyes import look
from service.api.languages import spoken, wanted
from service.api.problems import Problem
from service.api.replies import moment, private, reply
from service.api.requests import caller, query
from service.desk import Asked
from service.hints import LEVEL
from service.languages.catalogue import told, unpacked
from service.store.jobs import Job

calls = Blueprint("jobs", __name__)


@calls.get("/jobs/<job:job>")
def see(job: str) -> Response:
    """A job, for who asked for it; the audit of a stored game for all who may see that."""
    player = caller()
    invite = query(invite=str).get("invite", "")
    if hint := edge().hints.seen(job, player.id):
        caller("play")  # it tells what to do with one's cards
        return _told(hint)
    found = edge().audits.find(job)
    if found is None:
        raise Problem("not_found")
    if found.order.owner != player.id:
        if not found.order.game:
            raise Problem("not_found")
        look(found.order.game, player.id, invite)
    return _told(found)


def taken_down(asked: Asked) -> Response:
    """The answer to who asked for a job."""
    response = pending(asked.job)
    if asked.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def pending(job: Job) -> Response:
    """A job that somebody else does: 202, where it is to be found, and when to look."""
    return _told(job, 202, Location=f"/v1/jobs/{job.id}")


def _told(job: Job, status: int = 200, **headers: str) -> Response:
    """The job; a hint's reasons are in the language that the request prefers."""
    result: Any = msgspec.Raw(job.result) if job.result else None
    language = None
    if job.order.kind == "hint" and result:
        result = msgspec.json.decode(job.result)
        sentences = [unpacked(one["reason"]) for one in result["candidates"]]
        language, reasons = told(sentences, wanted())
        for one, reason in zip(result["candidates"], reasons, strict=True):
            one["reason"] = reason
    response = private(reply(_shown(job, result), status, **headers))
    if not job.over:
        response.headers["Retry-After"] = "1"
    return spoken(response, language) if language else response


def _shown(job: Job, result: Any) -> dict[str, Any]:
    return {
        "id": job.id,
        "kind": job.order.kind,
        "game": job.order.game or None,
        "version": job.order.version,
        "state": job.state,
        "attempts": job.attempts,
        "progress": _progress(job),
        "created": moment(job.created),
        "age": max(0, job.now - job.created) / 1000,
        "result": result,
        "error": job.error or None,
    }


def _progress(job: Job) -> float | None:
    """The part of a hint's time that has gone by; None where nobody knows how long it takes."""
    if job.order.kind != "hint" or job.state in ("failed", "stale"):
        return None
    if job.state != "running":
        return float(job.state == "done")
    seconds = edge().config.ai_budgets.seconds(LEVEL)
    return round(min(max(0, job.now - job.changed) / 1000 / seconds, 1.0), 2)
