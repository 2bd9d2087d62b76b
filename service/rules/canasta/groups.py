"""Single melds and lay-offs that a hand offers (rules 3.7), the useful ones of each kind.

Cards of one rank differ only by suit, and suits matter only where there are sequences. So of
each set there is one example a size: three cards and all of them, the same with one wild and
with all that fit. Sequences are listed in full.
"""

from collections.abc import Iterator, Sequence

from service.rules.canasta.commands import Group
from service.rules.canasta.melds import (
    CANASTA_SIZE,
    SMALLEST,
    WILDS,
    growth_fault,
    natural_rank,
    new_fault,
)
from service.rules.canasta.state import Meld
from service.rules.canasta.variants import Variant
from service.rules.cards import RANK, RANKS, SUITS, Card, arranged


def single_groups(variant: Variant, melds: Sequence[Meld], hand: Sequence[Card]) -> Iterator[Group]:
    """New sets by rank, sequences by suit, wild melds; then lay-offs in the melds' order.

    Every one has a lawful shape; black threes, which need a way out, are not among them.
    """
    wild = wilds_of(hand)
    for rank in RANKS:
        naturals = of_rank(hand, rank)
        if len(naturals) > 1:
            for cards in dict.fromkeys(sets_of(variant, naturals, wild)):
                if new_fault(variant, melds, cards, "set") is None:
                    yield Group(cards)
    if "seq" in variant.largest:
        for suit in SUITS:
            yield from map(Group, runs_of(variant, suit, hand))
    for size in sorted({SMALLEST, min(len(wild), variant.largest.get("wild") or len(wild))}):
        if len(wild) >= size and new_fault(variant, melds, wild[:size]) is None:
            yield Group(wild[:size])
    for meld in melds:
        yield from (Group(cards, meld.id) for cards in _lay_offs(variant, meld, hand))


def of_rank(hand: Sequence[Card], rank: str) -> tuple[Card, ...]:
    """The naturals of a rank in the hand."""
    return tuple(card for card in hand if RANK[card] == rank)


def wilds_of(hand: Sequence[Card]) -> tuple[Card, ...]:
    """The wilds in the hand, cheapest first."""
    return arranged(card for card in hand if card in WILDS)


def singles(variant: Variant, cards: Sequence[Card]) -> list[Card]:
    """The cards, one for each suit where suits matter, else one in all."""
    return sorted(set(cards), key=cards.index)[: None if "seq" in variant.largest else 1]


def sets_of(
    variant: Variant, naturals: tuple[Card, ...], wild: tuple[Card, ...]
) -> Iterator[tuple[Card, ...]]:
    """Sets of these naturals, misshapen ones among them: few, all, with one wild, with many."""
    fit = sum(need <= len(naturals) for need in variant.naturals_for_wilds) - 1
    yield naturals[:SMALLEST]
    yield naturals
    if wild:
        yield naturals[:2] + wild[:1]
        yield naturals + wild[:1]
        yield naturals + wild[-1:]
        yield naturals + wild[:fit]


def runs_of(variant: Variant, suit: str, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every sequence in the suit, by its lowest card, then by length."""
    held = [rank + suit in cards for rank in RANKS]
    longest = variant.largest["seq"] or len(RANKS)
    for low in range(len(RANKS)):
        for size in range(1, min(longest, len(RANKS) - low) + 1):
            if not held[low + size - 1]:
                break
            if size >= SMALLEST:
                yield tuple(rank + suit for rank in RANKS[low : low + size])


def _lay_offs(variant: Variant, meld: Meld, hand: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Cards that may join the meld: one, all; for a sequence every stretch at both ends."""
    if meld.kind == "seq":
        yield from prolongations(variant, meld, hand)
    if meld.kind not in ("set", "wild"):
        return
    naturals = of_rank(hand, natural_rank(meld.cards) or "")
    wild = wilds_of(hand)
    room = (variant.largest[meld.kind] or len(meld.cards) + len(hand)) - len(meld.cards)
    found = [(card,) for card in singles(variant, naturals)] + [naturals]
    found += [wild[:1], wild[-1:]]
    missing = CANASTA_SIZE - len(meld.cards) - len(naturals)
    found += [naturals + wild[:missing]] if 0 < missing <= len(wild) else []
    if meld.kind == "wild":
        found.append(wild[:room])
    for cards in dict.fromkeys(found):
        if cards and growth_fault(variant, meld, cards) is None:
            yield cards


def prolongations(variant: Variant, meld: Meld, hand: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every way to prolong a sequence at its ends, fewest cards first."""
    if len(meld.cards) == variant.largest["seq"]:
        return
    together = runs_of(variant, meld.cards[0][-1], (*hand, *meld.cards))
    found = [run for run in together if set(meld.cards) < set(run)]
    for run in sorted(found, key=len):
        yield tuple(card for card in run if card not in meld.cards)
