"""One seat's hand and its side's melds: a scratch pad, which leaves the board as it was."""

from __future__ import annotations

from workers.strategies.canasta.compact.codes import JOKER, POINTS, STEPS, TWO
from workers.strategies.canasta.compact.melded import SEQ, Melded
from workers.strategies.canasta.compact.scales import Scales


class Lay:
    """Hand cards that become a new meld (`target` -1) or join the one at that place."""

    def __init__(self, kind: int, codes: list[int], target: int) -> None:
        self.kind = kind
        self.codes = codes
        self.target = target

    def points(self) -> int:
        """What the cards are worth."""
        total = 0
        for code in self.codes:
            total += POINTS[code]
        return total


class Desk:
    """A hand, melds, and what is counted of them; worths are in points.

    Attributes:
        time: from 1 at the start of a deal to 0 when the stock is gone.
        set_odds, mixed_odds, run_odds, wild_odds: by how many cards a canasta of the kind lacks,
            that they come.
        cost: the part of the hand's points that it is expected to cost.
        pair, each, guard: what a pair, any card and a black three in the hand are worth now.
        hand: by code; `size` cards in all.
        rank: by step, the naturals in the hand; `wilds` its wilds.
        mask: by suit, the steps that the hand holds.
        alive: by code, the copies that may still come to this side; `rank_alive` by step.
        hidden: by code, the copies that lie nobody knows where.
        dead, rare: by suit, the steps of which no copy is alive, and one.
        on_table: by step, the side's sets.
        runs: by suit, the worth of the best sequence that the hand begins.
        closed: the side's canastas; `sequence` whether one is of the kind that is asked for.
        red_worth: what the requirement brings for the red threes.
        extra, seq_extra: what a canasta, and a sequence, is worth on the way to the requirement.
        held, held_run: the parts of `set_bonus` and `run_bonus`, which hold those extras, that a
            beginning in the hand counts for.
        lays: what was laid since the desk was made.
        value: what hand and table are worth, kept up to date by `changes`.
    """

    time: float
    set_odds: list[float]
    mixed_odds: list[float]
    run_odds: list[float]
    wild_odds: list[float]
    cost: float
    pair: float
    each: float
    guard: float
    hand: list[int]
    size: int
    wilds: int
    melds: list[Melded]
    next_tag: int
    lays: list[Lay]
    hidden: list[int]
    alive: list[int]
    rank: list[int]
    rank_alive: list[int]
    mask: list[int]
    dead: list[int]
    rare: list[int]
    on_table: list[int]
    runs: list[float]
    closed: int
    sequence: bool
    red_worth: int
    extra: float
    seq_extra: float
    held: float
    held_run: float
    set_bonus: float
    run_bonus: float
    value: float

    def __init__(self, scales: Scales, seat: int) -> None:
        """Nothing but the name of the seat; see `seating.desk_of`."""
        self.shape = scales.shape
        self.scales = scales
        self.seat = seat
        self.side = seat % scales.shape.sides

    def copy(self) -> Desk:
        """Another desk that shares nothing that changes."""
        twin = Desk(self.scales, self.seat)
        twin.time, twin.cost, twin.pair = self.time, self.cost, self.pair
        twin.each, twin.guard = self.each, self.guard
        twin.set_odds, twin.mixed_odds = self.set_odds, self.mixed_odds
        twin.run_odds, twin.wild_odds = self.run_odds, self.wild_odds
        twin.hand, twin.size, twin.wilds = self.hand[:], self.size, self.wilds
        twin.melds = [meld.copy() for meld in self.melds]
        twin.next_tag, twin.lays = self.next_tag, self.lays[:]
        twin.hidden, twin.alive, twin.rank_alive = self.hidden, self.alive, self.rank_alive
        twin.rank, twin.mask, twin.runs = self.rank[:], self.mask[:], self.runs[:]
        twin.dead, twin.rare, twin.on_table = self.dead, self.rare, self.on_table[:]
        twin.closed, twin.sequence, twin.red_worth = self.closed, self.sequence, self.red_worth
        twin.extra, twin.seq_extra, twin.value = self.extra, self.seq_extra, self.value
        twin.held, twin.held_run = self.held, self.held_run
        twin.set_bonus, twin.run_bonus = self.set_bonus, self.run_bonus
        return twin

    def ready(self) -> bool:
        """Whether the side may have a player go out."""
        return self.closed >= self.shape.needed and self.sequence


def made(lay: Lay, tag: int) -> Melded:
    """The new meld of a lay."""
    twos = jokers = naturals = 0
    low, rank = STEPS, 0
    for code in lay.codes:
        if code == TWO:
            twos += 1
        elif code == JOKER:
            jokers += 1
        else:
            naturals += 1
            if code < TWO:
                low = min(low, code >> 2)
                rank = code & 3 if lay.kind == SEQ else code >> 2
    return Melded(lay.kind, rank, low, naturals, twos, jokers, tag)
