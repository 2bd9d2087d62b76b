"""Fixtures for everyone: a real server, a clean database on it, and the whole stack.

Nothing needs to be installed or running: the server is the embedded one, in a temporary folder,
one for each pytest-xdist worker.
"""

import gc
import os
from collections import Counter
from collections.abc import Iterator

import pytest
import redis
from hypothesis import settings

from service.config import Config
from service.embedded import EmbeddedServer
from service.stack import Stack

# What thousands of tests are made of stays: to look through it often took a tenth of the run.
gc.set_threshold(100_000, 20, 20)

LONG = (
    "tests/cluster/",
    "tests/test_bench.py",
    "tests/test_demo.py",
    "tests/test_play_through.py",
    "tests/test_serve.py",
    "tests/workers/test_strategies.py",
    "tests/workers/arena/",
)
"""Where tests take minutes together."""

settings.register_profile("fast", max_examples=20)


def pytest_configure(config: pytest.Config) -> None:
    """The fast run tries fewer of all the values that there may be."""
    if config.getoption("markexpr") == "not slow":
        settings.load_profile("fast")
        os.environ["TAPETE_QUICK"] = "1"


@pytest.hookimpl(tryfirst=True)  # before "-m" looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test's cases that are sampled, one in so many stays fast, the others are more; what is
    more is slow.

    Files that take long begin first, or one of them would go on when all others have ended.
    """
    cases = Counter[str]()
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled and not item.get_closest_marker("slow"):
            test = item.nodeid.partition("[")[0]
            if cases[test] % sampled.args[0]:
                item.add_marker(pytest.mark.more)
            cases[test] += 1
        if item.get_closest_marker("more"):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A running server; use `redis_url` unless the test is about the server itself."""
    with EmbeddedServer(tmp_path_factory.mktemp("redis"), fsync="everysec") as server:
        yield server


@pytest.fixture
def redis_url(redis_server: EmbeddedServer) -> str:
    """The URL of a server with nothing in it."""
    with redis.Redis.from_url(redis_server.url) as client:
        client.flushall()
        client.script_flush()
    return redis_server.url


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """API, workers and sweep on a free port with a server of their own, computer players quick.

    Shared by the whole session: a test that kills something starts a Stack of its own.
    """
    config = Config(port=0, data=tmp_path_factory.mktemp("stack"), ai_pace=0.0, sweep_seconds=0.5)
    with Stack(config, quiet=True) as running:
        yield running
