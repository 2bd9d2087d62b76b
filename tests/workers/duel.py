"""Levels against each other on duplicate deals: same cards, seats exchanged.

python -m tests.workers.duel [VARIANT [SEATS [DEALS [LEVEL LEVEL]]]]
"""

import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from service.rules import GAMES, find
from service.rules.protocol import HOUSE, DealCards, Rules, Seat, State
from workers import strategies
from workers.strategies import Budget, Situation

BUDGET = Budget(0.1)


class Played(NamedTuple):
    """A game that was played out: the state, and how many commands it took."""

    state: Any
    commands: int


class Moment(NamedTuple):
    """A game in play: objects that go on changing, the events those of the deal."""

    state: Any
    rules: Rules[Any, Any, Any]
    events: list[Any]

    def seen_by(self, seat: Seat) -> Situation:
        """What a computer player on that seat is given."""
        rules, events = self.rules, self.events
        view = rules.view(self.state, seat)
        return Situation(rules, view, seat, lambda: [rules.seen(event, seat) for event in events])


def play(
    variant: str, levels: Sequence[str], seed: int, *, deals: int = 60, **options: int
) -> Played:
    """A game of those levels, one a seat, until it ends or so many deals were dealt."""
    for commands, moment in enumerate(moments(variant, levels, seed, deals=deals, **options)):
        last = Played(moment.state, commands)
    return last


def moments(
    variant: str, levels: Sequence[str], seed: int, *, deals: int = 60, **options: int
) -> Iterator[Moment]:
    """The game before each command and at its end."""
    rules, data = find(variant)
    seats = len(levels)
    given = {name: option.default for name, option in data.options(seats).items()} | options
    cards = Random(f"{variant} {seed}")
    luck = [Random(f"{variant} {seed} {seat}") for seat in range(seats)]
    feed: list[Any] = []
    state: State = data.start(seats, given, seed % seats, [0] * (max(data.sides(seats)) + 1))
    while True:
        yield Moment(state, rules, feed)
        seat = rules.to_act(state)
        if seat is None or (seat == HOUSE and state.deal == deals):
            return
        if seat == HOUSE:
            pack = list(data.pack())
            cards.shuffle(pack)
            feed.clear()
            command: Any = DealCards(HOUSE, tuple(pack))
        else:
            situation = Moment(state, rules, feed).seen_by(seat)
            command = strategies.choose(levels[seat], situation, luck[seat], BUDGET).command
        events = rules.decide(state, command)
        for event in events:
            rules.evolve(state, event)
        feed += events


class Score(NamedTuple):
    """How often the first level's sides had the better deal, and by how much on average."""

    better: int
    worse: int
    margin: float

    @property
    def rate(self) -> float:
        return self.better / max(1, self.better + self.worse)


def duel(variant: str, seats: int, deals: int, one: str, two: str) -> Score:
    """`deals` deals, each played twice with the levels exchanged."""
    _, data = find(variant)
    sides = data.sides(seats)
    margins: list[float] = []
    for seed in range(deals):
        for turn in (0, 1):
            levels = [one if side % 2 == turn else two for side in sides]
            scores = play(variant, levels, seed, deals=1).state.scores
            ours = [score for side, score in enumerate(scores) if side % 2 == turn]
            theirs = [score for side, score in enumerate(scores) if side % 2 != turn]
            margins.append(sum(ours) / len(ours) - sum(theirs) / len(theirs))
    better, worse = sum(m > 0 for m in margins), sum(m < 0 for m in margins)
    return Score(better, worse, sum(margins) / len(margins))


def main(variant: str = "", seats: str = "4", deals: str = "100", *levels: str) -> None:
    """Prints one line for the variant, or for each."""
    one, two = levels or ("casual", "novice")
    variants = [variant] if variant else [name for game in GAMES.values() for name in game.VARIANTS]
    for name in variants:
        score = duel(name, int(seats), int(deals), one, two)
        print(
            f"{name}, {seats} seats, {deals} deals twice: {one} has the better deal in "
            f"{score.rate:.0%}, {score.margin:+.0f} points a deal against {two}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
