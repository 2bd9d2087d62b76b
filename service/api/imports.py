"""Taking a record in as a game that can be looked at and walked through, and not be played."""

from flask import Blueprint, Response

from service.api import jobs
from service.api.body import read_record
from service.api.edge import edge
from service.api.requests import caller, idempotency_key, query

calls = Blueprint("imports", __name__)


@calls.post("/records")
def bring() -> Response:
    """Asks for the import of the record in the body; a worker looks whether it is sound."""
    player = caller("export")
    key = idempotency_key()
    query()
    raw = read_record()
    return jobs.taken_down(edge().audits.upload("import", player.id, raw, "rules", key=key))
