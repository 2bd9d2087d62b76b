"""Club and master of botifarra: what a good player does, and why it can be done again."""

from random import Random
from typing import Any

import pytest

from service.rules import GAMES
from service.rules.botifarra.cards import arranged
from service.rules.botifarra.commands import ChooseTrump, Delegate, Double, NoDouble, Play
from service.rules.botifarra.events import (
    NotDoubled,
    Stake,
    TrumpChosen,
    TrumpDelegated,
)
from service.rules.botifarra.state import Phase, State
from service.rules.botifarra.tricks import Trick, winning, worth
from service.rules.botifarra.variants import BOTIFARRA
from service.rules.cards import UNSEEN
from tests.rules.spans import span
from tests.workers.duel import moments
from workers import strategies
from workers.strategies import Budget, Choice, Situation

LEVELS = ["club", "master"]


def never() -> float:
    raise AssertionError("the clock was looked at")


ENOUGH = Budget(60.0, samples=60, clock=never)


def position(
    hand: str,
    phase: Phase = "play",
    *,
    trump: Any = None,
    dealer: int = 3,
    maker: int = 3,
    scores: tuple[int, int] = (0, 0),
    trick: str = "",
    tricks: str = "",
) -> State:
    """Seat 0 is to act; `tricks` are the cards played before, the first by the dealer's right."""
    state = State(BOTIFARRA, 101, dealer, scores)
    state.deal, state.phase, state.turn, state.trump = 1, phase, 0, trump
    state.maker = state.caller = None if phase == "trump" else maker
    state.stake = BOTIFARRA.stakes(trump)[0] if trump else Stake(0, 1)
    state.leader = (dealer + 1) % 4
    laid = tricks.split()
    for start in range(0, len(laid), 4):
        cards = tuple(laid[start : start + 4])
        winner = (state.leader + winning(cards, trump)) % 4
        state.tricks += (Trick(state.leader, cards, winner, worth(cards)),)
        state.leader = winner
    state.trick = tuple(trick.split())
    left = 12 - len(state.tricks)
    for seat in range(4):
        gone = (seat - state.leader) % 4 < len(state.trick)
        state.hands[seat] = (UNSEEN,) * (left - gone)
    state.hands[0] = arranged(hand.split())
    assert len(state.hands[0]) == left
    assert (state.leader + len(state.trick)) % 4 == 0 or phase != "play"
    return state


def choice(level: str, state: State, *events: Any, seed: int = 1) -> Choice:
    situation = Situation(GAMES["botifarra"], state, 0, lambda: events)
    return strategies.choose(level, situation, Random(seed), ENOUGH)


TRUMP_HAND = "B9 B11 B10 B8 B7 B6 B4 C9 C2 O4 O3 O2"
OPEN_HAND = "O9 O1 O12 C9 C1 C12 E9 E1 B9 B1 B5 E2"
POOR_HAND = "O7 O6 O5 C8 C7 C2 E11 E7 E4 B8 B5 B3"


@pytest.mark.sampled(5)
@pytest.mark.parametrize("level", LEVELS)
def test_before_the_first_card(level: str) -> None:
    def chosen(hand: str) -> Any:
        return choice(level, position(hand, "trump", dealer=0)).command

    assert chosen(TRUMP_HAND) == ChooseTrump(0, "B")
    assert chosen(OPEN_HAND) == ChooseTrump(0, "botifarra")
    assert Delegate(0) in [
        candidate.command
        for candidate in choice(level, position(POOR_HAND, "trump", dealer=0)).candidates
    ]


@pytest.mark.parametrize("level", LEVELS)
def test_a_card_that_would_take_the_trick_from_the_partner_is_weighed_too(level: str) -> None:
    state = position(
        "C6 C4 O9 O1 O2 E9 E4 E3 B9 B8 B7 B3", trump="B", dealer=1, maker=1, trick="C5 C2"
    )
    weighed = [candidate.command for candidate in choice(level, state).candidates]
    assert sorted(weighed, key=repr) == [Play(0, "C4"), Play(0, "C6")]


@pytest.mark.parametrize("level", LEVELS)
def test_it_doubles_what_the_others_cannot_win(level: str) -> None:
    heard = (TrumpChosen(3, "B", Stake(0, 1)),)
    for hand, command in (
        ("B9 B1 B12 B11 B8 O9 O1 C9 C1 E9 E1 E4", Double(0)),
        (POOR_HAND, NoDouble(0)),
    ):
        assert choice(level, position(hand, "contro", trump="B"), *heard).command == command


