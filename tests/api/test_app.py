"""Making an app opens nothing and starts nothing, so it may be done before a fork (C21)."""

import subprocess
import sys

import pytest

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


def test_making_an_app_opens_nothing() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=60)


def test_urls_are_matched_never_made(house: House) -> None:
    """Or each app would compile what makes them, which took more than all the rest of it."""
    urls = house.app.url_map.bind("tapete.example")
    assert urls.match("/healthz") == ("operations.alive", {})
    with pytest.raises(NotImplementedError):
        urls.build("operations.alive")
