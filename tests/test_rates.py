"""Buckets: so many at once, so many in the long run, and no more memory than is meant."""

import pytest

from service.rates import USUAL, Buckets, Rate, parse, written


class Clock:
    """Seconds that go on when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_bucket_holds_its_quota_and_fills_up_again(clock: Clock) -> None:
    buckets = Buckets(Rate("moves", 4, 2), clock)
    assert [buckets.take("anna").left for _ in range(4)] == [3, 2, 1, 0]
    refused = buckets.take("anna")
    assert (refused.left, refused.full, refused.wait) == (0, 2.0, 0.5)
    assert buckets.take("bert") == (3, 0.5, 0.0)
    clock.now += 0.5
    assert buckets.take("anna") == (0, 2.0, 0.0)
    assert buckets.take("anna").wait == 0.5
    clock.now += 2
    assert buckets.take("anna").left == 3


@pytest.mark.parametrize(("quota", "window"), [(7, 3), (1, 1), (1000, 10), (3, 86_400), (999, 7)])
def test_rounding_takes_nobody_a_request(clock: Clock, quota: int, window: int) -> None:
    buckets = Buckets(Rate("moves", quota, window), clock)
    for _ in range(2):
        assert [buckets.take("anna").left for _ in range(quota)] == [*range(quota)][::-1]
        assert buckets.take("anna").wait
        clock.now += window


def test_who_waits_as_long_as_told_gets_through(clock: Clock) -> None:
    buckets = Buckets(Rate("moves", 30, 7), clock)
    got = 0
    for _ in range(200):
        taken = buckets.take("anna")
        got += not taken.wait
        clock.now += taken.wait
    assert got >= 100  # every second one at least


def test_a_refusal_costs_nothing(clock: Clock) -> None:
    buckets = Buckets(Rate("moves", 1, 1), clock)
    buckets.take("anna")
    waits = {buckets.take("anna").wait for _ in range(100)}
    assert waits == {1.0}


def test_memory_is_bounded_and_the_emptiest_buckets_are_kept(clock: Clock) -> None:
    buckets = Buckets(Rate("guests", 10, 10), clock, most=100)
    for _ in range(10):
        buckets.take("hammer")
    for number in range(10_000):
        buckets.take(f"passer-by {number}")
        assert len(buckets) <= 100
    assert buckets.take("hammer").wait


def test_full_buckets_are_forgotten_first(clock: Clock) -> None:
    buckets = Buckets(Rate("guests", 10, 10), clock, most=100)
    for number in range(100):
        buckets.take(str(number))
    clock.now += 5
    buckets.take("late")
    assert len(buckets) == 1


def test_rates_are_read_and_written() -> None:
    assert parse("") == USUAL
    assert parse("off") == ()
    assert parse(written(())) == ()
    some = parse("reads=5/60 moves=off")
    assert {rate.name: str(rate) for rate in some}["reads"] == "reads=5/60"
    assert {rate.name for rate in some} == {rate.name for rate in USUAL} - {"moves"}
    assert parse(written(some)) == some
    assert parse("moves=1/1 moves=2/2")[0] == Rate("moves", 2, 2)
