"""schemathesis over the whole contract: no 500, no undocumented status, no breach of a schema.

What it sends comes from openapi.yaml, both fitting and not; half of the calls go to a game that
exists, in which the caller has a seat.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.app import create_app
from service.config import Config
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.memory_statistics import MemoryLedger
from service.store.memory_webhooks import memory_webhooks
from tests.api.client import House

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("fuzz")]

APP = create_app(
    Config(rates=(), open_games=10**6),  # or most of what is tried would be asked too often
    store=MemoryStore(),
    people=MemoryPeople(),
    call=lambda *_: None,
    jobs=MemoryJobs(),
    ask=lambda *_: None,
    ledger=MemoryLedger(),
    keepers=memory_webhooks(),
    tell=lambda *_: None,
    deliver=lambda _: None,
)
HOUSE = House(APP)
GAME, MOVER, _ = HOUSE.table()
HOOK = MOVER.ok("POST", "/v1/webhooks", json={"url": "https://bot.example/"})["id"]
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.yaml", APP)

CHECKS: list[Callable[..., Any]] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    ignored_auth,
]


@schemathesis.serializer("application/x-ndjson")
def lines(_: Any, value: Any) -> bytes:
    """A record, or what is none: those calls take any bytes."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@SCHEMA.auth()
class Token:
    """The caller's token, where schemathesis does not leave it out on purpose."""

    def get(self, case: Any, context: Any) -> str | None:
        """The token."""
        return MOVER.token

    def set(self, case: Any, data: str, context: Any) -> None:
        """Puts it into a request."""
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@SCHEMA.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> Any:
    """Every other id that could be a game's or a webhook's becomes that of a real one."""
    for name, real in (("id", GAME), ("hook", HOOK)):
        given = str((path_parameters or {}).get(name))
        if path_parameters and re.fullmatch("[a-z2-7]{1,32}", given) and len(given) % 2:
            path_parameters[name] = real
    return path_parameters


@SCHEMA.hook
def map_query(context: Any, query: dict[str, Any] | None) -> Any:
    """Nobody waits in a test."""
    if query and isinstance(query.get("wait"), int):
        query["wait"] = 0
    return query


@SCHEMA.parametrize()
@hypothesis.settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_contract_holds(case: Any) -> None:
    case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})
