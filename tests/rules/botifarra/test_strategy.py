"""The casual player of botifarra: it keeps the rules, and is better than chance."""

from collections.abc import Callable
from random import Random

import pytest

from service.rules import botifarra
from service.rules.botifarra import legal, result, to_act, view
from service.rules.botifarra.commands import (
    ChooseTrump,
    Command,
    Delegate,
    Double,
    NoDouble,
    Play,
    Trump,
)
from service.rules.botifarra.state import State
from service.rules.protocol import HOUSE, DealCards
from tests.rules.botifarra.table import dealt, give, in_trick, opened, pack_for, shuffled
from workers.strategies import Budget, Situation
from workers.strategies.botifarra.casual import choose

Player = Callable[[State, int], Command]


def casual(state: State, seat: int) -> Command:
    """What the player does with what it sees."""
    situation = Situation(botifarra, view(state, seat), seat, tuple)
    command: Command = choose(situation, Random(0), Budget(0.1)).command
    return command


def anything(state: State, seat: int) -> Command:
    """Any legal command."""
    return Random(len(state.hands[seat])).choice(legal(state, seat))


def played(seed: int, *players: Player) -> State:
    """A whole game; the players sit at the seats in turn."""
    state, rng = opened(), Random(seed)
    while (seat := to_act(state)) is not None:
        if seat == HOUSE:
            give(state, DealCards(HOUSE, shuffled(rng)))
        else:
            give(state, players[seat % len(players)](state, seat))
    return state


@pytest.mark.parametrize("seed", range(3))
def test_four_of_them_finish_a_game(seed: int) -> None:
    assert result(played(seed, casual))


@pytest.mark.slow
def test_it_beats_chance() -> None:
    wins = 0
    for seed in range(20):
        end = result(played(seed, casual, anything))
        assert end
        wins += end.winner == 0
    assert wins >= 18


@pytest.mark.parametrize(
    ("trump", "seat", "trick", "hand", "card"),
    [
        pytest.param("B", 3, "O4 O2 O3", "O9 O8", "O8", id="wins-cheaply"),
        pytest.param("B", 3, "O4 O2 O12", "B9 B3", "B3", id="trumps-cheaply"),
        pytest.param("B", 3, "O4 O9 O3", "C11 C2", "C11", id="feeds-the-partner"),
        pytest.param("B", 2, "O9 O2", "O12 O4", "O12", id="feeds-the-partner-who-leads"),
        pytest.param("B", 3, "O9 O4 O3", "C11 C2", "C2", id="gives-opponents-nothing"),
        pytest.param("botifarra", 1, "", "O9 O2", "O9", id="leads-what-cannot-lose"),
        pytest.param("B", 3, "O4 O9 O3", "C9 C10 B2", "C10", id="keeps-the-manilla"),
    ],
)
def test_a_card(trump: Trump, seat: int, trick: str, hand: str, card: str) -> None:
    state = in_trick(trump, seat, trick.split(), hand.split())
    for other in range(4):
        if other != seat:
            state.hands[other] = (*state.hands[other], "O5")
    assert casual(state, seat) == Play(seat, card)


STRONG = ["B9", "B1", "B12", "B11", "B8", "B7", "B4", "E9", "E1", "O9", "O2", "O3"]
WEAK = ["O7", "O6", "O5", "O4", "C8", "C7", "C6", "E8", "E7", "E6", "B3", "B2"]
REST = [
    ["O12", "O11", "O10", "O8", "C9", "C12", "C5", "C4", "E4", "E3", "E2", "B5"],
    ["O1", "C1", "C11", "C10", "C3", "C2", "E12", "E11", "E10", "E5", "B10", "B6"],
]


def test_it_makes_trumps_of_its_long_suit_and_doubles_rarely() -> None:
    state = dealt(pack_for([STRONG, REST[0], WEAK, REST[1]], 0))
    assert casual(state, 0) == ChooseTrump(0, "B")
    give(state, ChooseTrump(0, "B"))
    assert casual(state, 1) == NoDouble(1)
    give(state, NoDouble(1), Double(3))
    assert casual(state, 0) == Double(0)


def test_a_weak_dealer_leaves_the_choice_to_the_partner() -> None:
    state = dealt(pack_for([WEAK, REST[0], STRONG, REST[1]], 0))
    assert casual(state, 0) == Delegate(0)
    give(state, Delegate(0))
    assert casual(state, 2) == ChooseTrump(2, "B")


def test_a_partner_must_choose_whatever_it_holds() -> None:
    state = dealt(pack_for([STRONG, REST[0], WEAK, REST[1]], 0))
    give(state, Delegate(0))
    assert isinstance(casual(state, 2), ChooseTrump)


def test_it_plays_without_trumps_on_high_cards() -> None:
    high = ["O9", "O1", "C9", "C1", "E9", "E1", "B9", "B12", "B11", "O2", "C2", "E2"]
    others = sorted(set(botifarra.VARIANTS["botifarra"].pack()) - set(high))
    state = dealt(pack_for([high, others[:12], others[12:24], others[24:]], 0))
    assert casual(state, 0) == ChooseTrump(0, "botifarra")
