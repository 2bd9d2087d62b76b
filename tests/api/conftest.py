"""The API over a store in memory, or over a real server where a module asks for both."""

import pytest

from service.app import create_app
from service.config import Config
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from tests.api.client import House

BOTH = pytest.mark.parametrize("backing", ["memory", "redis"])
"""For modules whose tests matter most: run them on both stores."""


@pytest.fixture
def backing() -> str:
    """Which store the API has."""
    return "memory"


@pytest.fixture
def calls() -> list[tuple[str, int, int]]:
    """The turns asked of computer players."""
    return []


@pytest.fixture
def asked() -> list[str]:
    """The audits and imports asked of workers."""
    return []


@pytest.fixture
def house(
    backing: str,
    calls: list[tuple[str, int, int]],
    asked: list[str],
    request: pytest.FixtureRequest,
) -> House:
    """An API with nobody in it; computer players and workers are asked, but none ever moves."""

    def call(game: str, version: int, again: int) -> None:
        calls.append((game, version, again))

    def ask(job: str, attempts: int, again: int = 0) -> None:
        asked.append(job)

    if backing == "memory":
        app = create_app(
            Config(),
            store=MemoryStore(),
            people=MemoryPeople(),
            call=call,
            jobs=MemoryJobs(),
            ask=ask,
        )
    else:
        app = create_app(Config(redis_url=request.getfixturevalue("redis_url")), call=call, ask=ask)
    return House(app)
