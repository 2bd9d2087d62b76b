"""What was lost in a deal of a finished game, by whom, and what had been better."""

from flask import Blueprint, Response

from service.api import jobs
from service.api.edge import edge
from service.api.eyes import look
from service.api.problems import Problem
from service.api.replies import private
from service.api.requests import caller, query, whole

calls = Blueprint("analysis", __name__)


@calls.get("/games/<game:game>/analysis")
def analysis(game: str) -> Response:
    """The analysis of a deal, once a worker has made it."""
    player = caller("export")
    asked = query(deal=whole(1, 2**31), invite=str)
    table, _ = look(game, player.id, asked.get("invite", ""))
    if not table.game.secret:
        raise Problem("not_over")
    deal = asked.get("deal", 1)
    if table.game.state is None or deal > table.game.state.deal:
        raise Problem("no_such_deal")
    job = edge().audits.analysis(player.id, game, table.version, deal)
    if job.state == "done":
        return private(Response(job.result + b"\n", mimetype="application/json"))
    if job.state == "failed":
        raise Problem("analysis_failed")
    return jobs.pending(job)
