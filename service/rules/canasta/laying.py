"""Cards from the hand to the table (rules 3.7, 3.8 and 3.10)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from service.rules.canasta.commands import Group
from service.rules.canasta.draft import Draft
from service.rules.canasta.events import (
    CanastaClosed,
    CanastaKind,
    MeldExtended,
    MeldKind,
    MeldLaid,
    WentOut,
)
from service.rules.canasta.melds import (
    canasta_of,
    growth_fault,
    kind_of,
    new_fault,
    points,
    requirement_met,
)
from service.rules.canasta.reasons import refuse
from service.rules.canasta.scoring import end_deal
from service.rules.canasta.state import Meld, State
from service.rules.cards import Card, arranged
from service.rules.protocol import Seat


def lay(draft: Draft, seat: Seat, groups: Sequence[Group]) -> None:
    """Lays the groups one after the other, all or none (4.4)."""
    if not groups:
        raise refuse("empty_command")
    cards = [card for group in groups for card in group.cards]
    check_held(draft.state, seat, cards)
    melded = draft.state.melded(draft.state.side(seat))
    lay_groups(draft, seat, groups)
    settle(draft, seat, melded, points(cards))


def lay_groups(draft: Draft, seat: Seat, groups: Iterable[Group]) -> None:
    """Lays cards that are known to be in the hand; `settle` must follow."""
    for group in groups:
        if not group.cards:
            raise refuse("empty_command")
        if group.target is None:
            lay_new(draft, seat, group.cards)
        else:
            lay_onto(draft, seat, own_meld(draft.state, seat, group.target), group.cards)


def lay_new(
    draft: Draft, seat: Seat, cards: tuple[Card, ...], kind: MeldKind | None = None
) -> None:
    """Opens a meld; without `kind` it is what the cards make of it (3.7.10)."""
    state = draft.state
    fault = new_fault(state.variant, state.melds[state.side(seat)], cards, kind)
    if fault:
        raise refuse(fault)
    kind = kind or kind_of(cards)
    name = f"m{state.next_meld}"
    draft.emit(MeldLaid(seat, name, kind, arranged(cards)))
    _close(draft, seat, name, None, canasta_of(kind, cards))


def lay_onto(draft: Draft, seat: Seat, meld: Meld, cards: tuple[Card, ...]) -> None:
    """Adds cards to a meld of the side (3.7.5)."""
    fault = growth_fault(draft.state.variant, meld, cards)
    if fault:
        raise refuse(fault)
    draft.emit(MeldExtended(seat, meld.id, arranged(cards)))
    before = canasta_of(meld.kind, meld.cards)
    _close(draft, seat, meld.id, before, canasta_of(meld.kind, (*meld.cards, *cards)))


def settle(draft: Draft, seat: Seat, melded: bool, worth: int) -> None:
    """Holds what was laid against the minimum and the cards to keep, and ends an emptied hand.

    Args:
        melded: whether the side had melded before the command.
        worth: the value of all that the command put down.
    """
    state = draft.state
    side = state.side(seat)
    if not melded:
        minimum = state.variant.minimum(state.scores[side])
        if worth < minimum:
            raise refuse("below_minimum", minimum=minimum, points=worth)
    left = len(state.hands[seat])
    if left > 1 and any(meld.kind == "b3" for meld in state.melds[side]):
        raise refuse("black_threes_only_going_out")
    if left < 2:
        check_exit(draft, seat, "keep_two_cards")
    if not left:
        leave(draft, seat, concealed(state, seat))


def check_exit(draft: Draft, seat: Seat, lacking: str) -> None:
    """Refuses what only a player who may go out can do (3.9.2, 3.13).

    Args:
        lacking: the reason to give where the requirement is missing.
    """
    state = draft.state
    if not requirement_met(state.variant, state.players, state.melds[state.side(seat)]):
        raise refuse(lacking)
    if state.refused:
        raise refuse("partner_refused")
    if state.variant.must_ask and not draft.permitted:
        raise refuse("must_ask_partner")


def concealed(state: State, seat: Seat) -> bool:
    """Whether going out in this turn is concealed (3.9.3); ask before the turn ends."""
    match state.variant.concealed_by:
        case "player":
            return not state.laid[seat]
        case "side":
            return not state.melded_before
        case _:
            return False


def leave(draft: Draft, seat: Seat, hidden: bool) -> None:
    """The hand is empty: the deal ends (3.9.4)."""
    out = WentOut(seat, hidden)
    draft.emit(out)
    end_deal(draft, out)


def check_held(state: State, seat: Seat, cards: Iterable[Card]) -> None:
    """Refuses cards that the hand does not hold, repeats counted."""
    if Counter(cards) - Counter(state.hands[seat]):
        raise refuse("card_not_in_hand")


def own_meld(state: State, seat: Seat, name: str) -> Meld:
    """The meld of the player's side with that id."""
    for side, melds in enumerate(state.melds):
        for meld in melds:
            if meld.id == name:
                if side != state.side(seat):
                    raise refuse("not_your_meld")
                return meld
    raise refuse("no_such_meld")


def _close(
    draft: Draft, seat: Seat, name: str, before: CanastaKind | None, now: CanastaKind | None
) -> None:
    if now and now != before:
        draft.emit(CanastaClosed(seat, name, now))
