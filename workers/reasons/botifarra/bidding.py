"""Why to choose those trumps, to leave the choice to the partner, to raise the stake or not."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from service.languages.catalogue import Sentence
from service.rules.botifarra.cards import PACK, POINTS, SUITS
from service.rules.botifarra.commands import Trump
from service.rules.cards import Card

LONG: Final = 5
"""Cards of a suit that one would like to see trumps."""


def choose(hand: Sequence[Card], trump: Trump) -> Sentence:
    """Why those trumps."""
    if trump == "botifarra":
        return Sentence(
            "Botifarra doubles the deal, and high cards win without trumps; manillas and aces in "
            "your hand: {count}.",
            count=sum(card[1:] in ("9", "1") for card in hand),
        )
    suit, count = SUITS[trump], sum(card[0] == trump for card in hand)
    if f"{trump}9" in hand and f"{trump}1" in hand:
        return Sentence(
            "Names {suit}, of which you hold {count}, manilla and ace among them.",
            suit=suit,
            count=count,
        )
    if f"{trump}9" in hand:
        return Sentence(
            "Names {suit}, of which you hold {count}, the manilla among them.",
            suit=suit,
            count=count,
        )
    if count and {card[0] for card in hand} != set(SUITS):
        return Sentence(
            "Names {suit}, of which you hold {count}; there is a suit that you can ruff.",
            suit=suit,
            count=count,
        )
    return Sentence("Names {suit}, of which you hold {count}.", suit=suit, count=count)


def delegate(hand: Sequence[Card]) -> Sentence:
    """Why to leave the choice."""
    longest = max(Counter(card[0] for card in hand).values())
    if longest >= LONG:
        return Sentence(
            "Leaves the choice to your partner, at the price of your own suit of {count} cards.",
            count=longest,
        )
    return Sentence(
        "Leaves the choice to your partner: your longest suit has only {count} cards.",
        count=longest,
    )


def double(hand: Sequence[Card], trump: Trump | None) -> Sentence:
    """Why to raise the stake."""
    trumps = sum(card[0] == trump for card in hand)
    if trumps:
        return Sentence(
            "Raises the stake: your hand has {points} of the {whole} points and {trumps} of the "
            "{all} trumps.",
            points=_points(hand),
            whole=_points(PACK),
            trumps=trumps,
            all=sum(card[0] == trump for card in PACK),
        )
    return Sentence(
        "Raises the stake: your hand has {points} of the {whole} points.",
        points=_points(hand),
        whole=_points(PACK),
    )


def no_double(hand: Sequence[Card]) -> Sentence:
    """Why to leave the stake."""
    return Sentence(
        "Leaves the stake, which might be the others' gain: your hand has {points} of the {whole} "
        "points.",
        points=_points(hand),
        whole=_points(PACK),
    )


def _points(cards: Sequence[Card]) -> int:
    return sum(POINTS[card] for card in cards)
