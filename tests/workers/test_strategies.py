"""Computer players: legal, and each level better than the one before."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from service.queue import LEVELS
from service.rules import GAMES
from service.rules.canasta.commands import (
    AskPartner,
    Discard,
    Draw,
    GoOut,
    Meld,
    TakePile,
    TakeTop,
)
from service.rules.canasta.melds import kind_of
from service.rules.canasta.state import Meld as TableMeld
from service.rules.canasta.state import State
from service.rules.canasta.variants import VARIANTS
from service.rules.cards import arranged
from tests.rules.spans import span
from tests.workers.duel import BUDGET, Moment, duel, play
from workers import strategies
from workers.strategies import STRATEGIES, Budget

SIZES = [
    (name, seats)
    for game in GAMES.values()
    for name, v in game.VARIANTS.items()
    for seats in v.seats
]


def test_the_levels_that_the_api_offers_are_those_that_exist() -> None:
    assert tuple(STRATEGIES) == LEVELS


@pytest.mark.parametrize(("variant", "seats"), SIZES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.slow
def test_every_choice_is_legal_and_deals_end(level: str, variant: str, seats: int) -> None:
    # `play` decides each command, so an illegal one fails here, from however many worlds it comes.
    played = play(variant, [level] * seats, seed=7, deals=2, budget=Budget(0.1, samples=3))
    assert played.commands < 1500


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "deals", "rate", "margin"),
    [
        ("canasta", span(20, 60), 0.7, 300),
        ("samba", span(20, 60), 0.8, 300),
        ("bolivia", span(20, 60), 0.8, 300),
        ("bolivie", span(20, 60), 0.8, 300),
        ("botifarra", span(150, 300), 0.65, 15),
    ],
)
def test_casual_beats_novice_clearly(variant: str, deals: int, rate: float, margin: float) -> None:
    score = duel(variant, 4, deals, "casual", "novice")
    assert score.rate > rate
    assert score.margin > margin


@pytest.mark.slow
def test_bolivia_to_the_end_takes_a_reasonable_number_of_deals() -> None:
    played = play("bolivia", ["casual"] * 4, seed=1)
    assert played.state.result.why == "target"
    assert played.state.deal < 20


# What a sensible player does: positions in the notation of the rules' examples.


def position(
    variant: str,
    hand: str,
    *,
    mine: Sequence[str] = (),
    theirs: Sequence[str] = (),
    pile: str = "",
    phase: str = "draw",
    stock: int = 60,
    score: int = 0,
) -> State:
    """Seat 0 of four is to act and sees this; all it does not see is `??`."""
    state = State(VARIANTS[variant], 4, 15000, 3, [score, 0])
    state.deal, state.turn = 1, 0
    state.phase = phase  # type: ignore[assignment]
    unseen = ("??",) * 11
    state.hands = [arranged(hand.split()), unseen, unseen, unseen]
    state.pile, state.stock = tuple(pile.split()), ("??",) * stock
    number = 0
    for side, melds in enumerate((mine, theirs)):
        for meld in melds:
            number += 1
            cards = arranged(meld.split())
            state.melds[side] += (TableMeld(f"m{number}", kind_of(cards), cards),)
    state.next_meld = number + 1
    state.melded_before = bool(mine)
    return state


def casual(state: State, seat: int = 0) -> Any:
    situation = Moment(state, GAMES["canasta"], []).seen_by(seat)
    return strategies.choose("casual", situation, Random(1), BUDGET).command


def test_it_opens_with_what_it_has() -> None:
    hand = "Kc Kd Kh Ac Ad 2c 4c 6d 9s 8h"
    choice = casual(position("canasta", hand, phase="play"))
    assert isinstance(choice, Meld)
    assert sum(len(group.cards) for group in choice.groups) >= 3


def test_it_takes_a_large_pile_and_not_the_stock() -> None:
    pile = "Kc Kd 9h 9d 8c Ah Ac Qs"
    choice = casual(position("samba", "Qc Qd 4c 5d 7h 9c", mine=["8c 8d 8s"], pile=pile))
    assert isinstance(choice, TakePile)


def test_it_takes_the_top_card_that_completes_an_escalera() -> None:
    mine = ["5h 6h 7h 8h 9h 10h"]
    choice = casual(position("bolivia", "4c 6d Kc 9s", mine=mine, pile="4c Jh"))
    assert choice == TakeTop(0, "m1")


def test_it_lays_the_sequence_that_bolivia_needs_to_go_out() -> None:
    choice = casual(position("bolivia", "4h 5h 6h 7h 4c Kd 9s", mine=["8c 8d 8s"], phase="play"))
    assert isinstance(choice, Meld)
    assert any(
        len({card[-1] for card in g.cards}) == 1 and len(g.cards) == 4 for g in choice.groups
    )


def test_it_gets_rid_of_black_threes_where_they_are_dear() -> None:
    state = position("bolivia", "3s 4c 4d 9s 9h Kd", mine=["8c 8d 8s"], phase="play")
    assert casual(state) == Discard(0, "3s")


def test_it_gives_the_next_player_no_card_for_their_sequence() -> None:
    theirs = ["5h 6h 7h 8h 9h 10h"]
    state = position(
        "bolivia", "Jh Qd 6s 6c", mine=["8c 8d 8s"], theirs=theirs, phase="play", pile="Kd 7c"
    )
    choice = casual(state)
    assert isinstance(choice, Discard)
    assert choice.card != "Jh"


def test_it_goes_out_when_the_others_hold_much() -> None:
    mine = ["4h 5h 6h 7h 8h 9h 10h", "7c 7d 7s 7s 7c 7d 7d"]
    state = position("bolivia", "Kc Kd Kh 5d", mine=mine, phase="play")
    assert isinstance(casual(state), GoOut)


def test_it_asks_where_asking_is_compulsory() -> None:
    mine = ["4h 5h 6h 7h 8h 9h 10h", "7c 7d 7s 7s 7c 7d 7d"]
    state = position("bolivie", "Kc Kd Kh 5d", mine=mine, phase="play")
    assert isinstance(casual(state), AskPartner)


def test_it_draws_when_there_is_nothing_to_take() -> None:
    assert casual(position("canasta", "4c 5d 6h 9s Kd", pile="Qs")) == Draw(0)


def test_it_keeps_its_wild_cards() -> None:
    state = position("bolivia", "JK 2c 9s Kd", mine=["8c 8d 8s"], phase="play")
    choice = casual(state)
    assert isinstance(choice, Discard)
    assert choice.card in ("9s", "Kd")


def test_its_partner_hears_yes_when_the_others_are_ready_and_no_to_a_dear_hand() -> None:
    ready = ["4h 5h 6h 7h 8h 9h 10h", "7c 7d 7s 7s 7c 7d 7d"]
    dear = "JK JK JK Ac Ad As Kc"
    for theirs, word in ((ready, "yes"), ([], "no")):
        state = position("bolivia", dear, mine=ready, theirs=theirs, phase="ask")
        state.turn = 2
        state.hands[2], state.hands[0] = ("??",) * 4, arranged(dear.split())
        assert casual(state).answer == word
