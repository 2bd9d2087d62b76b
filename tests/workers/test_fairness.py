"""A queue of twenty thousand turns is served in its order, and people's tables go first.

How long each waits with real games is measured by `./run turns`.
"""

from collections import Counter

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from service import ids
from service.queue import (
    ALONE,
    AUDITS,
    HINTS,
    PEOPLE_WAIT,
    PLAY_TURN,
    STATISTICS,
    TURNS,
    Caller,
)
from service.store.redis_turns import RedisTurns
from workers import jobs
from workers.__main__ import SHARE, make_worker

MANY = 20_000


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The turns that were taken, in their order; nothing is done for them."""
    taken: list[tuple[str, int]] = []
    monkeypatch.setattr(jobs, "play_turn", lambda game, version: taken.append((game, version)))
    return taken


def queue(client: "Redis", name: str) -> Queue:
    return Queue(name, connection=client, serializer=JSONSerializer)


def fill(queue: Queue, game: str, count: int) -> None:
    """Puts so many turns into a queue, a thousand at a time."""
    for first in range(0, count, 1000):
        queue.enqueue_many(
            [
                Queue.prepare_data(PLAY_TURN, (game, number), result_ttl=0, timeout=30)
                for number in range(first, min(first + 1000, count))
            ]
        )


def work(url: str, jobs: int) -> None:
    make_worker(url).work(burst=True, max_jobs=jobs, logging_level="CRITICAL")


@pytest.mark.slow
def test_whoever_has_people_waiting_goes_first_and_the_others_keep_a_share(
    redis_url: str, served: list[tuple[str, int]]
) -> None:
    with Redis.from_url(redis_url) as client:
        fill(queue(client, ALONE), "alone", MANY)
        Caller(redis_url)("person", 7, 0, True)  # comes last
        work(redis_url, 1)
        assert served == [("person", 7)]
        served.clear()

        # However much people play, one job of five is another's, in the order in which they came.
        fill(queue(client, TURNS), "people", 100)
        work(redis_url, 1 + 10 * SHARE)
        assert Counter(game for game, _ in served) == {"people": 41, "alone": 10}
        assert [number for game, number in served if game == "alone"] == list(range(10))
        assert [number for game, number in served if game == "people"] == list(range(41))
        served.clear()

        client.delete(queue(client, TURNS).key)
        work(redis_url, 200)
        assert served == [("alone", number) for number in range(10, 210)]
        assert queue(client, ALONE).count == MANY - 210


@pytest.mark.slow
def test_a_turn_that_was_tried_already_goes_first(
    redis_url: str, served: list[tuple[str, int]]
) -> None:
    with Redis.from_url(redis_url) as client:
        fill(queue(client, ALONE), "alone", 10)
        Caller(redis_url)("tried", 3, -1, False)
        work(redis_url, 2)
        assert served == [("tried", 3), ("alone", 0)]


def test_what_people_asked_for_comes_before_games_without_them(redis_url: str) -> None:
    worker = make_worker(redis_url)
    orders = set()
    for _ in range(2 * SHARE):
        worker.reorder_queues(worker.queues[0])
        orders.add(tuple(one.name for one in worker._ordered_queues))
    plain = (TURNS, HINTS, STATISTICS, AUDITS, ALONE)
    assert orders == {plain, (ALONE, *plain[:-1])}


def test_how_far_a_queue_is_behind(redis_url: str) -> None:
    call = Caller(redis_url)
    assert call.behind() == {True: 0.0, False: 0.0}
    call("g", 1, 0, False)
    call("g", 2, 0, False)
    behind = call.behind()
    assert behind[True] == 0.0
    assert 0.0 <= behind[False] < 60
    with Redis.from_url(redis_url) as client:
        jobs = queue(client, ALONE)
        first = jobs.fetch_job("g-1-0")
        assert first
        client.hset(first.key, "enqueued_at", "2020-01-01T00:00:00.000000Z")
        assert call.behind()[False] > 86_400
        client.delete(first.key)  # a worker takes it this very moment
    assert 0.0 <= call.behind()[False] < 60


def test_who_plays_for_computers_only_hears_that_people_wait(redis_url: str) -> None:
    turns, call = RedisTurns(redis_url, crowd=PEOPLE_WAIT), Caller(redis_url)

    def crowded() -> bool:
        turn = turns.begin(ids.fresh(), 1, 1.0)
        assert turn
        return turn.crowded

    call("alone", 1, 0, False)
    assert not crowded()
    call("person", 1, 0, True)
    assert crowded()
    with Redis.from_url(redis_url) as client:
        assert queue(client, TURNS).dequeue_any(
            [queue(client, TURNS)], None, connection=client, serializer=JSONSerializer
        )
    assert not crowded()
    assert not RedisTurns(redis_url).begin("other", 1, 1.0).crowded  # type: ignore[union-attr]
