"""The HTTP edge: everything that comes in is read strictly, everything that goes out is JSON.

    request ──► caller (401) ──► look (404) ──► body (400 413 415 422) ──► use case ──► reply
                                                     problem+json  ◄── refusal ──┘

    problems  errors as problem+json, all codes in one table
    body      bytes -> JSON object, with every trap refused
    fields    marshmallow fields and the way from their errors to problems; sentences of them
    derive    the schema of every command, out of the games' dataclasses
    requests  headers and query parameters; languages which one to answer in
    replies   JSON answers, ETag and 304
    eyes      who may see a game, and as which seat
    show      a game and its events as JSON
    items     what of a feed follows a place; stream keeps it coming, waiting counts who waits
    limits    who asks too much waits
    docs      the contract to read, at /docs
    guards    security headers and CORS; unchanged and compress spare what need not be sent

The other modules are the calls, one blueprint each. No module here names a game.
"""

from collections.abc import Callable
from typing import Any, cast

from flask import Flask, Request, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.routing import MapAdapter

from service.api import (
    analysis,
    audits,
    catalogue,
    commands,
    compress,
    docs,
    export,
    feed,
    games,
    guards,
    hints,
    imports,
    jobs,
    limits,
    lobby,
    matches,
    operations,
    people,
    problems,
    record,
    routing,
    seats,
    statistics,
    steps,
    tokens,
    turn,
    unchanged,
    webhooks,
)
from service.api.edge import Edge


class Api(Flask):
    """Flask without what nobody here uses and each request would pay for.

    Nothing is a coroutine, no blueprint has hooks of its own, no call puts one off
    (`after_this_request`), nothing is taken down after one, there are no sessions, and no URL is
    made.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._ways = routing.Ways(self.url_map)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the rule of a request. See `routing.Ways`."""
        usual = self._ways.of(request.environ) if request else None
        return usual or super().create_url_adapter(request)

    def preprocess_request(self) -> ResponseReturnValue | None:
        """Calls what was installed to look at requests."""
        for hook in self.before_request_funcs.get(None, ()):
            answer = hook()
            if answer is not None:
                return cast("ResponseReturnValue", answer)
        return None

    def process_response(self, response: Response) -> Response:
        """Calls what was installed to look at answers, the last of them first."""
        for hook in reversed(self.after_request_funcs.get(None, [])):
            response = cast("Response", hook(response))
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Nothing: nobody asked for it."""

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        """Nothing: nobody asked for it."""


def mount(app: Flask, edge: Edge) -> None:
    """Gives the app its calls and its way to say no."""
    app.extensions["tapete"] = edge
    routing.configure(app)
    problems.install(app)
    # What is installed last looks at an answer first.
    guards.install(app, edge.config.cors_origins)
    limits.install(app)
    app.after_request(_plain_options)
    compress.install(app)
    unchanged.install(app)
    app.register_blueprint(operations.calls)
    app.register_blueprint(docs.calls)
    played = catalogue, people, tokens, lobby, matches, games, seats, commands, turn, hints, feed
    after = statistics, steps, record, export, audits, analysis, jobs, imports, webhooks
    for module in (*played, *after):
        app.register_blueprint(module.calls, url_prefix="/v1")


def _plain_options(response: Response) -> Response:
    """An answer to OPTIONS is its Allow header (RFC 9110, 9.3.7), not an empty HTML page."""
    if response.status_code == 200 and request.method == "OPTIONS":
        response.status_code = 204
        response.headers.pop("Content-Type", None)
        response.headers.pop("Content-Length", None)
    return response
