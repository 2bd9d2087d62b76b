"""Positions for strategies, of every phase in which a seat acts: played for the test, by any rule.

A game is played as `casual` would, but each seat tries the kinds of commands that it has seldom
given: so doublings, questions to the partner and answers come up, which are rare in sensible play.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Final, get_args

from service.rules import find
from service.rules.protocol import HOUSE, DealCards, Seat
from tests.workers.duel import BUDGET, Moment
from workers import strategies

TRIED: Final = 2
"""How often a seat gives each kind of command, before it plays sensibly."""

DEALS: Final = 6
"""Deals of which positions are taken, at most."""


@cache
def positions(variant: str, seats: int, each: int) -> tuple[Moment, ...]:
    """`each` positions of every phase that came up, from the whole length of deals."""
    found: dict[str, list[Moment]] = defaultdict(list)
    for moment in _played(variant, seats):
        found[moment.state.phase].append(moment)
        if len(found) == len(phases(variant, seats)) and moment.state.deal > 1:
            break
    return tuple(one for kept in found.values() for one in _spread(kept, min(each, len(kept))))


def _spread(kept: list[Moment], count: int) -> Iterator[Moment]:
    return (kept[(2 * number + 1) * len(kept) // (2 * count)] for number in range(count))


def phases(variant: str, seats: int) -> set[str]:
    """The phases in which a seat acts at such a table."""
    rules, data = find(variant)
    named = set(get_args(import_module(f"{rules.__name__}.state").Phase)) - {"dealing", "over"}
    partners = len(set(data.sides(seats))) < seats
    return named if partners else named - {"ask"}


def _played(variant: str, seats: int) -> Iterator[Moment]:
    """Each moment at which a seat is to act, as a value of its own."""
    rules, data = find(variant)
    options = {name: option.default for name, option in data.options(seats).items()}
    state: Any = data.start(seats, options, 0, [0] * (max(data.sides(seats)) + 1))
    luck, given = Random(f"{variant} {seats}"), Counter[tuple[Seat, type]]()
    events: list[Any] = []
    while (seat := rules.to_act(state)) is not None and state.deal <= DEALS:
        if seat == HOUSE:
            pack = list(data.pack())
            luck.shuffle(pack)
            events, command = [], DealCards(HOUSE, tuple(pack))
        else:
            yield Moment(state.copy(), rules, list(events))
            command = _command(Moment(state, rules, events), seat, luck, given)
            given[seat, type(command)] += 1
        for event in rules.decide(state, command):
            rules.evolve(state, event)
            events.append(event)


def _command(moment: Moment, seat: Seat, luck: Random, given: Counter[tuple[Seat, type]]) -> Any:
    legal = moment.rules.legal(moment.state, seat)
    rare = [one for one in legal if given[seat, type(one)] < TRIED]
    if rare:
        return luck.choice(rare)
    return strategies.choose("casual", moment.seen_by(seat), luck, BUDGET).command
