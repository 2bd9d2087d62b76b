"""Who plays in the arena: a level of this tree, or of another folder of the project."""

import json
import os
import subprocess
import sys
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from service.rules import find
from service.rules.protocol import Seat
from service.store.codec import from_wire, to_wire
from workers import strategies
from workers.arena.game import Moment, Start
from workers.strategies import Budget

FAR: Final = Path(__file__).with_name("far.py")


class PlayerGone(Exception):
    """A player of another folder ended before the game. One line."""


@dataclass(slots=True)
class Cost:
    """What decisions cost, in seconds each: by the clock, and of the processor."""

    wall: "array[float]" = field(default_factory=lambda: array("d"))
    cpu: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, more: "Cost") -> None:
        """Counts these too."""
        self.wall.extend(more.wall)
        self.cpu.extend(more.cpu)


class Level:
    """A level as this tree has it."""

    def __init__(self, level: str, budget: Budget) -> None:
        self._level, self._budget = level, budget
        self.cost = Cost()

    def begin(self, start: Start, seats: Sequence[Seat]) -> None:
        """See `Player`."""

    def hear(self, moment: Moment, events: Sequence[Any]) -> None:
        """See `Player`."""

    def choose(self, moment: Moment, seat: Seat, luck: str) -> Any:
        """See `Player`."""
        situation = moment.seen_by(seat)
        wall, cpu = time.perf_counter(), time.thread_time()
        choice = strategies.choose(self._level, situation, Random(luck), self._budget)
        self.cost.wall.append(time.perf_counter() - wall)
        self.cost.cpu.append(time.thread_time() - cpu)
        return choice.command


class Elsewhere:
    """A level as another folder has it, played by a process that runs from there (`far`)."""

    def __init__(self, level: str, folder: Path, budget: Budget) -> None:
        self._level, self._folder, self._budget = level, folder, budget
        self._far = _started(folder)
        self._seats: Sequence[Seat] = ()
        self.cost = Cost()

    def begin(self, start: Start, seats: Sequence[Seat]) -> None:
        """See `Player`."""
        self._seats = seats
        given = {"variant": start.variant, "seats": start.seats, "options": dict(start.options)}
        self._tell({"begin": {**given, "dealer": start.dealer, "own": seats}})

    def hear(self, moment: Moment, events: Sequence[Any]) -> None:
        """See `Player`."""
        seen = {
            seat: [to_wire(moment.rules.seen(event, seat)) for event in events]
            for seat in self._seats
        }
        self._tell({"hear": seen})

    def choose(self, moment: Moment, seat: Seat, luck: str) -> Any:
        """See `Player`. Raises PlayerGone."""
        budget = {"seconds": self._budget.seconds, "samples": self._budget.samples}
        self._tell({"choose": {"level": self._level, "seat": seat, "luck": luck, **budget}})
        assert self._far.stdout
        line = self._far.stdout.readline()
        if not line:
            raise PlayerGone(f"{self._level}@{self._folder} ended; see above")
        answer = json.loads(line)
        self.cost.wall.append(answer["wall"])
        self.cost.cpu.append(answer["cpu"])
        return from_wire(answer["command"])

    def _tell(self, message: Any) -> None:
        assert self._far.stdin
        try:
            self._far.stdin.write(json.dumps(message) + "\n")
            self._far.stdin.flush()
        except BrokenPipeError:
            raise PlayerGone(f"{self._level}@{self._folder} ended; see above") from None


@cache
def _started(folder: Path) -> "subprocess.Popen[str]":
    """The process that plays from that folder, one for all games of this process."""
    return _start(folder)


def _start(folder: Path) -> "subprocess.Popen[str]":
    """A process that runs `far` from that folder until our end of its pipe is closed."""
    own = folder / ".venv" / "bin" / "python"
    python = str(own) if own.exists() else sys.executable
    return subprocess.Popen(
        [python, "-P", str(FAR)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        start_new_session=True,  # Ctrl-C is ours
        text=True,
    )


def check(name: str) -> None:
    """Says whether there is such a player.

    Raises:
        ValueError: there is no such level or folder; one line that says so.
    """
    level, at, place = name.partition("@")
    if at and not (Path(place) / "workers" / "strategies").is_dir():
        raise ValueError(f"{place!r} is no folder of this project")
    if not at and level not in strategies.STRATEGIES:
        raise ValueError(f"no level {name!r}; there are {', '.join(strategies.STRATEGIES)}")


def strategy(name: str, variant: str) -> str:
    """The strategy by which such a player plays the variant, with its version.

    Raises:
        PlayerGone: the other folder does not say.
    """
    level, at, place = name.partition("@")
    if not at:
        return strategies.player(level, find(variant)[0]).name
    with _start(Path(place).resolve()) as far:
        told, _ = far.communicate(json.dumps({"who": {"level": level, "variant": variant}}) + "\n")
    if not told:
        raise PlayerGone(f"{name} does not say what strategy it is; see above")
    return str(json.loads(told)["strategy"])


def player(name: str, budget: Budget) -> Level | Elsewhere:
    """The player of that name: `club`, or `club@FOLDER` as another folder has it."""
    level, at, place = name.partition("@")
    return Elsewhere(level, Path(place).resolve(), budget) if at else Level(level, budget)
