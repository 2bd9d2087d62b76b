"""The API as it is served: gunicorn with two gevent workers on a real server, over sockets."""

import fcntl
import http.client
import json
import re
import resource
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from flask import Flask

from service.api.waiting import client_gone
from service.config import Config
from service.embedded import EmbeddedServer
from service.serve import Stack

pytestmark = pytest.mark.slow

WATCHMAN = "the-watchman-s-token"
SEATS = [{"kind": "human"}] * 2


@pytest.fixture(scope="module")
def server(redis_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an API without workers."""
    config = Config(
        embedded=False,
        redis_url=redis_server.url,
        queue_url=redis_server.url,
        port=0,
        data=tmp_path_factory.mktemp("api"),
        api_workers=2,
        metrics=WATCHMAN,
    )
    with Stack(config, "api", quiet=True) as running:
        yield urlsplit(running.base_url).netloc


def call(
    server: str, method: str, path: str, body: Any = None, token: str = "", **headers: str
) -> tuple[int, Any, http.client.HTTPMessage]:
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection(server, timeout=60)
    sent = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    try:
        connection.request(method, path, raw, sent)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None, answer.headers
    finally:
        connection.close()


def table(server: str) -> tuple[str, str, str, int]:
    """A started game: its id, the token of who is to act, the other's, and the version."""
    tokens = [call(server, "POST", "/v1/players", {"name": name})[1]["token"] for name in "AB"]
    new = {"variant": "canasta", "seats": SEATS}
    game = call(server, "POST", "/v1/games", new, tokens[0])[1]["id"]
    seen = call(server, "POST", f"/v1/games/{game}/seats", {}, tokens[1])[1]
    (seat,) = seen["to_act"]
    return game, tokens[seat], tokens[1 - seat], seen["version"]


def test_twenty_at_one_version_on_two_processes(server: str) -> None:
    game, mover, other, version = table(server)
    path = f"/v1/games/{game}"
    count = len(call(server, "GET", f"{path}/events", token=mover)[1]["items"])

    def draw(number: int) -> int:
        token = mover if number % 2 else other
        tag = f'"{version}"'
        return call(server, "POST", f"{path}/commands", {"type": "draw"}, token, If_Match=tag)[0]

    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(draw, range(20)))
    assert statuses.count(201) == 1, statuses
    assert set(statuses) <= {201, 409, 412}
    feed = call(server, "GET", f"{path}/events", token=other)[1]
    assert (feed["version"], len(feed["items"])) == (version + 1, count + 1)


def test_one_key_on_two_processes_acts_once(server: str) -> None:
    game, mover, _, version = table(server)
    path = f"/v1/games/{game}/commands"
    with ThreadPoolExecutor(12) as pool:
        answers = list(
            pool.map(
                lambda _: call(server, "POST", path, {"type": "draw"}, mover, Idempotency_Key="k"),
                range(12),
            )
        )
    assert {status for status, _, _ in answers} == {201}
    assert all(body == answers[0][1] for _, body, _ in answers)
    assert call(server, "GET", f"/v1/games/{game}", token=mover)[1]["version"] == version + 1


