"""A turn is held by one worker at a time, its attempts are counted, and who is late is named."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.store.redis_turns import RedisTurns
from service.store.turns import MemoryTurns, Turns

LEASE = 0.15


@pytest.fixture(params=["memory", "redis"])
def turns(request: pytest.FixtureRequest) -> Turns:
    if request.param == "memory":
        return MemoryTurns()
    return RedisTurns(request.getfixturevalue("redis_url"))


def late() -> None:
    time.sleep(LEASE + 0.02)


def test_one_worker_has_a_turn_and_gives_it_back(turns: Turns) -> None:
    first = turns.begin("g", 7, 60)
    assert first
    assert (first.version, first.attempts, first.why, first.held) == (7, 1, "", True)
    assert turns.begin("g", 7, 60) is None
    turns.end("g", first, "crashed")
    known = turns.find("g")
    assert known
    assert (known.attempts, known.why, known.held) == (1, "crashed", False)
    second = turns.begin("g", 7, 60)
    assert second
    assert (second.attempts, second.why) == (2, "crashed")
    assert turns.overdue() == []


def test_a_worker_that_is_late_has_lost_it_and_is_named_once(turns: Turns) -> None:
    first = turns.begin("g", 7, 60)
    other = turns.begin("h", 1, 60)
    assert first
    assert other
    assert turns.overdue() == []
    turns.hold("g", first, LEASE)  # only now, so that it was not late before on a busy machine
    late()
    assert turns.overdue() == ["g"]
    assert turns.overdue() == []
    known = turns.find("g")
    assert known
    assert not known.held
    second = turns.begin("g", 7, LEASE)
    assert second
    assert (second.attempts, second.why) == (2, "lost")
    late()
    assert turns.overdue() == ["g"]


def test_of_an_older_attempt_nothing_is_heard(turns: Turns) -> None:
    first = turns.begin("g", 7, LEASE)
    assert first
    late()
    second = turns.begin("g", 7, 60)
    assert second
    turns.end("g", first, "crashed")
    turns.hold("g", first, 0.001)
    known = turns.find("g")
    assert known
    assert (known.attempts, known.why, known.held, known.until) == (2, "lost", True, second.until)


def test_a_turn_may_be_held_for_longer(turns: Turns) -> None:
    turn = turns.begin("g", 7, LEASE)
    assert turn
    turns.hold("g", turn, 60)
    late()
    assert turns.overdue() == []
    assert turns.begin("g", 7, LEASE) is None


def test_what_was_nobody_s_fault_is_not_counted(turns: Turns) -> None:
    turn = turns.begin("g", 7, 60)
    assert turn
    turns.end("g", turn, counted=False)
    again = turns.begin("g", 7, 60)
    assert again
    assert (again.attempts, again.why) == (1, "")


def test_the_next_turn_counts_anew_and_an_old_one_is_over(turns: Turns) -> None:
    first = turns.begin("g", 7, 60)
    assert first
    turns.end("g", first, "hung")
    second = turns.begin("g", 9, 60)
    assert second
    assert (second.attempts, second.why) == (1, "")
    assert turns.begin("g", 7, 60) is None
    turns.end("g", first, "hung")
    known = turns.find("g")
    assert known
    assert (known.version, known.held) == (9, True)


def test_of_many_who_begin_at_once_one_does(turns: Turns) -> None:
    with ThreadPoolExecutor(8) as pool:
        begun = list(pool.map(lambda _: turns.begin("g", 7, 60), range(8)))
    assert sum(one is not None for one in begun) == 1


def test_nothing_is_known_of_games_that_nobody_thought_about(turns: Turns) -> None:
    assert turns.find("g") is None
    assert turns.overdue() == []
