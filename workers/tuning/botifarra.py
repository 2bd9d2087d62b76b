"""The weights of botifarra's quick player, as the tuning wants them."""

from collections.abc import Sequence
from random import Random
from textwrap import fill, indent
from typing import Final

from workers.strategies.botifarra.bids import PARTNER, chosen, expects
from workers.strategies.botifarra.deal import NONE, Deal, opened
from workers.strategies.botifarra.player import FITTED, Weights, choose
from workers.tuning.family import Family

WIDTHS: Final = [
    *(80, 80, 80, 80),  # plain
    *(80, 80, 80, 80),  # trump
    *(80, 80, 80, 80),  # bare
    *(120, 60, 120, 5),  # catch, lost, keep, rank
    *(60, 60, 40, 40, 60, 60),  # ours, theirs, pull, pulled, guard, ruff
    *(25, 25, 60, 60, 60, 60),  # length, bare_length, single, friend_void, foe_void, top
    *(10, 15),  # thin, late
]
"""How far a step takes each weight, in the order of `Weights`: about as much for the play."""


class Botifarra(Family[list[int]]):
    """A deal counts the points that were taken, whatever the stakes.

    From scratch all weights are zero: who plays so looks at this trick only.
    """

    title = "botifarra, 4 seats"
    batch = 8
    stride = 0.15
    confirm = 20_000
    digits = 2

    def __init__(self) -> None:
        self.standing = FITTED
        self.scratch = [0] * len(FITTED)

    def point(self, weights: list[int]) -> list[float]:
        """See `Family`."""
        return [value / width for value, width in zip(weights, WIDTHS, strict=True)]

    def weights(self, point: Sequence[float]) -> list[int]:
        """See `Family`."""
        return [round(at * width) for at, width in zip(point, WIDTHS, strict=True)]

    def margins(self, one: list[int], two: list[int], deals: int, seed: str) -> list[float]:
        """See `Family`."""
        players = Weights(one), Weights(two)
        found: list[float] = []
        for number in range(deals):
            cards = list(range(48))
            Random(f"{seed} {number}").shuffle(cards)
            hands = [sum(1 << card for card in cards[seat::4]) for seat in range(4)]
            dealer = number % 4
            for turn in (0, 1):
                deal = begun(hands, dealer)
                for _ in cards:
                    deal.play(choose(deal, players[(deal.seat + turn) % 2]))
                ahead: int = deal.points0 - deal.points1
                found.append(-ahead if turn else ahead)
        return found

    def shown(self, weights: list[int]) -> str:
        """See `Family`."""
        numbers = indent(fill(", ".join(map(str, weights)) + ",", 96), "    ")
        return f"FITTED: Final = [\n{numbers}\n]"


def begun(hands: Sequence[int], dealer: int) -> Deal:
    """The deal before its first card: a dealer with a poor hand leaves trumps to the partner."""
    trump = chosen(hands[dealer])
    if expects(hands[dealer], trump) * (2 if trump == NONE else 1) < PARTNER:
        trump = chosen(hands[(dealer + 2) % 4])
    deal = opened(trump, (dealer + 1) % 4)
    deal.hand0, deal.hand1, deal.hand2, deal.hand3 = hands
    return deal
