"""A computer player knows what its seat knows: hidden cards may lie anyhow, it chooses the same.

Each position of every phase, at every table, is given once as it is and again with all cards
exchanged that the seat has not seen, in the state and in the events before it. What follows is a
matter of the same seed and as many samples; the clock has no say.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from inspect import getclosurevars
from random import Random
from typing import Any

import pytest

from service.queue import LEVELS
from service.rules import GAMES
from service.rules.cards import UNSEEN
from service.rules.protocol import Seat
from tests.rules.spans import LONG, span
from tests.rules.tables import contents
from tests.rules.test_laws import permuted
from tests.workers.duel import Moment
from tests.workers.positions import phases, positions
from workers import strategies
from workers.strategies import Budget, Choice, Player, Situation

SIZES = [
    (name, seats)
    for game in GAMES.values()
    for name, variant in game.VARIANTS.items()
    for seats in variant.seats
]
QUICK = [("canasta", 4), ("botifarra", 4)]
TABLES = [
    pytest.param(
        *size, id="-".join(map(str, size)), marks=[] if size in QUICK else [pytest.mark.slow]
    )
    for size in SIZES
]

EACH = span(3, 12)
"""Positions of each phase."""

SAMPLES = span(2, 12)
"""How much is looked at; a strategy's faults do not depend on that."""

WORLDS = span(2, 4)
"""Ways in which the hidden cards lie otherwise."""


def elsewhere(moment: Moment, seat: Seat, luck: Random) -> Moment:
    """Another world that looks and sounds the same to the seat."""
    state = permuted(moment.state, moment.rules.view(moment.state, seat), luck)
    seen = [moment.rules.seen(event, seat) for event in moment.events]
    hidden = [card for pair in zip(moment.events, seen, strict=True) for card in _hidden(*pair)]
    luck.shuffle(hidden)
    pairs = zip(moment.events, seen, strict=True)
    events = [_exchanged(event, shown, hidden) for event, shown in pairs]
    assert not hidden
    return Moment(state, moment.rules, events)


def _hidden(value: Any, shown: Any) -> Iterator[str]:
    """The cards of an event in places where the seat sees none."""
    if shown == UNSEEN and isinstance(value, str):
        yield value
    elif isinstance(value, tuple) and isinstance(shown, tuple):
        for pair in zip(value, shown, strict=True):
            yield from _hidden(*pair)
    elif is_dataclass(value) and type(value) is type(shown):
        for each in fields(value):
            yield from _hidden(getattr(value, each.name), getattr(shown, each.name))


def _exchanged(value: Any, shown: Any, cards: list[str]) -> Any:
    """The value with other cards in those places, in their order."""
    if shown == UNSEEN and isinstance(value, str):
        return cards.pop(0)
    if isinstance(value, tuple) and isinstance(shown, tuple):
        return tuple(_exchanged(*pair, cards) for pair in zip(value, shown, strict=True))
    if is_dataclass(value) and not isinstance(value, type) and type(value) is type(shown):
        names = [each.name for each in fields(value)]
        return replace(
            value,
            **{
                name: _exchanged(getattr(value, name), getattr(shown, name), cards)
                for name in names
            },
        )
    return value


def differs(player: Player, variant: str, seats: int) -> list[str]:
    """Where the player chooses or weighs otherwise, though it sees and hears the same."""
    luck, found = Random(f"{variant} {seats}"), []
    for number, moment in enumerate(positions(variant, seats, EACH)):
        seat = moment.rules.to_act(moment.state)
        assert seat is not None
        budget = Budget(60.0, SAMPLES)
        worlds = [moment, moment, *(elsewhere(moment, seat, luck) for _ in range(WORLDS))]
        choices = [player.choose(one.seen_by(seat), Random(number), budget) for one in worlds]
        if any(choice != choices[0] for choice in choices):
            found.append(f"position {number}, {moment.state.phase}, seat {seat}")
    return found


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_does_not_depend_on_cards_that_are_hidden(
    level: str, variant: str, seats: int
) -> None:
    rules = next(game for game in GAMES.values() if variant in game.VARIANTS)
    assert differs(strategies.player(level, rules), variant, seats) == []


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_positions_of_every_phase_are_tried_and_their_worlds_are_others(
    variant: str, seats: int
) -> None:
    luck, others = Random(1), 0
    tried = positions(variant, seats, EACH)
    assert {moment.state.phase for moment in tried} == phases(variant, seats)
    for moment in tried:
        seat = moment.rules.to_act(moment.state)
        assert seat is not None
        other = elsewhere(moment, seat, luck)
        here, there = moment.seen_by(seat), other.seen_by(seat)
        assert contents(there.view) == contents(here.view)
        assert there.feed == here.feed
        others += other.events != moment.events and contents(other.state) != contents(moment.state)
    assert others > len(tried) * 0.8


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_choice_changes_nothing_of_what_it_is_given(level: str, variant: str, seats: int) -> None:
    for number, moment in enumerate(positions(variant, seats, 2 if LONG else 1)):
        seat = moment.rules.to_act(moment.state)
        assert seat is not None
        situation = moment.seen_by(seat)
        before, heard = contents(situation.view), situation.feed
        player = strategies.player(level, moment.rules)
        player.choose(situation, Random(number), Budget(60.0, SAMPLES))
        assert contents(situation.view) == before
        assert situation.feed == heard


# Strategies that cheat, put in on purpose


def one_of(situation: Situation, told: Any) -> Choice:
    """A legal command that hangs on what was found."""
    legal = situation.rules.legal(situation.view, situation.seat)
    return Choice(legal[Random(repr(told)).randrange(len(legal))])


def reaches_for_events(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """It finds what really happened behind what it hears."""
    inside: Any = situation._hear
    return one_of(situation, getclosurevars(inside).nonlocals["events"])


def sees_the_state(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """It was given the state instead of a view."""
    return one_of(situation, situation.view.hands)


def counts_seconds(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """It has luck of its own."""
    return one_of(situation, Random().random())


def leaky(self: Moment, seat: Seat) -> Situation:
    events = self.events
    return Situation(self.rules, self.state, seat, lambda: events)


@pytest.mark.parametrize(
    ("cheat", "patched"),
    [(reaches_for_events, None), (sees_the_state, leaky), (counts_seconds, None)],
)
def test_a_strategy_that_cheats_is_found(
    cheat: Any, patched: Callable[[Moment, Seat], Situation] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if patched:
        monkeypatch.setattr(Moment, "seen_by", patched)
    for variant, seats in QUICK:
        assert len(differs(Player("cheat 1", cheat), variant, seats)) >= 3
