"""For those who run the service: is it alive, can it work, and the contract itself."""

from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, request

from service.api.edge import edge
from service.api.replies import reply

calls = Blueprint("operations", __name__)

CONTRACT: Final = Path(__file__).resolve().parents[2] / "openapi.yaml"


@calls.get("/")
def front() -> Response:
    """Where to begin, for somebody who opens the address."""
    places = {"contract": "/openapi.yaml", "docs": "/docs", "variants": "/v1/variants"}
    return reply({"name": "tapete", **places})


@calls.get("/healthz")
def alive() -> Response:
    """The process answers."""
    return reply({"status": "ok"}, Cache_Control="no-store")


@calls.get("/readyz")
def ready() -> Response:
    """The store answers too; 503 when it does not. Faulted games are for people to look after."""
    store = edge().store
    store.ping()
    return reply({"status": "ok", "faulted": store.count("faulted")}, Cache_Control="no-store")


@calls.get("/openapi.yaml")
def contract() -> Response:
    """The contract, as the file in the repository (RFC 9512)."""
    response = Response(_text(), mimetype="application/yaml")
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    if request.if_none_match.contains_weak(response.get_etag()[0] or ""):
        response.status_code = 304
        response.set_data(b"")
    return response


@cache
def _text() -> bytes:
    return CONTRACT.read_bytes()
