"""Who may ask for advice (rules T.16)."""

from typing import Literal

import pytest

from service.rules.canasta.events import PartnerAsked
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating import Game, evolve, hints
from service.rules.seating.commands import Clock, Resign, RunOut, StartGame, Terms
from tests.rules import test_clocks
from tests.rules.test_clocks import PEOPLE
from tests.rules.test_seating import ANNA, PERSON, ROBOT, give, opened, order, playing

HINTS = Terms(hints=True)


def refused(game: Game, seat: int, at: int = 0) -> str:
    """The code with which a seat is refused; empty when it may ask."""
    try:
        hints.check(game, seat, at)
    except IllegalMove as no:
        return no.code
    return ""


def test_who_is_to_act_may_ask_where_the_table_has_hints() -> None:
    game = playing(*PEOPLE, terms=HINTS)
    assert game.to_act() == 1
    assert [refused(game, seat) for seat in range(4)] == [
        *("not_your_turn", "", "not_your_turn", "not_your_turn")
    ]
    assert refused(playing(*PEOPLE), 1) == "hints_off"


def test_who_is_asked_a_question_may_ask_for_advice() -> None:
    game = playing(*PEOPLE, terms=HINTS)
    evolve(game, PartnerAsked(1, None))
    assert (refused(game, 1), refused(game, 3)) == ("not_your_turn", "")


def test_not_before_the_start_nor_after_the_end() -> None:
    assert refused(opened(order(ANNA, PERSON, terms=HINTS)), 0) == "not_started"
    game = playing(ANNA, ROBOT, terms=HINTS)
    give(game, Resign(0))
    assert refused(game, 0) == "game_over"


@pytest.mark.parametrize(("expiry", "code"), [("play", "time_is_up"), ("take_over", "away")])
def test_not_when_the_time_is_up(expiry: Literal["play", "take_over"], code: str) -> None:
    terms = Terms(Clock(60, None, 0, expiry), hints=True)
    game = opened(order(*PEOPLE, terms=terms))
    test_clocks.give(game, StartGame(0), 900)
    test_clocks.give(game, DealCards(HOUSE, game.variant.pack()), 1000)
    assert refused(game, 1, 1059) == ""
    assert refused(game, 1, 1060) == "time_is_up"
    test_clocks.give(game, RunOut(1, 1060), 1060)
    assert refused(game, 1, 1060) == code
