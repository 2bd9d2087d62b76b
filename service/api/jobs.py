"""What became of an audit or an import."""

from typing import Any

import msgspec
from flask import Blueprint, Response

from service.api.edge import edge
from service.api.eyes import look
from service.api.problems import Problem
from service.api.replies import moment, private, reply
from service.api.requests import caller, query
from service.audits import Asked
from service.store.jobs import Job

calls = Blueprint("jobs", __name__)


@calls.get("/jobs/<job:job>")
def see(job: str) -> Response:
    """A job, for who asked for it; the audit of a stored game for all who may see that."""
    player = caller()
    invite = query(invite=str).get("invite", "")
    found = edge().audits.find(job)
    if found is None:
        raise Problem("not_found")
    if found.order.owner != player.id:
        if not found.order.game:
            raise Problem("not_found")
        look(found.order.game, player.id, invite)
    response = private(reply(show(found)))
    if not found.over:
        response.headers["Retry-After"] = "1"
    return response


def taken_down(asked: Asked) -> Response:
    """The answer to who asked for a job."""
    response = pending(asked.job)
    if asked.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def pending(job: Job) -> Response:
    """A job that somebody else does: 202, where it is to be found, and when to look."""
    response = reply(show(job), 202, Location=f"/v1/jobs/{job.id}")
    if not job.over:
        response.headers["Retry-After"] = "1"
    return private(response)


def show(job: Job) -> dict[str, Any]:
    """The job as JSON values."""
    return {
        "id": job.id,
        "kind": job.order.kind,
        "game": job.order.game or None,
        "state": job.state,
        "attempts": job.attempts,
        "created": moment(job.created),
        "age": max(0, job.now - job.created) // 1000,
        "result": msgspec.Raw(job.result) if job.result else None,
        "error": job.error or None,
    }
