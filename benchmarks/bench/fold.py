"""Folds and steps, and tells how fast: a process of its own, asked line by line.

    python -m benchmarks.bench.fold
    canasta fold 0.5    ◄ family, what to do, seconds
    81234.5             ► events a second

So the same rules can be measured compiled and plain: what is imported is what the tree has that it
was started in.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from benchmarks.bench.corpus import of_family
from service import replay
from service.replay import Commit
from service.rules import GAMES, seating
from service.rules.protocol import HOUSE

Games = Sequence[Sequence[Commit]]


def fold(games: Games) -> None:
    """Folds all games."""
    for commits in games:
        replay.fold(commits)


def step(games: Games) -> None:
    """Plays all games again, behind the command that opens each.

    A step is what a program needs to play: what is legal for the seat to act, the decision on one
    command, and its events. The house has no choice.
    """
    for first, *commits in games:
        game = replay.open_game(first)
        for commit in commits:
            if commit.seat != HOUSE:
                game.legal(commit.seat)
            for event in seating.decide(game, commit.command, commit.at):
                seating.evolve(game, event)


def events(games: Games) -> int:
    """How many the games have."""
    return sum(len(commit.events) for commits in games for commit in commits)


def commands(games: Games) -> int:
    """How many the games have behind the first of each."""
    return sum(len(commits) - 1 for commits in games)


WORK: Final[dict[str, tuple[Callable[[Games], None], Callable[[Games], int]]]] = {
    "fold": (fold, events),
    "step": (step, commands),
}
"""What to do with the games, and how much that is: counted once, not while time is taken."""


@cache
def _games(family: str) -> Games:
    return [*of_family(family)]


def rate(family: str, what: str, seconds: float) -> float:
    """How many of it a second of the processor, over whole rounds of the games."""
    games, (work, much) = _games(family), WORK[what]
    each, rounds, began = much(games), 0, time.process_time()
    while not rounds or time.process_time() - began < seconds:
        work(games)
        rounds += 1
    return each * rounds / (time.process_time() - began)


def compiled() -> bool:
    """Whether this process has the rules compiled."""
    file = sys.modules[GAMES["canasta"].evolve.__module__].__file__
    return file is not None and not file.endswith(".py")


def main() -> None:
    """Says `compiled` or `plain`, then answers."""
    print("compiled" if compiled() else "plain", flush=True)
    for line in sys.stdin:
        family, what, seconds = line.split()
        _games(family)
        print(rate(family, what, float(seconds)), flush=True)


if __name__ == "__main__":
    main()
