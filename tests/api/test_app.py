"""Making an app opens nothing and starts nothing, so it may be done before a fork (C21)."""

import subprocess
import sys
from typing import Any

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.test import create_environ

from service.api import routing
from tests.api.client import House

SCRIPT = """
import socket, threading
def refuse(*_):
    raise AssertionError("a connection at import")
socket.socket.connect = refuse
socket.create_connection = refuse
from service.app import create_app
from service.config import Config
app = create_app(Config())
assert threading.active_count() == 1
assert app.test_client().get("/healthz").status_code == 200
"""


@pytest.mark.slow
def test_making_an_app_opens_nothing() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=60)


def test_urls_are_matched_never_made(house: House) -> None:
    """Or each app would compile what makes them, which took more than all the rest of it."""
    urls = house.app.url_map.bind("tapete.example")
    assert urls.match("/healthz") == ("operations.alive", {})
    with pytest.raises(NotImplementedError):
        urls.build("operations.alive")


HOSTS = (
    "cards.example", "CARDS.example:8080", "127.0.0.1:1", "localhost", "a" * 63, "xn--a.example",
    "a" * 64, "a..b", ".", "a.", "-", "[::1]:80", "c\u00e4rds.example", "a_b", "a b", "a@b",
    "a:99999", "a:", ":80", "", "a/b", "a,b", "\u0661.example", "a\u212a.b",
)  # fmt: skip
PATHS = ("/healthz", "//healthz", "/v1/games/aaaa", "/v1/games/\u00e4", "/v1/games/a%20", "/none")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("upgrade", [False, True])
@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_looked_at_as_closely_as_by_flask(house: House, host: str, upgrade: bool) -> None:
    """What finds the rule of a usual request differs from Flask's own by its cost alone."""
    app, headers = house.app, {"Connection": "Upgrade", "Upgrade": "websocket"} if upgrade else {}
    for path in PATHS:
        environ = create_environ(path, headers=headers) | {"HTTP_HOST": host}
        plain = Flask("plain", static_folder=None)
        plain.url_map = app.url_map
        ours, theirs = app.request_context(environ.copy()), plain.request_context(environ.copy())
        for context in (ours, theirs):
            if context.url_adapter is not None:
                context.match_request()
        assert repr(ours.request.routing_exception) == repr(theirs.request.routing_exception)
        assert ours.request.url_rule is theirs.request.url_rule
        assert ours.request.view_args == theirs.request.view_args
        assert ours.request.host == theirs.request.host


def test_a_path_is_read_as_flask_reads_it() -> None:
    environ = create_environ("/") | {"PATH_INFO": "/v1/\xc3\xa4\xff"}
    plain = Flask("plain", static_folder=None)
    context = plain.request_context(environ)
    found = routing.Ways(plain.url_map).of(environ)
    assert found and context.url_adapter
    assert found.path_info == context.url_adapter.path_info


def test_a_path_that_comes_again_leads_to_the_same_place(house: House) -> None:
    """Also when what it named was changed by whoever was told, and by another method elsewhere."""
    ways = routing.Ways(house.app.url_map)

    def led(method: str, path: str) -> Any:
        way: Any = ways.of(create_environ(path, method=method))
        try:
            rule, values = way.match(return_rule=True)
        except HTTPException as no:
            return type(no)
        told = rule.endpoint, dict(values)
        values.clear()
        return told

    for _ in range(2):
        assert led("POST", "/v1/games/a2/commands") == ("commands.give", {"game": "a2"})
        assert led("GET", "/v1/games/a2/commands") == ("commands.allowed", {"game": "a2"})
        assert led("POST", "/v1/games/b2/commands") == ("commands.give", {"game": "b2"})
        assert led("PUT", "/v1/games/a2/commands") is MethodNotAllowed
        assert led("GET", "/v1/games/A2") is NotFound


def test_paths_as_long_as_their_sender_likes_are_not_remembered(house: House) -> None:
    """The name of a variant is found missing only behind the rule of its path."""
    ways: Any = routing.Ways(house.app.url_map)
    for number in range(20):
        way = ways.of(create_environ(f"/v1/variants/{'x' * 4000}{number}"))
        rule, values = way.match(return_rule=True)
        assert rule.endpoint == "catalogue.variant"
        assert len(values["name"]) > 4000
    assert ways.remembered == 0
    longest = f"/v1/webhooks/{'a' * 32}/deliveries/{'b' * 32}-123456789/redeliver"
    ways.of(create_environ(longest, method="POST")).match(return_rule=True)
    assert ways.remembered == 1


def test_nothing_is_hung_where_the_app_does_not_look(house: House) -> None:
    app = house.app
    for hooks in (app.before_request_funcs, app.after_request_funcs):
        assert {name for name, found in hooks.items() if found} == {None}
    assert not any(app.teardown_request_funcs.values())
    assert not app.teardown_appcontext_funcs
    assert not app.url_value_preprocessors
    assert not app.secret_key
