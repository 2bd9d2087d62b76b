"""What a score is worth: the odds of the game."""

import pytest

from service.rules.botifarra.variants import BOTIFARRA
from workers.strategies.botifarra.stakes import odds, worths


@pytest.mark.parametrize("target", BOTIFARRA.targets)
def test_odds_of_both_sides_make_one_and_points_never_hurt(target: int) -> None:
    for mine in range(0, target, 7):
        for theirs in range(0, target, 5):
            assert odds(target, mine, theirs) + odds(target, theirs, mine) == pytest.approx(1)
            assert odds(target, mine + 1, theirs) >= odds(target, mine, theirs)
            assert odds(target, mine, theirs + 1) <= odds(target, mine, theirs)
    assert odds(target, target, target - 1) == 1
    assert odds(target, target - 1, target + 40) == 0


def test_a_deal_counts_what_is_above_half_and_more_where_it_decides() -> None:
    far, near = worths(101, 0, 0, 2), worths(101, 99, 90, 2)
    assert far[36] == pytest.approx(0.5)
    assert far == sorted(far)
    assert near[37] == 1
    assert near[28] == odds(101, 99, 106)
    assert len(near) == 73
    # The smallest win is all that is missing: more points bring nothing more.
    assert near[37] == near[72]
    assert far[72] > far[37]


def test_higher_stakes_spread_what_can_happen() -> None:
    once, thrice = worths(101, 40, 50, 1), worths(101, 40, 50, 8)
    assert thrice[72] > once[72]
    assert thrice[0] < once[0]
    assert thrice[36] == once[36]
