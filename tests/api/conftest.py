"""The API over a store in memory, or over a real server where a module asks for both."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from service.api import problems
from service.app import create_app
from service.config import Config
from service.languages.catalogue import Sentence, told
from service.rates import USUAL
from service.rules import GAMES
from service.store.jobs import HINTS
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.memory_statistics import MemoryLedger
from service.store.memory_webhooks import memory_webhooks
from service.store.tallies import MemoryTallies
from service.store.turns import MemoryTurns
from service.store.webhooks import Keepers
from tests.api.client import House
from tests.languages.template import TEMPLATE

BOTH = pytest.mark.parametrize("backing", ["memory", pytest.param("redis", marks=pytest.mark.slow)])
"""For modules whose tests matter most: run them on both stores."""

BOTH_AT_ONCE = pytest.mark.parametrize("backing", ["memory", "redis"])
"""The same where the fast run does so, too."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without slow tests not even finds schemathesis: its cases are a quarter of collecting."""
    quick = config.getoption("markexpr") == "not slow"
    return True if quick and collection_path.name == "test_fuzz.py" else None


PLANTED = {"No discards any more."}
"""What tests say in the name of a rule."""


@cache
def sentences() -> frozenset[str]:
    """Everything that may be said of a request."""
    with TEMPLATE.open("rb") as file:
        kept = {str(message.id) for message in read_po(file)}
    # A game that has just joined has no translations.
    for rules in GAMES.values():
        reasons = import_module(f"{rules.__name__}.reasons").REASONS
        kept |= {sentence for _, sentence in reasons.values()}
    return frozenset(kept | PLANTED)


@pytest.fixture(autouse=True)
def _nothing_is_said_that_cannot_be_translated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    said: set[str] = set()

    def listen(asked: Iterable[str], language: str) -> tuple[str, list[str]]:
        asked = list(asked)
        said.update(each.text if isinstance(each, Sentence) else str(each) for each in asked)
        return told(asked, language)

    monkeypatch.setattr(problems, "told", listen)
    yield
    assert said <= sentences()


NOBODY_IS_LIMITED = tuple(replace(rate, quota=10**9) for rate in USUAL)
"""Tests ask more in a second than people in an hour; still each answer says where they stand."""


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
def advised() -> list[str]:
    """The hints asked of workers."""
    return []


@pytest.fixture
def tellings() -> list[tuple[str, int]]:
    """The games of which somebody was called to tell."""
    return []


@pytest.fixture
def sent() -> list[str]:
    """The webhooks for which somebody was called to send."""
    return []


@pytest.fixture
def keepers() -> Keepers:
    """What is kept of webhooks where the store is in memory."""
    return memory_webhooks()


@pytest.fixture
def config() -> Config:
    """The settings of the API, but for its server."""
    return Config(rates=NOBODY_IS_LIMITED)


@pytest.fixture
def house(
    backing: str,
    config: Config,
    calls: list[tuple[str, int, int]],
    asked: list[str],
    advised: list[str],
    tellings: list[tuple[str, int]],
    sent: list[str],
    keepers: Keepers,
    request: pytest.FixtureRequest,
) -> House:
    """An API with nobody in it; computer players and workers are asked, but none ever moves."""

    def call(game: str, version: int, again: int, people: bool) -> None:
        calls.append((game, version, again))

    def ask(job: str, attempts: int, again: int = 0) -> None:
        asked.append(job)

    def advise(job: str, attempts: int, again: int = 0) -> None:
        advised.append(job)

    def tell(game: str, version: int, again: int) -> None:
        tellings.append((game, version))

    calling: dict[str, Any] = {
        "call": call,
        "ask": ask,
        "advise": advise,
        "tell": tell,
        "deliver": sent.append,
    }
    if backing == "memory":
        app = create_app(
            config,
            store=MemoryStore(),
            people=MemoryPeople(),
            jobs=MemoryJobs(),
            turns=MemoryTurns(),
            hints=MemoryJobs(limits=HINTS),
            ledger=MemoryLedger(),
            keepers=keepers,
            tallies=MemoryTallies(),
            **calling,
        )
    else:
        url = request.getfixturevalue("redis_url")
        app = create_app(replace(config, redis_url=url), **calling)
    return House(app)
