"""What a seat may do now, in a fixed order (rules 4).

The commands of the family are too many to list: any sixty cards make thousands of melds. `legal`
gives a selection that never misses a kind of thing that can be done:

    every Draw, Pass, TakeTop, Discard and Answer;
    a TakePile for each way to justify it, if any take is legal at all;
    a Meld for each single meld and lay-off of use (`groups`), and for the first meld one that
    reaches the minimum whenever any does;
    a GoOut, and a question to the partner with a plan, whenever there is a way out.

Commands that differ only by copies of a card, or by suits where suits mean nothing, appear once.
Only what the seat may see is read, so a view gives the same answer as the state.
"""

from collections.abc import Iterator, Sequence

from service.rules.canasta.arrange import arrange, lay, leanest
from service.rules.canasta.commands import (
    Answer,
    AskPartner,
    Command,
    Discard,
    Draw,
    GoOut,
    Group,
    Meld,
    Pass,
    Plan,
    TakeTop,
)
from service.rules.canasta.groups import single_groups, wilds_of
from service.rules.canasta.leaving import must_take
from service.rules.canasta.melds import growth_fault, points, requirement_met
from service.rules.canasta.search import Goal
from service.rules.canasta.state import Meld as TableMeld
from service.rules.canasta.state import State
from service.rules.canasta.takes import plans_with_take, takes
from service.rules.cards import without
from service.rules.protocol import Seat


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    """Commands that `seat` may give now; empty only if it is not to act."""
    if state.phase == "ask" and seat == state.partner(state.turn):
        return (Answer(seat, "yes"), Answer(seat, "no"))
    if seat != state.turn or state.phase not in ("draw", "play"):
        return ()
    found = _before_drawing(state, seat) if state.phase == "draw" else _playing(state, seat)
    return tuple(dict.fromkeys(found))


def openings(state: State, seat: Seat) -> Iterator[tuple[Group, ...]]:
    """First melds for a side without any that leave two cards: the fewest, then larger ones.

    There is one whenever one exists. The last ones do without wilds, where that is possible.
    """
    hand, melds = state.hands[seat], state.melds[state.side(seat)]
    minimum = state.minimum(state.side(seat))
    if minimum is None:
        return
    naturals = without(hand, wilds_of(hand))
    kept = max(0, 2 - len(hand) + len(naturals))
    found = {}
    for cards, keep in ((hand, 2), (naturals, kept)):
        way = arrange(state.variant, state.players, melds, cards, Goal(minimum, keep))
        if way:
            found[leanest(way.groups, minimum)] = found[way.groups] = True
    yield from found


def exits(state: State, seat: Seat) -> Iterator[Plan]:
    """Ways to go out after drawing, whoever may have to agree; one whenever one exists.

    If the first needs a discard, one without a discard follows where there is one.
    """
    hand, melds = state.hands[seat], state.melds[state.side(seat)]
    minimum = state.minimum(state.side(seat)) or 0
    goal = Goal(minimum, most=1, out=True)
    way = arrange(state.variant, state.players, melds, hand, goal)
    if way and way.stays:
        yield Plan(way.groups, way.stays[0])
        way = arrange(state.variant, state.players, melds, hand, goal._replace(most=0))
    if way:
        yield Plan(way.groups)


def _before_drawing(state: State, seat: Seat) -> Iterator[Command]:
    if state.stock:
        yield Draw(seat)
    elif not must_take(state, seat):
        yield Pass(seat)
    yield from _tops(state, seat)
    yield from takes(state, seat)
    if state.variant.must_ask and not state.asked:
        yield from (AskPartner(seat, plan) for plan in plans_with_take(state, seat))


def _tops(state: State, seat: Seat) -> Iterator[TakeTop]:
    if not state.variant.top_onto_sequence or not state.pile:
        return
    top, melds = state.pile[-1], state.melds[state.side(seat)]
    for meld in melds:
        if meld.kind == "seq" and growth_fault(state.variant, meld, (top,)) is None:
            grown, _ = lay(melds, (top,), (Group((top,), meld.id),), 0)
            if len(state.hands[seat]) > 1 or _may_leave(state, grown):
                yield TakeTop(seat, meld.id)


def _playing(state: State, seat: Seat) -> Iterator[Command]:
    hand = state.hands[seat]
    plans = list(exits(state, seat))
    may_ask = state.partner(seat) is not None and not state.asked and len(hand) > 1
    for plan in plans:
        if plan.groups and not state.variant.must_ask and not state.refused:
            yield GoOut(seat, plan.groups, plan.discard)
        if may_ask:
            yield AskPartner(seat, plan)
    yield from _melds(state, seat)
    # A last card may go as well: who may not go out keeps two cards before the discard (3.10).
    yield from (Discard(seat, card) for card in dict.fromkeys(hand))


def _melds(state: State, seat: Seat) -> Iterator[Meld]:
    hand, melds = state.hands[seat], state.melds[state.side(seat)]
    minimum = state.minimum(state.side(seat)) or 0
    yield from (Meld(seat, groups) for groups in openings(state, seat))
    for group in single_groups(state.variant, melds, hand):
        if points(group.cards) < minimum:
            continue
        if len(hand) - len(group.cards) < 2:
            after, _ = lay(melds, hand, (group,), state.next_meld)
            if not _may_leave(state, after):
                continue
        yield Meld(seat, (group,))


def _may_leave(state: State, melds: Sequence[TableMeld]) -> bool:
    """Whether the player may be left with a card or none, given the side's melds (3.10)."""
    if state.refused or state.variant.must_ask:
        return False
    return requirement_met(state.variant, state.players, melds)
