"""What a score is worth: the odds of winning the game from it.

Near the end of a game points are not what counts: who is three short of the target needs no
botifarra, and who is about to lose may double anything.
"""

from functools import cache
from typing import Final

GAINS: Final = [4, 10, 18, 32, 60]
"""What a deal brings one of the sides, each as likely to be that side."""

OFTEN: Final = [0.25, 0.25, 0.22, 0.18, 0.10]
"""How often."""


@cache
def table(target: int) -> list[list[float]]:
    """That a side wins, by what it lacks and what the others lack."""
    size = target + 1
    odds = [[0.5] * size for _ in range(size)]
    for mine in range(size):
        odds[mine][0] = 0.0
        odds[0][mine] = 1.0
    for mine in range(1, size):
        row = odds[mine]
        for theirs in range(1, mine + 1):
            sum: float = 0.0
            for gain, often in zip(GAINS, OFTEN, strict=True):
                sum += often * (
                    odds[mine - gain if gain < mine else 0][theirs]
                    + row[theirs - gain if gain < theirs else 0]
                )
            row[theirs] = sum / 2
            odds[theirs][mine] = 1.0 - sum / 2
    return odds


def odds(target: int, mine: int, theirs: int) -> float:
    """That a side with `mine` points wins the game to `target` against one with `theirs`."""
    return table(target)[max(0, target - mine)][max(0, target - theirs)]


def worths(target: int, mine: int, theirs: int, factor: int) -> list[float]:
    """The odds of the game by the points that the side takes in this deal, 0 to 72."""
    return [
        odds(target, mine + max(0, points - 36) * factor, theirs + max(0, 36 - points) * factor)
        for points in range(73)
    ]


table(101)  # The usual target, before anybody waits for a choice.
