"""What a card does to the trick, and what it leaves in the hand.

leading ──► trumps drawn, a winner, the manilla saved, a higher card forced out, a suit to ruff
following ┬ the partner wins: points given, high cards saved
          ├ the card wins: how surely, how cheaply, for how much
          └ it loses: at what price
"""

from typing import Final

from service.languages.catalogue import Sentence
from service.rules.botifarra.cards import PACK, POINTS, RANK
from service.rules.botifarra.scoring import HALF
from service.rules.botifarra.state import State
from service.rules.botifarra.tricks import beats, legal_cards, winning, worth
from service.rules.cards import Card
from service.rules.protocol import Seat

WHOLE: Final = 2 * HALF
"""Points of a deal."""

MANILLA: Final = "9"


class Trick:
    """The trick as the seat sees it that is to play to it.

    Attributes:
        out: cards that the others may hold: neither played nor in the own hand.
        best: the card that is winning, if one was played; `partners`: whether it is the partner's.
    """

    def __init__(self, view: State, seat: Seat) -> None:
        assert view.trump
        self.trump = view.trump
        self.cards = view.trick
        self.hand = view.hands[seat]
        self.legal = legal_cards(self.hand, self.cards, self.trump)
        gone = {*self.hand, *self.cards, *(card for one in view.tricks for card in one.cards)}
        self.out = [card for card in PACK if card not in gone]
        place = winning(self.cards, self.trump)
        self.best = self.cards[place] if self.cards else None
        self.partners = len(self.cards) > 1 and place == len(self.cards) - 2
        self.last = len(self.cards) == 3

    def beating(self, card: Card) -> list[Card]:
        """The cards out that beat the card."""
        return [other for other in self.out if beats(other, card, self.trump)]

    def alone(self, card: Card) -> bool:
        """Whether it is the hand's only card of a suit, and a trump could be played on the suit."""
        suits = [other[0] for other in self.hand]
        led = any(other[0] == card[0] for other in self.out)  # somebody may lead it still
        return led and suits.count(card[0]) == 1 and card[0] != self.trump and self.trump in suits


def play(trick: Trick, card: Card) -> Sentence | None:
    """Why to play that card, where there are others to choose from."""
    if trick.best is None:
        return _lead(trick, card)
    if trick.partners:
        return _help(trick, card)
    return _win(trick, card) if beats(card, trick.best, trick.trump) else _lose(trick, card)


def _lead(trick: Trick, card: Card) -> Sentence | None:
    trumps = sum(other[0] == trick.trump for other in trick.out)
    if card[0] == trick.trump and trumps:
        return Sentence("Draws trumps; still out: {count}.", count=trumps)
    if not trick.beating(card):
        return Sentence("Leads a winner: no card that is out beats it.")
    higher = sum(other[0] == card[0] for other in trick.beating(card))
    if not higher:
        return Sentence(
            "Leads a card that only a trump beats; trumps still out: {count}.", count=trumps
        )
    if trick.alone(card):
        return Sentence("Leads your only card of the suit, so that you can ruff the next one.")
    if card[1:] != MANILLA and card[0] + MANILLA in trick.hand:
        return Sentence("Leads low and saves the manilla of the suit.")
    if POINTS[card]:
        return Sentence("Forces out a higher card of the suit; still out: {count}.", count=higher)
    if any(other[0] == card[0] and POINTS[other] for other in trick.hand):
        return Sentence("Leads low and saves the points that you hold in the suit.")
    return Sentence("Leads a card without points, so that little is lost where the others win.")


def _help(trick: Trick, card: Card) -> Sentence | None:
    """The partner's card is winning."""
    assert trick.best
    risk = [] if trick.last else trick.beating(trick.best)
    if risk and beats(card, trick.best, trick.trump):
        return Sentence("Covers your partner's card, before the last player beats it.")
    if POINTS[card] and not risk:
        return Sentence(
            "Gives your partner's trick a card worth {points}; nobody can take it any more.",
            points=POINTS[card],
        )
    if POINTS[card]:
        return Sentence(
            "Gives your partner's trick a card worth {points}, at a risk; cards that could take "
            "it: {count}.",
            points=POINTS[card],
            count=len(risk),
        )
    if trick.alone(card):
        return _void()
    if any(POINTS[other] for other in trick.legal):
        if risk:
            return Sentence("Saves your points: your partner is winning the trick.")
        return Sentence(
            "Keeps your points for later tricks, although nobody can take this one from your "
            "partner."
        )
    return Sentence("Your partner is winning the trick; a card without points does.")


def _win(trick: Trick, card: Card) -> Sentence:
    """The card takes the trick from the others, so far."""
    points = worth((*trick.cards, card))
    ruffs = card[0] == trick.trump != trick.cards[0][0]
    if not trick.last:
        stronger = len(trick.beating(card))
        if not stronger:
            return Sentence("Wins the trick for certain: no card that is out beats it.")
        if ruffs:
            return Sentence(
                "Ruffs the others' trick; higher trumps still out: {count}.", count=stronger
            )
        if all(other[0] == trick.trump != card[0] for other in trick.beating(card)):
            return Sentence(
                "Takes the lead in the trick; only a trump beats the card, still out: {count}.",
                count=stronger,
            )
        return Sentence(
            "Takes the lead in the trick, so that the others must spend a higher card; still out: "
            "{count}.",
            count=stronger,
        )
    if ruffs:
        return Sentence(
            "Ruffs and wins the trick, {points} of the deal's {whole} points.",
            points=points,
            whole=WHOLE,
        )
    higher = [other for other in trick.legal if RANK[other] > RANK[card]]
    if any(POINTS[other] > POINTS[card] for other in higher):
        return Sentence(
            "Wins the trick cheaply, {points} of the deal's {whole} points, and saves a higher "
            "card.",
            points=points,
            whole=WHOLE,
        )
    return Sentence(
        "Wins the trick, {points} of the deal's {whole} points.", points=points, whole=WHOLE
    )


def _lose(trick: Trick, card: Card) -> Sentence:
    """The others win the trick, unless the partner, who may be last, takes it from them."""
    hope = len(trick.cards) == 1
    if POINTS[card] == 0:
        if trick.alone(card):
            return _void()
        points = any(POINTS[other] for other in trick.legal)
        if hope and points:
            return Sentence("Saves your points while the others are winning the trick.")
        if hope:
            return Sentence("Adds a card without points while the others are winning the trick.")
        if not points:
            return Sentence("Loses the trick, at the price of a card without points.")
        return Sentence("Loses the trick at no price, and saves your points.")
    if hope and len(trick.legal) > 1:
        return Sentence(
            "Adds a card worth {points}, in the hope that your partner takes the trick.",
            points=POINTS[card],
        )
    if POINTS[card] == min(POINTS[other] for other in trick.legal):
        return Sentence(
            "Loses the trick as cheaply as the rules allow: a card worth {points}.",
            points=POINTS[card],
        )
    if trick.alone(card):
        return _void()
    return Sentence(
        "Gives the others' trick a card worth {points}, where a cheaper one is allowed.",
        points=POINTS[card],
    )


def _void() -> Sentence:
    return Sentence("Throws your last card of a suit, so that you can ruff it later.")
