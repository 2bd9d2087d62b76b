"""Asking what a good player would do now. A worker thinks about it."""

from flask import Blueprint, Response

from service.api import jobs
from service.api.edge import edge
from service.api.eyes import find
from service.api.nothing import read_nothing
from service.api.problems import refusal
from service.api.requests import caller, idempotency_key, if_match, query
from service.rules.errors import IllegalMove

calls = Blueprint("hints", __name__)


@calls.post("/games/<game:game>/hints")
def ask(game: str) -> Response:
    """Asks for advice for one's own seat, which must be to act: 202, and a job.

    The order of the checks is that of a command.
    """
    player = caller("play")
    table, _ = find(game, player.id, query(invite=str).get("invite", ""))
    key, expected = idempotency_key(), if_match()
    read_nothing()
    try:
        asked = edge().hints.ask(game, player.id, key, expected)
    except IllegalMove as error:
        return refusal(error, 409, table.game.variant.name, error.version)
    return jobs.taken_down(asked)
