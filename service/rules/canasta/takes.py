"""The ways to take the pile (rules 3.5), and what may be laid with it.

`ways` lists the hand cards that can justify a take, the least of each kind among them. Every
take is one of these and further groups laid at once (on the taken meld, too, which has its id
by then), so searching what is left of the hand for each way is exact.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from service.rules.canasta.arrange import arrange, lay, leanest
from service.rules.canasta.commands import Group, Plan, Take, TakePile
from service.rules.canasta.groups import of_rank, prolongations, runs_of, singles, wilds_of
from service.rules.canasta.melds import (
    RED_THREES,
    WILDS,
    growth_fault,
    kind_of,
    meld_fault,
    points,
    same_rank,
    wilds,
)
from service.rules.canasta.search import Goal
from service.rules.canasta.state import Meld, State
from service.rules.canasta.taking import pickup_fault
from service.rules.cards import RANK, Card, arranged, without
from service.rules.protocol import Seat


class Way(NamedTuple):
    """Hand cards that justify a take, the meld they join or open, and the position after it.

    `worth` counts the top card too; `rest` is what else the pile brings to the hand.
    """

    cards: tuple[Card, ...]
    target: str | None
    meld: str
    worth: int
    melds: tuple[Meld, ...]
    hand: tuple[Card, ...]
    rest: tuple[Card, ...]


def ways(state: State, seat: Seat) -> Iterator[Way]:
    """Every useful way to justify a take: sets, then sequences."""
    variant, hand = state.variant, state.hands[seat]
    top, melds = state.pile[-1] if state.pile else "3c", state.melds[state.side(seat)]
    if top in WILDS or RANK[top] == "3":
        return
    if variant.pickup == "meld" and len(hand) == len(state.pile) == 1:
        return
    joined = same_rank(melds, "set", (top,)) if variant.one_meld_per_rank else None
    for cards in _sets(state, seat, joined):
        yield _way(state, seat, cards, joined)
    if variant.pickup == "meld":
        for run in runs_of(variant, top[-1], (*hand, top)):
            if top in run:
                yield _way(state, seat, without(run, (top,)), None)
        for meld in melds:
            if meld.kind == "seq":
                for cards in prolongations(variant, meld, (*hand, top)):
                    if top in cards:
                        yield _way(state, seat, without(cards, (top,)), meld)


def _sets(state: State, seat: Seat, joined: Meld | None) -> Iterator[tuple[Card, ...]]:
    """Hand cards with which the top becomes a set or joins one, the least first."""
    variant, hand, top = state.variant, state.hands[seat], state.pile[-1]
    naturals, wild = of_rank(hand, RANK[top]), wilds_of(hand)
    frozen = state.frozen(state.side(seat))
    pairs = list(dict.fromkeys(combinations(naturals, 2)))
    one_each = [(card,) for card in singles(variant, naturals)]
    found = [(), *one_each, *(pairs if "seq" in variant.largest else pairs[:1]), naturals]
    for some in (*one_each, naturals):
        found += [(*some, *more) for more in (wild[:1], wild[-1:], wild[:2], wild[:3])]
    for cards in dict.fromkeys(map(arranged, found)):
        if pickup_fault(variant, frozen, top, cards, joined) is None:
            if joined and growth_fault(variant, joined, (*cards, top)) is None:
                yield cards
            if not joined and meld_fault(variant, (*cards, top), "set") is None:
                yield cards


def _way(state: State, seat: Seat, cards: tuple[Card, ...], joined: Meld | None) -> Way:
    top, melds = state.pile[-1], state.melds[state.side(seat)]
    together = arranged((*cards, top))
    if joined:
        grown = Meld(joined.id, joined.kind, arranged((*joined.cards, *together)))
        after = tuple(grown if meld.id == joined.id else meld for meld in melds)
    else:
        grown = Meld(f"m{state.next_meld}", kind_of(together), together)
        after = (*melds, grown)
    explicit = joined.id if joined and state.variant.pickup == "meld" else None
    rest = tuple(card for card in state.pile[:-1] if card not in RED_THREES)
    hand = without(state.hands[seat], cards)
    return Way(cards, explicit, grown.id, points(together), after, hand, rest)


def takes(state: State, seat: Seat) -> Iterator[TakePile]:
    """Takes of the pile, each way once, with what else must be laid for it.

    At least one whenever any take is legal, and one that goes out whenever there is one.
    """
    minimum = state.minimum(state.side(seat)) or 0
    may_leave = not state.refused and not state.variant.must_ask
    left = False
    for way in ways(state, seat):
        value, rest = max(0, minimum - way.worth), len(way.rest)
        goals = [Goal(value, keep=max(0, 2 - rest))]
        if may_leave and not left and rest < 2:
            goals.append(Goal(value, most=1 - rest, out=True))
        for goal in goals:
            found = arrange(state.variant, state.players, way.melds, way.hand, goal)
            if found:
                left = left or goal.out
                groups = found.groups if goal.out else leanest(found.groups, value)
                cards, also = _merged(state, seat, way, groups)
                yield TakePile(seat, cards, way.target, also)


def plans_with_take(state: State, seat: Seat) -> Iterator[Plan]:
    """At most one plan to go out that begins with a take of the pile (3.13.3).

    There is one whenever one exists, if the side has melded. For a first meld the groups laid
    with the take are chosen before the exit is known, so an exit that fits no such choice is
    missed; it can still be asked for after the take.
    """
    variant, players = state.variant, state.players
    side, leave = state.side(seat), Goal(most=1, out=True)
    minimum = state.minimum(side) or 0
    pile = [card for card in state.pile if card not in RED_THREES]
    if not arrange(variant, players, state.melds[side], (*state.hands[seat], *pile), leave):
        return
    for way in ways(state, seat):
        for groups in _openings(state, way, max(0, minimum - way.worth)):
            number = state.next_meld + len(way.melds) - len(state.melds[side])
            melds, hand = lay(way.melds, way.hand, groups, number)
            found = arrange(variant, players, melds, (*hand, *way.rest), leave)
            if found:
                cards, also = _merged(state, seat, way, groups)
                take = Take(cards, way.target, also)
                yield Plan(found.groups, found.stays[0] if found.stays else None, take)
                return


def _openings(state: State, way: Way, value: int) -> Iterator[tuple[Group, ...]]:
    """What may be laid with a take before the player leaves: little, much, or all."""
    rest = len(way.rest)
    some = Goal(value, keep=max(0, 2 - rest))
    found = arrange(state.variant, state.players, way.melds, way.hand, some)
    if found:
        yield from dict.fromkeys((leanest(found.groups, value), found.groups))
    if rest < 2:
        every = Goal(value, most=1 - rest, out=True)
        found = arrange(state.variant, state.players, way.melds, way.hand, every)
        if found:
            yield found.groups


def _merged(
    state: State, seat: Seat, way: Way, groups: Sequence[Group]
) -> tuple[tuple[Card, ...], tuple[Group, ...]]:
    """The hand cards of a take and the groups beside it; what joins the taken meld is merged."""
    frozen = state.variant.pickup == "meld" and state.frozen(state.side(seat))
    cards, also = way.cards, []
    for group in groups:
        if group.target == way.meld and not (frozen and wilds(group.cards)):
            cards = arranged((*cards, *group.cards))
        else:
            also.append(group)
    return cards, tuple(also)
