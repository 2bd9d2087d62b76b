"""What a choice of trumps brings in a world.

    a world ──► played out by the quick player ──► points, and the level of the stakes

How far the others climb the ladder in a world is told by their hands there (`bids.climbed`).
"""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from workers.strategies.botifarra.bids import chosen, climbed
from workers.strategies.botifarra.deal import opened
from workers.strategies.botifarra.player import Weights, play_out

DELEGATE: Final = 5
"""The choice to leave trumps to the partner, beside those from 0 to 4."""


def played_out(hands: Sequence[int], trump: i64, leader: i64, side: i64, weights: Weights) -> int:
    """Points of the side if the quick player plays the whole deal."""
    deal = opened(trump, leader)
    deal.hand0, deal.hand1, deal.hand2, deal.hand3 = hands[0], hands[1], hands[2], hands[3]
    play_out(deal, weights, 48)
    return deal.points1 if side & 1 else deal.points0


def named(
    hands: Sequence[int], seat: i64, choice: i64, leader: i64, weights: Weights
) -> tuple[int, int, int]:
    """Points of the seat's side, trumps and level if it chooses these, or delegates."""
    maker = seat
    trump = choice
    if choice == DELEGATE:
        maker = (seat + 2) & 3
        trump = chosen(hands[maker])
    points = played_out(hands, trump, leader, seat, weights)
    return points, trump, climbed(hands, trump, 0, maker, True)
