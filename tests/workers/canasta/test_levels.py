"""What `club` and `master` do: sensible things, the same again, and no peeping at the clock."""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest

from service.rules import GAMES
from service.rules.canasta.commands import (
    Answer,
    AskPartner,
    Discard,
    Draw,
    GoOut,
    Meld,
    TakePile,
    TakeTop,
)
from service.rules.canasta.events import CardDiscarded, PileTaken
from service.rules.canasta.state import State
from service.rules.cards import arranged
from service.rules.deals import DealStarted
from tests.workers.canasta.truth import TABLES, moments
from tests.workers.test_strategies import position
from workers.strategies import Budget, Choice, Situation
from workers.strategies.canasta import club, master
from workers.strategies.choice import SHOWN, Strategy

LEVELS = pytest.mark.parametrize("level", [club.choose, master.choose], ids=["club", "master"])
WORLDS = Budget(1.0, samples=24)
READY = ("4h 5h 6h 7h 8h 9h 10h", "7c 7d 7s 7s 7c 7d 7d")


def choice(level: Strategy, state: State, feed: Sequence[Any] = (), seat: int = 0) -> Choice:
    rules = GAMES["canasta"]
    situation = Situation(rules, rules.view(state, seat), seat, lambda: feed)
    return level(situation, Random(1), WORLDS)


def command(level: Strategy, state: State, feed: Sequence[Any] = ()) -> Any:
    return choice(level, state, feed).command


@LEVELS
def test_it_opens_with_what_it_has(level: Strategy) -> None:
    hand = "Kc Kd Kh Kh Ac Ad Ah 2c 4c 6d 9s"
    assert isinstance(command(level, position("canasta", hand, phase="play", stock=40)), Meld)


@LEVELS
def test_it_takes_a_large_pile_and_not_the_stock(level: Strategy) -> None:
    pile = "Kc Kd 9h 9d 8c Ah Ac Qs"
    hand = "Qc Qd 4c 5d 7h 9c"
    assert isinstance(
        command(level, position("samba", hand, mine=["8c 8d 8s"], pile=pile)), TakePile
    )


@LEVELS
def test_it_takes_the_top_card_that_completes_an_escalera(level: Strategy) -> None:
    state = position("bolivia", "4c 6d Kc 9s", mine=["5h 6h 7h 8h 9h 10h"], pile="4c Jh")
    assert command(level, state) == TakeTop(0, "m1")


@LEVELS
def test_it_completes_the_wild_canasta(level: Strategy) -> None:
    mine = ["2c 2d 2h JK JK", "8c 8d 8s"]
    laid = command(level, position("bolivia", "2c 2s 4c Kd 9s 9h", mine=mine, phase="play"))
    assert isinstance(laid, Meld)
    assert any(set(group.cards) == {"2c", "2s"} for group in laid.groups)


@LEVELS
def test_it_draws_when_there_is_nothing_to_take(level: Strategy) -> None:
    assert command(level, position("canasta", "4c 5d 6h 9s Kd", pile="Qs")) == Draw(0)


@LEVELS
def test_it_gives_the_next_player_no_card_for_their_sequence(level: Strategy) -> None:
    theirs = ["5h 6h 7h 8h 9h 10h"]
    hand, pile = "Jh Qd 6s 6c", "Kd 7c"
    state = position("bolivia", hand, mine=["8c 8d 8s"], theirs=theirs, phase="play", pile=pile)
    thrown = command(level, state)
    assert isinstance(thrown, Discard)
    assert thrown.card != "Jh"


@LEVELS
def test_it_remembers_the_pair_that_the_next_player_picked_up(level: Strategy) -> None:
    pile = "4c 5c 6c 7c 8c 9c Jc 4d"
    state = position("samba", "Kh Qh 3c", mine=["10c 10d 10s"], phase="play", pile=pile)
    state.hands[0] = arranged(["Kh", "Qh"])
    state.melds[0] = (*state.melds[0], *state.melds[0])
    for rank, other in (("K", "Q"), ("Q", "K")):
        thrown = ["Ac", "Ad", rank + "c", rank + "d", "As"]
        hands = (("??",) * 15,) * 4
        feed = [
            DealStarted(1, 3, hands, (), (), (0, 0)),
            *(CardDiscarded(0, card) for card in thrown),
            PileTaken(1, "As", ("??",) * 5, ()),
            *(CardDiscarded(0, card) for card in pile.split()),
        ]
        assert command(level, state, feed) == Discard(0, other + "h")


@LEVELS
def test_it_goes_out_when_the_others_hold_much(level: Strategy) -> None:
    state = position("bolivia", "Kc Kd Kh 5d", mine=READY, phase="play")
    assert isinstance(command(level, state), GoOut)


@LEVELS
def test_it_asks_where_asking_is_compulsory_and_obeys_a_no(level: Strategy) -> None:
    state = position("bolivie", "Kc Kd Kh 5d", mine=READY, phase="play")
    assert isinstance(command(level, state), AskPartner)
    state.asked = state.refused = True
    assert not isinstance(command(level, state), AskPartner | GoOut)


@LEVELS
def test_its_partner_hears_yes_when_a_hand_costs_little_and_the_others_are_ready(
    level: Strategy,
) -> None:
    state = position("bolivia", "4c 5d", mine=READY, theirs=READY, phase="ask")
    state.turn = 2
    state.hands[2], state.hands[0] = ("??",) * 4, arranged(["4c", "5d"])
    assert command(level, state) == Answer(0, "yes")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_as_many_worlds_give_the_same_choice_and_no_clock_is_read(variant: str, seats: int) -> None:
    def stopped() -> float:
        raise AssertionError("the clock was read")

    for moment in islice(moments(variant, seats, seed=3), 10, 60, 10):
        timed = master.choose(moment.situation, Random(5), Budget(0.02))
        as_many = Budget(0.0, timed.samples, stopped)
        again = master.choose(moment.situation, Random(5), as_many)
        assert again == timed


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_the_command_is_the_best_of_the_candidates(variant: str, seats: int) -> None:
    weighed = 0
    for moment in islice(moments(variant, seats, seed=9), 0, 60, 6):
        for level in (club.choose, master.choose):
            chosen = level(moment.situation, Random(2), Budget(1.0, samples=4))
            values = [candidate.value for candidate in chosen.candidates]
            assert chosen.command == chosen.candidates[0].command
            assert len(values) <= SHOWN
            if level is master.choose:
                assert values == sorted(values, reverse=True)
                weighed += chosen.samples
    assert weighed > 0
