"""Decides once more what a computer player decided: `./run again GAME VERSION`.

    GAME        a stored game, of the server of TAPETE_REDIS_URL or else of our own that runs,
                or a file with the record of one
    VERSION     of the command; or --all, every command of a computer player

The seat's view, what it had heard, its luck and as many samples as then: so the same strategy
chooses the same again, and what it weighed is shown beside what it weighed then. Exit code 0: all
that could be decided again is the same; 1: something is not; 2: there is nothing to decide again.
Guide: docs/analysis.md.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from service import record, replay
from service.audit import any_terminal, away, opened
from service.config import Config, ConfigError
from service.decision import Chosen, FellBack
from service.referee.finding import many, said
from service.replay import FAILURES, Commit
from service.store import StoreUnavailable, Unreadable, codec
from workers import strategies
from workers.kept import kept
from workers.moments import Moment, moments
from workers.strategies import Budget

Outcome = Literal["same", "other", "older", "fell_back", "not_kept"]

WORDS: Final[dict[Outcome, str]] = {
    "same": "the same",
    "other": "another",
    "older": "by strategies of another version than today's",
    "fell_back": "fell back",
    "not_kept": "not kept",
}


class Nothing(Exception):
    """There is nothing to decide again; the text says why."""


@dataclass(frozen=True, slots=True)
class Again:
    """A decision, and what comes of it now; `now` is None where it was not made again."""

    moment: Moment
    outcome: Outcome
    now: Chosen | None = None
    command: Any = None
    today: str = ""


def again(moment: Moment, secret: bytes) -> Again:
    """Decides once more, with as many samples as then."""
    then, rules = moment.decision, moment.situation.rules
    if then is None:
        return Again(moment, "not_kept")
    if isinstance(then, FellBack):
        return Again(moment, "fell_back")
    try:
        player = strategies.player(then.level, rules)
    except KeyError:
        return Again(moment, "older")
    if player.name != then.strategy:
        return Again(moment, "older", today=player.name)
    budget = Budget(then.budget / 1000, then.samples)
    choice = player.choose(moment.situation, moment.luck(secret), budget)
    now = kept(then.level, player, budget, choice, moment.situation)
    same = (choice.command, now) == (moment.command, then)
    return Again(moment, "same" if same else "other", now, choice.command)


def told(one: Again) -> Iterator[str]:
    """A decision in lines, then and now side by side."""
    moment, then = one.moment, one.moment.decision
    given = _said(moment.command)
    yield f"version {moment.version}, deal {moment.deal}, seat {moment.seat}: {given}"
    if isinstance(then, FellBack):
        yield f"  {then.strategy or then.level} had no answer ({then.why}); this was legal"
    elif then is None:
        yield "  how it came to that was not kept"
    else:
        yield f"  {then.strategy}, {then.budget} ms, {many(then.samples, 'sample')}"
        if one.outcome == "older":
            today = f"today's is {one.today}" if one.today else "there is no such level today"
            yield f"  not decided again: {today}"
        yield from _table(then, one.now, moment.command, one.command)
    if one.now:
        yield f"  now: {'the same' if one.outcome == 'same' else 'another'}"


def _table(then: Chosen, now: Chosen | None, given: Any, chosen: Any) -> Iterator[str]:
    before = {_said(item.command): item.tenths for item in then.candidates}
    after = {_said(item.command): item.tenths for item in now.candidates} if now else {}
    played, wanted = _said(given), _said(chosen) if now else ""
    names = list(dict.fromkeys((*before, *after, played, *filter(None, [wanted]))))
    width = max(map(len, names))
    yield f"    {'':<{width}}  {'then':>8}  {'now':>8}"
    for name in names:
        line = f"    {name:<{width}}  {_points(before.get(name))}  {_points(after.get(name))}"
        chosen = ["then"] * (name == played) + ["now"] * (name == wanted)
        yield f"{line}  {'chosen ' if chosen else ''}{' and '.join(chosen)}".rstrip()


def _points(tenths: int | None) -> str:
    return f"{'':>8}" if tenths is None else f"{tenths / 10:>+8.1f}"


def _said(command: Any) -> str:
    wire = codec.to_wire(command)
    del wire["seat"]
    return said(wire)


def main(arguments: Sequence[str] | None = None) -> int:
    """Decides again what the arguments name; returns the exit code."""
    asked = _parser().parse_args(arguments)
    if (asked.version is None) != asked.all:
        _parser().error("name the version of a command, or say --all")
    any_terminal()
    try:
        commits, secret = _read(asked)
        found = [one for one in moments(commits) if asked.all or one.version == asked.version]
        if not asked.all and not found:
            raise Nothing(f"version {asked.version} is no command of a seat")
        if not asked.all and found[0].level is None and found[0].decision is None:
            raise Nothing(f"version {asked.version} was given by a person")
        return _all(found, secret) if asked.all else _one(found[0], secret)
    except (Nothing, ConfigError, StoreUnavailable, Unreadable, OSError, *FAILURES) as error:
        why = str(error) if isinstance(error, Nothing | ConfigError | Unreadable | OSError) else ""
        print(f"again: {why or type(error).__name__}", file=sys.stderr)
        return 2


def _one(moment: Moment, secret: bytes) -> int:
    one = again(moment, secret)
    print("\n".join(told(one)))
    return {"same": 0, "other": 1}.get(one.outcome, 2)


def _all(found: Sequence[Moment], secret: bytes) -> int:
    counts = Counter[Outcome]()
    for moment in found:
        if moment.level is None and moment.decision is None:
            continue  # a person's
        one = again(moment, secret)
        counts[one.outcome] += 1
        if one.outcome == "other":
            print("\n".join(told(one)), flush=True)
    parts = [f"{counts[outcome]} {words}" for outcome, words in WORDS.items() if counts[outcome]]
    print(f"{many(counts.total(), 'decision')}: {', '.join(parts) or 'none'}")
    return 1 if counts["other"] else 0 if counts["same"] else 2


def _read(asked: argparse.Namespace) -> tuple[list[Commit], bytes]:
    """The commits, and the secret that their luck follows from.

    Raises:
        Nothing, Unreadable, OSError, ConfigError, StoreUnavailable
    """
    if Path(asked.game).is_file():
        with Path(asked.game).open("rb") as lines:
            raws = list(record.split(lines))
        if len(raws) != 1:
            raise Nothing(f"{asked.game}: {len(raws)} records, and one is wanted")
        read = record.read(raws[0])
        return [codec.decode(line) for line in read.lines], bytes.fromhex(read.footer.secret)
    config = Config.from_env(os.environ)
    try:
        reading = opened(config).read(asked.game)
    except StoreUnavailable:
        raise Nothing(away(config)) from None
    if not reading.entries:
        raise Nothing(f"there is no game {asked.game}, and no such file")
    commits = [codec.decode(entry.line) for entry in reading.entries]
    if not asked.show and not replay.fold(commits).secret:
        raise Nothing("the game is not over; --show tells what is still hidden all the same")
    return commits, bytes.fromhex(reading.entries[0].meta.secret)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./run again",
        description="Decides once more what a computer player decided, and compares.",
        epilog="Exit code 0: the same; 1: something is not; 2: there is nothing to decide again.",
    )
    parser.add_argument("game", metavar="GAME", help="a stored game, or a file with its record")
    parser.add_argument("version", metavar="VERSION", type=int, nargs="?", help="of the command")
    parser.add_argument("--all", action="store_true", help="every command of a computer player")
    parser.add_argument(
        "--show", action="store_true", help="of a game that is not over, too: it tells cards"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
