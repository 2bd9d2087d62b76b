"""A sensible greedy player of botifarra.

It names the trumps from which its hand expects most, and doubles only what it is sure of. In a
trick it weighs each card: what the trick will bring, by the odds that its side wins it, less
what the card could bring later. So points go into the partner's tricks, what is lost is lost
cheaply, and the manillas wait.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from service.rules.botifarra.cards import PACK, POINTS, RANK, SUITS
from service.rules.botifarra.commands import (
    TRUMPS,
    ChooseTrump,
    Command,
    Delegate,
    Double,
    NoDouble,
    Play,
    Trump,
)
from service.rules.botifarra.state import State
from service.rules.botifarra.tricks import beats, legal_cards, winning, worth
from service.rules.cards import Card
from service.rules.protocol import Seat
from workers.strategies.choice import Budget, Choice, Situation

# Fitted to thousands of deals that this player played against itself.

TRUMP_HAND: Final = -19.0
"""Points above 36 that a hand brings its side with a trump suit, before its cards are looked at."""

TRUMP_LENGTH: Final = 3.3
"""What each trump adds to that, whatever it is."""

TRUMP_HONOURS: Final = {"9": 4.6, "1": 3.3, "12": 2.6, "11": 1.1}
"""What the high trumps add besides."""

SIDE_HONOURS: Final = {"9": 5.9, "1": 1.7, "12": 0.4}
"""What the high cards of the other suits add."""

VOID: Final = 5.0
"""What a suit adds that the hand does not hold."""

BOTIFARRA_HAND: Final = -10.7
BOTIFARRA_HONOURS: Final = {"9": 5.2, "1": 4.0, "12": 1.4}
"""The same without trumps; long suits did not matter."""

PARTNER: Final = 2.0
"""What the choice is worth that is left to the partner."""

SURE: Final = (9.0, 15.0, 18.0)
"""What a hand must expect for contro, recontro and Sant Vicenç."""

LATER: Final = (0.85, 0.5, 0.25, 0.1)
"""Odds that a card wins a trick some time, by how many higher ones are still out."""

CATCH: Final = 2.0
"""What such a trick holds besides the card."""

LOST: Final = 0.7
"""The part of a card's points that is lost where it wins no trick."""

TRUMP: Final = 3.0
"""What any trump is worth keeping for."""


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    return Choice(_command(situation.view, situation.seat))


def _command(view: State, seat: Seat) -> Command:
    hand = view.hands[seat]
    match view.phase:
        case "trump":
            return _choose_trump(hand, seat, seat == view.dealer)
        case "play":
            return Play(seat, Sight(view, seat).best())
        case _:
            assert view.trump
            sure = expected(hand, view.trump) >= SURE[view.stake.level]
            return Double(seat) if sure else NoDouble(seat)


def expected(hand: Sequence[Card], trump: Trump) -> float:
    """The points above 36 that a side may expect for one of its hands with such trumps."""
    if trump == "botifarra":
        return BOTIFARRA_HAND + sum(BOTIFARRA_HONOURS.get(card[1:], 0.0) for card in hand)
    points = TRUMP_HAND
    for card in hand:
        if card[0] == trump:
            points += TRUMP_LENGTH + TRUMP_HONOURS.get(card[1:], 0.0)
        else:
            points += SIDE_HONOURS.get(card[1:], 0.0)
    held = {card[0] for card in hand}
    return points + VOID * sum(suit not in held for suit in SUITS if suit != trump)


def _choose_trump(hand: Sequence[Card], seat: Seat, may_delegate: bool) -> Command:
    worths = {trump: expected(hand, trump) for trump in TRUMPS}
    worths["botifarra"] *= 2
    best = max(TRUMPS, key=worths.__getitem__)
    if may_delegate and worths[best] < PARTNER:
        return Delegate(seat)
    return ChooseTrump(seat, best)


class Sight:
    """A trick as one seat sees it, with what it knows of the other hands.

    Attributes:
        out: the cards that the others hold.
        voids: pairs of a seat and a suit that it could not follow.
    """

    __slots__ = ("hand", "out", "seat", "sizes", "trick", "trump", "voids")

    def __init__(self, view: State, seat: Seat) -> None:
        assert view.trump
        self.trump: Trump = view.trump
        self.trick = view.trick
        self.seat = seat
        self.hand = view.hands[seat]
        self.sizes = [len(hand) for hand in view.hands]
        gone = set(self.hand)
        self.voids = set[tuple[Seat, str]]()
        laid = [(trick.leader, trick.cards) for trick in view.tricks]
        for leader, cards in (*laid, (view.leader, view.trick)):
            gone.update(cards)
            for place, card in enumerate(cards):
                if card[0] != cards[0][0]:
                    self.voids.add(((leader + place) % 4, cards[0][0]))
        self.out = [card for card in PACK if card not in gone]

    def best(self) -> Card:
        """The card that promises most."""
        return max(legal_cards(self.hand, self.trick, self.trump), key=self.promise)

    def promise(self, card: Card) -> float:
        """What the trick brings with the card, less what the card could bring later."""
        trick = (*self.trick, card)
        return (2 * self.odds(trick) - 1) * worth(trick) - self.later(card)

    def odds(self, trick: Sequence[Card]) -> float:
        """That this side wins the trick, of which this seat's card is the last so far."""
        best = winning(trick, self.trump)
        ours = 1.0 if (len(trick) - 1 - best) % 2 == 0 else 0.0
        for step in range(1, 5 - len(trick)):
            beaten = self.beaten(trick[best], trick[0][0], (self.seat + step) % 4)
            ours = ours + (1 - ours) * beaten if step == 2 else ours * (1 - beaten)
        return ours

    def beaten(self, best: Card, led: str, seat: Seat) -> float:
        """That the seat, still to play, can beat the best card of the trick."""
        suit = [card for card in self.out if card[0] == led]
        beating = [card for card in self.out if beats(card, best, self.trump)]
        in_suit = [card for card in beating if card[0] == led]
        trumps = [card for card in beating if card[0] != led]
        void = 1 - self.holds(seat, suit)
        return self.holds(seat, in_suit) + void * self.holds(seat, trumps)

    def holds(self, seat: Seat, cards: Sequence[Card]) -> float:
        """That the seat holds one of these cards of one suit, each as likely here as there."""
        if not cards or (seat, cards[0][0]) in self.voids:
            return 0.0
        able = [
            size
            for other, size in enumerate(self.sizes)
            if other != self.seat and (other, cards[0][0]) not in self.voids
        ]
        return float(1 - (1 - self.sizes[seat] / sum(able)) ** len(cards))

    def later(self, card: Card) -> float:
        """What the card could bring another time; of two that are alike the lower goes first."""
        higher = sum(other[0] == card[0] and RANK[other] > RANK[card] for other in self.out)
        wins = LATER[min(higher, len(LATER) - 1)]
        brings = wins * (POINTS[card] + CATCH) - (1 - wins) * POINTS[card] * LOST
        return brings + (TRUMP if card[0] == self.trump else 0.0) + 0.01 * RANK[card]
