"""What gunicorn would log of a request is cut down to what helps and hurts nobody."""

import logging
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.http.errors import InvalidResponseHeader

from service.gateway import FEW, InOnePiece, discreet


def record(message: str, *args: object, error: Exception | None = None) -> logging.LogRecord:
    cause = (type(error), error, None) if error else None
    return logging.LogRecord("gunicorn.error", logging.WARNING, "", 0, message, args, cause)


def test_what_clients_sent_is_not_logged() -> None:
    said = "Invalid request from ip=127.0.0.1: Invalid HTTP Header: 'Authorization Bearer tpt_X'"
    assert not discreet(record(said))


def test_a_failure_is_told_by_its_kind() -> None:
    failed = record("Error handling request %s", "/v1/games/x?invite=y", error=KeyError("10h"))
    assert discreet(failed)
    assert failed.getMessage() == "a request failed outside the app: KeyError"
    assert failed.exc_info is None


def test_the_rest_passes() -> None:
    assert discreet(record("Worker exiting (pid: %s)", 7))


class Client:
    """A socket that notes what is sent by each call."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.sent.append(data)


def response(client: Client, status: str, *headers: tuple[str, str], failed: bool = False) -> Any:
    body = SimpleNamespace(failed=failed)
    asked = SimpleNamespace(method="GET", version=(1, 1), should_close=lambda: False, body=body)
    made = InOnePiece(asked, client, SimpleNamespace(protocol="http"))
    made.start_response(status, list(headers))
    return made


def test_the_head_of_an_answer_goes_out_with_its_body() -> None:
    client = Client()
    answer = response(client, "200 OK", ("Content-Length", "5"))
    answer.write(b"whole")
    answer.close()
    assert len(client.sent) == 1
    assert client.sent[0].startswith(b"HTTP/1.1 200 OK\r\n")
    assert client.sent[0].endswith(b"Content-Length: 5\r\n\r\nwhole")


def test_each_piece_of_a_stream_goes_out_when_it_comes() -> None:
    client = Client()
    answer = response(client, "200 OK")
    answer.write(b"one")
    assert client.sent[0].endswith(b"\r\n\r\n3\r\none\r\n")
    answer.write(b"three")
    answer.close()
    assert client.sent[1:] == [b"5\r\nthree\r\n", b"0\r\n\r\n"]


def test_an_answer_without_a_body_is_its_head() -> None:
    client = Client()
    answer = response(client, "304 Not Modified", ("ETag", '"1"'))
    answer.close()
    assert len(client.sent) == 1
    assert client.sent[0].endswith(b'ETag: "1"\r\n\r\n')


def test_of_a_body_that_is_none_the_head_is_not_sent_as_if_all_were_well() -> None:
    client = Client()
    answer = response(client, "200 OK", ("Content-Length", "5"))
    with pytest.raises(TypeError):
        answer.write("text")
    assert not client.sent


@pytest.mark.parametrize(("failed", "said"), [(False, b"keep-alive"), (True, b"close")])
def test_the_last_answer_of_a_connection_says_so(failed: bool, said: bytes) -> None:
    """After a body that broke off nobody knows where the next request begins."""
    client = Client()
    response(client, "400 Bad Request", ("Content-Length", "0"), failed=failed).close()
    assert b"Connection: %b\r\n" % said in client.sent[0]


def test_headers_that_are_known_go_out_like_new_ones() -> None:
    headers = (
        ("Vary", "Authorization"),
        ("ETag", '"1"'),
        ("Content-Type", " text/plain "),
        ("Connection", "close"),
        ("Content-Length", "5"),
        ("Cache-Control", "no-store"),
    )
    heads = []
    for _ in range(3):
        client = Client()
        answer = response(client, "200 OK", *headers)
        answer.write(b"whole, and more than was said")
        heads.append([line for line in client.sent[0].split(b"\r\n") if line[:5] != b"Date:"])
    assert heads[0] == heads[1] == heads[2]
    assert heads[0][3:] == [
        b"Vary: Authorization",
        b'ETag: "1"',
        b"Content-Type: text/plain",
        b"Content-Length: 5",
        b"Cache-Control: no-store",
        b"",
        b"whole",
    ]


@pytest.mark.parametrize("name", sorted(FEW))
def test_a_header_with_a_line_end_is_refused_however_often_it_comes(name: str) -> None:
    for _ in range(2):
        with pytest.raises(InvalidResponseHeader):
            response(Client(), "200 OK", (name, "good\r\nX-Evil: 1"))
