"""What may be played to a trick, who wins it, and what it is worth (rules 5.2, 5.3, 1.4).

A trick is its cards in the order in which they were played; the suit of the first was led.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from service.rules.botifarra.cards import POINTS, RANK
from service.rules.botifarra.commands import Trump
from service.rules.cards import Card
from service.rules.protocol import Seat


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick that was won; `cards` from the leader's on, one a seat."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat
    points: int


def beats(card: Card, other: Card, trump: Trump) -> bool:
    """Whether `card` beats `other`: in its suit, or as a trump a card that is none (5.2)."""
    if card[0] == other[0]:
        return RANK[card] > RANK[other]
    return card[0] == trump


def winning(trick: Sequence[Card], trump: Trump) -> int:
    """The place in the trick of the card that wins it so far (5.2)."""
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump):
            best = place
    return best


def worth(cards: Sequence[Card]) -> int:
    """The points of a whole trick's cards, and one for the trick."""
    return sum(POINTS[card] for card in cards) + 1


def legal_cards(hand: Sequence[Card], trick: Sequence[Card], trump: Trump) -> tuple[Card, ...]:
    """The cards of a hand that may be played now, in the hand's order (5.3)."""
    if not trick:
        return tuple(hand)
    best = winning(trick, trump)
    suit = _of_suit(hand, trick[0][0])
    if best == len(trick) - 2:  # the partner's card: rule 1
        return suit or tuple(hand)
    if suit:
        lowest = min(suit, key=RANK.__getitem__)
        return _beating(suit, trick[best], trump) or (lowest,)  # rules 2 and 3
    trumps = _of_suit(hand, trump)
    return _beating(trumps, trick[best], trump) or trumps or tuple(hand)  # rule 2


def why_not(card: Card, hand: Sequence[Card], trick: Sequence[Card], trump: Trump) -> str | None:
    """The code of the reason why the card may not be played now, or None if it may (8)."""
    if card not in hand:
        return "card_not_in_hand"
    allowed = legal_cards(hand, trick, trump)
    if card in allowed:
        return None
    led = trick[0][0]
    if allowed[0][0] == led:
        if card[0] != led:
            return "must_follow_suit"
        beating = beats(allowed[0], trick[winning(trick, trump)], trump)
        return "must_beat" if beating else "must_play_lowest"
    return "must_overtrump" if card[0] == trump else "must_trump"


def _of_suit(cards: Sequence[Card], suit: str) -> tuple[Card, ...]:
    return tuple(card for card in cards if card[0] == suit)


def _beating(cards: Sequence[Card], other: Card, trump: Trump) -> tuple[Card, ...]:
    return tuple(card for card in cards if beats(card, other, trump))
