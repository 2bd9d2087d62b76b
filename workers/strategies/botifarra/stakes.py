"""What a score is worth: the odds of winning the game from it.

Near the end of a game points are not what counts: who is three short of the target needs no
botifarra, and who is about to lose may double anything.
"""

from functools import cache
from typing import Final

GAINS: Final = ((2, 0.14), (6, 0.18), (10, 0.16), (14, 0.13), (18, 0.10), (24, 0.12), (32, 0.08),
                (44, 0.06), (64, 0.03))  # fmt: skip
"""What a deal brings one of the sides, each as likely to be that side, and how often."""


@cache
def _odds(target: int) -> list[list[float]]:
    """That the first side wins, by what each side lacks."""
    table = [[0.5] * (target + 1) for _ in range(target + 1)]
    for lacks in range(target + 1):
        table[0][lacks], table[lacks][0] = 1.0, 0.0
    for mine in range(1, target + 1):
        for theirs in range(1, target + 1):
            table[mine][theirs] = 0.5 * sum(
                often * (table[max(0, mine - gain)][theirs] + table[mine][max(0, theirs - gain)])
                for gain, often in GAINS
            )
    return table


def odds(target: int, mine: int, theirs: int) -> float:
    """That a side with `mine` points wins the game to `target` against one with `theirs`."""
    return _odds(target)[max(0, target - mine)][max(0, target - theirs)]


def worths(target: int, mine: int, theirs: int, factor: int) -> list[float]:
    """The odds of the game by the points that the side takes in this deal, 0 to 72."""
    return [
        odds(target, mine + max(0, points - 36) * factor, theirs + max(0, 36 - points) * factor)
        for points in range(73)
    ]
