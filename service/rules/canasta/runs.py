"""How the cards of one suit become sequences, rank by rank (rules 3.7.2).

Read from low to high, all that matters of the runs begun so far is how many have one card, two
cards, or more: the first two must go on, the others may. Lengths above three need not be
counted, since any run of three or more splits into pieces of three to seven. A table
sequence needs at most two more cards at either end, since three are a run of their own.
(Compare van Rijn, Takes and Vis, The Complexity of Rummikub Problems, arXiv:1604.07553.)
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from service.rules.canasta.melds import SMALLEST
from service.rules.cards import RANKS

TOP: Final = len(RANKS)


class Open(NamedTuple):
    """A sequence on the table that may grow: its steps (0 is a four), and by how many cards."""

    id: str
    low: int
    high: int
    room: int


class Step(NamedTuple):
    """What one rank does: cards into runs, table sequences prolonged upwards by this card,
    and (sequence, cards) for those prolonged downwards by a run that ends here."""

    run: int
    upwards: tuple[int, ...]
    downwards: tuple[tuple[int, int], ...]


State = tuple[int, ...]
"""Runs of one, two, and three or more cards; then the room of each table sequence."""


class Option(NamedTuple):
    """Cards used at a rank, the state after it, and how."""

    used: int
    state: State
    step: Step


class Suit:
    """The cards of one suit, of which `counts` lie in the hand, and its open sequences."""

    __slots__ = ("_known", "counts", "open", "start")

    def __init__(self, counts: Sequence[int], opened: Sequence[Open]) -> None:
        self.open = tuple(opened)
        self.counts = usable(counts, opened)
        self.start: State = (0, 0, 0, *(sequence.room for sequence in self.open))
        self._known: dict[tuple[int, State], tuple[Option, ...]] = {}

    def options(self, rank: int, state: State) -> tuple[Option, ...]:
        """Everything that may be done at a rank, fewest cards first."""
        known = self._known.get((rank, state))
        if known is None:
            found = sorted(self._options(rank, state), key=lambda option: option.used)
            known = self._known[rank, state] = tuple(found)
        return known

    def _options(self, rank: int, state: State) -> Iterator[Option]:
        one, two, more = state[:3]
        after = self.counts[rank + 1] if rank + 1 < TOP else 0
        for upwards, room in self._upwards(rank, state[3:]):
            for run in range(one + two, self.counts[rank] - len(upwards) + 1):
                going_on = min(more, run - one - two)
                fresh = run - one - two - going_on
                for downwards, ones, twos, left in self._downwards(rank, fresh, one, room):
                    if ones + twos <= after:
                        then = (ones, twos, two + going_on, *left)
                        yield Option(run + len(upwards), then, Step(run, upwards, downwards))

    def _upwards(self, rank: int, room: State) -> Iterator[tuple[tuple[int, ...], State]]:
        near = [
            index
            for index, sequence in enumerate(self.open)
            if room[index] and sequence.high < rank <= sequence.high + 2
        ]
        for chosen in product((False, True), repeat=len(near)):
            left = list(room)
            for index, grows in zip(near, chosen, strict=True):
                ends = not grows or rank == self.open[index].high + 2
                left[index] = 0 if ends else left[index] - 1
            yield (
                tuple(index for index, grows in zip(near, chosen, strict=True) if grows),
                (tuple(left)),
            )

    def _downwards(
        self, rank: int, ones: int, twos: int, room: State
    ) -> Iterator[tuple[tuple[tuple[int, int], ...], int, int, State]]:
        near = [i for i, sequence in enumerate(self.open) if sequence.low == rank + 1]
        for chosen in product((0, 1, 2), repeat=len(near)):
            if chosen.count(1) > ones or chosen.count(2) > twos:
                continue
            left = list(room)
            for index, size in zip(near, chosen, strict=True):
                left[index] -= size
            if min(left, default=0) >= 0:
                joins = tuple(pair for pair in zip(near, chosen, strict=True) if pair[1])
                yield joins, ones - chosen.count(1), twos - chosen.count(2), tuple(left)

    def rebuild(self, steps: Sequence[Step]) -> Iterator[tuple[str | None, list[int]]]:
        """The (table sequence or None, ranks) that the steps, one a rank, amount to."""
        ones: list[list[int]] = []
        twos: list[list[int]] = []
        more: list[list[int]] = []
        grown: dict[int, list[int]] = {index: [] for index in range(len(self.open))}
        for rank, step in enumerate(steps):
            for index in step.upwards:
                grown[index].append(rank)
            forced = len(ones) + len(twos)
            going_on = min(len(more), step.run - forced)
            yield from ((None, run) for run in more[going_on:])
            longer = [[*run, rank] for run in (*twos, *more[:going_on])]
            twos = [[*run, rank] for run in ones]
            ones = [[rank] for _ in range(step.run - forced - going_on)]
            more = longer
            for index, size in step.downwards:
                grown[index] = (ones if size == 1 else twos).pop()
        yield from ((None, run) for run in more)
        yield from ((self.open[index].id, ranks) for index, ranks in grown.items() if ranks)


def usable(counts: Sequence[int], opened: Sequence[Open]) -> tuple[int, ...]:
    """The counts with those set to zero that can be part of no sequence."""
    filled = [bool(count) for count in counts]
    for sequence in opened:
        for rank in range(sequence.low, sequence.high + 1):
            filled[rank] = True
    result = [0] * TOP
    start = 0
    for rank in range(TOP + 1):
        if rank == TOP or not filled[rank]:
            if rank - start >= SMALLEST:
                result[start:rank] = counts[start:rank]
            start = rank + 1
    return tuple(result)


def pieces(run: Sequence[int], largest: int) -> Iterator[Sequence[int]]:
    """A run of three or more cut into sequences that are allowed."""
    while len(run) > largest:
        cut = min(largest, len(run) - SMALLEST)
        yield run[:cut]
        run = run[cut:]
    yield run
