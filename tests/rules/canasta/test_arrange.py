"""What `legal` promises to contain, against brute force on small hands."""

from collections.abc import Iterable
from typing import Any, Final

import pytest

from service.rules.canasta.commands import (
    AskPartner,
    Command,
    Discard,
    GoOut,
    Meld,
    Pass,
    TakePile,
    TakeTop,
)
from service.rules.canasta.legal import legal
from service.rules.canasta.state import State
from service.rules.canasta.variants import VARIANTS
from service.rules.canasta.view import view
from tests.rules.canasta import brute
from tests.rules.spans import span


def seeds(quick: int, more: int = 100) -> list[Any]:
    """So many in the fast tests, up to `more` for mutants, all the others in the slow ones."""
    spans = [
        pytest.param(range(quick), id="quick"),
        pytest.param(range(quick, more), id="more", marks=pytest.mark.more),
        pytest.param(range(more, span(200, 1500)), id="long", marks=pytest.mark.slow),
    ]
    return [one for one in spans if one.values[0]]


SEEDS: Final = seeds(20)


def positions(name: str, phase: str, seeds: range) -> Iterable[tuple[State, tuple[Command, ...]]]:
    """Positions with what `legal` offers there, after what must hold everywhere."""
    for seed in seeds:
        state = brute.position(seed, name, phase)
        offered = legal(state, state.turn)
        assert offered, (name, phase, seed)
        assert len(offered) == len(set(offered))
        assert legal(view(state, state.turn), state.turn) == offered
        for command in offered:
            assert brute.accepted(state, command), (name, phase, seed, command)
        yield state, offered


def cards_left(state: State, command: Command) -> int:
    """Cards in the player's hand after the command; none once the deal is over."""
    after = brute.accepted(state, command)
    assert after
    return len(after.hands[state.turn]) if after.phase == "play" else 0


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_meld_is_offered_whenever_there_is_one(name: str, seeds: range) -> None:
    found = 0
    for state, offered in positions(name, "play", seeds):
        melds = [command for command in offered if isinstance(command, Meld)]
        exists = any(True for _ in brute.melds(state))
        found += exists
        assert any(cards_left(state, command) > 1 for command in melds) == exists, state.hands
    assert found


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_way_out_is_offered_whenever_there_is_one(name: str, seeds: range) -> None:
    found = 0
    for state, offered in positions(name, "play", seeds):
        exists = any(True for _ in brute.exits(state))
        found += exists
        last = Discard if len(state.hands[state.turn]) == 1 else GoOut
        ways = [command for command in offered if isinstance(command, GoOut | last)]
        assert bool(ways) == exists, (state.hands, state.melds)
    assert found or VARIANTS[name].must_ask


@pytest.mark.parametrize("seeds", seeds(100))  # there is seldom one
@pytest.mark.parametrize("name", VARIANTS)
def test_a_question_is_offered_whenever_there_is_one(name: str, seeds: range) -> None:
    found = 0
    for state, offered in positions(name, "play", seeds):
        exists = any(True for _ in brute.questions(state))
        found += exists
        asks = [command for command in offered if isinstance(command, AskPartner)]
        assert bool(asks) == exists, (state.hands, state.melds)
    assert found


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_take_is_offered_whenever_there_is_one(name: str, seeds: range) -> None:
    """With two cards left, and going out: for both, one is offered if one exists."""
    found = set()
    for state, offered in positions(name, "draw", seeds):
        takes = [command for command in offered if isinstance(command, TakePile)]
        mine = {cards_left(state, command) > 1 for command in takes}
        theirs = {
            cards_left(state, command) > 1
            for command in brute.takes(state)
            if brute.accepted(state, command)
        }
        assert mine == theirs, (state.hands, state.melds, state.pile)
        found |= theirs
    assert True in found


@pytest.mark.parametrize("seeds", seeds(10, 40))
def test_a_question_before_drawing_is_offered_whenever_there_is_one(seeds: range) -> None:
    """Once the side has melded; for a first meld see `plans_with_take`."""
    found = 0
    for state, offered in positions("bolivie", "draw", seeds):
        asks = [command for command in offered if isinstance(command, AskPartner)]
        exists = any(True for _ in brute.questions_with_take(state))
        found += exists
        if state.melded(state.side(state.turn)):
            assert bool(asks) == exists, (state.hands, state.melds, state.pile)
    assert found


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("name", VARIANTS)
def test_passes_tops_and_discards_are_complete(name: str, seeds: range) -> None:
    for phase in ("draw", "play"):
        for state, offered in positions(name, phase, seeds):
            seat = state.turn
            every: list[Command] = [Pass(seat)]
            every += [TakeTop(seat, meld.id) for meld in brute.own_melds(state)]
            every += [Discard(seat, card) for card in set(state.hands[seat])]
            for command in every:
                assert (command in offered) == bool(brute.accepted(state, command))