@pytest.mark.parametrize("level", LEVELS)
def test_it_doubles_more_readily_when_the_game_is_nearly_lost(level: str) -> None:
    hand = "B9 B12 B8 O9 O1 C9 C8 C2 E9 E1 E4 E2"
    heard = (TrumpChosen(3, "B", Stake(0, 1)),)

    def values(scores: tuple[int, int]) -> dict[Any, float]:
        found = choice(level, position(hand, "contro", trump="B", scores=scores), *heard)
        return {candidate.command: candidate.value for candidate in found.candidates}

    # Points do not depend on the score; what is made of them does.
    assert values((0, 0)) == values((0, 99))
    assert choice(
        level, position(hand, "contro", trump="B", scores=(0, 99)), *heard
    ).command == Double(0)


@pytest.mark.parametrize("level", LEVELS)
def test_it_gives_points_to_the_partner_and_none_to_the_others(level: str) -> None:
    hand = "O11 O2 C5 C4 C3 C2 E5 E4 E3 E2 B3 B2"
    partner = position(hand, trump="E", dealer=0, trick="O3 O9 O5")
    assert choice(level, partner).command == Play(0, "O11")
    hand = "C12 C2 C3 C4 C5 C6 C7 C8 B12 B3 B2 B4"
    others = position(hand, trump="E", dealer=0, trick="O9 O3 O5")
    command = choice(level, others).command
    assert isinstance(command, Play)
    assert command.card not in ("C12", "B12")


@pytest.mark.parametrize("level", LEVELS)
def test_it_beats_with_no_more_than_it_needs_where_nobody_follows(level: str) -> None:
    hand = "B9 B2 C5 C4 C3 C2 E5 E4 E3 E2 C8 E8"
    last = position(hand, trump="B", dealer=0, trick="O9 O3 O5")
    assert choice(level, last).command == Play(0, "B2")


@pytest.mark.parametrize("level", LEVELS)
def test_candidates_name_the_choice_first_and_the_rest_by_worth(level: str) -> None:
    found = choice(level, position(TRUMP_HAND, "trump", dealer=0))
    assert found.candidates[0].command == found.command
    assert len(found.candidates) == 5
    assert found.candidates[0].value > found.candidates[-1].value
    assert 0 < found.samples <= 60
    alone = choice(level, position("O1", trump="B", tricks=_ELEVEN))
    assert (alone.command, alone.samples) == (Play(0, "O1"), 0)


_ELEVEN = " ".join(
    f"{suit}{number}" for number in (9, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2) for suit in "BCEO"
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_and_samples_choose_the_same_without_a_clock(
    level: str,
) -> None:
    state = position("O1 O2 C5 C4 C9 C2 E5 E12 E3 E2 B3 B9", trump="E", dealer=3)
    first, again = (choice(level, state, seed=5) for _ in range(2))
    assert first == again
    assert first.samples > 1


@pytest.mark.parametrize("level", LEVELS)
def test_it_stops_when_its_time_is_over(level: str) -> None:
    ticks = iter(range(1000))

    def clock() -> float:
        return next(ticks) * 0.01

    state = position("O1 O2 C5 C4 C9 C2 E5 E12 E3 E2 B3 B9", trump="E", dealer=3)
    situation = Situation(GAMES["botifarra"], state, 0, lambda: ())
    assert strategies.choose(level, situation, Random(1), Budget(0.035, clock=clock)).samples == 4
    assert strategies.choose(level, situation, Random(1), Budget(0.0, clock=clock)).samples == 1


def test_a_level_that_a_game_lacks_is_played_as_the_one_below() -> None:
    for rules in GAMES.values():
        names = [strategies.player(level, rules).name for level in ("novice", *LEVELS)]
        assert names[0] == "novice 1"
        assert "novice 1" not in names[1:]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.slow
def test_whole_deals_are_played_in_every_phase(level: str) -> None:
    phases = set()
    for seed in range(span(2, 20)):
        for moment in moments("botifarra", [level] * 4, seed, deals=1):
            phases.add(moment.state.phase)
    assert {"trump", "contro", "play"} <= phases


@pytest.mark.parametrize("level", LEVELS)
def test_what_was_said_is_heard(level: str) -> None:
    """After a dealer who delegated and made no doubles, the feed changes nothing but odds."""
    heard = (
        TrumpDelegated(2),
        TrumpChosen(0, "B", Stake(0, 1)),
        NotDoubled(1),
    )
    state = position(TRUMP_HAND, trump="B", dealer=3, maker=0)
    assert choice(level, state, *heard).samples > 1
