"""The laws that hold at every step of every game, here on random play."""

import json
from collections import Counter
from random import Random

import pytest

from service.rules import botifarra
from service.rules.botifarra import decide, evolve, legal, result, seen, to_act, view
from service.rules.botifarra.cards import PACK
from service.rules.botifarra.commands import Command
from service.rules.botifarra.events import Event
from service.rules.botifarra.state import State
from service.rules.deals import DealScored
from service.rules.errors import IllegalMove
from service.rules.protocol import Rules
from tests.rules.botifarra.census import cards
from tests.rules.botifarra.table import every_command, give, opened, random_game

EYES = (0, 1, 2, 3, None)


def accepted(state: State, command: Command) -> bool:
    """Whether the rules take the command; they must leave the state as it is."""
    try:
        decide(state, command)
    except IllegalMove:
        return False
    return True


def test_the_package_is_a_game() -> None:
    rules: Rules[State, Command, Event] = botifarra
    assert [*rules.VARIANTS] == ["botifarra"]
    assert {cls.__name__ for cls in rules.COMMANDS} == {
        "ChooseTrump", "Delegate", "Double", "NoDouble", "Play", "DealCards",
    }  # fmt: skip
    assert {cls.__name__ for cls in rules.EVENTS} == {
        "DealStarted", "TrumpDelegated", "TrumpChosen", "Doubled", "NotDoubled", "PlayStarted",
        "CardPlayed", "TrickWon", "DealScored", "GameEnded",
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_legal_is_complete(seed: int) -> None:
    """Of all commands that exist, exactly the legal ones are accepted."""
    for state, _ in random_game(seed, 50):
        before = state.copy()
        for seat in range(4):
            possible = [each for each in every_command(seat) if accepted(state, each)]
            assert Counter(legal(state, seat)) == Counter(possible)
            assert bool(possible) == (to_act(state) == seat)
        assert legal(state, -1) == ()
        assert state == before


@pytest.mark.parametrize("seed", range(5))
def test_the_square_commutes(seed: int) -> None:
    """Evolving a view by what was seen gives the view of the evolved state."""
    sights = {eye: view(opened(), eye) for eye in EYES}
    for state, command in random_game(seed, 50):
        if state.deal == 0:
            sights = {eye: view(state, eye) for eye in EYES}
        after = state.copy()
        for event in decide(state, command):
            evolve(after, event)
            for eye, sight in sights.items():
                evolve(sight, seen(event, eye))
                assert sight == view(after, eye)
                assert sight.table() == view(after, eye).table()


@pytest.mark.parametrize("seed", range(5))
def test_legal_from_a_view(seed: int) -> None:
    for state, _ in random_game(seed, 50):
        for seat in range(4):
            assert legal(view(state, seat), seat) == legal(state, seat)


@pytest.mark.parametrize("seed", range(5))
def test_a_view_does_not_know_what_it_hides(seed: int) -> None:
    """Other hands may be dealt anew without a change to the view."""
    rng = Random(seed)
    for state, _ in random_game(seed, 50):
        for eye in EYES:
            hidden = [seat for seat in range(4) if seat != eye]
            unseen = [card for seat in hidden for card in state.hands[seat]]
            rng.shuffle(unseen)
            twin = state.copy()
            for seat in hidden:
                size = len(state.hands[seat])
                twin.hands[seat], unseen = tuple(unseen[:size]), unseen[size:]
            assert view(twin, eye) == view(state, eye)


@pytest.mark.parametrize("seed", range(5))
def test_cards_are_conserved(seed: int) -> None:
    """All 48 after every event, each once."""
    for state, command in random_game(seed, 50):
        after = state.copy()
        for event in decide(state, command):
            evolve(after, event)
            assert Counter(cards(after)) == Counter(PACK)
        assert decide(state, command) == decide(state, command)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(40))
def test_random_play_ends(seed: int) -> None:
    """With a winner at the target; each deal's points sum to 72 and its sheets add up."""
    target = (50, 100, 101)[seed % 3]
    for state, command in random_game(seed, target):
        if to_act(state) is not None:
            json.dumps(state.table())
        for event in decide(state, command):
            if isinstance(event, DealScored):
                _check(event, state, command)
    end = result(state)
    assert end
    assert end.winner is not None
    assert end.scores[end.winner] >= target > end.scores[1 - end.winner]
    assert end.why == "target"


def _check(event: DealScored, state: State, command: Command) -> None:
    """The score once more, from the tricks on the table."""
    after = state.copy()
    give(after, command)
    taken = [0, 0]
    for trick in after.tricks:
        taken[trick.winner % 2] += trick.points
    assert sum(taken) == 72
    for side, sheet in enumerate(event.sides):
        assert sheet.total == max(0, taken[side] - 36) * state.stake.factor
        assert sum(line.points for line in sheet.lines) == sheet.total
        assert sheet.lines[0].points + sheet.lines[1].points == taken[side]
        assert event.scores[side] == state.scores[side] + sheet.total


def test_a_copy_shares_nothing_that_changes() -> None:
    for state, command in random_game(2, 50):
        twin = state.copy()
        before = state.copy()
        give(twin, command)
        assert state == before
        assert twin != state
    assert (state == "a state") is False
