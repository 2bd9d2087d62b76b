"""What the arena is asked for: words of a command line ──► matches."""

import argparse
import os
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from time import thread_time

from service.levels import USUAL
from service.rules import GAMES, find
from workers import strategies
from workers.arena import program
from workers.arena.match import LONG, PROGRAM, Match
from workers.arena.players import check
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
        "--budget", type=part, default=Fraction(1), help="part of a level's time, as 1/20"
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
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="keep pairs there, and go on from them"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    return parser


def part(text: str) -> Fraction:
    """A number, or one over another. Raises ValueError."""
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(text) from None


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
    _check(asked)
    if asked.keep and len(variants) * len(games) > 1:
        raise ValueError("--keep is for one match: a variant and two players")
    for name, (one, two) in product(variants, games):
        yield match(asked, name, one, two)


def _check(asked: argparse.Namespace) -> None:
    """Refuses numbers of which nothing would come, and a place where no figures can be written."""
    for name in ("pairs", "deals", "samples", "processes"):
        number = getattr(asked, name)
        if number is not None and number < 1:
            raise ValueError(f"--{name} is 1 or more")
    if asked.budget <= 0:
        raise ValueError("--budget is more than 0")
    if asked.json and not asked.json.parent.is_dir():
        raise ValueError(f"--json: {str(asked.json.parent)!r} is no folder")


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
        program.check(asked.against)
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
    return Budget(seconds * (name == PROGRAM or float(asked.budget)), asked.samples, thread_time)
