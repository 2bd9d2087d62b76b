"""The forecast of the canasta family: how deals ended that looked so.

The evaluator plays against itself, every few turns it is noted how far one side is ahead in each
sign, and in the end by how much. The weights are those of the least squares over all of it, each
pulled a little to the plain one, since a stage may have few deals (ridge regression, Hoerl and
Kennard 1970; the penalty of a weight is `(LUCK / PULL) ** 2`). The same arguments give the same
weights.
"""

from collections.abc import Iterator, Sequence
from statistics import pstdev
from typing import Final, NamedTuple

from service.rules.canasta.variants import VARIANTS
from workers.strategies.canasta.compact.forecast import PLAIN, SIGNS, STAGES, noted, stage
from workers.strategies.canasta.compact.habits import habits_of
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.shape import Shape, shape_of
from workers.strategies.canasta.compact.turns import play
from workers.tuning.canasta import dealt

EVERY: Final = 3
"""Turns between two looks at a deal."""

LUCK: Final = 4000.0
"""Twice the standard deviation of how a deal ends, in points, since looks at a deal are alike.

Set by hand, as is `PULL`: neither was fitted, nor tried against others.
"""

PULL: Final = (0.2, 0.3, 0.3, 200.0, 50.0, 50.0, 30.0, 100.0, 300.0, 150.0)
"""How far each weight may well be from the plain one, sign by sign; set by hand."""


class Look(NamedTuple):
    """One side beside the other: how far it was ahead in each sign, and in the end in points."""

    stage: int
    ahead: list[float]
    end: float


def looks(shape: Shape, deals: int, seed: str) -> Iterator[Look]:
    """What is seen of so many deals of two sides."""
    scales = [Scales(shape, habits_of(shape))] * shape.players
    for number in range(deals):
        board = dealt(shape, seed, number)
        seen: list[tuple[int, list[float]]] = []
        while not board.over:
            play(board, scales, EVERY)
            if not board.over:
                one, two = noted(board, scales)
                ahead = [mine - theirs for mine, theirs in zip(one, two, strict=True)]
                seen.append((stage(board), ahead))
        one_score, two_score = board.scores()
        for at, ahead in seen:
            yield Look(at, ahead, float(one_score - two_score))


def fitted(found: Sequence[Look]) -> list[list[float]]:
    """The weights by stage and sign."""
    return [
        _least_squares([look for look in found if look.stage == at])
        for at in range(len(STAGES) + 1)
    ]


def _least_squares(found: Sequence[Look]) -> list[float]:
    size = range(SIGNS)
    rest = [look.end - told(PLAIN, look) for look in found]
    matrix = [[sum(look.ahead[i] * look.ahead[j] for look in found) for j in size] for i in size]
    right = [sum(look.ahead[i] * end for look, end in zip(found, rest, strict=True)) for i in size]
    for i in size:
        matrix[i][i] += (LUCK / PULL[i]) ** 2
    for i in size:  # Gauss; what was just added keeps it from dividing by zero
        for j in range(i + 1, SIGNS):
            factor = matrix[j][i] / matrix[i][i]
            right[j] -= factor * right[i]
            for k in range(i, SIGNS):
                matrix[j][k] -= factor * matrix[i][k]
    more = [0.0] * SIGNS
    for i in reversed(size):
        known = sum(matrix[i][k] * more[k] for k in range(i + 1, SIGNS))
        more[i] = (right[i] - known) / matrix[i][i]
    return [plain + add for plain, add in zip(PLAIN, more, strict=True)]


def told(weights: Sequence[float], look: Look) -> float:
    """By how much the side will be ahead, by those weights."""
    return sum(weight * ahead for weight, ahead in zip(weights, look.ahead, strict=True))


def error(weights: Sequence[Sequence[float]], found: Sequence[Look]) -> float:
    """The standard deviation, in points, of what is told beside what came."""
    return pstdev([look.end - told(weights[look.stage], look) for look in found])


def find(variant: str, seats: int, deals: int, seed: str) -> None:
    """Prints the weights as they stand in the source, and how they do on other deals."""
    shape = shape_of(VARIANTS[variant], seats)
    weights = fitted(list(looks(shape, deals, seed)))
    print(f'    "{shape.kind}": [  # {variant}')
    for row in weights:
        print(f"        [{', '.join(shown(weight) for weight in row)}],")
    print("    ],")
    fresh = list(looks(shape, max(1, deals // 4), f"{seed} fresh"))
    plain = error([PLAIN] * len(weights), fresh)
    print(
        f"{variant}, {seats} seats: wrong by {error(weights, fresh):.0f} points, {plain:.0f} plain"
    )


def shown(weight: float) -> str:
    """Four digits, as a float of the source."""
    return repr(float(f"{weight:.4g}"))
