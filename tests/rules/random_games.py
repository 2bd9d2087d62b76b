"""Thousands of random games, each judged step by step and read back by another process.

    ./run laws [--games 10000] [--first 0] [--jobs 2]

A game must end, keep its cards after every event, and score each deal as a second count from the
table does (multiples of 5, or 72 points in all: `tests/rules/<game>/census.py`). Its commits, as
the record lines in which they are kept, are then decided and folded anew in a fresh process with
another PYTHONHASHSEED, locale and time zone, which must come to the same fingerprints. Game number
n is the same in every run.
"""

import argparse
import locale
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from itertools import groupby, zip_longest
from pathlib import Path
from random import Random
from typing import Any, Final

from service import replay
from service.replay import Commit
from service.rules import seating
from service.rules.deals import DealScored
from service.rules.protocol import HOUSE
from service.rules.seating.commands import Chair, OpenGame, Setup, StartGame
from service.store import codec
from tests.rules.tables import TABLES, Table, check_sheets, choose, fingerprint

LONGEST: Final = 30_000
"""A game with more commands than this does not end."""

CHUNK: Final = 50
"""How many games a fresh process reads back."""

ELSEWHERE: Final = {
    "PYTHONHASHSEED": "4711",
    "LC_ALL": "C",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONUTF8": "0",
    "TZ": "Pacific/Kiritimati",
}

PROJECT: Final = Path(__file__).parents[2]


def play(number: int) -> list[Commit]:
    """Game number `number`, judged at every step.

    Raises:
        AssertionError: a law is broken.
    """
    table, random = TABLES[number % len(TABLES)], Random(number)
    opened = _opening(table, random, whole=number // len(TABLES) % 50 == 0)
    commits = [Commit(1, "", "", 0, opened, seating.opening(opened))]
    game = replay.open_game(commits[0])
    while game.to_act() is not None and not game.result:
        if game.state:
            command = choose(table, game.state, random)
        else:
            command = StartGame(random.randrange(table.seats))
        events = seating.decide(game, command, 0)
        commits.append(Commit(len(commits) + 1, "", "", 0, command, events))
        assert len(commits) < LONGEST, "the game does not end"
        _apply(table, game, events)
    assert game.result
    assert game.result.scores == game.scores()
    return commits


def _opening(table: Table, random: Random, whole: bool) -> OpenGame:
    """One game in fifty is played from nothing, the others not far from a target."""
    target = random.choice(table.variant.options(table.seats)["target_score"].allowed)
    sides = max(table.variant.sides(table.seats)) + 1
    near = [0 if whole else target * random.choice((80, 90, 99)) // 500 * 5 for _ in range(sides)]
    return OpenGame(
        variant=table.variant.name,
        rules_version=table.variant.rules_version,
        chairs=(Chair("ai", "casual"),) * table.seats,
        options={"target_score": target},
        visibility="public",
        algorithm="",
        commitment="",
        setup=Setup(random.randrange(table.seats), tuple(near)),
    )


def _apply(table: Table, game: seating.Game, events: Sequence[Any]) -> None:
    whole = Counter(table.variant.pack())
    for event in events:
        if isinstance(event, DealScored):
            check_sheets(table, game.state, events, event)
        seating.evolve(game, event)
        if game.state and game.state.deal:
            assert Counter(table.census(game.state)) == whole, f"cards after {event}"


def reread(lines: Iterable[bytes]) -> str:
    """Fingerprint of a game that is decided and folded anew from its record lines.

    Raises:
        AssertionError: the rules decide something else now.
    """
    commits = [codec.decode(line) for line in lines]
    seen = sha256()
    for before, game in replay.steps(commits):
        if before.version == len(commits):
            break
        command, events = commits[before.version].command, commits[before.version].events
        assert seating.decide(game, command, 0) == events, f"version {before.version + 1}"
        seat = game.to_act()
        if before.version % 10 == 0 and seat is not None and seat != HOUSE:
            seen.update(repr(game.legal(seat)).encode())
    seen.update(fingerprint(game.state).encode())
    return seen.hexdigest()[:16]


def reread_elsewhere(games: Sequence[Sequence[bytes]], before: str = "") -> list[str]:
    """The same for each game, in a fresh process of another kind; `before` is run there first.

    Ends with the first game that is decided otherwise there.
    """
    there = f"{before}\nfrom tests.rules import random_games; random_games._reread_all()"
    done = subprocess.run(
        [sys.executable, "-c", there],
        input=b"\n\n".join(b"\n".join(game) for game in games),
        env={**os.environ, **ELSEWHERE},
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        check=False,  # what failed is shown on its stderr
    )
    return done.stdout.decode().split()


def _reread_all() -> None:
    locale.setlocale(locale.LC_ALL, "")
    lines = (line.rstrip(b"\n") for line in sys.stdin.buffer)
    for is_game, game in groupby(lines, key=bool):
        if is_game:
            print(reread(game), flush=True)


def judge(numbers: Sequence[int]) -> Counter[str]:
    """Plays the games of those numbers and reads them back; counts what there was to see.

    Raises:
        AssertionError: a law is broken; its text names the game.
    """
    seen: Counter[str] = Counter()
    games, here = [], []
    for number in numbers:
        try:
            commits = play(number)
            games.append([codec.encode(commit) for commit in commits])
            here.append(reread(games[-1]))
        except Exception as error:
            raise AssertionError(_again(number, repr(error))) from error
        seen += _tally(commits)
    for number, one, other in zip_longest(numbers, here, reread_elsewhere(games)):
        if one != other:
            raise AssertionError(_again(number, "another process comes to another state"))
    return seen


def _tally(commits: Sequence[Commit]) -> Counter[str]:
    events = [event for commit in commits for event in commit.events]
    deals = sum(isinstance(event, DealScored) for event in events)
    ended = f"ended by {events[-1].why}"
    return Counter({"games": 1, "deals": deals, "commands": len(commits), ended: 1})


def _again(number: int, what: str) -> str:
    table = TABLES[number % len(TABLES)]
    return f"game {number} ({table}): {what}; again: ./run laws --first {number} --games 1"


def main(arguments: Sequence[str] | None = None) -> None:
    """Judges the games that were asked for; the first broken law ends the run with status 1."""
    parser = argparse.ArgumentParser(prog="./run laws", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    asked = parser.parse_args(arguments)
    numbers = range(asked.first, asked.first + asked.games)
    chunks = [numbers[start : start + CHUNK] for start in range(0, len(numbers), CHUNK)]
    seen: Counter[str] = Counter()
    started = time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as pool:
        try:
            for done in as_completed([pool.submit(judge, chunk) for chunk in chunks]):
                seen += done.result()
                if seen["games"] % (10 * CHUNK) == 0 or seen["games"] == asked.games:
                    words = ", ".join(f"{number:,} {name}" for name, number in sorted(seen.items()))
                    print(f"{time.monotonic() - started:.0f} s: {words}", flush=True)
        except AssertionError as error:
            sys.exit(str(error))
        finally:
            pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
