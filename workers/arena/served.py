"""Matches of a program against a level of the service, over HTTP, as others would play there.

A Tapete of its own is started. A game's cards are given (a practice game), so that a pair has the
same packs here too; the luck of the levels is the game's own. The program sits on one side, once
a seat, and comes in by itself: docs/arena.md says what it is told.

    open the table ──► call the program, once a seat ──► watch ──► the result, or: lost, and why
"""

import json
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from service.config import Config
from service.levels import USUAL
from service.processes import Child, end
from service.stack import Stack
from workers.arena.match import Game, Match, Pair, Stopped, scored
from workers.arena.players import Cost, PlayerGone
from workers.arena.processes import ended
from workers.arena.program import called

PACKS: Final = 40
"""Deals whose cards are given; those after them, if any, are the game's own."""

OVER: Final = 10.0
"""Seconds from a program's end in which its game may end as well."""

Json = Any


class Watcher:
    """Who opens the tables and looks on."""

    def __init__(self, base: str) -> None:
        self._base, self._token = base + "/v1", ""
        self._token = self.call("/players", {"name": "Arena"})["token"]

    def call(self, path: str, body: Json = None) -> Json:
        """GET, or POST where there is a body. Raises OSError."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.load(answer)


class Served:
    """The arena of a program; a context manager, used as `Arena`."""

    def __init__(self, program: str, tables: int, patience: float, budget: float = 1.0) -> None:
        self._program, self._patience = program, patience
        self._folder = tempfile.TemporaryDirectory(prefix="tapete-arena-")
        budgets = {name: max(1, round(ms * budget)) for name, ms in USUAL._asdict().items()}
        self._stack = Stack(
            Config(
                port=0,
                data=Path(self._folder.name),
                webhook_workers=0,
                ai_pace=0.0,
                rates=(),
                open_games=10**6,
                ai_budgets=USUAL._replace(**budgets),
            ),
            quiet=True,
        )
        self._threads = ThreadPoolExecutor(tables)
        self._ahead = 2 * tables
        self._stop = threading.Event()

    def __enter__(self) -> "Served":
        self._stack.start()
        self._watcher = Watcher(self._stack.base_url)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._threads.shutdown(cancel_futures=True)
        self._stack.stop()
        self._folder.cleanup()

    def play(self, match: Match, numbers: Sequence[int]) -> Iterator[Pair | None]:
        """See `Arena.play`."""
        return ended(
            lambda number: self._threads.submit(self._pair, match, number), numbers, self._ahead
        )

    def _pair(self, match: Match, number: int) -> Pair:
        costs, lost = (Cost(), Cost()), list[str]()
        games = [self._game(match, number, turn, costs, lost) for turn in (0, 1)]
        return Pair(number, (games[0], games[1]), costs, tuple(lost))

    def _game(
        self, match: Match, number: int, turn: int, costs: tuple[Cost, Cost], lost: list[str]
    ) -> Game:
        """One game; adds to `costs`, and to `lost` why it did not come to its end."""
        opened = self._watcher.call("/games", order(match, number, turn))
        game = opened["id"]
        told = {"base": self._stack.base_url, "game": game, "invite": opened["invite"]["code"]}
        own = [chair["seat"] for chair in opened["seats"] if chair["kind"] == "human"]
        words = Path(self._folder.name) / f"{game}.txt"
        with words.open("wb") as output:
            called_in = [called(self._program, told, output) for _ in own]
        programs = [program for program in called_in if program]
        try:
            why = self._watch(game, programs, costs, own)
        finally:
            end(programs)
        seen = self._watcher.call(f"/games/{game}")
        if why:
            said = words.read_text(errors="replace").strip().splitlines()[-1:]
            lost.append(": ".join([f"pair {number}, game {turn + 1}", why, *said]))
            return scored(seen["scores"], turn, 0.0, seen["table"]["deal"] if seen["table"] else 0)
        result = seen["result"]
        won = 0.5 if result["winner"] is None else float(result["winner"] % 2 == turn)
        return scored(result["scores"], turn, won, seen["table"]["deal"])

    def _watch(
        self, game: str, programs: list[Child], costs: tuple[Cost, Cost], own: list[int]
    ) -> str:
        """Follows the game to its end, and times commits; else says why it will not come."""
        after, last, moved, gone = "0", 0.0, time.monotonic(), 0.0
        while not self._stop.is_set():
            feed = self._watcher.call(f"/games/{game}/events?after={after}&limit=500&wait=1")
            after = feed["next"] or after
            commits: dict[int, Json] = {}
            for event in feed["items"]:
                if event["type"] == "game_ended":
                    return ""
                commits.setdefault(event["version"], event)
            for event in commits.values():
                at = datetime.fromisoformat(event["at"]).timestamp()
                if last and event["seat"] is not None:
                    costs[event["seat"] not in own].wall.append(at - last)
                last, moved = at, time.monotonic()
            now = time.monotonic()
            idle = now - moved > self._patience
            codes = [code for one in programs if (code := one.code) is not None]
            gone = gone or (now if codes else 0.0)
            if codes and (idle or now - gone > OVER):
                return f"it ended before the game, with code {codes[0]}"
            if idle:
                acts = self._watcher.call(f"/games/{game}")["to_act"]
                if acts and not set(acts) & set(own):
                    raise PlayerGone(f"the service's own player did nothing in game {game}")
                return f"it did nothing for {self._patience:g} seconds"
        raise Stopped


def order(match: Match, number: int, turn: int) -> Json:
    """The body that opens one game of a pair: people's seats for the program, the same packs."""
    start = match.start(number)
    sides = start.found()[1].sides(match.seats)
    computer = {"kind": "ai", "level": match.two}
    return {
        "variant": match.variant,
        "options": dict(match.options),
        "seats": [{"kind": "human"} if side % 2 == turn else computer for side in sides],
        "visibility": "private",
        "sit": False,
        "setup": {
            "dealer": start.dealer,
            "scores": [0] * (max(sides) + 1),
            "packs": [start.pack(deal) for deal in range(1, PACKS + 1)],
        },
    }
