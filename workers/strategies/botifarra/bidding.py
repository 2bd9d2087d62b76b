"""Choosing trumps and doubling by what the deal brings, over worlds.

A world counts as much as what was said is likely in it. In each every choice is played out, and
the others double as far as their hands there make them sure. What counts is the odds of winning the
game, not points: the score and the target decide what a risk is worth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from service.rules.botifarra.commands import (
    TRUMPS,
    ChooseTrump,
    Command,
    Delegate,
    Double,
    NoDouble,
    Trump,
)
from service.rules.botifarra.scoring import HALF
from service.rules.botifarra.state import State
from service.rules.protocol import Seat
from workers.strategies.botifarra.auction import DELEGATE, named, played_out
from workers.strategies.botifarra.bids import Bids, climbed
from workers.strategies.botifarra.known import Known
from workers.strategies.botifarra.names import TRUMP
from workers.strategies.botifarra.player import Weights
from workers.strategies.botifarra.stakes import worths
from workers.strategies.botifarra.worlds import Worlds
from workers.strategies.choice import SHOWN, Candidate, Choice

HOPES: Final = (2, 0, 8)
"""Points by which worlds were too hopeful for who was to call contro, recontro and Sant Vicenç, in
250 deals: what the others said tells more of their hands than `bids` knows."""


@dataclass(slots=True)
class Tally:
    """What a command brought so far: the sum of odds of the game, and of points of score."""

    command: Command
    odds: float = 0.0
    score: float = 0.0


class Bidding:
    """One decision before the first card."""

    def __init__(
        self, view: State, known: Known, bids: Bids, weights: Weights, rng: Random
    ) -> None:
        self._view = view
        self._seat = known.seat
        self._leader = known.leader
        self._weights = weights
        self._mine = view.scores[known.seat % 2]
        self._theirs = view.scores[1 - known.seat % 2]
        self._bids = bids
        self._worlds = Worlds(known.seat, known.hidden, known.able, known.sizes, rng)
        self._worths: dict[int, list[float]] = {}
        self._step = self._name if view.phase == "trump" else self._raise
        self._tallies = [Tally(command) for command in _commands(view, known.seat)]

    def choose(self, more: Callable[[int], bool]) -> Choice:
        """The best command; goes on to the next world while `more(worlds so far)`."""
        samples = 0
        total = 0.0
        while more(samples):
            self._worlds.draw()
            hands = self._worlds.hands
            likely = self._bids.odds(hands, self._seat)
            self._step(hands, likely)
            total += likely
            samples += 1
        self._tallies.sort(key=lambda tally: (-tally.odds, -tally.score))
        shown = [
            Candidate(tally.command, round(tally.score / total, 2))
            for tally in self._tallies[:SHOWN]
        ]
        return Choice(self._tallies[0].command, samples, tuple(shown))

    def _name(self, hands: Sequence[int], likely: float) -> None:
        """Chooses each kind of trumps, and delegates, in one world."""
        for tally in self._tallies:
            command = tally.command
            choice = TRUMP[command.trump] if isinstance(command, ChooseTrump) else DELEGATE
            points, trump, level = named(hands, self._seat, choice, self._leader, self._weights)
            self._count(tally, points, TRUMPS[trump], level, likely)

    def _raise(self, hands: Sequence[int], likely: float) -> None:
        """Doubles, and does not, in one world."""
        view = self._view
        assert view.trump and view.caller is not None
        trump, level = TRUMP[view.trump], view.stake.level
        points = played_out(hands, trump, self._leader, self._seat, self._weights)
        points = max(0, points - HOPES[level])
        for tally in self._tallies:
            if isinstance(tally.command, Double):
                after = climbed(hands, trump, level + 1, self._seat, True)
            elif self._seat == (view.caller + 1) % 4:
                after = climbed(hands, trump, level, view.caller, False)
            else:
                after = level
            self._count(tally, points, view.trump, after, likely)

    def _count(self, tally: Tally, points: int, trump: Trump, level: int, likely: float) -> None:
        factor = self._view.variant.stakes(trump)[level].factor
        if factor not in self._worths:
            self._worths[factor] = worths(self._view.target, self._mine, self._theirs, factor)
        tally.odds += likely * self._worths[factor][points]
        tally.score += likely * (points - HALF) * factor


def _commands(view: State, seat: Seat) -> list[Command]:
    if view.phase != "trump":
        return [NoDouble(seat), Double(seat)]
    named: list[Command] = [ChooseTrump(seat, trump) for trump in TRUMPS]
    return [*named, Delegate(seat)] if seat == view.dealer else named
