"""A test of the laws: a fault planted in a game is caught by the law that forbids it.

A law looks at random play of the true rules through the rules it is given: here a game with one
name exchanged. Names no game.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from service.rules import GAMES
from service.rules.cards import UNSEEN
from service.rules.deals import DealScored
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, GameEnded, Rules
from tests.rules import test_laws as laws
from tests.rules.tables import TABLES, Step, Table

Plant = Callable[[Any], dict[str, Any]]
"""From a game's true rules the names to exchange."""

FAULTS: list[Any] = []


def breaks(law: Callable[..., None], caught: type[Exception] = AssertionError, **more: Any) -> Any:
    """Registers a fault with the law that catches it, and how."""

    def register(plant: Plant) -> Plant:
        FAULTS.append(pytest.param(law, plant, caught, id=plant.__name__, **more))
        return plant

    return register


def faulty(rules: Any, plant: Plant) -> Any:
    """The rules with a fault planted."""
    names = [name for name in vars(Rules) if not name.startswith("_")]
    names += Rules.__annotations__
    return SimpleNamespace(**{name: getattr(rules, name) for name in names} | plant(rules))


@breaks(laws.test_legal_commands_are_accepted, caught=IllegalMove)
def legal_adds_a_command_of_another_seat(true: Any) -> dict[str, Any]:
    def legal(state: Any, seat: int) -> Any:
        commands = true.legal(state, seat)
        return (*commands, *(replace(each, seat=seat + 1) for each in commands[:1]))

    return {"legal": legal}


@breaks(laws.test_legal_commands_are_accepted)
def legal_offers_a_command_twice(true: Any) -> dict[str, Any]:
    return {"legal": lambda state, seat: true.legal(state, seat)[:1] * 2}


@breaks(laws.test_legal_commands_are_accepted)
def legal_leaves_a_seat_without_a_command(true: Any) -> dict[str, Any]:
    def legal(state: Any, seat: int) -> Any:
        commands = true.legal(state, seat)
        return commands if len(commands) > 1 else ()

    return {"legal": legal}


@breaks(laws.test_legal_commands_are_accepted)
def legal_speaks_to_every_seat(true: Any) -> dict[str, Any]:
    return {"legal": lambda state, seat: true.legal(state, true.to_act(state))}


@breaks(laws.test_decide_is_a_function_and_changes_nothing)
def decide_changes_the_state(true: Any) -> dict[str, Any]:
    def decide(state: Any, command: Any) -> Any:
        events = true.decide(state, command)
        state.hands[0] = state.hands[0][::-1]
        return events

    return {"decide": decide}


@breaks(laws.test_decide_is_a_function_and_changes_nothing)
def decide_remembers_how_often_it_was_asked(true: Any) -> dict[str, Any]:
    times = count()
    return {"decide": lambda state, command: true.decide(state, command)[next(times) % 2 :]}


@breaks(laws.test_a_refusal_changes_nothing_and_names_its_reason)
def a_refusal_changes_the_state(true: Any) -> dict[str, Any]:
    def decide(state: Any, command: Any) -> Any:
        try:
            return true.decide(state, command)
        except IllegalMove:
            state.hands[0] = state.hands[0][1:]
            raise

    return {"decide": decide}


def _refusing(true: Any, make: Callable[[IllegalMove], IllegalMove]) -> dict[str, Any]:
    def decide(state: Any, command: Any) -> Any:
        try:
            return true.decide(state, command)
        except IllegalMove as no:
            raise make(no) from None

    return {"decide": decide}


@breaks(laws.test_a_refusal_changes_nothing_and_names_its_reason)
def a_refusal_names_no_paragraph(true: Any) -> dict[str, Any]:
    return _refusing(true, lambda no: IllegalMove(no.code, "", no.detail))


@breaks(laws.test_a_refusal_changes_nothing_and_names_its_reason)
def a_refusal_has_no_words(true: Any) -> dict[str, Any]:
    return _refusing(true, lambda no: IllegalMove(no.code, no.rule, ""))


@breaks(laws.test_a_refusal_changes_nothing_and_names_its_reason)
def decide_says_nothing_instead_of_no(true: Any) -> dict[str, Any]:
    def decide(state: Any, command: Any) -> Any:
        try:
            return true.decide(state, command)
        except IllegalMove:
            return ()

    return {"decide": decide}


@breaks(laws.test_cards_are_conserved_by_every_event)
def evolve_drops_a_card(true: Any) -> dict[str, Any]:
    def evolve(state: Any, event: Any) -> None:
        true.evolve(state, event)
        state.hands[0] = state.hands[0][1:]

    return {"evolve": evolve}


