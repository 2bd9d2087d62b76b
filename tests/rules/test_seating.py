"""The table around every game: opening, seats, nonces, resignation, reveal."""

from dataclasses import replace
from typing import Any

import pytest

from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards, GameEnded, Result
from service.rules.seating import Game
from service.rules.seating.commands import (
    Chair,
    GetUp,
    OpenGame,
    Resign,
    RevealSecret,
    SetNonce,
    Setup,
    SitDown,
    StartGame,
)
from service.rules.seating.decide import _without_resigned
from service.rules.seating.events import GameOpened, SeatResigned, SeatTakenOver

PERSON = Chair("human")
ANNA = Chair("human", None, "anna")
ROBOT = Chair("ai", "novice")


def order(*chairs: Chair, **more: Any) -> OpenGame:
    """An order for a bolivia table."""
    return replace(OpenGame("bolivia", 1, chairs, {}, "public", "algorithm", "commitment"), **more)


def opened(command: OpenGame) -> Game:
    (event,) = seating.opening(command)
    return seating.opened(event)


def give(game: Game, *commands: Any) -> list[Any]:
    """Decides and applies commands; all events in order."""
    happened = []
    for command in commands:
        for event in seating.decide(game, command, 0):
            seating.evolve(game, event)
            happened.append(event)
    return happened


def playing(*chairs: Chair, **more: Any) -> Game:
    """A game whose first deal lies on the table."""
    game = opened(order(*chairs, **more))
    give(game, StartGame(0), DealCards(HOUSE, game.variant.pack()))
    return game


def refusal(game: Game, command: Any) -> str:
    """The code with which the command is refused."""
    with pytest.raises(IllegalMove) as no:
        seating.decide(game, command, 0)
    return no.value.code


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (order(ANNA, variant="whist"), "unknown_variant"),
        (order(ANNA), "bad_table_size"),
        (order(*[ROBOT] * 5), "bad_table_size"),
        (order(ANNA, ROBOT, options={"jokers": 9}), "unknown_option"),
        (order(ANNA, ROBOT, options={"target_score": 5001}), "bad_option"),
        (order(ANNA, ROBOT, setup=Setup(2, (0, 0))), "bad_setup"),
        (order(ANNA, ROBOT, setup=Setup(0, (0, 0, 0))), "bad_setup"),
        (order(ANNA, ROBOT, setup=Setup(0, (0, 0), (("4c",),))), "wrong_pack"),
    ],
)
def test_a_table_that_cannot_be(command: OpenGame, code: str) -> None:
    with pytest.raises(IllegalMove) as no:
        seating.opening(command)
    assert no.value.code == code


def test_options_are_filled_in() -> None:
    assert opened(order(ANNA, ROBOT)).options == {"target_score": 15000}
    assert opened(order(ANNA, ROBOT, options={"target_score": 2500})).options == {
        "target_score": 2500
    }


def test_play_waits_for_the_last_seat() -> None:
    game = opened(order(ANNA, PERSON, ROBOT))
    assert (game.status, game.to_act(), game.state) == ("waiting", None, None)
    assert refusal(game, StartGame(0)) == "already_started"
    assert refusal(game, Resign(0)) == "not_started"
    assert refusal(game, SitDown(0, "bert")) == "seat_taken"
    assert refusal(game, SitDown(2, "bert")) == "seat_taken"
    assert refusal(game, SitDown(1, "anna")) == "already_seated"
    assert refusal(game, SitDown(3, "bert")) == "no_such_seat"
    assert refusal(game, SitDown(-1, "bert")) == "no_such_seat"
    give(game, SitDown(1, "bert"))
    assert (game.to_act(), game.seat_of("bert")) == (HOUSE, 1)
    give(game, StartGame(2))
    assert (game.status, game.to_act()) == ("playing", HOUSE)
    assert refusal(game, StartGame(2)) == "already_started"
    assert refusal(game, GetUp(1)) == "already_started"
    give(game, DealCards(HOUSE, game.variant.pack()))
    assert game.to_act() == 0
    assert game.legal(0)
    assert not game.legal(1)


def test_leaving_frees_the_seat_and_its_nonce() -> None:
    game = opened(order(ANNA, PERSON, PERSON))
    give(game, SitDown(1, "bert"), SetNonce(1, "luck"), GetUp(1))
    assert game.chairs[1] == PERSON
    assert game.nonces == (None, None, None)
    give(game, GetUp(0))
    assert game.status == "abandoned"
    assert refusal(game, SitDown(0, "cleo")) == "game_over"


def test_nonces_close_at_the_start() -> None:
    game = opened(order(ANNA, ROBOT))
    give(game, SetNonce(0, "one"), SetNonce(0, "two"))
    assert game.nonces == ("two", None)
    give(game, StartGame(1))
    assert refusal(game, SetNonce(0, "three")) == "already_started"


def test_with_two_sides_the_other_wins_at_once() -> None:
    game = playing(ANNA, ROBOT, ROBOT, ROBOT)
    assert game.state
    hands = tuple(game.state.hands)
    assert give(game, Resign(0)) == [SeatResigned(0), GameEnded(1, (0, 0), "resigned", hands)]
    assert game.view(None).state == game.view(0).state
    assert game.result == Result(1, (0, 0), "resigned")
    assert game.to_act() == HOUSE
    assert refusal(game, Resign(0)) == "game_over"
    give(game, RevealSecret("5ec4e7"))
    assert (game.secret, game.to_act()) == ("5ec4e7", None)
    assert refusal(game, RevealSecret("5ec4e7")) == "not_over"


def test_with_three_sides_a_computer_takes_over_and_its_side_cannot_win() -> None:
    bert = Chair("human", None, "bert")
    game = playing(ANNA, bert, ROBOT)
    assert give(game, Resign(0)) == [SeatResigned(0), SeatTakenOver(0, "casual")]
    assert (game.seat_of("anna"), game.chairs[0].kind) == (None, "ai")
    ended = GameEnded(0, (9000, 500, 400), "target")
    assert _without_resigned(game, ended) == GameEnded(1, (9000, 500, 400), "target")
    level = GameEnded(0, (9000, 500, 500), "target")
    assert _without_resigned(game, level).winner is None
    capped = GameEnded(None, (9000, 500, 400), "deal_cap")
    assert _without_resigned(game, capped) == capped
    end = give(game, Resign(1))[-1]
    assert (end.winner, end.scores, end.why) == (2, (0, 0, 0), "resigned")


def test_a_view_keeps_the_setup_but_not_its_packs() -> None:
    pack = opened(order(ANNA, ROBOT)).variant.pack()
    command = order(ANNA, ROBOT, setup=Setup(1, (100, 200), (pack,)))
    (event,) = seating.opening(command)
    game = opened(command)
    assert not game.fair
    assert game.scores() == (100, 200)
    assert game.view(0).setup == Setup(1, (100, 200))
    seen = seating.seen(game, event, 0)
    assert isinstance(seen, GameOpened)
    assert seen.setup == Setup(1, (100, 200))
    give(game, StartGame(1))
    assert game.scores() == (100, 200)


def test_refusals_change_nothing() -> None:
    game = playing(ANNA, ROBOT)
    before = (game.chairs, game.state.table() if game.state else None)
    for command in (SitDown(0, "bert"), GetUp(0), SetNonce(0, "x"), StartGame(0), RevealSecret("")):
        refusal(game, command)
    assert (game.chairs, game.state.table() if game.state else None) == before
