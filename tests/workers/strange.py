"""A worker whose computer players are strange: `python -m tests.workers.strange HOW`.

    deaf        a loop that hears no signal, as one of compiled code
    slow        thinks for as long as it may, by the clock, and then does anything legal
    now-and-then    the same, but deaf at each fifth choice

All limits are short, so that tests are, but that none who hears is thought deaf on a busy machine.
"""

import sys
import time
from collections import deque
from itertools import repeat
from random import Random

from service.levels import Budgets
from workers import __main__, alarm, playing, strategies
from workers.strategies import Budget, Choice, Player, Situation, novice

LEAST = 0.4
LEASE = 0.4
BUDGETS = Budgets(casual=60)


def deaf(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """Never answers, hears no signal and lets no other thread go on."""
    deque(repeat(None), maxlen=0)  # without end, in C
    raise AssertionError


def slow(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """Looks at the clock, and at nothing else."""
    until = time.monotonic() + budget.seconds
    while time.monotonic() < until:
        pass
    return novice.choose(situation, rng, budget)


def now_and_then(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """Deaf by chance, which is another at each attempt."""
    return (deaf if Random().random() < 0.2 else slow)(situation, rng, budget)


def main() -> int:
    """Works as `python -m workers turns` does."""
    if sys.argv[1] != "slow":
        vars(alarm)["LEAST"] = LEAST
    vars(playing)["LEASE"] = LEASE
    how = {"deaf": deaf, "slow": slow, "now-and-then": now_and_then}[sys.argv[1]]
    player = Player(f"{sys.argv[1]} 1", how)
    vars(strategies)["player"] = lambda *_: player
    sys.argv[1:] = ["turns"]
    return __main__.main()


if __name__ == "__main__":
    sys.exit(main())
