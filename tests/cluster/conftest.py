"""A cluster for the session, and the fixtures of other folders' tests laid over it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.cluster import RedisCluster

from service.config import Config
from service.store import EventStore, People
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople
from tests.api.conftest import (  # noqa: F401
    NOBODY_IS_LIMITED,
    advised,
    asked,
    calls,
    house,
    keepers,
    sent,
    tellings,
)
from tests.cluster.servers import ClusterOf

# `./run cluster` asks for all of it: the tests of store, jobs and API, each on a cluster.
collect_ignore_glob = (
    []
    if os.environ.get("TAPETE_WHOLE_CLUSTER")
    else [
        *("test_api*.py", "test_jobs.py", "test_redis.py", "test_statistics.py", "test_store.py"),
        "test_webhooks.py",
    ]
)

STORES = {"house", "jobs", "keepers", "ledger", "people", "redis_url", "store"}
"""Fixtures by which a borrowed test comes to a cluster."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Not what needs no cluster, of what is borrowed from other folders."""
    here = Path(__file__).parent
    gone = set()
    for item in items:
        if item.path.parent != here or not isinstance(item, pytest.Function):
            continue
        call = getattr(item, "callspec", None)
        borrowed = not item.obj.__module__.startswith("tests.cluster")
        unused = borrowed and not STORES.intersection(item.fixturenames)
        if unused or (call and "memory" in call.params.values()):
            gone.add(item)
    config.hook.pytest_deselected(items=list(gone))
    items[:] = [item for item in items if item not in gone]


@pytest.fixture(scope="package")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterOf]:
    """Three masters with a replica each; a test that kills one starts a cluster of its own."""
    with ClusterOf(tmp_path_factory.mktemp("cluster"), replicas=1) as running:
        yield running


@pytest.fixture
def redis_url(cluster: ClusterOf, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a cluster with nothing in it; tests that look into it see all of it."""
    cluster.clear()
    for module in ("test_people", "test_redis"):
        monkeypatch.setattr(f"tests.store.{module}.client", RedisCluster.from_url)
    return cluster.url


@pytest.fixture
def config() -> Config:
    """The settings of the API, but for its server."""
    return Config(rates=NOBODY_IS_LIMITED)


@pytest.fixture
def backing() -> str:
    """Which store the API has."""
    return "redis"


@pytest.fixture(params=["cluster", "cluster with prefix"])
def store(request: pytest.FixtureRequest, redis_url: str) -> EventStore:
    """A store on the cluster; one of them waits for a replica with each entry."""
    if request.param == "cluster":
        return RedisStore(redis_url, replicas=1)
    return RedisStore(redis_url, prefix="a*[b]:")


@pytest.fixture
def people(redis_url: str) -> People:
    """Guests on the cluster."""
    return RedisPeople(redis_url, replicas=1)
