"""What holds in every game, variant and table size (design 2). Names no game."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from service.replay import Commit
from service.rules.cards import UNSEEN
from service.rules.deals import DealScored
from service.rules.errors import IllegalMove
from service.rules.protocol import GameEnded
from service.store import codec
from tests.rules.spans import each, span
from tests.rules.tables import TABLES, Step, Table, check_sheets, contents, play, played

every_table = pytest.mark.parametrize("table", each(TABLES), ids=str)
seeds = pytest.mark.parametrize("seed", range(span(1, 3)))


def steps(table: Table, seed: int) -> tuple[Step, ...]:
    """A random game."""
    return played(str(table), seed)


def moments(table: Table, seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """Each event of a random game, with the states before and after it."""
    for step in steps(table, seed):
        before = step.state
        for event in step.events:
            after = before.copy()
            table.rules.evolve(after, event)
            yield before, event, after
            before = after


@every_table
@seeds
def test_legal_commands_are_accepted(table: Table, seed: int) -> None:
    for step in steps(table, seed):
        for seat in range(table.seats):
            commands = table.rules.legal(step.state, seat)
            assert bool(commands) == (seat == table.rules.to_act(step.state))
            assert len(set(commands)) == len(commands)
            for command in commands:
                assert table.rules.decide(step.state, command)


@every_table
@seeds
def test_decide_is_a_function_and_changes_nothing(table: Table, seed: int) -> None:
    for step in steps(table, seed):
        before = contents(step.state)
        assert table.rules.decide(step.state, step.command) == step.events
        assert contents(step.state) == before


@every_table
@seeds
def test_a_refusal_changes_nothing_and_names_its_reason(table: Table, seed: int) -> None:
    """Whatever was played once is tried from any seat at every moment."""
    random, known = Random(seed), []
    for step in steps(table, seed):
        known.append(step.command)
        before = contents(step.state)
        for tried in random.sample(known, min(20, len(known))):
            asked = replace(tried, seat=random.randrange(-1, table.seats))
            try:
                assert table.rules.decide(step.state, asked)
            except IllegalMove as no:
                assert no.code
                assert no.code == no.code.lower()
                assert no.rule[:1].isdigit()
                assert no.detail.endswith(".")
            assert contents(step.state) == before


@every_table
@seeds
def test_cards_are_conserved_by_every_event(table: Table, seed: int) -> None:
    whole = Counter(table.variant.pack())
    for _, event, after in moments(table, seed):
        assert Counter(table.census(after)) == whole, event
        assert Counter(after.cards()) == whole, event


@every_table
@seeds
def test_a_copy_shares_nothing_that_changes(table: Table, seed: int) -> None:
    for step in steps(table, seed):
        before, twin = contents(step.state), step.state.copy()
        for event in step.events:
            table.rules.evolve(twin, event)
        assert contents(step.state) == before


@every_table
@seeds
def test_replay_equals_play(table: Table, seed: int) -> None:
    state = table.start()
    for step in steps(table, seed):
        assert contents(state) == contents(step.state)
        for event in step.events:
            table.rules.evolve(state, event)


@every_table
@seeds
def test_a_view_hides_what_its_seat_may_not_see(table: Table, seed: int) -> None:
    for step in steps(table, seed):
        for viewer in table.viewers:
            cards = Counter(table.census(table.rules.view(step.state, viewer)))
            assert cards[UNSEEN] == table.hidden(step.state, viewer), viewer


@every_table
@seeds
def test_a_view_tells_nothing_of_what_it_hides(table: Table, seed: int) -> None:
    """Permuting the hidden cards does not change it."""
    random = Random(seed)
    for step in steps(table, seed):
        for viewer in table.viewers:
            view = table.rules.view(step.state, viewer)
            other = permuted(step.state, view, random)
            assert contents(table.rules.view(other, viewer)) == contents(view)


@every_table
@seeds
def test_legal_from_a_view_equals_legal_from_the_state(table: Table, seed: int) -> None:
    for step in steps(table, seed):
        for seat in range(table.seats):
            view = table.rules.view(step.state, seat)
            assert table.rules.legal(view, seat) == table.rules.legal(step.state, seat)


@every_table
@seeds
def test_the_square_commutes(table: Table, seed: int) -> None:
    """Evolving a view by what was seen equals the view of the evolved state."""
    for before, event, after in moments(table, seed):
        for viewer in table.viewers:
            view = table.rules.view(before, viewer)
            table.rules.evolve(view, table.rules.seen(event, viewer))
            assert contents(view) == contents(table.rules.view(after, viewer)), (viewer, event)


@every_table
@pytest.mark.slow
def test_the_square_commutes_when_somebody_resigns(table: Table) -> None:
    for step in steps(table, 0):
        ended = GameEnded(0, tuple(step.state.scores), "resigned", tuple(step.state.hands))
        after = step.state.copy()
        table.rules.evolve(after, ended)
        assert table.rules.to_act(after) is None
        result = table.rules.result(after)
        assert result
        assert (result.winner, result.why) == (0, "resigned")
        for viewer in table.viewers:
            view = table.rules.view(step.state, viewer)
            table.rules.evolve(view, table.rules.seen(ended, viewer))
            assert contents(view) == contents(table.rules.view(after, viewer))


@every_table
@pytest.mark.slow
def test_seeing_twice_is_seeing_once(table: Table) -> None:
    for before, event, _ in moments(table, 0):
        for viewer in table.viewers:
            seen, view = table.rules.seen(event, viewer), table.rules.view(before, viewer)
            assert table.rules.seen(seen, viewer) == seen
            assert contents(table.rules.view(view, viewer)) == contents(view)


@every_table
def test_a_table_is_json(table: Table) -> None:
    for step in steps(table, 0):
        for viewer in table.viewers:
            shown = table.rules.view(step.state, viewer).table()
            assert json.loads(json.dumps(shown)) == shown


@every_table
def test_commands_and_events_are_json(table: Table) -> None:
    """As they are kept, and as each seat sees them."""
    for version, step in enumerate(steps(table, 0), 1):
        for viewer in table.viewers:
            seen = tuple(table.rules.seen(event, viewer) for event in step.events)
            for events in (step.events, seen):
                commit = Commit(version, "", "", 0, step.command, events)
                assert codec.decode(codec.encode(commit)) == commit


@every_table
@seeds
def test_a_deal_is_scored_as_the_cards_lie(table: Table, seed: int) -> None:
    """Line by line as a second count from the table."""
    for step in steps(table, seed):
        state, events = step.state.copy(), table.rules.decide(step.state, step.command)
        for event in events:
            if isinstance(event, DealScored):
                check_sheets(table, state, events, event)
            table.rules.evolve(state, event)


@every_table
def test_commands_and_events_are_those_that_the_game_declares(table: Table) -> None:
    for step in steps(table, 0):
        assert type(step.command) in table.rules.COMMANDS
        assert fields(step.command)[0].name == "seat"
        assert {type(event) for event in step.events} <= set(table.rules.EVENTS)


@every_table
def test_random_play_ends(table: Table) -> None:
    """With the target in reach of a deal or two; afterwards the hands lie open."""
    target = min(table.variant.options(table.seats)["target_score"].allowed)
    sides = max(table.variant.sides(table.seats)) + 1
    state = table.start((target - 1,) * sides, target)
    for _ in play(table, state, Random(str(table)), 60):
        assert table.rules.result(state) is None
    result = table.rules.result(state)
    assert result
    assert result.scores == tuple(state.scores)
    assert not any(table.rules.legal(state, seat) for seat in range(table.seats))
    assert list(table.rules.view(state, None).hands) == list(state.hands)


@every_table
@seeds
def test_what_is_tallied_is_of_a_seat_and_changes_nothing(table: Table, seed: int) -> None:
    """Names become parts of keys and are shown, so they are plain words."""
    found = 0
    for step in steps(table, seed):
        before = contents(step.state)
        marks = table.rules.tally(step.state, step.events)
        assert contents(step.state) == before
        assert marks == table.rules.tally(step.state, step.events)
        for mark in marks:
            assert 0 <= mark.seat < table.seats
            assert re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", mark.name)
        found += len(marks)
    assert found


def permuted(state: Any, view: Any, random: Random) -> Any:
    """A state that differs only in cards that the view shows as unseen."""
    hidden: list[str] = []
    for name, value in contents(state).items():
        _gather(value, getattr(view, name), hidden)
    random.shuffle(hidden)
    other = state.copy()
    for name, value in contents(state).items():
        setattr(other, name, _exchange(value, getattr(view, name), hidden))
    assert not hidden
    return other


def _gather(value: Any, shown: Any, hidden: list[str]) -> None:
    if shown == UNSEEN and isinstance(value, str):
        hidden.append(value)
    elif type(value) is type(shown) and isinstance(value, list | tuple):
        for one, two in zip(value, shown, strict=True):
            _gather(one, two, hidden)


def _exchange(value: Any, shown: Any, hidden: list[str]) -> Any:
    if shown == UNSEEN and isinstance(value, str):
        return hidden.pop()
    if type(value) is type(shown) and isinstance(value, list | tuple):
        pairs = zip(value, shown, strict=True)
        return type(value)(_exchange(one, two, hidden) for one, two in pairs)
    return value
