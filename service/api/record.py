"""A finished game as a file that proves itself (docs/record.md)."""

from flask import Blueprint, Response

from service import record
from service.answers import GameFaulted
from service.api.edge import edge
from service.api.eyes import look
from service.api.problems import Problem
from service.api.replies import NDJSON, tagged
from service.api.requests import caller, query
from service.fault import altered
from service.store import Unreadable

calls = Blueprint("record", __name__)


@calls.get("/games/<game:game>/record")
def download(game: str) -> Response:
    """The record of a game, for whoever may see it, once its secret is open.

    It is one piece with a Content-Length, since its seal is over the whole: so a download that
    was cut off shows at once.
    """
    player = caller("export")
    table, _ = look(game, player.id, query(invite=str).get("invite", ""))
    if table.fault:
        raise GameFaulted(table)
    if not table.game.secret:
        raise Problem("not_over")

    def file() -> Response:
        response = Response(b"".join(lines(game)), mimetype=NDJSON)
        response.headers["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
        return response

    return tagged(table.version, file)


def lines(game: str) -> list[bytes]:
    """The record's lines with their ends, out of the log.

    Raises:
        Unreadable: the log is damaged.
        record.NotOver: the secret is not open yet.
    """
    reading = edge().store.read(game)
    if reading.broken or not reading.entries:
        raise Unreadable(reading.broken or "there is no log")
    if altered(reading.entries):
        raise Unreadable("a line is not that of its hash")
    return list(record.write(game, [entry.line for entry in reading.entries]))
