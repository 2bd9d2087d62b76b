"""Making an app opens nothing and starts nothing, so it may be done before a fork (C21)."""

import subprocess
import sys

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
