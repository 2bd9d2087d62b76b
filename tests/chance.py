"""What true chance does: the laws that counts of fair shuffles follow, in plain Python.

    survival    how rare so large a chi-square is
    poisson     how many of a pack's cards lie where they lay
    inversions  how many pairs of its cards lie the wrong way round

A law is a list: the probability of 0, of 1, of 2 … Source: Abramowitz and Stegun, Handbook of
Mathematical Functions, 6.5.29, 6.5.31 and 26.4; Knuth, The Art of Computer Programming 3, 5.1.1.
"""

import math
from itertools import accumulate


def survival(chi: float, freedom: int) -> float:
    """The probability that a chi-square of so many degrees of freedom is larger than `chi`.

    It is the upper incomplete gamma function, regularised: one minus a series of positive terms
    below the mean, a continued fraction above it, where each converges quickly and loses nothing.
    """
    a, x = freedom / 2, chi / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    """1/a + x/a(a+1) + x²/a(a+1)(a+2) + …"""
    term = whole = 1 / a
    while term > whole * 1e-17:
        a += 1
        term *= x / a
        whole += term
    return whole


def _fraction(a: float, x: float) -> float:
    """1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- …))), by Lentz's method."""
    tiny = 1e-300
    b = x + 1 - a
    c = 1 / tiny
    d = whole = 1 / (b or tiny)
    step = 0
    while True:
        step += 1
        over = step * (a - step)
        b += 2
        d = 1 / (over * d + b or tiny)
        c = b + over / c or tiny
        whole *= c * d
        if abs(c * d - 1) < 1e-15:
            return whole


def poisson(mean: float, most: int) -> list[float]:
    """The probabilities of 0 to `most`.

    A pack's fixed points have mean 1; with 48 cards or more their law is this one to forty places.
    """
    return [math.exp(-mean) * mean**n / math.factorial(n) for n in range(most + 1)]


def inversions(cards: int) -> list[float]:
    """The probabilities of 0 to n(n-1)/2 inversions of a shuffled pack of n cards.

    The k-th card, put among those before it, makes 0 to k - 1 of them, each as likely.
    """
    law = [1.0]
    for ways in range(2, cards + 1):
        sums = list(accumulate(law + [0.0] * (ways - 1)))
        law = [
            (whole - (sums[n - ways] if n >= ways else 0.0)) / ways for n, whole in enumerate(sums)
        ]
    return law
