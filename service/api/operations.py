"""For those who run the service: is it alive, can it work, and the contract itself."""

import secrets
from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, request

from service.api.edge import edge
from service.api.limits import count_stranger
from service.api.problems import Problem
from service.api.replies import reply
from service.api.requests import token

calls = Blueprint("operations", __name__)

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format"""

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


@calls.get("/metrics")
def measured() -> Response:
    """What was counted, for Prometheus; 404 unless TAPETE_METRICS says otherwise."""
    wanted = edge().config.metrics
    if wanted == "off":
        raise Problem("not_found")
    if wanted != "on" and not secrets.compare_digest(token().encode(), wanted.encode()):
        count_stranger()
        raise Problem("unauthorized")
    text = current_app.extensions["tapete_metrics"].text()
    return Response(text, content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


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
