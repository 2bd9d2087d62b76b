"""Choosing trumps (rules 3) and the ladder of doublings (rules 4)."""

from itertools import product

import pytest

from service.rules.botifarra import legal, to_act
from service.rules.botifarra.commands import (
    TRUMPS,
    ChooseTrump,
    Command,
    Delegate,
    Double,
    NoDouble,
    Play,
    Trump,
)
from service.rules.botifarra.events import (
    Doubled,
    NotDoubled,
    PlayStarted,
    Stake,
    TrumpChosen,
    TrumpDelegated,
)
from service.rules.botifarra.state import State
from tests.rules.botifarra.table import dealt, give, refusal


def stands(state: State) -> tuple[str, int | None, int, int]:
    """Phase, who is to act, level and factor."""
    return state.phase, to_act(state), state.stake.level, state.stake.factor


def test_b43_nobody_doubles() -> None:
    """B43, 3 and 4."""
    state = dealt()
    assert give(state, ChooseTrump(0, "E")) == [TrumpChosen(0, "E", Stake(0, 1))]
    assert (state.maker, state.trump) == (0, "E")
    assert stands(state) == ("contro", 1, 0, 1)
    assert give(state, NoDouble(1)) == [NotDoubled(1)]
    assert stands(state) == ("contro", 3, 0, 1)
    assert give(state, NoDouble(3)) == [NotDoubled(3), PlayStarted(1)]
    assert stands(state) == ("play", 1, 0, 1)


def test_b44_the_partner_chooses() -> None:
    """B44, 3 and 5.1: who chose speaks for the order of doubling, not for the lead."""
    state = dealt()
    assert give(state, Delegate(0)) == [TrumpDelegated(0)]
    assert stands(state) == ("trump", 2, 0, 1)
    assert refusal(state, Delegate(2)) == "cannot_delegate"
    give(state, ChooseTrump(2, "botifarra"))
    assert state.maker == 2
    assert stands(state) == ("contro", 3, 0, 2)
    give(state, NoDouble(3))
    assert stands(state) == ("contro", 1, 0, 2)
    give(state, NoDouble(1))
    assert stands(state) == ("play", 1, 0, 2)


def test_b45_up_to_sant_vicenc() -> None:
    """B45, 4."""
    state = dealt()
    give(state, ChooseTrump(0, "O"), NoDouble(1))
    assert give(state, Double(3)) == [Doubled(3, Stake(1, 2))]
    assert stands(state) == ("recontro", 0, 1, 2)
    give(state, NoDouble(0))
    assert stands(state) == ("recontro", 2, 1, 2)
    give(state, Double(2))
    assert stands(state) == ("sant_vicenc", 3, 2, 4)
    assert give(state, Double(3)) == [Doubled(3, Stake(3, 8)), PlayStarted(1)]
    assert stands(state) == ("play", 1, 3, 8)


def test_b47_only_the_defenders_speak_first() -> None:
    """B47, 8."""
    state = dealt()
    give(state, ChooseTrump(0, "C"))
    assert refusal(state, Double(0)) == "not_your_turn"
    assert refusal(state, Double(3)) == "not_your_turn"


def test_b48_each_command_has_its_time() -> None:
    """B48, 8: whose turn it is comes before what it is time for."""
    state = dealt()
    give(state, ChooseTrump(0, "C"))
    assert refusal(state, Play(1, "O2")) == "wrong_phase"
    give(state, NoDouble(1), NoDouble(3))
    give(state, legal(state, 1)[0])
    assert refusal(state, Double(2)) == "wrong_phase"
    assert refusal(state, Double(3)) == "not_your_turn"


@pytest.mark.parametrize("trump", TRUMPS)
@pytest.mark.parametrize("delegated", [False, True])
def test_every_way_up_the_ladder(trump: Trump, delegated: bool) -> None:
    """4: each step is the other side's, its first speaker right of who raised last."""
    top = 2 if trump == "botifarra" else 3
    for words in product((False, True), repeat=6):
        state = dealt(dealer=3)
        maker = 1 if delegated else 3
        give(state, *([Delegate(3)] if delegated else []), ChooseTrump(maker, trump))
        caller, level, spoken = maker, 0, 0
        for word in words:
            seat = (caller + (1 if spoken == 0 else 3)) % 4
            expected = ("contro", "recontro", "sant_vicenc")[level]
            assert (state.phase, to_act(state)) == (expected, seat)
            assert legal(state, seat) == (Double(seat), NoDouble(seat))
            answer: Command = Double(seat) if word else NoDouble(seat)
            give(state, answer)
            if word:
                caller, level, spoken = seat, level + 1, 0
            else:
                spoken += 1
            if spoken == 2 or level == top:
                break
        assert state.stake == Stake(level, 2**level * (2 if trump == "botifarra" else 1))
        assert state.stake.factor <= 8
        assert (state.phase, to_act(state)) == ("play", 0)
        assert state.maker == maker
