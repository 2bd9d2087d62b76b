"""One POST over real sockets: to the checked address, within its time, and no step further."""

import socket
import ssl
from collections.abc import Iterator

import pytest

from service.webhooks.address import Target
from service.webhooks.send import Outcome, send
from tests.ports import free_port
from tests.webhooks.receiver import CERTIFICATE, Receiver, answer, drip, silence

BODY = b'{"type":"ping"}'


def plain(receiver: Receiver, seconds: float = 5.0, host: str = "bot.example") -> Outcome:
    to = Target("http", host, receiver.port, "/hook?a=b")
    return send(to, ["127.0.0.1"], BODY, {"webhook-id": "m"}, seconds)


@pytest.fixture
def secure() -> Iterator[Receiver]:
    with Receiver(tls=True) as running:
        yield running


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.load_verify_locations(CERTIFICATE)
    return context


def by_tls(receiver: Receiver, host: str, context: ssl.SSLContext | None = None) -> Outcome:
    to = Target("https", host, receiver.port, "/")
    return send(to, ["127.0.0.1"], BODY, {}, 5.0, context)


def test_what_arrives(receiver: Receiver) -> None:
    outcome = plain(receiver)
    assert (outcome.status, outcome.fault) == (204, "")
    (got,) = receiver.got
    assert (got.path, got.body, got.id) == ("/hook?a=b", BODY, "m")
    # The host's own name, though no name was looked up.
    assert got.headers["host"] == f"bot.example:{receiver.port}"
    assert "accept-encoding" in got.headers


@pytest.mark.parametrize(("status", "fault"), [(200, ""), (302, "redirect"), (308, "redirect"),
                                               (410, "status"), (500, "status")])  # fmt: skip
def test_an_answer_is_judged_by_its_status(receiver: Receiver, status: int, fault: str) -> None:
    receiver.script = [answer(status, Location=f"http://127.0.0.1:{receiver.port}/other")]
    outcome = plain(receiver)
    assert (outcome.status, outcome.fault) == (status, fault)
    assert len(receiver.got) == 1  # no redirect is followed


@pytest.mark.parametrize(("status", "asked", "wait"), [
    (503, "30", 30), (429, " 7 ", 7), (429, "99999999", 86_400), (503, "-1", 0), (503, "²", 0),
    (503, "Wed, 21 Oct 2015 07:28:00 GMT", 0), (500, "30", 0), (200, "30", 0),
])  # fmt: skip
def test_a_receiver_may_ask_to_wait(receiver: Receiver, status: int, asked: str, wait: int) -> None:
    receiver.script = [answer(status, Retry_After=asked.encode().decode("latin-1"))]
    assert plain(receiver).wait == wait


@pytest.mark.slow
@pytest.mark.parametrize("do", [drip, silence], ids=["drip", "silence"])
def test_a_slow_receiver_has_its_time_and_no_more(receiver: Receiver, do: object) -> None:
    receiver.script = [do]  # type: ignore[list-item]
    outcome = plain(receiver, 0.3)
    # Who waited for longer would hear that the one hung up, and of the other a bad answer.
    assert (outcome.status, outcome.fault) == (None, "timeout")
    assert outcome.took >= 250


def test_a_large_answer_is_not_read(receiver: Receiver) -> None:
    def flood(handler: object) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]
        while True:
            handler.wfile.write(b"x" * 65_536)  # type: ignore[attr-defined]

    receiver.script = [flood]  # whoever read it would read for ever
    assert plain(receiver).status == 200


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 abc\r\n\r\n",
                                  b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
                                  b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000])  # fmt: skip
def test_what_is_no_http_is_a_bad_answer(receiver: Receiver, said: bytes) -> None:
    def speak(handler: object) -> None:
        handler.wfile.write(said)  # type: ignore[attr-defined]

    receiver.script = [speak]
    outcome = plain(receiver)
    assert (outcome.status, outcome.fault) == (None, "bad_answer")


def test_nobody_listens() -> None:
    outcome = send(Target("http", "bot.example", free_port(), "/"), ["127.0.0.1"], BODY, {}, 2.0)
    assert (outcome.status, outcome.fault) == (None, "unreachable")


def test_the_next_address_is_tried(receiver: Receiver) -> None:
    to = Target("http", "bot.example", receiver.port, "/")
    assert send(to, ["127.0.0.9", "127.0.0.1"], BODY, {}, 2.0).status == 204


def test_tls_is_verified_against_the_name_of_the_host(secure: Receiver) -> None:
    good = by_tls(secure, "bot.example", trusting())
    assert (good.status, good.fault) == (204, "")
    for host, context in (("else.example", trusting()), ("bot.example", None)):
        bad = by_tls(secure, host, context)
        assert (bad.status, bad.fault) == (None, "tls")
    assert len(secure.got) == 1  # nothing was said to whom was not trusted


def test_a_server_without_tls_is_not_spoken_to(receiver: Receiver) -> None:
    assert by_tls(receiver, "bot.example", trusting()).fault == "tls"
    assert receiver.got == []


def test_a_handshake_that_never_comes_has_its_time_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        to = Target("https", "bot.example", listening.getsockname()[1], "/")
        assert send(to, ["127.0.0.1"], BODY, {}, 0.2).fault == "timeout"


def test_no_proxy_of_the_environment_is_asked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert plain(receiver).status == 204
