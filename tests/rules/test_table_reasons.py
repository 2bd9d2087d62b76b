"""Every reason for which a table says no is reached, and names its paragraph."""

from collections.abc import Callable
from typing import Any

import pytest

from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE
from service.rules.seating import Game, hints
from service.rules.seating.commands import (
    ChangeInvite,
    GetUp,
    OfferSeats,
    Ready,
    Resign,
    RevealSecret,
    Setup,
    SitDown,
    SwapSeats,
    Terms,
)
from service.rules.seating.gathering import OFFERED
from service.rules.seating.reasons import REASONS
from tests.rules import test_clocks
from tests.rules.test_seating import ANNA, PERSON, ROBOT, give, opened, order, playing


def opening(**more: Any) -> Callable[[], Any]:
    """Opens a table for Anna and a computer player."""
    return lambda: seating.opening(order(ANNA, ROBOT, **more))


def waiting(command: Any) -> Callable[[], Any]:
    """Gives a command at a table where a person is awaited."""
    return lambda: seating.decide(opened(order(ANNA, PERSON)), command, 0)


def started(command: Any) -> Callable[[], Any]:
    """Gives a command in the middle of a game."""
    return lambda: seating.decide(playing(ANNA, ROBOT), command, 0)


def kept() -> Game:
    """A table at which a place is kept for Bert."""
    game = opened(order(ANNA, PERSON))
    give(game, OfferSeats("old", ("anna", "bert")))
    return game


def over() -> Any:
    """Sits down when all is over."""
    game = playing(ANNA, ROBOT)
    give(game, Resign(0))
    return seating.decide(game, SitDown(0, "bert"), 0)


REFUSED: dict[str, Callable[[], Any]] = {
    "unknown_variant": opening(variant="whist"),
    "bad_table_size": lambda: seating.opening(order(ANNA)),
    "unknown_option": opening(options={"jokers": 9}),
    "bad_option": opening(options={"target_score": 5001}),
    "bad_setup": opening(setup=Setup(HOUSE, (0, 0))),
    "wrong_pack": opening(setup=Setup(0, (0, 0), (("4c",),))),
    "no_such_seat": waiting(SitDown(2, "bert")),
    "seat_offered": lambda: seating.decide(kept(), SitDown(1, "cleo"), OFFERED - 1),
    "not_host": waiting(SwapSeats(1, 0, 1)),
    "bad_invite": waiting(ChangeInvite(0, 0)),
    "ready_not_asked": waiting(Ready(0)),
    "seat_taken": waiting(SitDown(0, "bert")),
    "already_seated": waiting(SitDown(1, "anna")),
    "not_started": waiting(Resign(0)),
    "already_started": started(GetUp(0)),
    "not_over": started(RevealSecret("5ec4e7")),
    "game_over": over,
    "hints_off": lambda: hints.check(playing(ANNA, ROBOT), 0, 0),
    "not_your_turn": lambda: hints.check(playing(ANNA, ROBOT, terms=Terms(hints=True)), 2, 0),
    **test_clocks.REFUSED,
}


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_is_reached(code: str) -> None:
    with pytest.raises(IllegalMove) as no:
        REFUSED[code]()
    assert (no.value.code, no.value.rule) == (code, REASONS[code][0])
    assert (str(no.value), no.value.version) == (code, 0)
    assert no.value.detail.endswith(".")
    assert "{" not in no.value.detail
