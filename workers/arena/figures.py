"""Figures of a match, with what they may be off by.

The two games of a pair share their cards, so a pair is one observation: intervals are over pairs.
The difference of scores gets Student's interval. The win rate gets Wilson's (E. B. Wilson, 1927),
which stays within 0 and 1 and says something even where every game was won, for as many trials as
the spread between pairs amounts to, as is done for surveys by clusters (E. L. Korn and B. I.
Graubard, 1998).
"""

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import Final, NamedTuple

SURE: Final = 0.95


class Interval(NamedTuple):
    """An estimate and between what the truth lies, 95 times of 100; NaN where nobody can say."""

    value: float
    low: float
    high: float


def difference(pairs: Sequence[float]) -> Interval:
    """The mean of a figure of which there is one a pair."""
    if not pairs:
        return Interval(math.nan, math.nan, math.nan)
    mean = fmean(pairs)
    if len(pairs) == 1:
        return Interval(mean, math.nan, math.nan)
    wide = student(len(pairs) - 1) * math.sqrt(variance(pairs) / len(pairs))
    return Interval(mean, mean - wide, mean + wide)


def rate(pairs: Sequence[float]) -> Interval:
    """The win rate where each pair won that part of its games."""
    if not pairs:
        return Interval(math.nan, math.nan, math.nan)
    mean = fmean(pairs)
    if len(pairs) == 1:
        return Interval(mean, math.nan, math.nan)
    spread = variance(pairs)
    # Pairs that are all alike say nothing of the spread: each then counts as one trial.
    trials = len(pairs) * mean * (1 - mean) / spread if spread > 0 else len(pairs)
    return wilson(mean, trials, student(len(pairs) - 1))


def wilson(rate: float, trials: float, t: float) -> Interval:
    """Wilson's interval for a rate in so many trials; `t` standard errors to each side."""
    part = t * t / trials
    middle = (rate + part / 2) / (1 + part)
    wide = t / (1 + part) * math.sqrt(rate * (1 - rate) / trials + part / (4 * trials))
    # At 0 and at 1 rounding must not leave the rate outside.
    return Interval(rate, min(rate, max(0.0, middle - wide)), max(rate, min(1.0, middle + wide)))


def student(degrees: int, sure: float = SURE) -> float:
    """The t that Student's law with so many degrees of freedom stays within, so surely.

    The law's closed form for whole degrees: Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    low, high = 0.0, 1000.0
    for _ in range(60):
        t = (low + high) / 2
        low, high = (t, high) if _within(t, degrees) < sure else (low, t)
    return (low + high) / 2


def _within(t: float, degrees: int) -> float:
    angle = math.atan(t / math.sqrt(degrees))
    cosine, odd = math.cos(angle), degrees % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(1 + odd, degrees + odd, 2):
        total += term
        term *= cosine * cosine * power / (power + 1)
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total


def quantile(values: Sequence[float], part: float) -> float:
    """The smallest value that this part of the sorted ones does not exceed; NaN of none."""
    if not values:
        return math.nan
    return values[max(0, math.ceil(part * len(values)) - 1)]
