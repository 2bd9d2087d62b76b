"""Compiled and plain, the family's core plays the same deals and the same choices."""

import subprocess
import sys
from pathlib import Path

import pytest

from workers.strategies.canasta.compact import FAST

ROOT = Path(__file__).parents[3]

PROGRAM = """
import sys
if {plain}:
    sys.prefix = "/nowhere"
from itertools import islice
from random import Random
from service.rules.canasta.variants import VARIANTS
from tests.workers.canasta.truth import TABLES, moments
from workers.strategies import Budget
from workers.strategies.canasta import master
from workers.strategies.canasta.compact import FAST, board, worth
from workers.strategies.canasta.compact.dealing import deal
from workers.strategies.canasta.compact.habits import habits_of
from workers.strategies.canasta.compact.scales import scales_of
from workers.strategies.canasta.compact.shape import shape_of
from workers.strategies.canasta.compact.turns import play
assert FAST is not {plain}
for module in (board, worth):
    assert module.__file__.endswith(".py") is {plain}, module.__file__
for variant, seats in TABLES:
    shape = shape_of(VARIANTS[variant], seats)
    for number in range(4):
        there = deal(shape, Random(number), 0, [50] * shape.sides)
        play(there, [scales_of(shape, habits_of(shape))] * seats)
        print(variant, seats, there.scores(), there.out, there.hands)
    for moment in islice(moments(variant, seats, 5), 8, 40, 15):
        print(master.choose(moment.situation, Random(1), Budget(1.0, 4)))
"""


def told(plain: bool) -> str:
    """What the program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(plain=plain)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not FAST, reason="the search core is not compiled: no C compiler, or edited")
def test_compiled_and_plain_play_the_same() -> None:
    assert told(plain=True) == told(plain=False)