@breaks(laws.test_cards_are_conserved_by_every_event)
def evolve_turns_a_card_into_another(true: Any) -> dict[str, Any]:
    def evolve(state: Any, event: Any) -> None:
        true.evolve(state, event)
        state.hands[0] = state.hands[0][:1] * len(state.hands[0])

    return {"evolve": evolve}


@breaks(laws.test_cards_are_conserved_by_every_event, caught=KeyError)
def evolve_fails_on_an_event(true: Any) -> dict[str, Any]:
    last = true.EVENTS[-2]

    def evolve(state: Any, event: Any) -> None:
        if isinstance(event, last):
            raise KeyError(last.__name__)
        true.evolve(state, event)

    return {"evolve": evolve}


@breaks(laws.test_replay_equals_play)
def evolve_forgets_every_tenth_event(true: Any) -> dict[str, Any]:
    times = count(1)

    def evolve(state: Any, event: Any) -> None:
        if next(times) % 10:
            true.evolve(state, event)

    return {"evolve": evolve}


def _viewing(true: Any, change: Callable[[Any, Any], None]) -> dict[str, Any]:
    """`change` gets the state and the true view of it."""

    def view(state: Any, seat: int | None) -> Any:
        seen_state = true.view(state, seat)
        change(state, seen_state)
        return seen_state

    return {"view": view}


@breaks(laws.test_a_view_hides_what_its_seat_may_not_see)
def a_view_shows_a_hand(true: Any) -> dict[str, Any]:
    def show(state: Any, seen_state: Any) -> None:
        seen_state.hands[1] = state.hands[1]

    return _viewing(true, show)


@breaks(laws.test_a_view_hides_what_its_seat_may_not_see)
def a_view_is_the_truth(true: Any) -> dict[str, Any]:
    return {"view": lambda state, seat: state.copy(), "seen": lambda event, seat: event}


@breaks(laws.test_a_view_tells_nothing_of_what_it_hides)
def a_view_depends_on_a_hidden_card(true: Any) -> dict[str, Any]:
    def tell(state: Any, seen_state: Any) -> None:
        seen_state.deal += bool(state.hands[0]) and state.hands[0][0] < state.hands[0][-1]

    return _viewing(true, tell)


@breaks(laws.test_legal_from_a_view_equals_legal_from_the_state)
def legal_looks_at_another_hand(true: Any) -> dict[str, Any]:
    def legal(state: Any, seat: int) -> Any:
        commands = true.legal(state, seat)
        return commands if UNSEEN in state.hands[seat - 1] else commands[::-1]

    return {"legal": legal}


@breaks(laws.test_the_square_commutes)
def seen_hides_nothing(true: Any) -> dict[str, Any]:
    return {"seen": lambda event, seat: event}


@breaks(laws.test_the_square_commutes)
def seen_hides_ones_own_cards(true: Any) -> dict[str, Any]:
    return {"seen": lambda event, seat: true.seen(event, None)}


@breaks(laws.test_the_square_commutes)
def evolve_knows_views_from_states(true: Any) -> dict[str, Any]:
    def evolve(state: Any, event: Any) -> None:
        true.evolve(state, event)
        if any(UNSEEN in hand for hand in state.hands):
            state.deal += 1

    return {"evolve": evolve}


@breaks(laws.test_the_square_commutes_when_somebody_resigns)
def the_end_opens_no_hands(true: Any) -> dict[str, Any]:
    def seen(event: Any, seat: int | None) -> Any:
        return replace(event, hands=()) if isinstance(event, GameEnded) else true.seen(event, seat)

    return {"seen": seen}


@breaks(laws.test_seeing_twice_is_seeing_once)
def a_view_of_a_view_differs(true: Any) -> dict[str, Any]:
    def add(state: Any, seen_state: Any) -> None:
        seen_state.deal += 1

    return _viewing(true, add)


@breaks(laws.test_a_table_is_json)
def a_table_holds_a_tuple(true: Any) -> dict[str, Any]:
    def view(state: Any, seat: int | None) -> Any:
        shown = true.view(state, seat).table()
        return SimpleNamespace(table=lambda: {**shown, "hands": tuple(shown["hands"])})

    return {"view": view}


@breaks(laws.test_commands_and_events_are_json)
def an_event_holds_a_list(true: Any) -> dict[str, Any]:
    def seen(event: Any, seat: int | None) -> Any:
        event = true.seen(event, seat)
        for field in fields(event):
            value = getattr(event, field.name)
            if isinstance(value, tuple):
                return replace(event, **{field.name: list(value)})
        return event

    return {"seen": seen}


