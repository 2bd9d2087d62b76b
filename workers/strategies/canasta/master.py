"""The level `master`: what `club` considers, played out over sampled worlds."""

from random import Random
from typing import Final

from workers.strategies.canasta.compact import ways
from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.habits import habits_of
from workers.strategies.canasta.compact.memory import board_of
from workers.strategies.canasta.compact.scales import Scales, scales_of
from workers.strategies.canasta.compact.search import (
    ANSWER,
    LAY,
    OUT,
    START,
    THROW,
    Option,
    play_out,
)
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.ways import Way
from workers.strategies.canasta.compact.worlds import Source
from workers.strategies.choice import SHOWN, Budget, Candidate, Choice, Situation

TRUST: Final = {START: 8.0, LAY: 10.0, THROW: 10.0, OUT: 3.0, ANSWER: 3.0}
"""How many worlds the evaluator's word is worth, by what is decided."""

WIDE: Final = 8
"""Candidates that are played out."""

UNLAID: Final = 2
"""Discards that are played out beside a meld, as if nothing were laid."""

TURNS: Final = 6
"""Turns that are played out; then the forecast speaks.

Whole deals part company so far that the difference of two discards drowns: its standard deviation
is 2,300 points in bolivia at the end of the deal, 500 after four turns, 800 after eight. Fewer
turns are more worlds, too; docs/computer-players.md says what other numbers gain.
"""

GAP: Final = 400.0
"""A candidate that the evaluator puts so many points behind the best is not played out."""

PART: Final = 0.9
"""Of the time given; the rest is for the world that was begun."""

SURE: Final = 2.5
"""Standard errors behind the best from which on a candidate is given up."""

CLEAR: Final = 1.0
"""Standard errors that a candidate's lead on the evaluator's choice is taken to be too large.

The best of many candidates is often the luckiest. With the hands as they really were, in canasta,
half of the changes go and what is gained stays (docs/computer-players.md).
"""

FIRST: Final = 12
"""Worlds before any is given up."""


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    clock = Clock(budget)
    board = board_of(situation)
    scales = scales_of(board.shape, habits_of(board.shape))
    desk = desk_of(board, situation.seat, scales)
    match situation.view.phase:
        case "ask":
            return searched(situation, board, scales, ways.answers(board, desk), rng, clock)
        case "draw":
            found = ways.beginnings(situation, board, desk)
            return searched(situation, board, scales, found, rng, clock)
    out = ways.exits(situation, board, desk)
    laying = ways.layings(situation, board, desk)
    throws = ways.discards(situation, board, desk)
    found = laying + throws[: UNLAID if laying else WIDE] + out
    return searched(situation, board, scales, found, rng, clock)


class Clock:
    """Whether there is time for another world."""

    def __init__(self, budget: Budget) -> None:
        self.samples = budget.samples
        self.now = budget.clock
        self.started = 0.0 if self.samples is not None else self.now()
        self.until = self.started + PART * budget.seconds

    def goes_on(self, worlds: int) -> bool:
        """Whether there is, after so many worlds; the next may cost twice their average."""
        if self.samples is not None:
            return worlds < self.samples
        now = self.now()
        return now + 2 * (now - self.started) / (worlds + 1) < self.until


def searched(
    situation: Situation, board: Board, scales: Scales, found: list[Way], rng: Random, clock: Clock
) -> Choice:
    """The best of the ways after as many worlds as the budget allows."""
    found.sort(key=lambda way: -way.option.prior)
    least = found[0].option.prior - GAP
    found = [
        way
        for place, way in enumerate(found)
        if way.option.kind == OUT or (place < WIDE and way.option.prior >= least)
    ]
    if len(found) == 1:
        return Choice(found[0].command, 0, (Candidate(found[0].command, found[0].option.prior),))
    seat = situation.seat
    source = Source(board, seat)
    everybody = [scales] * board.shape.players
    options = [way.option for way in found]
    first = options[0]
    base = 0.0
    worlds = 0
    while clock.goes_on(worlds):
        world = source.world(rng)
        value = play_out(world.copy(), seat, first, everybody, TURNS)
        base += value
        for option in options[1:]:
            if option.alive:
                apart = play_out(world.copy(), seat, option, everybody, TURNS) - value
                option.total += apart
                option.squares += apart * apart
                option.seen += 1
        worlds += 1
        if worlds >= FIRST and worlds % 4 == 0 and not _prune(options):
            break
    trust = TRUST[max(option.kind for option in options)]
    value = (base + trust * first.prior) / (worlds + trust)
    weighed = [(value, found[0])]
    for way in found[1:]:
        option = way.option
        played = option.total - CLEAR * _error(option) * option.seen
        apart = (played + trust * (option.prior - first.prior)) / (option.seen + trust)
        weighed.append((value + apart, way))
    weighed.sort(key=lambda entry: -entry[0])
    shown = [Candidate(way.command, value) for value, way in weighed]
    return Choice(weighed[0][1].command, worlds, tuple(shown[:SHOWN]))


def _prune(options: list[Option]) -> bool:
    """Gives up what is clearly behind; whether more than one is left."""
    best = max(
        (option.total / option.seen for option in options[1:] if option.alive and option.seen),
        default=0.0,
    )
    best = max(best, 0.0)
    left = 1
    for option in options[1:]:
        if not option.alive:
            continue
        if option.total / option.seen + SURE * _error(option) < best:
            option.alive = False
        else:
            left += 1
    return left > 1


def _error(option: Option) -> float:
    """The standard error of its mean difference to the first option."""
    if not option.seen:
        return 0.0
    mean = option.total / option.seen
    return float((max(1.0, option.squares / option.seen - mean * mean) / option.seen) ** 0.5)
