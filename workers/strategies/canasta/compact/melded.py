"""Melds on the table, as counts."""

from __future__ import annotations

from typing import Final

from workers.strategies.canasta.compact.codes import JOKER, POINTS, TWO
from workers.strategies.canasta.compact.shape import Shape

SET: Final = 0
SEQ: Final = 1
WILD: Final = 2
BLACKS: Final = 3


class Melded:
    """A meld on the table.

    Attributes:
        rank: the step of a set, the suit of a sequence.
        low: the lowest step of a sequence.
        naturals, twos, jokers: how many; black threes count as naturals.
        tag: the number in its id.
    """

    def __init__(
        self, kind: int, rank: int, low: int, naturals: int, twos: int, jokers: int, tag: int
    ) -> None:
        self.kind = kind
        self.rank = rank
        self.low = low
        self.naturals = naturals
        self.twos = twos
        self.jokers = jokers
        self.tag = tag

    def copy(self) -> Melded:
        """Another of the same."""
        return Melded(
            self.kind, self.rank, self.low, self.naturals, self.twos, self.jokers, self.tag
        )

    def size(self) -> int:
        """How many cards it has."""
        return self.naturals + self.twos + self.jokers

    def points(self) -> int:
        """What its cards are worth."""
        wild = 20 * self.twos + 50 * self.jokers
        if self.kind == SET:
            return wild + self.naturals * POINTS[4 * self.rank]
        if self.kind == SEQ:
            total = 0
            for step in range(self.low, self.low + self.naturals):
                total += POINTS[4 * step]
            return total
        return wild + 5 * self.naturals

    def prolonged_by(self, code: int) -> bool:
        """Whether it is a sequence that a natural may join."""
        if self.kind != SEQ or self.naturals >= 7 or self.rank != code & 3:
            return False
        step = code >> 2
        return step == self.low - 1 or step == self.low + self.naturals

    def add(self, code: int) -> None:
        """Puts a card on it that fits."""
        if code == TWO:
            self.twos += 1
        elif code == JOKER:
            self.jokers += 1
        else:
            self.naturals += 1
            if self.kind == SEQ and code // 4 < self.low:
                self.low = code // 4


def bonus(shape: Shape, meld: Melded) -> int:
    """The bonus of a canasta, 0 for what is none."""
    if meld.size() < 7:
        return 0
    if meld.kind == SET:
        return shape.mixed if meld.twos + meld.jokers else shape.natural
    if meld.kind == SEQ:
        return shape.seq
    return shape.wild if meld.kind == WILD else 0


def requirement(shape: Shape, melds: list[Melded]) -> bool:
    """Whether a side with these melds may have a player go out (3.9.2)."""
    closed, sequence = 0, not shape.seq_needed
    for meld in melds:
        if meld.kind != BLACKS and meld.size() >= 7:
            closed += 1
            if meld.kind == SEQ:
                sequence = True
    return closed >= shape.needed and sequence
