"""The table around every game: opening, seats, nonces, resignation, reveal."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from service.rules import find, seating
from service.rules.canasta.commands import Draw
from service.rules.canasta.events import CardsDrawn
from service.rules.cards import UNSEEN
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, DealCards, GameEnded, Result
from service.rules.seating import Game
from service.rules.seating.commands import (
    Chair,
    ClearTable,
    CloseGame,
    GetUp,
    OpenGame,
    Origin,
    Resign,
    RevealSecret,
    SetNonce,
    Setup,
    SitDown,
    StartGame,
)
from service.rules.seating.decide import _without_resigned
from service.rules.seating.events import (
    GameOpened,
    NonceSet,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeatTakenOver,
)

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
    ("command", "code", "words"),
    [
        (order(ANNA, variant="whist"), "unknown_variant", "variant 'whist'"),
        (order(ANNA), "bad_table_size", "bolivia is played by 2, 3, 4."),
        (order(*[ROBOT] * 5), "bad_table_size", "bolivia is played by 2, 3, 4."),
        (
            order(ANNA, ROBOT, options={"jokers": 9}),
            "unknown_option",
            "bolivia has no option 'jokers'",
        ),
        (
            order(ANNA, ROBOT, options={"target_score": 5001}),
            "bad_option",
            "target_score may be one of 2500, 5000, 7500, 10000, 15000.",
        ),
        (order(ANNA, ROBOT, rules_version=9), "unknown_variant", "bolivia, rules version 9"),
        (order(ANNA, ROBOT, origin=Origin("another", 17)), "bad_setup", "dealer"),
        (order(ANNA, ROBOT, setup=Setup(2, (0, 0))), "bad_setup", "dealer"),
        (order(ANNA, ROBOT, setup=Setup(0, (0, 0, 0))), "bad_setup", "score"),
        (order(ANNA, ROBOT, setup=Setup(0, (0, 0), (("4c",),))), "wrong_pack", "pack"),
    ],
)
def test_a_table_that_cannot_be(command: OpenGame, code: str, words: str) -> None:
    with pytest.raises(IllegalMove) as no:
        seating.opening(command)
    assert no.value.code == code
    assert words in no.value.detail


def test_no_such_variant() -> None:
    with pytest.raises(KeyError, match="whist"):
        find("whist")


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


def test_who_sits_down_may_bring_a_nonce() -> None:
    game = opened(order(ANNA, PERSON))
    brought = seating.decide(game, SitDown(1, "bert", "luck"), 0)
    assert brought == (SeatTaken(1, "bert"), NonceSet(1, "luck"))
    assert seating.decide(game, SitDown(1, "bert"), 0) == (SeatTaken(1, "bert"),)
    give(game, SitDown(1, "bert", "luck"))
    assert (game.chairs[1], game.nonces) == (Chair("human", None, "bert"), (None, "luck"))
    assert game.seat_of("bert") == 1


def test_what_was_agreed_stays_with_the_game() -> None:
    origin = Origin("another", 17)
    command = order(ANNA, ROBOT, visibility="private", setup=Setup(0, (5, 0)), origin=origin)
    for game in (opened(command), opened(command).copy(), opened(command).view(1)):
        assert (game.rules_version, game.visibility) == (1, "private")
        assert (game.algorithm, game.commitment) == ("algorithm", "commitment")
        assert (game.chairs, game.options) == ((ANNA, ROBOT), {"target_score": 15000})
        assert (game.secret, game.resigned, game.state, game.result) == (None, (), None, None)
        assert (game.setup, game.origin, game.fair) == (Setup(0, (5, 0)), origin, False)
        assert not game.legal(0)


def test_a_copy_goes_its_own_way() -> None:
    game = playing(ANNA, ROBOT)
    twin = game.copy()
    assert game.state
    assert twin.state
    give(twin, Draw(1))
    assert twin.state.table() != game.state.table()
    other = playing(ANNA, ROBOT).state
    assert other
    assert game.state.table() == other.table()


def test_a_view_is_of_its_seat() -> None:
    game = playing(ANNA, ROBOT)
    assert game.state
    for viewer in (0, 1, None):
        shown = game.view(viewer).state
        assert shown
        assert [UNSEEN not in hand for hand in shown.hands] == [viewer == 0, viewer == 1]


def test_a_table_given_up_before_the_start_keeps_its_scores() -> None:
    game = opened(order(ANNA, ROBOT, setup=Setup(1, (100, 200))))
    assert give(game, GetUp(0)) == [SeatLeft(0), GameEnded(None, (100, 200), "abandoned")]
    assert game.result == Result(None, (100, 200), "abandoned")
    assert not game.legal(0)


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
    assert not any(game.legal(seat) for seat in range(4))
    assert refusal(game, Resign(0)) == "game_over"
    give(game, RevealSecret("5ec4e7"))
    assert (game.secret, game.to_act()) == ("5ec4e7", None)
    assert refusal(game, RevealSecret("5ec4e7")) == "not_over"


def test_a_game_whose_log_is_damaged_is_closed_without_a_winner() -> None:
    waiting = opened(order(ANNA, PERSON))
    assert give(waiting, CloseGame(HOUSE, 2)) == [GameEnded(None, (0, 0), "abandoned")]
    game = playing(ANNA, ROBOT)
    assert game.state
    hands = tuple(game.state.hands)
    assert give(game, CloseGame(0, 9)) == [GameEnded(None, (0, 0), "abandoned", hands)]
    assert (game.status, game.to_act()) == ("abandoned", HOUSE)
    assert refusal(game, CloseGame(HOUSE, 9)) == "game_over"


def test_the_house_gives_up_a_table_that_waits_and_no_other() -> None:
    waiting = opened(order(ANNA, PERSON))
    assert give(waiting, ClearTable()) == [GameEnded(None, (0, 0), "abandoned")]
    assert (waiting.status, waiting.to_act()) == ("abandoned", HOUSE)
    assert refusal(waiting, ClearTable()) == "game_over"
    assert refusal(playing(ANNA, ROBOT), ClearTable()) == "already_started"


def test_with_three_sides_a_computer_takes_over_and_its_side_cannot_win() -> None:
    bert = Chair("human", None, "bert")
    game = playing(ANNA, bert, ROBOT)
    assert give(game, Resign(0)) == [SeatResigned(0), SeatTakenOver(0, "casual")]
    assert (game.seat_of("anna"), game.chairs[0]) == (None, Chair("ai", "casual"))
    ended = GameEnded(0, (9000, 500, 400), "target")
    assert _without_resigned(game, ended) == GameEnded(1, (9000, 500, 400), "target")
    level = GameEnded(0, (9000, 500, 500), "target")
    assert _without_resigned(game, level).winner is None
    given = SimpleNamespace(decide=lambda state, command: (SeatResigned(0), ended))
    game.rules, rules = cast(Any, given), game.rules
    assert seating.decide(game, Draw(1), 0) == (SeatResigned(0), replace(ended, winner=1))
    game.rules = rules
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


def test_what_happens_at_a_table_is_seen_by_all_and_the_cards_by_their_game() -> None:
    game = playing(ANNA, ROBOT)
    for event in (SeatTaken(1, "bert"), SeatResigned(0), GameEnded(None, (0, 0), "deal_cap")):
        for viewer in (0, 1, None):
            assert seating.seen(game, event, viewer) == event
    (drawn,) = seating.decide(game, Draw(1), 0)
    assert isinstance(drawn, CardsDrawn)
    assert seating.seen(game, drawn, 1) == drawn
    hidden = (UNSEEN,) * len(drawn.cards)
    assert seating.seen(game, drawn, 0) == replace(drawn, cards=hidden)
    assert seating.seen(game, drawn, None) == replace(drawn, cards=hidden)


def test_refusals_change_nothing() -> None:
    game = playing(ANNA, ROBOT)
    before = (game.chairs, game.state.table() if game.state else None)
    for command in (SitDown(0, "bert"), GetUp(0), SetNonce(0, "x"), StartGame(0), RevealSecret("")):
        refusal(game, command)
    assert (game.chairs, game.state.table() if game.state else None) == before
