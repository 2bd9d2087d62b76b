"""Plays levels of computer players against each other: `./run arena`.

    ./run arena botifarra casual novice            # a match: pairs of games of the same cards
    ./run arena canasta,samba club casual novice   # club : casual and casual : novice, in both
    ./run arena botifarra master club --pairs 400 --keep FILE      # goes on where it was broken off
    ./run arena --all --budget 1/20                # each level and the one below, in every variant
    ./run arena botifarra casual --against "python3 examples/bot.py --base {base} --game {game}
        --invite={invite}"                         # a program against a level, over HTTP

docs/arena.md says what is measured, and how.
"""

import json
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from typing import Any

from service.servers import ServerError
from service.stack import ServeError
from workers.arena.asked import arguments, matches
from workers.arena.journal import Journal, JournalError
from workers.arena.match import Match
from workers.arena.players import PlayerGone
from workers.arena.processes import Arena
from workers.arena.progress import Progress
from workers.arena.report import markdown, results, times
from workers.arena.served import Served
from workers.arena.tally import Tally


def play(
    todo: Sequence[Match], arena: Arena | Served, journal: Journal | None = None
) -> tuple[list[Tally], bool]:
    """The matches' results, and whether all was played; Ctrl-C ends it early.

    A journal is that of the only match.
    """
    tallies: list[Tally] = []
    try:
        with arena:
            for match in todo:
                tallies.append(Tally(match))
                _play(tallies[-1], arena, journal)
    except KeyboardInterrupt:
        return tallies, False
    return tallies, True


def _play(tally: Tally, arena: Arena | Served, journal: Journal | None) -> None:
    """Counts what the journal has of the match, plays the rest and adds it to both."""
    done, progress, began = journal.pairs if journal else {}, Progress(), time.monotonic()
    wanted = range(tally.match.pairs)
    for number in wanted:
        if number in done:
            tally.add(done[number])
    tally.kept = len(tally.pairs)
    try:
        for pair in arena.play(tally.match, [number for number in wanted if number not in done]):
            tally.seconds = time.monotonic() - began
            if pair and journal:
                journal.add(pair)
            if pair:
                tally.add(pair)
            progress.tell(tally)
    finally:
        progress.end()


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
    at_once = asked.processes
    try:
        keeping = Journal(asked.keep, todo[0], asked.against) if asked.keep else nullcontext()
        with keeping as journal:
            arena: Arena | Served = Arena(at_once)
            if asked.against:
                arena = Served(asked.against, at_once, asked.patience, float(asked.budget))
            tallies, whole = play(todo, arena, journal)
    except BrokenProcessPool:
        sys.stderr.write("arena: a process died; was the memory full?\n")
        return 1
    except (PlayerGone, JournalError, ServeError, ServerError) as error:
        sys.stderr.write(f"arena: {error}\n")
        return 1
    played = [tally for tally in tallies if tally.pairs]
    if played:
        print(markdown(results(played)))
        print(markdown(times(played)), end="")
    for tally in tallies:
        if tally.kept:
            print(f"\nPairs kept of earlier runs: {tally.kept}. Times are of the others.")
    lost = [(tally.match, line) for tally in tallies for line in tally.lost]
    if lost:
        print()
    for match, line in lost:
        print(f"lost: {match.variant}, {match.one} : {match.two}, {line}")
    if asked.json:
        asked.json.write_text(json.dumps([tally.fields() for tally in tallies], indent=1) + "\n")
    if not whole:
        after = "; the same command goes on from there" if asked.keep else ""
        sys.stderr.write(f"arena: broken off; these are the pairs that were played{after}\n")
    return 0 if whole else 130


if __name__ == "__main__":
    sys.exit(main())
