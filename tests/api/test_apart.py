"""Requests at once in one process, pipelined, in chunks, broken off: each has its own answer."""

import json
import random
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import urlsplit

import pytest

from service.config import Config
from service.embedded import EmbeddedServer
from service.stack import Stack
from tests.api.test_served import SEATS, call

pytestmark = pytest.mark.slow

LANGUAGES = ("en", "fr", "es", "ca", "el", "zh-Hans", "zh-Hant")
BROKEN_OFF = 0.1
"""How many of the requests are."""


@pytest.fixture(scope="module")
def server(redis_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an API of one process, so that all meet in it."""
    url, folder = redis_server.url, tmp_path_factory.mktemp("api")
    config = Config(
        embedded=False, redis_url=url, queue_url=url, port=0, data=folder, api_workers=1,
        rates=(),
    )  # fmt: skip
    with Stack(config, "api", quiet=True) as running:
        yield urlsplit(running.base_url).netloc


@dataclass
class Asked:
    """A request, and what only its own answer has."""

    text: bytes
    status: int
    language: str | None = None
    tag: str | None = None
    words: tuple[str, ...] = ()


class Guest:
    """Somebody with a game that nobody else asks about, and what they ask."""

    def __init__(self, server: str, number: int) -> None:
        self.luck = random.Random(number)
        self.name = f"guest number {number} of all"
        made = call(server, "POST", "/v1/players", {"name": self.name})[1]
        self.token, self.player = made["token"], made["id"]
        new = {"variant": "canasta", "seats": SEATS}
        game = call(server, "POST", "/v1/games", new, self.token)[1]
        self.game, self.tag = game["id"], f'"{game["version"]}"'
        self.own = {self.name, self.token, self.player, self.game}

    def asks(self) -> Asked:
        """One of many requests."""
        word, language = f"w{self.luck.getrandbits(60):x}", self.luck.choice(LANGUAGES)
        body = json.dumps({word: 1}).encode()
        cut = self.luck.randrange(1, len(body))
        chunks = b"%x\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (
            cut,
            body[:cut],
            len(body) - cut,
            body[cut:],
        )
        path, length = f"/v1/games/{self.game}", f"Content-Length: {len(body)}"
        none: dict[str, Any] = {"status": 401, "language": language}
        wrong: dict[str, Any] = {"status": 422, "language": language, "words": (f'"/{word}"',)}

        def head(line: str, *headers: str, token: str = self.token) -> bytes:
            known = ("Host: h", f"Authorization: Bearer {token}", f"Accept-Language: {language}")
            kind = "Content-Type: application/json"
            return "\r\n".join([f"{line} HTTP/1.1", *known, kind, *headers, "", ""]).encode()

        return self.luck.choice(
            [
                Asked(head("GET /v1/me"), 200, words=(self.name,)),
                Asked(head("GET /v1/me", length) + body, 200, words=(self.name,)),
                Asked(head(f"GET {path}"), 200, tag=self.tag, words=(self.game,)),
                Asked(head(f"GET {path}", f"If-None-Match: {self.tag}"), 304, tag=self.tag),
                Asked(head(f"GET {path}/events?after=0&wait=1"), 200, words=(self.player,)),
                Asked(head(f"POST {path}/seats", length) + body, **wrong),
                Asked(head(f"POST {path}/seats", "Transfer-Encoding: chunked") + chunks, **wrong),
                Asked(head("GET /v1/me", token=word), **none),
                Asked(head("POST /v1/games", length, token=word) + body, **none),
                Asked(head("PUT /v1/me", length) + body, 405, language),
            ]
        )


def answer(file: IO[bytes]) -> tuple[int, dict[str, str], str]:
    """The next answer of a connection."""
    status = int(file.readline().split()[1])
    headers = {}
    while line := file.readline().decode().strip():
        name, _, value = line.partition(": ")
        assert name not in headers
        headers[name] = value
    return status, headers, file.read(int(headers.get("Content-Length", 0))).decode()


def test_no_answer_has_anything_of_another_request(server: str) -> None:
    guests = [Guest(server, number) for number in range(12)]
    host, _, port = server.partition(":")

    def play(guest: Guest) -> None:
        others = set().union(*(one.own for one in guests if one is not guest))
        for _ in range(40):
            asked = [guest.asks() for _ in range(guest.luck.choice((1, 2, 5)))]
            sent = b"".join(one.text for one in asked)
            with socket.create_connection((host, int(port)), timeout=30) as client:
                if guest.luck.random() < BROKEN_OFF:
                    with suppress(OSError):
                        client.sendall(sent[: guest.luck.randrange(len(sent))])
                    continue
                client.sendall(sent)
                file = client.makefile("rb")
                for one in asked:
                    status, headers, text = answer(file)
                    assert status == one.status, text
                    assert headers.get("Content-Language") == one.language
                    assert one.tag is None or headers["ETag"] == one.tag
                    assert all(word in text for word in one.words)
                    assert not [word for word in others if word in text]

    with ThreadPoolExecutor(len(guests)) as pool:
        list(pool.map(play, guests))
