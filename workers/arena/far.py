"""Plays levels for an arena that runs from another folder: the strategies as they are in this one.

The arena starts this file with the other folder's modules (`workers.arena.players.Elsewhere`), so
it imports nothing of the arena. Lines of JSON come in, and a line goes out for each choice:

    {"begin": {"variant", "seats", "options", "dealer", "own": [0, 2]}}
    {"hear": {"0": [event, …], "2": [event, …]}}
    {"choose": {"level", "seat", "luck", "seconds", "samples"}} ──► {"command", "wall", "cpu"}
    {"who": {"level", "variant"}} ──► {"strategy"}, with its version

It hears what its seats see, as a client does, and nothing else.
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec

from service.rules import find
from service.rules.deals import DealStarted
from service.store.codec import WIRE_NAMES, to_wire
from workers import strategies
from workers.strategies import Budget, Situation

CLASSES: Final = {name: cls for cls, name in WIRE_NAMES.items()}


class Game:
    """A game as some of its seats see it."""

    def __init__(
        self,
        variant: str,
        seats: int,
        options: Mapping[str, int],
        dealer: int,
        own: Sequence[int],
    ) -> None:
        self.rules, data = find(variant)
        given = {name: option.default for name, option in data.options(seats).items()}
        start = data.start(seats, given | dict(options), dealer, [0] * (max(data.sides(seats)) + 1))
        self._views: dict[int, Any] = {seat: self.rules.view(start, seat) for seat in own}
        self._feeds: dict[int, list[Any]] = {seat: [] for seat in own}

    def hear(self, heard: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Takes in what each seat saw."""
        for name, events in heard.items():
            seat = int(name)
            for wire in events:
                given = {key: value for key, value in wire.items() if key != "type"}
                event: Any = msgspec.convert(given, CLASSES[wire["type"]])
                if isinstance(event, DealStarted):
                    self._feeds[seat].clear()
                self.rules.evolve(self._views[seat], event)
                self._feeds[seat].append(event)

    def choose(
        self, level: str, seat: int, luck: str, seconds: float, samples: int | None
    ) -> dict[str, Any]:
        """A level's choice for a seat, and what it cost."""
        feed = self._feeds[seat]
        situation = Situation(self.rules, self._views[seat].copy(), seat, lambda: feed)
        budget = Budget(seconds, samples, time.thread_time)
        wall, cpu = time.perf_counter(), time.thread_time()
        choice = strategies.choose(level, situation, Random(luck), budget)
        cost = {"wall": time.perf_counter() - wall, "cpu": time.thread_time() - cpu}
        return {"command": to_wire(choice.command), **cost}


def main() -> None:
    """Answers until nobody asks any more."""
    game: Game | None = None
    for line in sys.stdin:
        ((word, given),) = json.loads(line).items()
        if word == "who":
            rules, _ = find(given["variant"])
            name = strategies.player(given["level"], rules).name
            print(json.dumps({"strategy": name}), flush=True)
            continue
        if word == "begin":
            game = Game(**given)
            continue
        assert game is not None
        if word == "hear":
            game.hear(given)
        else:
            print(json.dumps(game.choose(**given)), flush=True)


if __name__ == "__main__":
    main()