@breaks(laws.test_a_deal_is_scored_as_the_cards_lie)
def points_move_from_line_to_line(true: Any) -> dict[str, Any]:
    """They still add up."""

    def wrong(event: Any) -> Any:
        if not isinstance(event, DealScored):
            return event
        first, *sides = event.sides
        one, *lines, last = first.lines
        one, last = replace(one, points=one.points + 5), replace(last, points=last.points - 5)
        return replace(event, sides=(replace(first, lines=(one, *lines, last)), *sides))

    return {"decide": lambda state, command: tuple(map(wrong, true.decide(state, command)))}


@breaks(laws.test_a_deal_is_scored_as_the_cards_lie)
def a_line_explains_nothing(true: Any) -> dict[str, Any]:
    def mute(event: Any) -> Any:
        if not isinstance(event, DealScored):
            return event
        sides = tuple(
            replace(side, lines=tuple(replace(line, detail="") for line in side.lines))
            for side in event.sides
        )
        return replace(event, sides=sides)

    return {"decide": lambda state, command: tuple(map(mute, true.decide(state, command)))}


@breaks(laws.test_commands_and_events_are_those_that_the_game_declares)
def a_game_declares_no_events(true: Any) -> dict[str, Any]:
    return {"EVENTS": ()}


@breaks(laws.test_random_play_ends)
def the_end_has_no_result(true: Any) -> dict[str, Any]:
    return {"result": lambda state: None}


@breaks(laws.test_random_play_ends, marks=pytest.mark.slow)  # plays on for sixty deals
def the_end_is_not_decided(true: Any) -> dict[str, Any]:
    def decide(state: Any, command: Any) -> Any:
        return tuple(e for e in true.decide(state, command) if not isinstance(e, GameEnded))

    return {"decide": decide}


@breaks(laws.test_random_play_ends)
def the_hands_stay_hidden_at_the_end(true: Any) -> dict[str, Any]:
    def hide(state: Any, seen_state: Any) -> None:
        seen_state.hands = [(UNSEEN,) for _ in state.hands]

    return _viewing(true, hide)


@breaks(laws.test_what_is_tallied_is_of_a_seat_and_changes_nothing)
def tally_marks_the_house(true: Any) -> dict[str, Any]:
    def tally(state: Any, events: Any) -> Any:
        return tuple(replace(mark, seat=HOUSE) for mark in true.tally(state, events))

    return {"tally": tally}


@breaks(laws.test_what_is_tallied_is_of_a_seat_and_changes_nothing)
def tally_names_no_plain_word(true: Any) -> dict[str, Any]:
    def tally(state: Any, events: Any) -> Any:
        return tuple(replace(mark, name="a/B") for mark in true.tally(state, events))

    return {"tally": tally}


@breaks(laws.test_what_is_tallied_is_of_a_seat_and_changes_nothing)
def tally_counts_nothing(true: Any) -> dict[str, Any]:
    return {"tally": lambda state, events: ()}


ONE_EACH = [next(table for table in TABLES if table.rules is rules) for rules in GAMES.values()]


@pytest.fixture(autouse=True)
def steps_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some faults change the states of the random games, which the laws share."""
    steps = laws.steps

    def copied(table: Table, seed: int) -> tuple[Step, ...]:
        return tuple(replace(step, state=step.state.copy()) for step in steps(table, seed))

    monkeypatch.setattr(laws, "steps", copied)


@pytest.mark.parametrize("table", ONE_EACH, ids=str)
@pytest.mark.parametrize(("law", "plant", "caught"), FAULTS)
def test_caught(
    table: Table, law: Callable[..., None], plant: Plant, caught: type[Exception]
) -> None:
    """The true rules keep the law (test_laws.py), the faulty ones do not."""
    seed = {"seed": 0} if "seed" in law.__annotations__ else {}
    with pytest.raises(caught):
        law(table=replace(table, rules=faulty(table.rules, plant)), **seed)


def test_every_law_has_a_fault() -> None:
    written = {value for name, value in vars(laws).items() if name.startswith("test_")}
    caught = {fault.values[0] for fault in FAULTS}
    assert written == caught | {laws.test_a_copy_shares_nothing_that_changes}


@pytest.mark.parametrize("table", ONE_EACH, ids=str)
def test_a_shallow_copy_is_caught(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = laws.steps(table, 0)
    monkeypatch.setattr(laws, "steps", lambda table, seed: steps)
    kind = type(table.start())
    copy = kind.copy

    def shallow(state: Any) -> Any:
        twin = copy(state)
        twin.hands = state.hands
        return twin

    monkeypatch.setattr(kind, "copy", shallow)
    with pytest.raises(AssertionError):
        laws.test_a_copy_shares_nothing_that_changes(table, 0)
