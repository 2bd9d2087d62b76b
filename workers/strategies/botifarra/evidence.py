"""How likely what was done is in a world: a seat that chose a card had its reasons.

A seat is taken to play by the weights of `player`, more surely the more one card promises than the
others, and now and then anything at all. So worlds in which all that was played makes sense count
for more than those in which somebody blundered.
"""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from workers.strategies.botifarra.core import bit
from workers.strategies.botifarra.deal import FULL, LOW, Deal
from workers.strategies.botifarra.player import Weights, promise, standing

STEPS: Final = [2.0 ** (-step / 8) for step in range(-96, 97)]
"""What a card counts beside the one that was played, by how much less it promises."""

ANY: Final = 0.15
"""How often a seat is taken to play anything."""


def odds(deal: Deal, weights: Weights, card: i64, sharp: i64) -> float:
    """That the seat to play plays this card of those it may."""
    cards = deal.legal()
    if cards & (cards - 1) == 0:
        return 1.0
    hand = deal.hand(deal.seat)
    hidden = (deal.hand0 | deal.hand1 | deal.hand2 | deal.hand3) & ~hand
    losing = standing(deal, hidden)
    best = promise(deal, weights, hidden, hand, card, losing)
    total: float = 0.0
    count: float = 0.0
    suit: i64 = 0
    while suit < 4:
        left = (cards >> (12 * suit)) & FULL
        while left:
            rank: i64 = LOW[left]
            left &= left - 1
            other = 12 * suit + rank
            less = (best - promise(deal, weights, hidden, hand, other, losing)) // sharp
            less = max(-96, min(96, less))
            total += STEPS[less + 96]
            count += 1.0
        suit += 1
    return ANY / count + (1.0 - ANY) / total


def at_first(hands: Sequence[int], played: Sequence[tuple[int, int]]) -> list[int]:
    """The hands with the cards that were played from them."""
    first = list(hands)
    for seat, card in played:
        code: i64 = card
        held: i64 = first[seat]
        first[seat] = held | bit(code)
    return first


def likelihood(
    first: Sequence[int],
    seat: i64,
    trump: i64,
    leader: i64,
    played: Sequence[tuple[int, int]],
    weights: Weights,
    sharp: i64,
) -> float:
    """That the others than `seat` played these cards from such hands of 12 cards."""
    deal = Deal(trump)
    full: i64 = 0xFFFFFFFFFFFF
    deal.able0 = deal.able1 = deal.able2 = deal.able3 = full
    deal.hand0, deal.hand1, deal.hand2, deal.hand3 = first[0], first[1], first[2], first[3]
    deal.seat = leader
    total: float = 1.0
    for _, what in played:
        card: i64 = what
        if deal.seat != seat:
            total *= odds(deal, weights, card, sharp)
        deal.play(card)
    return total
