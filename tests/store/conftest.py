"""The stores, each with its promises the same: a test that asks for `store` runs on all."""

import pytest

from service.store import EventStore, People
from service.store.memory import MemoryPeople, MemoryStore
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople


@pytest.fixture(
    params=["memory", "redis", pytest.param("redis with prefix", marks=pytest.mark.slow)]
)
def store(request: pytest.FixtureRequest) -> EventStore:
    if request.param == "memory":
        return MemoryStore()
    url = request.getfixturevalue("redis_url")
    return RedisStore(url, prefix="a*[b]:" if request.param != "redis" else "")


@pytest.fixture(params=["memory", "redis"])
def people(request: pytest.FixtureRequest) -> People:
    if request.param == "memory":
        return MemoryPeople()
    return RedisPeople(request.getfixturevalue("redis_url"))
