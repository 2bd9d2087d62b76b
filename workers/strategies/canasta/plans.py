"""Which groups to lay together: the best one first, as long as one is worth its cards."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.rules.canasta.commands import Group
from service.rules.canasta.melds import points
from service.rules.canasta.state import Meld
from service.rules.cards import Card
from workers.strategies.canasta.groups import candidates, laid
from workers.strategies.canasta.sight import Sight
from workers.strategies.canasta.worth import worth

PRICES: Final = (0.0, 1.0, 3.0, 10.0)
"""Prices of a point that the first meld still lacks, tried in this order."""

OPENED: Final = 150.0
"""What it is worth to have melded: the pile, the partner's cards, the red threes."""


class Plan(NamedTuple):
    """Groups, and how things stand when they are laid."""

    groups: tuple[Group, ...]
    hand: tuple[Card, ...]
    melds: tuple[Meld, ...]
    value: float


def best(
    sight: Sight,
    hand: Sequence[Card],
    melds: Sequence[Meld],
    next_meld: int,
    minimum: int = 0,
    keep: int = 2,
    price: float = 0.0,
) -> Plan:
    """The groups to lay from `hand`, perhaps none; at least `keep` cards stay.

    While fewer than `minimum` points lie there, each point is worth `price` more.
    """
    plan = Plan((), tuple(hand), tuple(melds), worth(sight, hand, melds))
    lacking = minimum
    while True:
        most, choice = 0.0, plan
        for group in dict.fromkeys(candidates(sight.variant, plan.hand, plan.melds)):
            if len(plan.hand) - len(group.cards) < keep:
                continue
            cards, table = laid(plan.hand, plan.melds, group, next_meld)
            value = worth(sight, cards, table)
            gain = value - plan.value
            if lacking > 0:
                gain += price * min(lacking, points(group.cards))
            if gain > most:
                most, choice = gain, Plan((*plan.groups, group), cards, table, value)
        if choice is plan:
            return plan
        plan, last = choice, choice.groups[-1]
        lacking -= points(last.cards)
        next_meld += last.target is None


def opening(
    sight: Sight,
    hand: Sequence[Card],
    melds: Sequence[Meld],
    next_meld: int,
    minimum: int,
    keep: int = 2,
) -> Plan | None:
    """The groups for a first meld of at least `minimum` points, None where none was found."""
    for price in PRICES:
        plan = best(sight, hand, melds, next_meld, minimum, keep, price)
        if sum(points(group.cards) for group in plan.groups) >= minimum:
            return plan
    return None
