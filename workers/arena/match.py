"""A match: so many pairs of games of one player against another.

The two games of a pair have the same packs, the same dealer and the same luck, and the sides
exchanged: whoever sat where the good cards came sits where the bad ones come.

    Match ──► pair 0, 1, 2, … ──► Pair: who won, by how much, seconds a decision
"""

from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from statistics import fmean
from typing import Final, NamedTuple

from workers.arena.game import Moment, Start, moments
from workers.arena.players import Cost, Elsewhere, Level, player
from workers.strategies import Budget

LONG: Final = 200
"""Deals after which a game ends anyhow; no game of computer players came near it."""

PROGRAM: Final = "program"
"""The name of a player that is a program of somebody's."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is played.

    Attributes:
        options: those that are not the variant's default.
        one: the player whose wins are counted, `PROGRAM` for a program that plays over HTTP; with
            three sides it has two in every other game.
        budgets: what a decision may cost each of the two.
        deals: a game ends after so many, then the higher score wins.
        seed: all cards and luck follow from it, and from the variant and the seats.
    """

    variant: str
    seats: int
    one: str
    two: str
    budgets: tuple[Budget, Budget]
    options: tuple[tuple[str, int], ...] = ()
    pairs: int = 50
    deals: int = LONG
    seed: int = 0

    @property
    def served(self) -> bool:
        """Whether it is played over HTTP, by a program."""
        return self.one == PROGRAM

    def start(self, pair: int) -> Start:
        """The beginning of both games of a pair."""
        name = f"{self.variant} {self.seats} {self.seed} {pair}"
        return Start(self.variant, self.seats, self.options, name, pair % self.seats)


class Game(NamedTuple):
    """How a game ended for `one`.

    Attributes:
        won: 1, for a draw a half, else 0.
        margin: the mean score of its sides less that of the other sides.
        cut: it ended at the limit of deals.
    """

    won: float
    margin: float
    deals: int
    cut: bool


class Pair(NamedTuple):
    """Two games of the same cards.

    Attributes:
        costs: what the decisions of each player cost.
        lost: games that a program did not bring to their end, and why, a line each.
    """

    number: int
    games: tuple[Game, Game]
    costs: tuple[Cost, Cost]
    lost: tuple[str, ...] = ()

    @property
    def won(self) -> float:
        """The part of the two games that `one` won."""
        return fmean(game.won for game in self.games)

    @property
    def margin(self) -> float:
        """By how much `one` was ahead on average."""
        return fmean(game.margin for game in self.games)


class Stopped(Exception):
    """Nobody waits for the rest."""


def play_pair(match: Match, number: int, stop: Event | None = None) -> Pair:
    """Plays one pair here.

    Raises:
        Stopped: `stop` was set.
        IllegalMove: a player did what it may not.
    """
    games, costs = [], (Cost(), Cost())
    for turn in (0, 1):
        two_of_us = [
            player(name, budget)
            for name, budget in zip((match.one, match.two), match.budgets, strict=True)
        ]
        games.append(_play(match, number, turn, two_of_us, stop))
        for cost, played in zip(costs, two_of_us, strict=True):
            cost.add(played.cost)
    return Pair(number, (games[0], games[1]), costs)


def _play(
    match: Match, number: int, turn: int, two: Sequence[Level | Elsewhere], stop: Event | None
) -> Game:
    """One game: `two[0]` has the even sides in turn 0, the odd ones in turn 1."""
    start = match.start(number)
    sides = start.found()[1].sides(match.seats)
    for moment in moments(start, [two[(side + turn) % 2] for side in sides], match.deals):
        last = moment
        if stop is not None and stop.is_set():
            raise Stopped
    return judged(last, turn)


def judged(moment: Moment, turn: int) -> Game:
    """How a game ended whose sides of that parity were those of `one`."""
    result = moment.rules.result(moment.state)
    scores = result.scores if result else moment.state.scores
    if result:
        won = 0.5 if result.winner is None else float(result.winner % 2 == turn)
    else:
        best, other = max(scores[turn::2]), max(scores[1 - turn :: 2])
        won = 0.5 if best == other else float(best > other)
    return scored(scores, turn, won, moment.state.deal, cut=result is None)


def scored(scores: Sequence[int], turn: int, won: float, deals: int, cut: bool = False) -> Game:
    """A game with those scores at its end, one a side."""
    margin = fmean(scores[turn::2]) - fmean(scores[1 - turn :: 2])
    return Game(won, margin, deals, cut)
