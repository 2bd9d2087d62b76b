"""A turn: take or draw, lay, discard."""

from typing import Any, Final

from service.rules.canasta.commands import Discard, Draw, Meld, Pass, TakePile
from service.rules.canasta.state import State
from service.rules.cards import Card, without
from service.rules.errors import IllegalMove
from service.rules.protocol import Rules
from workers.strategies.canasta import plans
from workers.strategies.canasta.blind import blind
from workers.strategies.canasta.danger import danger
from workers.strategies.canasta.sight import Sight
from workers.strategies.canasta.taking import takes
from workers.strategies.canasta.worth import worth

DRAWN: Final = 22.0
"""What a card from the stock is worth before it is seen."""

DENIED: Final = 6.0
"""What each card of the pile is worth to those who do not get it."""


def begin(rules: Rules[Any, Any, Any], sight: Sight) -> Any:
    """How to begin the turn: from the stock, from the pile, or with nothing."""
    view, seat = sight.view, sight.seat
    value = worth(sight, sight.hand, sight.melds)
    if sight.melds:
        value = plans.best(sight, sight.hand, sight.melds, view.next_meld).value
    drawn = min(sight.variant.draw[sight.players], len(view.stock))
    value += drawn * DRAWN * sight.time
    command: Any = Draw(seat) if drawn else Pass(seat)
    if not drawn and _after(rules, view, command) is None:
        value = float("-inf")  # the pile must be taken
    for take in takes(sight):
        after = _after(rules, view, take)
        if after is None:
            continue
        there = Sight(after, seat)
        gained = plans.best(there, there.hand, there.melds, after.next_meld).value
        if isinstance(take, TakePile):
            gained += DENIED * len(view.pile) + (0 if sight.melds else plans.OPENED)
        if gained > value:
            value, command = gained, take
    return command


def lay(rules: Rules[Any, Any, Any], sight: Sight) -> Meld | None:
    """What to lay now, None for nothing more."""
    view = sight.view
    minimum = view.minimum(sight.side)
    if minimum is None:
        plan: plans.Plan | None = plans.best(sight, sight.hand, sight.melds, view.next_meld)
    else:
        plan = plans.opening(sight, sight.hand, sight.melds, view.next_meld, minimum)
        if plan and plan.value + plans.OPENED < worth(sight, sight.hand, sight.melds):
            return None
    if not plan or not plan.groups:
        return None
    command = Meld(sight.seat, plan.groups)
    return command if _after(rules, view, command) else None


def discard(sight: Sight) -> Discard:
    """The card that is missed least and helps the next player least."""

    def loss(card: Card) -> float:
        left = without(sight.hand, (card,))
        return danger(sight, card) - worth(sight, left, sight.melds)

    return Discard(sight.seat, min(dict.fromkeys(sight.hand), key=loss))


def _after(rules: Rules[Any, Any, Any], view: State, command: Any) -> State | None:
    """The view after a command of this seat that draws nothing, None if it is not legal."""
    after = blind(view, command.seat)
    try:
        events = rules.decide(after, command)
    except IllegalMove:
        return None
    for event in events:
        rules.evolve(after, event)
    return after
