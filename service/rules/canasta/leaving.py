"""The end of a turn: discard, go out, pass, and the question before it (rules 3.9 to 3.13)."""

from collections.abc import Sequence
from typing import Literal

from service.rules.canasta.commands import Group, Plan
from service.rules.canasta.draft import Draft
from service.rules.canasta.events import (
    CardDiscarded,
    PartnerAnswered,
    PartnerAsked,
    TurnPassed,
)
from service.rules.canasta.laying import check_exit, check_held, concealed, lay, leave
from service.rules.canasta.reasons import refuse
from service.rules.canasta.scoring import end_deal
from service.rules.canasta.state import State
from service.rules.canasta.taking import take_pile
from service.rules.cards import Card
from service.rules.errors import IllegalMove
from service.rules.protocol import Seat


def discard(draft: Draft, seat: Seat, card: Card) -> None:
    """Puts a card on the pile; the last one goes out (3.12, 4.5)."""
    state = draft.state
    check_held(state, seat, (card,))
    last = len(state.hands[seat]) == 1
    if last:
        check_exit(draft, seat, "cannot_go_out")
    hidden = concealed(state, seat)
    draft.emit(CardDiscarded(seat, card))
    if last:
        leave(draft, seat, hidden)


def go_out(draft: Draft, seat: Seat, groups: Sequence[Group], card: Card | None) -> None:
    """Lays the groups and discards `card` as one act that must empty the hand (4.6)."""
    if not groups and card is None:
        raise refuse("empty_command")
    named = [named for group in groups for named in group.cards]
    check_held(draft.state, seat, named if card is None else [*named, card])
    if groups:
        lay(draft, seat, groups)
    if card is not None:
        discard(draft, seat, card)
    if draft.state.hands[seat]:
        raise refuse("hand_not_empty")


def ask(draft: Draft, seat: Seat, plan: Plan) -> None:
    """Asks the partner, with a plan that must be a legal exit (3.13, 4.7)."""
    state = draft.state
    if state.partner(seat) is None:
        raise refuse("no_partner")
    if state.asked:
        raise refuse("already_asked")
    if state.phase == "play" and len(state.hands[seat]) == 1:
        raise refuse("ask_too_late")
    before_drawing = state.phase == "draw"
    if before_drawing and not state.variant.must_ask:
        raise refuse("wrong_phase")
    if before_drawing != (plan.take is not None):
        raise refuse("wrong_phase")
    _carry_out(Draft(state, permitted=True), seat, plan)
    draft.emit(PartnerAsked(seat, plan))


def answer(draft: Draft, seat: Seat, word: Literal["yes", "no"]) -> None:
    """Answers the partner's question; a yes carries the plan out (4.7)."""
    asker, plan = draft.state.turn, draft.state.plan
    draft.emit(PartnerAnswered(seat, word))
    if word == "yes" and plan:
        draft.permitted = True
        _carry_out(draft, asker, plan)


def pass_turn(draft: Draft, seat: Seat) -> None:
    """Takes nothing at an empty stock (3.11, 4.8)."""
    state = draft.state
    if state.stock:
        raise refuse("stock_not_empty")
    if must_take(state, seat):
        raise refuse("must_take_pile")
    draft.emit(TurnPassed(seat))
    if state.variant.empty_stock == "ends" or state.passes == state.players:
        end_deal(draft, None)


def must_take(state: State, seat: Seat) -> bool:
    """Whether the pile must be taken: its top fits a meld of the side by itself (3.11)."""
    side = state.side(seat)
    if state.variant.empty_stock == "ends" or state.frozen(side):
        return False
    return any(_takes_onto(state, seat, meld.id) for meld in state.melds[side])


def _takes_onto(state: State, seat: Seat, meld: str) -> bool:
    try:
        take_pile(Draft(state), seat, (), meld, ())
    except IllegalMove:
        return False
    return True


def _carry_out(draft: Draft, seat: Seat, plan: Plan) -> None:
    if plan.take:
        take_pile(draft, seat, plan.take.cards, plan.take.target, plan.take.also)
        if not draft.state.hands[seat] and not plan.groups and plan.discard is None:
            return
    go_out(draft, seat, plan.groups, plan.discard)
