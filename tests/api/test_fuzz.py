"""schemathesis over the whole contract: no 500, nothing undocumented, no breach of a schema.

The quick form of `./run fuzz`: fewer requests, without a server between. Half of the calls go to
a game that exists, in which the caller has a seat.
"""

from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck

from service.app import create_app
from service.config import Config
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.memory_statistics import MemoryLedger
from service.store.memory_webhooks import memory_webhooks
from tests.api import fuzzing
from tests.api.client import House

pytestmark = pytest.mark.slow

APP = create_app(
    Config(rates=(), open_games=10**6),  # or most of what is tried would be asked too often
    store=MemoryStore(),
    people=MemoryPeople(),
    call=lambda *_: None,
    jobs=MemoryJobs(),
    hints=MemoryJobs(),
    ask=lambda *_: None,
    advise=lambda *_: None,
    ledger=MemoryLedger(),
    keepers=memory_webhooks(),
    tell=lambda *_: None,
    deliver=lambda _: None,
)
GAME, MOVER, _ = House(APP).table()
HOOK = MOVER.ok("POST", "/v1/webhooks", json={"url": "https://bot.example/"})["id"]
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.yaml", APP)
fuzzing.prepare(SCHEMA, MOVER.token or "", {"id": [GAME], "hook": [HOOK]})


@SCHEMA.parametrize()
@hypothesis.settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_contract_holds(case: Any) -> None:
    case.call_and_validate(checks=list(fuzzing.CHECKS), headers={"Accept-Encoding": "identity"})
