"""Going out: whether it can be done, and whether it pays."""

from typing import Final

from service.rules.canasta.arrange import arrange
from service.rules.canasta.commands import Answer, AskPartner, GoOut, Plan
from service.rules.canasta.melds import requirement_met
from service.rules.canasta.search import Goal
from workers.strategies.canasta.sight import Sight
from workers.strategies.canasta.worth import cost, promise, red_threes

UNSEEN_CARD: Final = 12
"""What a card in somebody's hand costs on average when the deal ends, black threes aside."""

HOPE: Final = 15.0
"""What a card in somebody's hand may still bring, early in a deal."""

DEAR: Final = 200
"""From this cost on a hand says no to a partner who asks."""

LATE: Final = 20
"""Cards in the stock below which every partner hears yes."""

BIRD: Final = 300.0
"""What going out is worth in any case: a bird in the hand."""


def go(sight: Sight) -> GoOut | AskPartner | None:
    """The command that goes out, or asks for it, None where that cannot be done or not pay."""
    view, variant = sight.view, sight.variant
    if view.refused or not _pays(sight):
        return None
    goal = Goal(most=1, out=True)
    found = arrange(variant, view.players, sight.melds, sight.hand, goal)
    if found is None:
        return None
    card = found.stays[0] if found.stays else None
    if not variant.must_ask:
        return GoOut(sight.seat, found.groups, card)
    return None if len(sight.hand) == 1 else AskPartner(sight.seat, Plan(found.groups, card))


def answer(sight: Sight) -> Answer:
    """Yes, unless this hand would cost much and nobody else is near the end."""
    view = sight.view
    ready = any(
        requirement_met(sight.variant, view.players, melds)
        for side, melds in enumerate(view.melds)
        if side != sight.side
    )
    late = len(view.stock) < LATE
    return Answer(sight.seat, "yes" if ready or late or cost(sight, sight.hand) < DEAR else "no")


def _pays(sight: Sight) -> bool:
    """Whether the others would gain more by playing on than this side."""
    view = sight.view
    ours = theirs = 0.0
    for seat, hand in enumerate(view.hands):
        # What a hand would still bring, and what it costs if the deal ends.
        still = len(hand) * (UNSEEN_CARD + HOPE * sight.time)
        if view.side(seat) != sight.side:
            theirs += still
        elif seat != sight.seat:
            ours += still
    ours += promise(sight, sight.hand, sight.melds)
    best = 0.0
    for side, melds in enumerate(view.melds):
        if side != sight.side:
            best = max(best, promise(sight, (), melds))
            if not requirement_met(sight.variant, view.players, melds):
                best += 2 * red_threes(sight, side)
    others = len(view.melds) - 1
    return best + theirs / others + BIRD >= ours
