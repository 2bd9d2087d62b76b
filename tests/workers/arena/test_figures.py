"""The arena's figures, against numbers that are printed elsewhere and against chance itself."""

import math
from random import Random
from statistics import NormalDist

import pytest

from workers.arena.figures import Interval, difference, quantile, rate, student, wilson


@pytest.mark.parametrize(
    ("degrees", "t"),
    # Any table of Student's law, the column 0.975.
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (30, 2.042)],
)
def test_student_is_as_in_the_tables(degrees: int, t: float) -> None:
    assert student(degrees) == pytest.approx(t, abs=5e-4)


def test_student_of_many_degrees_is_the_normal_law() -> None:
    assert student(50_000) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-4)
    assert student(10, 0.99) == pytest.approx(3.169, abs=5e-4)


def test_the_interval_of_a_difference() -> None:
    # Mean 3, standard error sqrt(2.5 / 5), t of four degrees 2.776.
    assert difference([1, 2, 3, 4, 5]) == pytest.approx((3, 3 - 1.9632, 3 + 1.9632), abs=1e-3)
    assert difference([7, 7]) == (7, 7, 7)


def test_nobody_can_say_what_one_pair_may_be_off_by() -> None:
    assert difference([4.0])[0] == rate([4.0])[0] == 4
    assert all(math.isnan(one) for one in (*difference([4.0])[1:], *rate([0.5])[1:]))
    assert all(math.isnan(one) for one in (*difference([]), *rate([])))


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_is_as_published(won: int, of: int, low: float, high: float) -> None:
    found = wilson(won / of, of, NormalDist().inv_cdf(0.975))
    assert found == pytest.approx((won / of, low, high), abs=1e-4)


def test_pairs_that_are_won_or_lost_whole_are_one_trial_each() -> None:
    pairs = [1.0] * 60 + [0.0] * 40
    spread = 0.24 * 100 / 99  # of the sample, so the trials are 99
    assert rate(pairs) == pytest.approx(wilson(0.6, 0.24 * 100 / spread, student(99)))


def test_games_that_do_not_depend_on_their_pair_are_a_trial_each() -> None:
    rng = Random(1)
    pairs = [(rng.randrange(2) + rng.randrange(2)) / 2 for _ in range(4000)]
    found, as_games = rate(pairs), wilson(rate(pairs).value, 8000, 1.96)
    assert found.high - found.low == pytest.approx(as_games.high - as_games.low, rel=0.05)


def test_where_the_cards_decide_the_pairs_say_more_than_so_many_games() -> None:
    rng = Random(2)  # nine times of ten each wins the game in which it has the better cards
    pairs = [0.5 if rng.random() < 0.9 else float(rng.randrange(2)) for _ in range(1000)]
    found, as_games = rate(pairs), wilson(rate(pairs).value, 2000, 1.96)
    assert found.high - found.low < (as_games.high - as_games.low) / 2


def test_a_clean_sweep_does_not_make_sure() -> None:
    found = rate([1.0] * 50)
    assert found.high == pytest.approx(1)
    assert 0.90 < found.low < 0.95


@pytest.mark.slow
@pytest.mark.parametrize("odds", [0.5, 0.8, 0.95])
def test_of_a_hundred_intervals_about_95_hold_the_truth(odds: float) -> None:
    rng = Random(f"coverage {odds}")

    def pair() -> float:
        one = rng.random() < odds
        return (one + (one if rng.random() < 0.5 else rng.random() < odds)) / 2

    held = 0
    for _ in range(1000):
        found = rate([pair() for _ in range(60)])
        held += found.low <= odds <= found.high
    assert 925 <= held <= 985


def test_quantiles_are_values_that_were_there() -> None:
    values = list(range(1, 101))
    assert [quantile(values, part) for part in (0.5, 0.95, 0.99, 1)] == [50, 95, 99, 100]
    assert quantile([3.0], 0.01) == 3
    assert math.isnan(quantile([], 0.5))


def test_an_interval_has_its_estimate_inside() -> None:
    rng = Random(3)
    for _ in range(200):
        pairs = [rng.choice((0, 0.25, 0.5, 0.75, 1)) for _ in range(rng.randrange(2, 30))]
        found = rate(pairs)
        assert isinstance(found, Interval)
        assert 0 <= found.low <= found.value <= found.high <= 1
