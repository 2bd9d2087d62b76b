"""Endings of botifarra for the search core, and what perfect play brings by trying everything."""

from random import Random

from workers.strategies.botifarra.core import Position

LOWEST = 5
"""In an ending that is rich, ranks below this are out of play first."""


def ending(rng: Random, cards: int, rich: bool = False) -> Position:
    """A deal played at random until so many cards are left; rich: of high cards alone."""
    pack = list(range(48))
    rng.shuffle(pack)
    if rich:
        pack.sort(key=lambda card: card % 12 < LOWEST)
        pack = pack[: (cards + 3) // 4 * 4]
        rng.shuffle(pack)
    hands = [sum(1 << card for card in pack[seat::4]) for seat in range(4)]
    position = Position(hands, rng.randrange(5), rng.randrange(4))
    for _ in range(len(pack) - cards):
        position.play(rng.choice(position.legal()))
    return position


def after(position: Position, card: int) -> Position:
    """The position when the card was played."""
    then = position.copy()
    then.play(card)
    return then


def value(position: Position, card: int) -> int:
    """The points of the side to act from here if it plays the card and then all play perfectly."""
    then = after(position, card)
    if (then.seat - position.seat) % 2 == 0:
        return position.left - then.left + tried(then)
    return then.left - tried(then)


def tried(position: Position) -> int:
    """The points that the side to act takes at best, by trying every card."""
    return max((value(position, card) for card in position.legal()), default=0)
