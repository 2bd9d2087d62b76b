"""Ways to begin a turn with cards from the pile."""

from collections.abc import Iterator
from itertools import combinations

from service.rules.canasta.commands import Group, TakePile, TakeTop
from service.rules.canasta.melds import WILDS, growth_fault, points
from service.rules.cards import RANK, Card, without
from workers.strategies.canasta.groups import Hand, laid
from workers.strategies.canasta.plans import opening
from workers.strategies.canasta.sight import STEP, Sight


def takes(sight: Sight) -> Iterator[TakePile | TakeTop]:
    """Commands that might take the pile or its top card; not each of them is legal."""
    view, variant, seat = sight.view, sight.variant, sight.seat
    if not view.pile:
        return
    top = view.pile[-1]
    if top in WILDS or RANK[top] == "3":
        return
    if variant.top_onto_sequence:
        for meld in sight.melds:
            if meld.kind == "seq" and growth_fault(variant, meld, (top,)) is None:
                yield TakeTop(seat, meld.id)
    for cards, target in dict.fromkeys(_pickups(sight, top)):
        also = _also(sight, (*cards, top), target)
        if also is not None:
            yield TakePile(seat, cards, target, also)


def _also(sight: Sight, taken: tuple[Card, ...], target: str | None) -> tuple[Group, ...] | None:
    """What must be laid beside the taken meld for a first meld, None where it does not reach."""
    view = sight.view
    minimum = view.minimum(sight.side)
    lacking = 0 if minimum is None else minimum - points(taken)
    if lacking <= 0:
        return ()
    rest = without(sight.hand, taken[:-1])
    table, next_meld = sight.melds, view.next_meld
    if target is None:
        _, table = laid(taken, table, Group(taken), next_meld)
        next_meld += 1
    keep = 0 if len(view.pile) > 2 else 2  # the rest of the pile is kept as well
    plan = opening(sight, rest, table, next_meld, lacking, keep)
    return plan.groups if plan else None


def _pickups(sight: Sight, top: Card) -> Iterator[tuple[tuple[Card, ...], str | None]]:
    """Hand cards that may justify taking the pile, with the meld that the top joins."""
    variant, hand = sight.variant, Hand(sight.hand)
    naturals = tuple(hand.by_rank.get(RANK[top], ()))
    for number in {2, len(naturals)}:
        if len(naturals) >= number >= 2:
            yield naturals[:number], None
            if hand.wilds:
                yield (*naturals[:number], hand.wilds[0]), None
    if variant.pickup != "pair" and naturals and hand.wilds:
        yield (naturals[0], hand.wilds[0]), None
    if variant.pickup == "meld":
        for meld in sight.melds:
            if meld.kind in ("set", "seq"):
                yield (), meld.id
        if "seq" in variant.largest:
            near = [
                card
                for card in dict.fromkeys(sight.hand)
                if card[-1] == top[-1]
                and RANK[card] in STEP
                and 0 < abs(STEP[RANK[card]] - STEP[RANK[top]]) <= 2
            ]
            yield from ((pair, None) for pair in combinations(near, 2))
