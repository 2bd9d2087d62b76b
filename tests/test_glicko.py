"""Glicko-2 against the worked example of Glickman's paper, and at its edges."""

import math
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.glicko import UNSURE, Outcome, Standing, aged, lasts, rated, side

EXAMPLE = Standing(1500, 200, 0.06)
FIELD = (
    Outcome(Standing(1400, 30), 1),
    Outcome(Standing(1550, 100), 0),
    Outcome(Standing(1700, 300), 0),
)


def test_the_worked_example_of_the_paper() -> None:
    after = rated(EXAMPLE, FIELD)
    assert after.rating == pytest.approx(1464.06, abs=0.011)  # the paper rounds on the way
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_order_of_a_period_says_nothing() -> None:
    found = [rated(EXAMPLE, order) for order in permutations(FIELD)]
    assert all(one.rating == pytest.approx(found[0].rating, abs=1e-9) for one in found)


def test_without_a_game_one_is_only_less_sure() -> None:
    after = rated(EXAMPLE, ())
    assert (after.rating, after.volatility) == (1500, 0.06)
    assert after.deviation == pytest.approx(math.sqrt(200**2 + (0.06 * 173.7178) ** 2))
    twice = aged(aged(EXAMPLE, 1), 4)
    assert twice.deviation == pytest.approx(aged(EXAMPLE, 5).deviation)
    assert aged(EXAMPLE, 10**9).deviation == UNSURE
    assert aged(EXAMPLE, 0) == EXAMPLE


def test_how_long_one_stays_sure() -> None:
    sure = Standing(1500, 60)
    days = lasts(sure, 110)
    assert days is not None
    assert aged(sure, days).deviation <= 110 < aged(sure, days + 1).deviation
    assert lasts(Standing(1500, 110), 110) == 0
    assert lasts(Standing(1500, 111), 110) is None


def test_one_against_one_meets_the_other() -> None:
    own, other = Standing(1620, 90), Standing(1480, 70)
    assert side((), (other,), own) == Standing(1480, 70)


def test_a_side_is_as_good_as_its_members_on_average() -> None:
    own, partner = Standing(1700, 50), Standing(1500, 80)
    met = side((partner,), (Standing(1650, 60), Standing(1550, 60)), own)
    assert met.rating == own.rating  # both sides average 1600
    assert met.deviation == pytest.approx(math.sqrt((60**2 + 60**2 + 80**2) / 4))


def test_a_win_lifts_the_more_the_better_the_other_was() -> None:
    own = Standing(1500, 100)
    lifts = [rated(own, (Outcome(Standing(r, 50), 1),)).rating for r in range(1000, 2001, 100)]
    assert all(less < more for less, more in pairwise(lifts))
    assert lifts[0] > 1500


standings = st.builds(
    Standing,
    st.floats(-20_000, 20_000),
    st.floats(1, 350),
    st.floats(0.001, 2),
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(standings, st.lists(st.builds(Outcome, standings, st.sampled_from([0, 0.5, 1])), max_size=8))
def test_whatever_comes_is_a_number(own: Standing, outcomes: list[Outcome]) -> None:
    after = rated(own, outcomes)
    assert all(map(math.isfinite, (after.rating, after.deviation, after.volatility)))
    assert 0 < after.deviation <= UNSURE
    assert after.volatility > 0
