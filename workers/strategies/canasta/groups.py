"""What may be laid from a hand: candidates for the judgement, each legal in its shape."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from service.rules.canasta.commands import Group
from service.rules.canasta.melds import (
    CANASTA_SIZE,
    POINTS,
    SMALLEST,
    WILDS,
    growth_fault,
    kind_of,
    new_fault,
)
from service.rules.canasta.state import Meld
from service.rules.canasta.variants import Variant
from service.rules.cards import RANK, RANKS, SUITS, Card, arranged, without
from workers.strategies.canasta.sight import STEP, TOP


class Hand:
    """A hand sorted for melding."""

    __slots__ = ("by_rank", "cards", "wilds")

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)
        self.by_rank: dict[str, list[Card]] = defaultdict(list)
        for card in cards:
            if RANK[card] in STEP:
                self.by_rank[RANK[card]].append(card)
        # The cheap ones first: a joker goes where a two will not do.
        self.wilds = sorted((card for card in cards if card in WILDS), key=POINTS.__getitem__)


def candidates(variant: Variant, cards: Sequence[Card], melds: Sequence[Meld]) -> Iterator[Group]:
    """New melds and extensions that `cards` allow beside the side's `melds`, no black threes."""
    hand = Hand(cards)
    for meld in melds:
        for more in _growths(hand, meld):
            if growth_fault(variant, meld, more) is None:
                yield Group(more, meld.id)
    for new in _beginnings(variant, hand):
        if new_fault(variant, melds, new) is None:
            yield Group(new)


def _growths(hand: Hand, meld: Meld) -> Iterator[tuple[Card, ...]]:
    match meld.kind:
        case "set":
            naturals = hand.by_rank.get(RANK[meld.cards[0]], [])
            missing = CANASTA_SIZE - len(meld.cards)
            if naturals:
                yield tuple(naturals)
                yield tuple(naturals[:1])
            for wilds in range(1, min(len(hand.wilds), 3) + 1):
                if len(naturals) + wilds >= missing > 0:
                    yield (*naturals, *hand.wilds[:wilds])
            if hand.wilds:
                yield tuple(hand.wilds[:1])
        case "seq":
            suit = meld.cards[0][-1]
            below = _run(hand, suit, STEP[RANK[meld.cards[0]]], -1)
            above = _run(hand, suit, STEP[RANK[meld.cards[-1]]], 1)
            room = CANASTA_SIZE - len(meld.cards)
            for up in range(min(len(above), room) + 1):
                for down in range(min(len(below), room - up) + 1):
                    if up or down:
                        yield (*below[:down], *above[:up])
        case "wild":
            for number in range(1, len(hand.wilds) + 1):
                yield tuple(hand.wilds[:number])
        case _:
            pass


def _run(hand: Hand, suit: str, step: int, way: int) -> list[Card]:
    """The cards of the hand that follow a step without a gap."""
    run: list[Card] = []
    step += way
    while 0 <= step < TOP and RANKS[step] + suit in hand.cards:
        run.append(RANKS[step] + suit)
        step += way
    return run


def _beginnings(variant: Variant, hand: Hand) -> Iterator[tuple[Card, ...]]:
    for cards in hand.by_rank.values():
        for wilds in range(min(len(hand.wilds), len(variant.naturals_for_wilds) - 1) + 1):
            for number in {len(cards), min(len(cards), 3)}:
                if number + wilds >= SMALLEST:
                    yield (*cards[:number], *hand.wilds[:wilds])
    if "seq" in variant.largest:
        held = set(hand.cards)
        for suit in SUITS:
            for low in range(TOP - SMALLEST + 1):
                run: list[Card] = []
                for rank in RANKS[low : low + CANASTA_SIZE]:
                    if rank + suit not in held:
                        break
                    run.append(rank + suit)
                    if len(run) >= SMALLEST:
                        yield tuple(run)
    if "wild" in variant.largest:
        for number in range(SMALLEST, len(hand.wilds) + 1):
            yield tuple(hand.wilds[:number])


def laid(
    cards: Sequence[Card], melds: Sequence[Meld], group: Group, next_meld: int
) -> tuple[tuple[Card, ...], tuple[Meld, ...]]:
    """Hand and melds after a group was laid; a new meld gets the id `next_meld`."""
    left = without(cards, group.cards)
    if group.target is None:
        return left, (*melds, Meld(f"m{next_meld}", kind_of(group.cards), arranged(group.cards)))
    grown = (
        Meld(meld.id, meld.kind, arranged((*meld.cards, *group.cards)))
        if meld.id == group.target
        else meld
        for meld in melds
    )
    return left, tuple(grown)
