"""What processes count for those who watch, the same in memory and in Redis."""

import pytest

from service.store.tallies import MemoryTallies, RedisTallies, Tallies


@pytest.fixture(params=["memory", "redis", "redis with prefix"])
def tallies(request: pytest.FixtureRequest) -> Tallies:
    if request.param == "memory":
        return MemoryTallies()
    url = request.getfixturevalue("redis_url")
    return RedisTallies(url, prefix="" if request.param == "redis" else "x:")


def test_numbers_are_counted_set_and_told(tallies: Tallies) -> None:
    assert tallies.all() == {}
    for level in ("novice", "casual", "novice"):
        tallies.add(f"fallback {level}")
    tallies.put({"sweep seconds": 0.1, "sweep ended": 1_764_452_345.25})
    tallies.put({"sweep seconds": 3})
    assert tallies.all() == {
        "fallback novice": 2.0,
        "fallback casual": 1.0,
        "sweep seconds": 3.0,
        "sweep ended": 1_764_452_345.25,
    }
