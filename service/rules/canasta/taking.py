"""Cards from the pile (rules 3.5 and 3.6)."""

from collections.abc import Sequence

from service.rules.canasta.commands import Group
from service.rules.canasta.draft import Draft
from service.rules.canasta.events import CanastaClosed, PileTaken, TopTaken
from service.rules.canasta.laying import (
    check_exit,
    check_held,
    lay_groups,
    lay_new,
    lay_onto,
    own_meld,
    settle,
)
from service.rules.canasta.melds import (
    RED_THREES,
    WILDS,
    canasta_of,
    growth_fault,
    kind_of,
    meld_fault,
    points,
    same_rank,
    wilds,
)
from service.rules.canasta.reasons import refuse
from service.rules.canasta.state import Meld, State
from service.rules.canasta.variants import Variant
from service.rules.cards import RANK, Card, arranged
from service.rules.protocol import Seat


def take_pile(
    draft: Draft, seat: Seat, cards: tuple[Card, ...], target: str | None, also: Sequence[Group]
) -> None:
    """Melds the top card with `cards`, picks up the rest, and lays `also` (3.5, 4.2)."""
    state, variant = draft.state, draft.state.variant
    side = state.side(seat)
    pile, hand, melded = state.pile, state.hands[seat], state.melded(side)
    top = _takeable(state)
    others = [card for group in also for card in group.cards]
    check_held(state, seat, [*cards, *others])
    if variant.pickup == "meld":
        if len(hand) == len(pile) == 1:
            raise refuse("one_card_pile")
    elif target is not None:
        raise refuse("no_layoff_take")
    meld = _joined(state, side, top, cards) if target is None else own_meld(state, seat, target)
    fault = pickup_fault(variant, state.frozen(side), top, cards, meld)
    if fault:
        raise refuse(fault)

    red = tuple(card for card in pile if card in RED_THREES)
    rest = arranged(card for card in pile if card not in RED_THREES)
    draft.emit(PileTaken(seat, top, rest, red))
    if meld:
        lay_onto(draft, seat, meld, (*cards, top))
    else:
        lay_new(draft, seat, (*cards, top), None if variant.pickup == "meld" else "set")
    lay_groups(draft, seat, also)
    settle(draft, seat, melded, points([*cards, top, *others]))


def take_top(draft: Draft, seat: Seat, target: str) -> None:
    """Puts the top card alone onto a sequence of the side (3.6, 4.3)."""
    state = draft.state
    if not state.variant.top_onto_sequence:
        raise refuse("top_only_not_allowed")
    top = _takeable(state)
    meld = own_meld(state, seat, target)
    if meld.kind != "seq":
        raise refuse("not_a_sequence")
    fault = growth_fault(state.variant, meld, (top,))
    if fault:
        raise refuse("meld_full" if fault == "meld_full" else "does_not_extend")
    draft.emit(TopTaken(seat, top, target))
    closed = canasta_of("seq", (*meld.cards, top))
    if closed:
        draft.emit(CanastaClosed(seat, target, closed))
    if len(state.hands[seat]) < 2:
        check_exit(draft, seat, "keep_two_cards")


def _takeable(state: State) -> Card:
    """The top card of a pile that may be taken at all (3.5.1)."""
    if not state.pile:
        raise refuse("pile_empty")
    top = state.pile[-1]
    if top in WILDS:
        raise refuse("top_wild")
    if RANK[top] == "3":
        raise refuse("top_three")
    return top


def _joined(state: State, side: int, top: Card, cards: Sequence[Card]) -> Meld | None:
    """The side's set that a taken set becomes part of, where a rank has but one."""
    together = (*cards, top)
    if not state.variant.one_meld_per_rank or kind_of(together) != "set":
        return None
    return same_rank(state.melds[side], "set", together)


def pickup_fault(
    variant: Variant, frozen: bool, top: Card, cards: Sequence[Card], meld: Meld | None
) -> str | None:
    """Why hand cards do not justify taking the pile (3.5.2 to 3.5.4); their shape is left out.

    `meld` is the one that the cards and the top join, None where they open one.
    """
    if variant.pickup == "meld":
        return "pile_frozen" if frozen and not _thaws(variant, top, cards, meld) else None
    matching = sum(RANK[card] == RANK[top] for card in cards)
    if matching >= 2:
        return None
    if variant.pickup == "pair":
        return "need_natural_pair"
    if frozen:
        return "pile_frozen"
    return None if matching and wilds(cards) else "need_two_matching_cards"


def _thaws(variant: Variant, top: Card, cards: Sequence[Card], meld: Meld | None) -> bool:
    """Whether the top is melded without wilds: by hand cards alone, or on a natural meld."""
    if wilds(cards):
        return False
    if meld and not wilds(meld.cards):
        return True
    together = (*cards, top)
    return len(cards) >= 2 and meld_fault(variant, together, kind_of(together)) is None
