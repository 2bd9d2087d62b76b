"""Every error is a problem with a code, whoever raises it, and no URL redirects."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from service.api import problems
from service.store import StoreUnavailable, Unreadable
from service.store.memory import MemoryStore
from service.table import Tables
from tests.api.client import House
from tests.api.contract import operations

POSTS = [path for path, method in operations() if method == "POST"]


def _filled(path: str) -> str:
    names = {"{id}": "a" * 21, "{seat}": "0", "{name}": "canasta", "{number}": "1"}
    for name, value in names.items():
        path = path.replace(name, value)
    return path


@pytest.mark.parametrize("path", ["/v1", "/v2/games", "/v1/games/UPPER", "/v1//games", "/v1/%ff"])
def test_an_unknown_url(house: House, path: str) -> None:
    house.anyone.refused(404, "not_found", "GET", path)


def test_a_method_that_is_not_for_the_url(house: House) -> None:
    answer = house.anyone("PATCH", "/v1/games")
    assert answer.status_code == 405
    assert answer.get_json()["code"] == "method_not_allowed"
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))


def test_head_is_get_without_a_body_and_options_names_the_methods(house: House) -> None:
    head = house.anyone("HEAD", "/v1/variants")
    assert head.status_code == 200
    assert head.get_data() == b""
    options = house.anyone("OPTIONS", "/v1/games")
    assert options.status_code == 204
    assert "POST" in options.headers["Allow"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("slash", ["", "/"])
def test_no_post_is_redirected(house: House, path: str, slash: str) -> None:
    answer = house.guest("Anna").post(_filled(path) + slash, {"nonsense": 1})
    assert answer.status_code in (404, 415, 422)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("path", "method"),
    [where for where, operation in operations().items() if operation.get("security") is None],
)
@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer tpt_wrong",
        "Basic dXNlcjpwYXNz",
        "Bearer " + "x" * 5000,
        "tpt_naked",
        "Bearer tpt_\u00fc",
    ],
)
def test_without_a_token(house: House, path: str, method: str, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    body: dict[str, Any] = {"json": {}} if method in ("POST", "PUT") else {}
    answer = house.anyone(method, _filled(path), headers=headers, **body)
    assert answer.status_code == 401
    assert answer.get_json()["code"] == "unauthorized"
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_scheme_is_written_in_any_case(house: House) -> None:
    anna = house.guest("Anna")
    answer = house.anyone("GET", "/v1/me", headers={"Authorization": f"bearer {anna.token}"})
    assert answer.status_code == 200


class Broken(MemoryStore):
    """A store that fails as it is told."""

    error: Exception | None = None

    def read(self, *args: Any, **more: Any) -> Any:
        if self.error:
            raise self.error
        return super().read(*args, **more)

    def ping(self) -> None:
        if self.error:
            raise self.error


@pytest.fixture
def broken(house: House) -> Broken:
    store = Broken()
    edge = house.app.extensions["tapete"]
    tables = Tables(store, lambda *_: None)
    house.app.extensions["tapete"] = replace(edge, store=store, tables=tables)
    return store


def test_a_store_that_does_not_answer(house: House, broken: Broken) -> None:
    anna = house.guest("Anna")
    game = anna.open()
    broken.error = StoreUnavailable("redis://:password@host")
    for method, path in [("GET", f"/v1/games/{game}"), ("GET", "/readyz")]:
        answer = anna(method, path)
        assert answer.status_code == 503
        assert answer.get_json()["code"] == "store_unavailable"
        assert int(answer.headers["Retry-After"]) > 0
        assert "password" not in answer.get_data(as_text=True)
    assert anna.ok("GET", "/healthz") == {"status": "ok"}
    broken.error = None
    assert anna.ok("GET", "/readyz") == {"status": "ok", "faulted": 0}


def test_a_key_after_an_unanswered_request_runs_afresh(house: House, broken: Broken) -> None:
    anna = house.guest("Anna")
    request = {"json": {"variant": "canasta", "seats": [{"kind": "human"}] * 2}}
    headers = {"Idempotency-Key": "k1"}
    broken.error = StoreUnavailable()
    anna.refused(503, "store_unavailable", "POST", "/v1/games", headers=headers, **request)
    broken.error = None
    answer = anna("POST", "/v1/games", headers=headers, **request)
    assert answer.status_code == 201
    assert "Idempotent-Replayed" not in answer.headers


def test_a_log_that_cannot_be_read(house: House, broken: Broken) -> None:
    anna = house.guest("Anna")
    game = anna.open()
    broken.error = Unreadable("Kh in a message")
    answer = anna("GET", f"/v1/games/{game}")
    assert answer.status_code == 500
    assert answer.get_json()["code"] == "game_damaged"
    assert anna.ok("GET", "/v1/games")["items"] == []


def test_a_fault_of_our_own_is_logged_by_its_place_and_never_by_its_values(
    house: House, broken: Broken, caplog: pytest.LogCaptureFixture
) -> None:
    anna = house.guest("Anna")
    game = anna.open()
    broken.error = ValueError("the Kh is not in list")
    with caplog.at_level(logging.DEBUG):
        anna.refused(500, "internal", "GET", f"/v1/games/{game}?at=1")
    assert "ValueError" in caplog.text
    assert "def read" in caplog.text or "raise self.error" in caplog.text
    for hidden in ("Kh", anna.token or "", "Bearer"):
        assert hidden not in caplog.text


def test_the_table_of_codes_has_a_sentence_for_each() -> None:
    for code, (status, detail) in problems.CODES.items():
        assert 400 <= status <= 503, code
        assert detail.endswith("."), code
