"""Which groups to lay together: the best one first, as long as one is worth its cards."""

from typing import Final

from workers.strategies.canasta.compact.changes import put_down
from workers.strategies.canasta.compact.codes import JOKER, STEPS, TWO
from workers.strategies.canasta.compact.desk import Desk, Lay
from workers.strategies.canasta.compact.gains import gain
from workers.strategies.canasta.compact.offers import offers

PRICES: Final[list[float]] = [0.0, 1.0, 3.0, 10.0]
"""Prices of a point that the first meld still lacks, tried in this order."""


class Offered:
    """A lay, and what it would bring to the value of a desk."""

    def __init__(self, lay: Lay, brings: float) -> None:
        self.lay = lay
        self.brings = brings


def offered(desk: Desk, keep: int) -> list[Offered]:
    """What may be laid so that at least `keep` cards stay."""
    return [
        Offered(lay, gain(desk, lay)) for lay in offers(desk) if desk.size - len(lay.codes) >= keep
    ]


def lay_best(desk: Desk, lacking: int, keep: int, price: float) -> int:
    """Lays on the desk what is worth it, and tells what points are still lacking.

    At least `keep` cards stay. While points are lacking, each is worth `price` more.
    """
    return _lay_best(desk, offered(desk, keep), lacking, keep, price)


def _lay_best(desk: Desk, found: list[Offered], lacking: int, keep: int, price: float) -> int:
    while True:
        most = 0.0
        choice: Offered | None = None
        for offer in found:
            brings = offer.brings
            if lacking > 0 and price > 0.0:
                brings += price * min(lacking, offer.lay.points())
            if brings > most:
                most, choice = brings, offer
        if choice is None:
            return lacking
        desk.value += choice.brings
        put_down(desk, choice.lay)
        lacking -= choice.lay.points()
        found = offered(desk, keep)


def lay_opening(desk: Desk, lacking: int, keep: int) -> Desk | None:
    """A desk with a first meld of so many points at least, None where none was found."""
    if _most(desk) < lacking:
        return None
    found = offered(desk, keep)
    for price in PRICES:
        twin = desk.copy()
        if _lay_best(twin, found, lacking, keep, price) <= 0:
            return twin
    return None


def _most(desk: Desk) -> int:
    """More points than this nobody lays from the hand."""
    total = 20 * desk.hand[TWO] + 50 * desk.hand[JOKER]
    wild = desk.wilds > 0
    runs = desk.shape.has_seq
    for step in range(STEPS):
        number = desk.rank[step]
        if number and (number >= 3 or (number == 2 and wild) or runs or desk.lays):
            total += number * (20 if step == 10 else 10 if step >= 4 else 5)
    return total