def test_the_reply_is_lost_and_the_request_repeated(server: str) -> None:
    game, mover, _, version = table(server)
    body = b'{"type":"draw"}'
    host, _, port = server.partition(":")
    with socket.create_connection((host, int(port))) as cut:
        cut.sendall(
            f"POST /v1/games/{game}/commands HTTP/1.1\r\nHost: {server}\r\n"
            f"Authorization: Bearer {mover}\r\nContent-Type: application/json\r\n"
            f"Idempotency-Key: k1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        # The answer is there, and is not read.
        cut.recv(1, socket.MSG_PEEK)
    path = f"/v1/games/{game}/commands"
    status, said, headers = call(
        server, "POST", path, {"type": "draw"}, mover, Idempotency_Key="k1"
    )
    assert (status, said["version"]) == (201, version + 1)
    assert headers["Idempotent-Replayed"] == "true"


def chunked(server: str, path: str, chunks: list[bytes], token: str) -> tuple[int, Any]:
    """A POST whose length is not told beforehand."""
    connection = http.client.HTTPConnection(server, timeout=60)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    try:
        connection.request("POST", path, iter(chunks), headers, encode_chunked=True)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def test_chunked_bodies_are_read_and_limited(server: str) -> None:
    game, mover, _, version = table(server)
    path = f"/v1/games/{game}/commands"
    # Cut at the limit this would still be JSON: blanks are all that is lost.
    long = [b'{"type":"draw"}', *[b" " * 4096] * 20]
    status, said = chunked(server, path, long, mover)
    assert (status, said["code"]) == (413, "body_too_large")
    status, said, _ = call(server, "POST", path, b"".join(long), mover)
    assert (status, said["code"]) == (413, "body_too_large")
    status, said = chunked(server, path, [b'{"type":', b'"draw"}'], mover)
    assert (status, said["version"]) == (201, version + 1)


@pytest.mark.parametrize("connection", ["keep-alive", "close"])
@pytest.mark.parametrize("size", [65_536, 100])
def test_five_megabytes_in_chunks(server: str, size: int, connection: str) -> None:
    """All of it is sent before the answer is looked for, and the answer is there."""
    game, mover, _, version = table(server)
    host, _, port = server.partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as raw:
        raw.sendall(
            f"POST /v1/games/{game}/commands HTTP/1.1\r\nHost: {server}\r\n"
            f"Authorization: Bearer {mover}\r\nContent-Type: application/json\r\n"
            f"Connection: {connection}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for _ in range(80):
            raw.sendall((b"%x\r\n" % size + b"[" * size + b"\r\n") * (65_536 // size))
        raw.sendall(b"0\r\n\r\n")
        answer = http.client.HTTPResponse(raw)
        answer.begin()
        assert (answer.status, json.loads(answer.read())["code"]) == (413, "body_too_large")
    assert call(server, "GET", f"/v1/games/{game}", token=mover)[1]["version"] == version


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /" + b"x" * 1_000_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n", 414),
        (b"POST /v1/games HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
         b"Content-Length: 1000000\r\n\r\n" + b"x" * 1_000_000, 401),
        (b"POST /v1/players HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
         b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + b"x" * 1_000_000, 400),
    ],
)  # fmt: skip
def test_an_answer_arrives_though_its_client_sends_on(
    server: str, head: bytes, status: int
) -> None:
    host, _, port = server.partition(":")
    for _ in range(5):
        with socket.create_connection((host, int(port)), timeout=30) as raw:
            raw.sendall(head)
            time.sleep(0.1)
            raw.shutdown(socket.SHUT_WR)
            answer = raw.makefile("rb").read()
        assert int(answer.split(b" ", 2)[1]) == status


def test_who_sends_without_end_keeps_nobody_waiting(server: str) -> None:
    """Its bytes are there whenever they are read, so nothing but the reader's manners stops it."""
    host, _, port = server.partition(":")
    part = b"1\r\nx\r\n" * 20_000
    answered = 0

    def send() -> None:
        with (
            suppress(OSError),  # it is closed on us in the end
            socket.create_connection((host, int(port)), timeout=30) as raw,
        ):
            raw.sendall(b"POST /v1/me HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in range(40):
                raw.sendall(part)

    with ThreadPoolExecutor(6) as pool:
        sending = [pool.submit(send) for _ in range(6)]  # so each process has some
        while not all(one.done() for one in sending):
            assert call(server, "GET", "/healthz")[0] == 200
            answered += 1
    assert answered > 30  # of a process that has no turn for others two or three come through


def test_a_broken_chunk_is_our_callers_fault(server: str) -> None:
    game, mover, _, _ = table(server)
    host, _, port = server.partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as raw:
        raw.sendall(
            f"POST /v1/games/{game}/commands HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n"
            f"Authorization: Bearer {mover}\r\nContent-Type: application/json\r\n"
            f"Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n".encode()
        )
        raw.shutdown(socket.SHUT_WR)
        answer = raw.makefile("rb").read()
    assert answer.split(b" ", 2)[1] == b"400", answer


def test_a_body_that_breaks_off(server: str) -> None:
    game, mover, _, version = table(server)
    host, _, port = server.partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as raw:
        raw.sendall(
            f"POST /v1/games/{game}/commands HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n"
            f"Authorization: Bearer {mover}\r\nContent-Type: application/json\r\n"
            f"Content-Length: 100\r\n\r\n{{}}".encode()
        )
        raw.shutdown(socket.SHUT_WR)
        answer = raw.makefile("rb").read()
    assert answer == b"" or answer.split(b" ", 2)[1] == b"400", answer
    assert call(server, "GET", f"/v1/games/{game}", token=mover)[1]["version"] == version


def test_a_connection_serves_on_after_a_refusal(server: str) -> None:
    """The refused body is not taken for the next request."""
    game, mover, _, _ = table(server)
    connection = http.client.HTTPConnection(server, timeout=60)
    headers = {"Authorization": f"Bearer {mover}", "Content-Type": "application/json"}
    path = f"/v1/games/{game}/commands"
    for body, status in [
        (b'{"type":"fly"}', 422),
        (b"[" * 2000, 400),
        (b" " * 70_000, 413),
        (b'{"type":"draw"}', 201),
    ]:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        json.loads(answer.read())
        assert answer.status == status
    connection.close()


def test_a_long_poll_is_woken_from_the_other_process(server: str) -> None:
    game, mover, other, version = table(server)
    path = f"/v1/games/{game}/events?after={version}&wait=25"
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(call, server, "GET", path, None, other) for _ in range(8)]
        while not any(one.running() for one in waiting):
            pass
        call(server, "POST", f"/v1/games/{game}/commands", {"type": "draw"}, mover)
        answers = [one.result(20)[1] for one in waiting]
    assert {answer["next"] for answer in answers} == {f"{version + 1}.0"}


def test_nothing_of_a_token_is_in_the_log(
    server: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, mover, other, _ = table(server)
    logs = list(Path(tmp_path_factory.getbasetemp()).rglob("stack.log"))
    for log in logs:
        text = log.read_text(errors="replace")
        assert mover not in text
        assert other not in text


def test_one_key_many_times_at_once_is_one_command_and_one_answer(server: str) -> None:
    """What is remembered is shared within a process: no answer may fall between two states."""
    for _ in range(12):
        game, token, _, version = table(server)

        def draw(_: int, game: str = game, token: str = token) -> tuple[int, Any]:
            path = f"/v1/games/{game}/commands"
            return call(server, "POST", path, {"type": "draw"}, token, Idempotency_Key="k")[:2]

        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(draw, range(20)))
        assert {status for status, _ in answers} == {201}
        assert all(body == answers[0][1] for _, body in answers)
        assert answers[0][1]["version"] == version + 1


def test_a_body_that_does_not_come_is_given_up(server: str) -> None:
    head = (
        b"POST /v1/players HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        b"Content-Length: 30\r\nConnection: close\r\n\r\n{"
    )
    host, port = server.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as client:
        client.sendall(head)
        answer = b""
        while piece := client.recv(65536):
            answer += piece
    assert answer.split()[1] == b"408"
    assert b"too_slow" in answer


def test_long_polls_are_counted_and_end_with_their_client(server: str) -> None:
    game, token, _, version = table(server)
    path = f"/v1/games/{game}/events?after={version}&wait=30"
    request = f"GET {path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    host, port = server.split(":")
    clients = [socket.create_connection((host, int(port)), timeout=60) for _ in range(60)]
    for client in clients:
        client.sendall(request)
    time.sleep(1)
    status, problem, headers = call(server, "GET", path.replace("30", "1"), None, token)
    while status == 200:  # the other of two processes may have a place free
        status, problem, headers = call(server, "GET", path.replace("30", "1"), None, token)
    assert (status, problem["code"]) == (429, "too_many_polls")
    assert headers["Retry-After"]
    for client in clients:
        client.close()
    # All places are free again, once each poll has looked for its client.
    path, answers, until = path.replace("30", "1"), {0}, time.monotonic() + 30
    while answers != {200} and time.monotonic() < until:
        with ThreadPoolExecutor(8) as pool:
            answers = {*pool.map(lambda _: call(server, "GET", path, None, token)[0], range(8))}
    assert answers == {200}


def test_streams_whose_clients_vanish_leave_nothing_behind(
    server: str, redis_server: EmbeddedServer
) -> None:
    """C20: neither a socket, nor a connection of Redis, nor a place among the caller's eight."""
    admin: Any = redis.Redis.from_url(redis_server.url)
    tables = [table(server) for _ in range(5)]
    host, port = server.split(":")
    before = len(admin.client_list())
    clients = []
    for number in range(50):
        game, token, other, _ = tables[number % 5]
        client = socket.create_connection((host, int(port)), timeout=30)
        client.sendall(
            f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {token if number % 2 else other}\r\n\r\n".encode()
        )
        clients.append(client)
        # One after the other, lest as many read from Redis at a time.
        head = client.recv(200)
        assert head.startswith(b"HTTP/1.1 200 "), head
    while admin.execute_command("PUBSUB", "SHARDCHANNELS") == []:
        time.sleep(0.1)
    assert len(admin.client_list()) < before + 20  # one for each process listens
    opened = sockets(int(port))
    for client in clients:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.close()
    until = time.monotonic() + 30
    while sockets(int(port)) > opened - 50 and time.monotonic() < until:
        time.sleep(0.2)
    assert sockets(int(port)) <= opened - 50
    # All places are free again, once each stream has looked for its client.
    game, token, _, version = tables[0]
    path = f"/v1/games/{game}/events?after={version}&wait=1"
    answers = {0}
    while answers != {200} and time.monotonic() < until:
        with ThreadPoolExecutor(8) as pool:
            answers = {*pool.map(lambda _: call(server, "GET", path, None, token)[0], range(8))}
    assert answers == {200}


def test_a_client_is_seen_whatever_the_number_of_its_socket() -> None:
    """`select` knows none beyond 1,024, and a worker has more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard <= 1100:
        pytest.skip("this system allows too few open files")
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1100), hard))
    ours, theirs = socket.socketpair()
    high = fcntl.fcntl(ours.fileno(), fcntl.F_DUPFD, 1030)
    with socket.socket(fileno=high) as client, Flask("t").test_request_context() as context:
        context.request.environ["gunicorn.socket"] = client
        assert not client_gone()
        theirs.send(b"x")
        assert not client_gone()
        client.recv(1)
        theirs.close()
        assert client_gone()
    ours.close()


def sockets(port: int) -> int:
    """How many connections the server has open at its port."""
    text = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(
        line.split()[1].endswith(f":{port:04X}") and line.split()[3] in ("01", "08")
        for line in text
    )


def test_a_stream_is_told_from_the_other_process_and_closes(server: str) -> None:
    for _ in range(4):  # either process may have either part
        game, mover, other, version = table(server)
        connection = http.client.HTTPConnection(server, timeout=60)
        headers = {"Accept": "application/x-ndjson", "Authorization": f"Bearer {other}"}
        connection.request("GET", f"/v1/games/{game}/events", None, headers)
        answer = connection.getresponse()
        assert answer.headers["Transfer-Encoding"] == "chunked"
        assert "Content-Length" not in answer.headers

        def following(answer: http.client.HTTPResponse = answer) -> Any:
            while not (line := answer.readline().strip()):
                pass
            return json.loads(line)

        assert following()["id"] == str(version)
        call(server, "POST", f"/v1/games/{game}/commands", {"type": "draw"}, mover)
        assert following()["type"] == "cards_drawn"
        call(server, "POST", f"/v1/games/{game}/commands", {"type": "resign"}, mover)
        while following()["type"] != "over":
            pass
        assert answer.read() == b""
        connection.close()


def test_a_proxy_that_speaks_an_older_http_gets_the_stream_as_it_comes(server: str) -> None:
    """nginx asks in HTTP/1.0 unless told otherwise: no chunks then, and still nothing held back."""
    game, mover, other, version = table(server)
    host, _, port = server.partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as raw:
        began = time.monotonic()
        raw.sendall(
            f"GET /v1/games/{game}/events HTTP/1.0\r\nHost: {server}\r\n"
            f"Accept: text/event-stream\r\nAccept-Encoding: gzip\r\n"
            f"Authorization: Bearer {other}\r\n\r\n".encode()
        )
        told = b""
        while b"event: view" not in told or not told.endswith(b"\n\n"):
            told += raw.recv(65536)
        assert time.monotonic() - began < 5  # alone it is some milliseconds
        head, _, body = told.partition(b"\r\n\r\n")
        assert not re.search(rb"(?i)transfer-encoding|content-length|content-encoding", head)
        assert body.startswith(b"retry: ")
        call(server, "POST", f"/v1/games/{game}/commands", {"type": "draw"}, mover)
        while b"event: item" not in told:
            told += raw.recv(65536)
        assert f"id: {version + 1}.0\n".encode() in told


def test_headers_of_a_proxy_change_nothing(server: str) -> None:
    assert call(server, "GET", "/healthz", SCRIPT_NAME="/v1", X_Forwarded_Proto="x")[0] == 200


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"NO SENSE\r\n\r\n", 400, "bad_request"),
        (b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: h\r\n\r\n", 414, "uri_too_long"),
        (b"GET / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer a\x00b\r\n\r\n", 400, "bad_request"),
        (
            b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(200)) + b"\r\n",
            431,
            "headers_too_large",
        ),
    ],
)
def test_what_gunicorn_cannot_read(server: str, sent: bytes, status: int, code: str) -> None:
    host, port = server.split(":")
    with socket.create_connection((host, int(port)), timeout=10) as client:
        client.sendall(sent)
        answer = b""
        while piece := client.recv(65536):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    assert int(head.split()[1]) == status
    assert b"application/problem+json" in head
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert b"Bearer" not in body


def _measured(server: str, start: str) -> float:
    """The number behind the line of the metrics that starts so."""
    connection = http.client.HTTPConnection(server, timeout=60)
    connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {WATCHMAN}"})
    text = connection.getresponse().read().decode()
    connection.close()
    lines = [line for line in text.splitlines() if line.startswith(start)]
    return float(lines[0].rpartition(" ")[2]) if lines else 0.0


def test_any_process_tells_what_all_have_counted(server: str) -> None:
    line = 'tapete_requests_total{method="GET",route="/v1/me",status="401"}'
    before = _measured(server, line)
    for number in range(1, 21):
        call(server, "GET", "/v1/me")
        assert _measured(server, line) == before + number
    assert _measured(server, "tapete_store_up") == 1
    assert _measured(server, 'tapete_queue_jobs{queue="turns"}') >= 0
