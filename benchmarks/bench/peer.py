"""The peer of our API: bare Flask with one append to Redis, or one read, under the same settings.

The worker class, the number of processes and every other setting are those of the service, and
so is the kind of server that keeps its data, a second one of its own. It takes the same requests,
at the same paths, and answers with as many bytes. What it leaves out is all that makes a service:
who asks, whether they may, the rules, the view, the chain of hashes, headers for browsers.
"""

import json
import os
import socket
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import redis
from flask import Flask, Response, jsonify, request

from service import stack
from service.config import Config
from service.embedded import EmbeddedServer
from service.processes import Child, end, spawn

APP: Final = "benchmarks.bench.peer:create()"
START: Final = 30.0
ENTRY: Final = "sample:entry"
ANSWER: Final = "sample:answer"


def create() -> Flask:
    """The app, with the samples that `Peer.like` put there."""
    app = Flask("peer")
    client = redis.Redis.from_url(os.environ["PEER_REDIS"])
    kept: Any = client.get(ENTRY) or b""
    rest = kept.decode()
    answer: dict[str, Any] = json.loads(client.get(ANSWER) or b"{}")
    client.close()

    @app.get(stack.HEALTH)
    def alive() -> str:
        return "alive"

    @app.post("/v1/games/<game>/commands")
    def append(game: str) -> tuple[Response, int]:
        """Keeps the command in an entry as large as one of ours."""
        entry = json.dumps({"command": request.get_json(), "rest": rest})
        place: Any = client.xadd(f"log:{game}", {"l": entry})
        return jsonify({**answer, "place": place.decode()}), 201

    @app.get("/v1/games/<game>")
    def read(game: str) -> Response:
        """What is kept of the game, or that nothing has changed."""
        if tag := request.headers.get("If-None-Match"):
            kept: Any = client.get(f"tag:{game}")
            if tag == kept.decode():
                return Response(status=304, headers={"ETag": tag})
        body: Any = client.get(f"body:{game}")
        return Response(body, mimetype="application/json")

    return app


class Peer:
    """The peer as processes; a context manager. `base_url` is where it listens."""

    def __init__(self, config: Config, folder: Path) -> None:
        self._config = config
        self._server = EmbeddedServer(folder)
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self._child: Child | None = None
        self.base_url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that serve, once they were started."""
        assert self._child and self._server.pid
        return self._child.pid, self._server.pid

    def like(self, entry: int, answer: bytes) -> None:
        """Says how large an entry is beside its command, and what an answer to one looks like."""
        with redis.Redis.from_url(self._server.url) as client:
            client.mset({ENTRY: "x" * entry, ANSWER: answer})

    def keep(self, game: str, tag: str, body: bytes) -> None:
        """What is read of a game, and the ETag of it."""
        with redis.Redis.from_url(self._server.url) as client:
            client.mset({f"body:{game}": body, f"tag:{game}": tag})

    def start(self) -> None:
        """Starts the app, after the samples were given, and returns when it answers."""
        assert self._child is None
        fd = self._socket.fileno()
        settings = stack._gunicorn(self._config, fd)
        assert settings[-1] == stack.APP
        root = str(Path(__file__).parents[2])
        env = {**os.environ, "PYTHONPATH": root, "PEER_REDIS": self._server.url}
        self._child = spawn([sys.executable, *settings[:-1], APP], env=env, fds=[fd])
        where, until = self._socket.getsockname(), time.monotonic() + START
        while not stack.healthy(*where):
            if not self._child.running() or time.monotonic() > until:
                raise RuntimeError("the peer did not start")
            time.sleep(0.05)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._child is not None:
            end([self._child])
        self._socket.close()
        self._server.stop()
