"""Ratings: the Glicko-2 system, as Mark Glickman gives it, and nothing of where they are kept.

    standing, results of one period ──► rated ──► standing at its end
    standing, periods without a game ──► aged ──► the same rating, less sure

Everything is on the scale that people see (1500 for a beginner). Results of a period are all held
against the standings at its start, so their order says nothing.

Mark E. Glickman, "Example of the Glicko-2 system", 2022, http://www.glicko.net/glicko/glicko2.pdf;
the steps named here are the paper's.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

SCALE: Final = 173.7178
"""Points of the scale that people see for one of the paper's own scale (steps 2 and 8)."""

MEAN: Final = 1500.0
UNSURE: Final = 350.0
"""Rating and deviation of somebody of whom nothing is known; a deviation never grows beyond."""

TAU: Final = 0.5
"""How much volatilities may change; the paper asks for 0.3 to 1.2."""

NEAR: Final = 1e-6
"""How near a volatility is found (step 5)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating, how unsure it is (one standard deviation), and how erratic its owner is."""

    rating: float = MEAN
    deviation: float = UNSURE
    volatility: float = 0.06


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result: against whom, as they stood at the period's start, and 1, 1/2 or 0."""

    against: Standing
    score: float


def rated(own: Standing, outcomes: Sequence[Outcome], tau: float = TAU) -> Standing:
    """The standing at the end of a period with these results (steps 3 to 8)."""
    pull, known = 0.0, 0.0
    for outcome in outcomes:
        weight = _weight(outcome.against.deviation / SCALE)
        expected = _expected(weight * (own.rating - outcome.against.rating) / SCALE)
        pull += weight * (outcome.score - expected)
        known += weight * weight * expected * (1 - expected)
    if known < 1e-12:  # no games, or none whose outcome could surprise
        return aged(own, 1)
    phi = own.deviation / SCALE
    volatility = _volatility(own.volatility, phi, 1 / known, pull / known, tau)
    squared = 1 / (1 / (phi * phi + volatility * volatility) + known)
    rating = own.rating + SCALE * squared * pull
    return Standing(rating, min(SCALE * math.sqrt(squared), UNSURE), volatility)


def aged(own: Standing, periods: int) -> Standing:
    """The standing after so many periods without a game (step 6, repeated)."""
    grown = own.deviation**2 + periods * (SCALE * own.volatility) ** 2
    return Standing(own.rating, min(math.sqrt(grown), UNSURE), own.volatility)


def lasts(own: Standing, deviation: float) -> int | None:
    """For how many periods without a game the deviation stays at most that; None if it is more."""
    room = deviation**2 - own.deviation**2
    return None if room < 0 else int(room / (SCALE * own.volatility) ** 2)


def side(partners: Iterable[Standing], others: Sequence[Standing], own: Standing) -> Standing:
    """The other side as the one opponent whom a player of a side meets.

    A side is as good as its members on average. So that opponent stands as far from the player as
    the others stand, on average, from the player's side; and is as unsure as that difference is
    without the player's own part of it. For one against one it is the other player.
    """
    mine = (own, *partners)
    gap = _mean(others) - _mean(mine)
    unsure = sum(one.deviation**2 for one in others) / len(others) ** 2
    unsure += sum(one.deviation**2 for one in mine[1:]) / len(mine) ** 2
    return Standing(own.rating + gap, math.sqrt(unsure))


def _mean(standings: Sequence[Standing]) -> float:
    return sum(one.rating for one in standings) / len(standings)


def _weight(phi: float) -> float:
    """The paper's g."""
    return 1 / math.sqrt(1 + 3 * phi * phi / math.pi**2)


def _expected(gap: float) -> float:
    """The paper's E, for any gap: the larger of the two exponentials would overflow."""
    if gap >= 0:
        return 1 / (1 + math.exp(-gap))
    return math.exp(gap) / (1 + math.exp(gap))


def _volatility(sigma: float, phi: float, v: float, delta: float, tau: float) -> float:
    """The new volatility: where f is zero, between two bounds that close in (step 5)."""
    start = math.log(sigma * sigma)
    spread = phi * phi + v

    def f(x: float) -> float:
        square = math.exp(x)
        over = square * (delta * delta - spread - square)
        return over / (2 * (spread + square) ** 2) - (x - start) / (tau * tau)

    low = start
    if delta * delta > spread:
        high = math.log(delta * delta - spread)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = f(low), f(high)
    for _ in range(200):
        if abs(high - low) <= NEAR or at_high == at_low:
            break
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return math.exp(low / 2)
