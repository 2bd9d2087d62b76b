"""What a seat knows of the other hands for certain: which seats may hold which of the cards.

Each card that was played tells what would have forbidden it: who did not follow has none of the
suit, who did not beat cannot, who played low has no lower one. So all that is certain is a set of
possible cards a seat, and any deal of the hidden cards into those sets is possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from service.rules.botifarra.state import State
from service.rules.protocol import Seat
from workers.strategies.botifarra.deal import ALL, NONE, opened
from workers.strategies.botifarra.names import NUMBER, TRUMP, as_set


@dataclass(frozen=True, slots=True)
class Known:
    """What the seat that is to act knows.

    Attributes:
        hand: its own cards, a mask.
        hidden: the cards that the others hold.
        sizes: how many cards each seat holds.
        able: what each seat may hold; its own is its hand.
        played: what was played in this deal, (seat, card) from the first.
        leader: who led to the first trick.
    """

    seat: Seat
    hand: int
    hidden: int
    sizes: tuple[int, ...]
    able: tuple[int, ...]
    played: tuple[tuple[Seat, int], ...]
    leader: Seat


def known(view: State, seat: Seat) -> Known:
    """What the seat knows; `view` is what it sees."""
    leader = (view.dealer + 1) % 4
    hand = as_set(view.hands[seat])
    laid = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.phase != "play":
        laid = []
    elif view.trick:
        laid.append((view.leader, view.trick))
    played = tuple(
        ((first + place) % 4, NUMBER[card])
        for first, cards in laid
        for place, card in enumerate(cards)
    )
    hidden = ALL & ~hand
    for _, card in played:
        hidden &= ~(1 << card)
    heard = listen(TRUMP[view.trump] if view.trump else NONE, leader, played)
    able = tuple(hand if other == seat else allowed & hidden for other, allowed in enumerate(heard))
    sizes = tuple(len(cards) for cards in view.hands)
    return Known(seat, hand, hidden, sizes, able, played, leader)


def listen(
    trump: int, leader: Seat, played: Sequence[tuple[Seat, int]]
) -> tuple[int, int, int, int]:
    """What each seat may hold after these cards, as everybody knows it."""
    deal = opened(trump, leader)
    for _, card in played:
        deal.play(card)
    return deal.able0, deal.able1, deal.able2, deal.able3
