"""Plays levels of computer players against each other: `./run arena`.

    ./run arena botifarra casual novice            # a match: pairs of games of the same cards
    ./run arena canasta,samba club casual novice   # club : casual and casual : novice, in both
    ./run arena --all --budget 1/20                # each level and the one below, in every variant
    ./run arena botifarra casual --against "python3 examples/bot.py --base {base} --game {game}
        --invite {invite}"                         # a program against a level, over HTTP

docs/arena.md says what is measured, and how.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from service.levels import USUAL
from service.rules import GAMES, find
from service.servers import ServerError
from service.stack import ServeError
from workers import strategies
from workers.arena import served
from workers.arena.match import LONG, PROGRAM, Arena, Match
from workers.arena.players import PlayerGone, check
from workers.arena.report import Progress, Tally, markdown, results, times
from workers.arena.served import Served
from workers.strategies import Budget


def arguments() -> argparse.ArgumentParser:
    """What may be asked for."""
    parser = argparse.ArgumentParser(
        prog="./run arena", description="Plays levels against each other on the same cards."
    )
    parser.add_argument("variant", nargs="?", help="or several: canasta,samba")
    parser.add_argument("level", nargs="*", help="two or more, each against the next")
    parser.add_argument("--all", action="store_true", help="every variant, each level and the next")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--target", type=int, help="score that ends a game; the shortest if none")
    parser.add_argument("--deals", type=int, default=LONG, help="end each game after so many")
    parser.add_argument("--pairs", type=int, default=50, help="pairs of games (50)")
    parser.add_argument(
        "--budget", type=Fraction, default=Fraction(1), help="part of a level's time, as 1/20"
    )
    parser.add_argument("--samples", type=int, help="worlds a decision; then no clock is read")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0, help="another one gives other cards (0)")
    parser.add_argument(
        "--against", metavar="PROGRAM", help="a command, or a URL that is told where to play"
    )
    parser.add_argument(
        "--patience", type=float, default=60.0, help="seconds without a move that lose it the game"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    return parser


def matches(asked: argparse.Namespace) -> Iterator[Match]:
    """The matches that are asked for.

    Raises:
        ValueError: one line that says what cannot be played.
    """
    variants, levels = asked.variant.split(",") if asked.variant else [], asked.level
    if asked.all:
        variants = variants or [name for game in GAMES.values() for name in game.VARIANTS]
        levels = levels or list(strategies.STRATEGIES)[::-1]
    games = [(PROGRAM, level) for level in levels] if asked.against else [*pairwise(levels)]
    if not variants or not games:
        raise ValueError("name a variant and two levels, or --all; --help says more")
    for name, (one, two) in product(variants, games):
        yield match(asked, name, one, two)


def match(asked: argparse.Namespace, variant: str, one: str, two: str) -> Match:
    """One match. Raises as `matches`."""
    try:
        _, data = find(variant)
    except KeyError:
        raise ValueError(f"no variant {variant!r}") from None
    if asked.seats not in data.seats:
        raise ValueError(f"{variant} has no table of {asked.seats}")
    allowed = data.options(asked.seats)["target_score"].allowed
    target = min(allowed) if asked.target is None else asked.target
    if target not in allowed:
        raise ValueError(f"{variant} is played to {', '.join(map(str, allowed))}")
    budgets = budget(asked, one), budget(asked, two)
    for name in (one, two):
        if name != PROGRAM:
            check(name)
    if asked.against:
        served.check(asked.against)
    if asked.against and (asked.samples or "@" in two or asked.deals != LONG):
        raise ValueError("--against plays whole games with levels of this tree and a clock")
    return Match(
        variant,
        asked.seats,
        one,
        two,
        budgets,
        options=(("target_score", target),),
        pairs=asked.pairs,
        deals=asked.deals,
        seed=asked.seed,
    )


def budget(asked: argparse.Namespace, name: str) -> Budget:
    """What a decision may cost a player."""
    seconds = asked.patience if name == PROGRAM else USUAL.seconds(name.partition("@")[0])
    return Budget(seconds * (name == PROGRAM or float(asked.budget)), asked.samples)


def play(todo: Sequence[Match], arena: Arena | Served) -> tuple[list[Tally], bool]:
    """The matches' results, and whether all was played; Ctrl-C ends it early."""
    tallies: list[Tally] = []
    try:
        with arena:
            for match in todo:
                tally, progress, began = Tally(match), Progress(), time.monotonic()
                tallies.append(tally)
                if isinstance(arena, Served):
                    arena.lost = tally.lost
                try:
                    for pair in arena.play(match):
                        tally.seconds = time.monotonic() - began
                        if pair:
                            tally.add(pair)
                        progress.tell(tally)
                finally:
                    progress.end()
    except KeyboardInterrupt:
        return tallies, False
    return tallies, True


def interrupted(*_: Any) -> None:
    """The first Ctrl-C ends the playing; a second one does not disturb the report."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> int:
    """Reads the arguments, plays, prints; returns the exit code."""
    parser = arguments()
    asked = parser.parse_args()
    try:
        todo = list(matches(asked))
    except ValueError as error:
        parser.error(str(error))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    at_once = max(1, asked.processes)
    try:
        arena: Arena | Served = Arena(at_once)
        if asked.against:
            arena = Served(asked.against, at_once, asked.patience, float(asked.budget))
        tallies, whole = play(todo, arena)
    except BrokenProcessPool:
        sys.stderr.write("arena: a process died; was the memory full?\n")
        return 1
    except (PlayerGone, ServeError, ServerError) as error:
        sys.stderr.write(f"arena: {error}\n")
        return 1
    played = [tally for tally in tallies if tally.pairs]
    if played:
        print(markdown(results(played)))
        print(markdown(times(played)), end="")
    for tally in tallies:
        for line in tally.lost:
            print(f"\nlost: {tally.match.variant}, {line}", end="")
    if asked.json:
        asked.json.write_text(json.dumps([tally.fields() for tally in tallies], indent=1) + "\n")
    if not whole:
        sys.stderr.write("arena: broken off; these are the pairs that were played\n")
    return 0 if whole else 130


if __name__ == "__main__":
    sys.exit(main())
