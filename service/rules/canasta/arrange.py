"""What a hand can do at once: openings, takes and exits (rules 3.5 to 3.10)."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from service.rules.canasta.commands import Group
from service.rules.canasta.melds import CANASTA_SIZE, canasta_of, kind_of, points
from service.rules.canasta.runs import TOP
from service.rules.canasta.search import Arrangement, Goal, Search
from service.rules.canasta.state import Meld
from service.rules.canasta.variants import Variant
from service.rules.cards import RANKS, SUITS, Card, arranged, without


def arrange(
    variant: Variant,
    players: int,
    melds: Sequence[Meld],
    hand: Sequence[Card],
    goal: Goal,
) -> Arrangement | None:
    """An arrangement of `hand` beside the side's `melds` that meets the goal, None if none does.

    Where points are wanted or the player goes out, it puts few cards into sequences and few
    wilds anywhere, and otherwise lays what it can. A sequence canasta, wanted only to go out,
    is chosen and set aside first.
    """
    if not goal.out and not goal.value:
        return Arrangement((), tuple(hand)) if len(hand) >= goal.keep else None
    if not goal.out:
        return Search(variant, melds, hand, goal).solve()
    canastas = [meld.kind for meld in melds if canasta_of(meld.kind, meld.cards)]
    wanted = max(0, variant.canastas_to_go_out[players] - len(canastas))
    fewest = int(variant.sequence_to_go_out and "seq" not in canastas)
    longs = _long_sequences(variant, melds, hand)
    for count in range(fewest, max(fewest, wanted) + 1):
        for chosen in combinations_with_replacement(longs, count):
            left = _set_aside(hand, chosen)
            if left is not None:
                grown = [group.target for group in chosen]
                others = [meld for meld in melds if meld.id not in grown]
                worth = sum(points(group.cards) for group in chosen)
                rest = goal._replace(value=max(0, goal.value - worth))
                search = Search(variant, others, left, rest, max(0, wanted - count))
                if found := search.solve():
                    return Arrangement((*found.groups, *chosen), found.stays)
    return None


def _long_sequences(
    variant: Variant, melds: Sequence[Meld], hand: Sequence[Card]
) -> tuple[Group, ...]:
    """Every way to make a sequence of seven, from the hand alone or on a table sequence."""
    return tuple(_sevens(melds, set(hand))) if "seq" in variant.largest else ()


def _sevens(melds: Sequence[Meld], held: set[Card]) -> Iterator[Group]:
    for suit in SUITS:
        for low in range(TOP - CANASTA_SIZE + 1):
            run = tuple(rank + suit for rank in RANKS[low : low + CANASTA_SIZE])
            if held.issuperset(run):
                yield Group(run)
            for meld in melds:
                if meld.kind == "seq" and len(meld.cards) < CANASTA_SIZE:
                    more = tuple(card for card in run if card not in meld.cards)
                    if len(more) + len(meld.cards) == CANASTA_SIZE and held.issuperset(more):
                        yield Group(more, meld.id)


def _set_aside(hand: Sequence[Card], chosen: Sequence[Group]) -> tuple[Card, ...] | None:
    """The hand without the chosen groups, None where they need a card or a meld twice."""
    grown = [group.target for group in chosen if group.target]
    if len(grown) > len(set(grown)):
        return None
    try:
        return without(hand, [card for group in chosen for card in group.cards])
    except ValueError:
        return None


def leanest(groups: Sequence[Group], value: int) -> tuple[Group, ...]:
    """The groups less those that can be spared while the others are worth `value`."""
    spare = sum(points(group.cards) for group in groups) - value
    needed = list(groups)
    for group in sorted(groups, key=lambda group: points(group.cards)):
        if points(group.cards) <= spare:
            spare -= points(group.cards)
            needed.remove(group)
    return tuple(needed)


def lay(
    melds: Sequence[Meld], hand: Sequence[Card], groups: Sequence[Group], number: int
) -> tuple[tuple[Meld, ...], tuple[Card, ...]]:
    """The melds and the hand after the groups are laid; `number` is that of the next meld."""
    after = {meld.id: meld for meld in melds}
    for group in groups:
        if group.target is None:
            after[f"m{number}"] = Meld(f"m{number}", kind_of(group.cards), arranged(group.cards))
            number += 1
        else:
            old = after[group.target]
            after[old.id] = Meld(old.id, old.kind, arranged((*old.cards, *group.cards)))
    return tuple(after.values()), without(hand, [card for g in groups for card in g.cards])
