"""`./run bots`: games of computer players alone, all variants and tables, on the real stack.

Ends with code 1 unless every game ended, no fallback was played and no turn was lost. What was
lost is read from the logs: a command that came only after the sweep had called once more
(`TAPETE_LOST_TURN_SECONDS`), since so few games go on at a time that no turn waits in the queue
for long.
"""

import argparse
import itertools
import json
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from redis import Redis
from rq import Queue
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from benchmarks.measures import table
from service.config import Config
from service.decision import Chosen, FellBack
from service.queue import ALONE, AUDITS, STATISTICS, TURNS, WEBHOOKS
from service.replay import Commit
from service.rules import GAMES
from service.stack import Stack
from service.store import codec
from service.store.redis import RedisStore

Json = Any

LOST: Final = 10.0
"""Seconds for which a turn waits until it counts as lost."""

STUCK: Final = 300.0
"""Seconds without a change after which a game will not end any more."""


def main() -> int:
    """Reads the arguments, plays, reports; returns the exit code."""
    parser = argparse.ArgumentParser(prog="./run bots", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--tables", type=int, default=8, help="how many games go on at a time")
    parser.add_argument("--levels", default="novice,casual", help="who plays, side by side")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tapete-bots-") as folder:
        config = Config(
            port=0,
            data=Path(folder),
            workers=2,
            webhook_workers=0,
            rates=(),
            open_games=10**6,
            lost_turn_seconds=LOST,
        )
        with Stack(config, quiet=True) as stack:
            soak = Soak(stack.base_url, [*given.levels.split(",")])
            began = time.monotonic()
            with suppress(KeyboardInterrupt):  # then what was played is told
                soak.play(given.games, given.tables)
            minutes = (time.monotonic() - began) / 60
            found = examined(RedisStore(stack.redis_url), soak.games)
            failed = failed_jobs(stack.redis_url)
    return report(soak, found, failed, minutes, given.games)


def orders(levels: Sequence[str]) -> Iterator[Json]:
    """Every table, to its shortest target: of one level alone and of one beside the other."""
    sizes = [
        (name, seats, min(variant.options(seats)["target_score"].allowed))
        for rules in GAMES.values()
        for name, variant in rules.VARIANTS.items()
        for seats in variant.seats
    ]
    for number in itertools.count():
        for name, seats, target in sizes:
            first = number % (len(levels) + 1)
            beside = levels if first == len(levels) else [levels[first]]
            names = itertools.islice(itertools.cycle(beside), seats)
            yield {
                "variant": name,
                "seats": [{"kind": "ai", "level": level} for level in names],
                "options": {"target_score": target},
                "sit": False,
            }


class Soak:
    """Opens games and waits for their ends.

    Attributes:
        games: all that were opened: the id, and variant and seats.
        ended: those that ended.
        stuck: those that will not.
    """

    def __init__(self, base: str, levels: Sequence[str]) -> None:
        self._base, self._token = base + "/v1", ""
        self._token = self._call("/players", {"name": "Soak"})["token"]
        self._orders = orders(levels)
        self.games: dict[str, str] = {}
        self.ended: set[str] = set()
        self.stuck: set[str] = set()

    def play(self, games: int, tables: int) -> None:
        """Plays so many games, so many at a time."""
        going: dict[str, tuple[int, float]] = {}
        told = time.monotonic()
        while going or len(self.games) < games:
            while len(going) < tables and len(self.games) < games:
                order = next(self._orders)
                game = self._call("/games", order)["id"]
                self.games[game] = f"{order['variant']}, {len(order['seats'])} seats"
                going[game] = 0, time.monotonic()
            time.sleep(0.5)
            for game, (version, since) in list(going.items()):
                seen = self._call(f"/games/{game}")
                if seen["status"] == "finished":
                    self.ended.add(game)
                    del going[game]
                elif seen["version"] != version:
                    going[game] = seen["version"], time.monotonic()
                elif time.monotonic() - since > STUCK:
                    self.stuck.add(game)
                    del going[game]
            live = sys.stderr.isatty()
            if time.monotonic() - told > (1 if live else 30):
                told = time.monotonic()
                words = f"{len(self.ended)} of {games} games, {len(self.stuck)} stuck"
                sys.stderr.write(f"\r\x1b[K{words}" if live else f"{words}\n")
                sys.stderr.flush()
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")

    def _call(self, path: str, body: Json = None) -> Json:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


@dataclass
class Found:
    """What the logs of some games say.

    Attributes:
        turns: commands of computer players; `chosen` those that a strategy chose.
        fallbacks: those that none did, by level and reason.
        lost: those that were waited for too long.
        longest: seconds for which one was waited for at most.
    """

    turns: int = 0
    chosen: int = 0
    fallbacks: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    longest: float = 0.0

    def look(self, commits: Sequence[Commit]) -> None:
        """Counts one game."""
        for before, commit in itertools.pairwise(commits):
            if isinstance(commit.decision, FellBack):
                self.fallbacks[f"{commit.decision.level} {commit.decision.why}"] += 1
            elif isinstance(commit.decision, Chosen):
                self.chosen += 1
            else:
                continue
            waited = (commit.at - before.at) / 1000
            self.turns += 1
            self.lost += waited >= LOST
            self.longest = max(self.longest, waited)


def examined(store: RedisStore, games: dict[str, str]) -> dict[str, Found]:
    """What the logs say, by table."""
    found: dict[str, Found] = {}
    for game, kind in games.items():
        commits = [codec.decode(entry.line) for entry in store.read(game).entries]
        found.setdefault(kind, Found()).look(commits)
    return found


def failed_jobs(url: str) -> int:
    """Jobs of any queue that failed in the last hour."""
    with Redis.from_url(url) as client:
        return sum(
            FailedJobRegistry(queue=Queue(name, connection=client, serializer=JSONSerializer)).count
            for name in (TURNS, ALONE, STATISTICS, AUDITS, WEBHOOKS)
        )


def report(soak: Soak, found: dict[str, Found], failed: int, minutes: float, games: int) -> int:
    """Prints what came of it; returns 1 if anything is not as it should be."""
    of = Counter(soak.games.values())
    ended = Counter(soak.games[game] for game in soak.ended)
    table(
        [
            {
                "table": kind,
                "games": of[kind],
                "ended": ended[kind],
                "turns": its.turns,
                "fallbacks": its.fallbacks.total(),
                "lost turns": its.lost,
                "longest turn, s": f"{its.longest:.1f}",
            }
            for kind, its in found.items()
        ]
    )
    fallbacks = sum((its.fallbacks for its in found.values()), Counter[str]())
    lost = sum(its.lost for its in found.values())
    print(
        f"{len(soak.games)} games, {len(soak.ended)} ended; fallbacks played {fallbacks.total()}, "
        f"turns lost {lost}, failed jobs {failed}; {minutes:.1f} minutes"
    )
    for what, times in fallbacks.items():
        print(f"  fallback: {what}, {times} times")
    for game in soak.stuck:
        print(f"  stuck: {game}, {soak.games[game]}")
    return int(len(soak.ended) < games or bool(fallbacks or lost or failed))


if __name__ == "__main__":
    sys.exit(main())
