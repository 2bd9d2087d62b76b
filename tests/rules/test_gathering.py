"""The table before the start, and ending a game together (rules T.13 to T.15)."""

from typing import Any

import pytest

from service.rules import seating
from service.rules.errors import IllegalMove
from service.rules.protocol import HOUSE, GameEnded
from service.rules.seating import Game, gathering
from service.rules.seating.commands import (
    Abandon,
    Chair,
    ChangeInvite,
    FillSeat,
    GetUp,
    MoveSeat,
    OfferSeats,
    Ready,
    Resign,
    SetNonce,
    SitDown,
    StartGame,
    SwapSeats,
    Terms,
)
from service.rules.seating.events import AbandonSet, InviteChanged, SeatsOffered
from service.rules.seating.gathering import OFFERED, free_seat
from tests.rules.test_seating import ANNA, PERSON, ROBOT, give, opened, order, playing, refusal

BERT = Chair("human", None, "bert")


def people(game: Game) -> list[str | None]:
    """Who sits where; a computer player by its level."""
    return [chair.player or chair.level for chair in game.chairs]


def test_moving_takes_ones_word_along() -> None:
    game = opened(order(ANNA, PERSON, PERSON, ROBOT))
    give(game, SetNonce(0, "word"), MoveSeat(0, 2))
    assert people(game) == [None, None, "anna", "novice"]
    assert game.nonces == (None, None, "word", None)
    assert game.host == 2
    assert refusal(game, MoveSeat(2, 3)) == "seat_taken"
    assert refusal(game, MoveSeat(2, 2)) == "seat_taken"
    assert refusal(game, MoveSeat(2, 4)) == refusal(game, MoveSeat(2, -1)) == "no_such_seat"


def test_one_may_move_to_the_seat_that_is_kept_for_one() -> None:
    game = opened(order(PERSON, PERSON, PERSON, ROBOT))
    give(game, OfferSeats("old", ("anna", "bert", None, None)), SitDown(2, "anna"))
    assert refusal(game, MoveSeat(2, 1)) == "seat_offered"
    give(game, MoveSeat(2, 0))
    assert people(game) == ["anna", None, None, "novice"]


def test_two_may_exchange_their_seats_at_a_table_of_two() -> None:
    game = opened(order(ANNA, PERSON))
    give(game, SwapSeats(0, 0, 1))
    assert people(game) == [None, "anna"]


def test_what_events_say() -> None:
    game = opened(order(ANNA, PERSON, PERSON))
    assert give(game, ChangeInvite(0, 1)) == [InviteChanged(0, game.invite_until)]
    offered = OfferSeats("old", ("anna", None, None))
    assert seating.decide(game, offered, 5) == (SeatsOffered("old", offered.players, 5 + OFFERED),)


def test_a_table_that_nobody_has_changed() -> None:
    game = opened(order(ANNA, PERSON))
    assert (game.ready, game.agreed, game.invites, game.invite_until) == ((), (), 0, None)
    assert (game.offers, game.offers_until) == ((), 0)


def test_the_host_exchanges_any_two_seats() -> None:
    game = opened(order(ANNA, PERSON, ROBOT, PERSON, terms=Terms(ready=True)))
    give(game, SitDown(1, "bert", "b"), Ready(1), SwapSeats(0, 1, 2))
    assert people(game) == ["anna", "novice", "bert", None]
    assert game.nonces == (None, None, "b", None)
    assert (game.host, game.ready) == (0, ())
    give(game, SwapSeats(0, 0, 3))
    assert (people(game)[3], game.host) == ("anna", 3)
    for pair in ((0, 0), (0, 4), (-1, 0)):
        assert refusal(game, SwapSeats(3, *pair)) == "no_such_seat"
    for command in (SwapSeats(2, 0, 1), FillSeat(2, 0, "casual"), ChangeInvite(2)):
        assert refusal(game, command) == "not_host"


def test_the_host_is_the_first_and_then_the_lowest() -> None:
    assert opened(order(PERSON, PERSON)).host is None
    game = opened(order(PERSON, PERSON, PERSON))
    give(game, SitDown(2, "anna"), SitDown(1, "bert"), SitDown(0, "cleo"))
    assert game.host == 2
    game = opened(order(PERSON, PERSON, PERSON, PERSON))
    give(game, SitDown(2, "anna"), SitDown(1, "bert"), SitDown(3, "cleo"), GetUp(3))
    assert game.host == 2
    give(game, GetUp(2))
    assert game.host == 1
    give(game, GetUp(1))
    assert game.host is None


def test_a_computer_player_fills_a_seat_and_the_game_begins() -> None:
    game = opened(order(ANNA, PERSON))
    assert refusal(game, FillSeat(0, 0, "casual")) == "seat_taken"
    give(game, FillSeat(0, 1, "casual"))
    assert game.chairs == (ANNA, Chair("ai", "casual"))
    assert game.to_act() == HOUSE


def test_a_computer_player_in_the_middle() -> None:
    game = opened(order(ANNA, PERSON, PERSON))
    give(game, FillSeat(0, 1, "casual"))
    assert game.chairs == (ANNA, Chair("ai", "casual"), PERSON)


def test_play_waits_for_all_to_be_ready() -> None:
    game = opened(order(ANNA, PERSON, ROBOT, terms=Terms(ready=True)))
    give(game, Ready(0), SitDown(1, "bert"))
    assert game.to_act() is None
    give(game, Ready(1), Ready(0, False))
    assert (game.to_act(), game.ready) == (None, (1,))
    assert refusal(game, StartGame(0)) == "already_started"
    give(game, Ready(0))
    assert game.to_act() == HOUSE
    give(game, GetUp(1))
    assert (game.to_act(), game.ready) == (None, (0,))


def test_who_moves_is_asked_again() -> None:
    game = opened(order(ANNA, PERSON, PERSON, terms=Terms(ready=True)))
    give(game, Ready(0), MoveSeat(0, 2))
    assert game.ready == ()


def test_a_new_invitation_with_an_end_and_without() -> None:
    game = opened(order(ANNA, PERSON))
    (changed,) = seating.decide(game, ChangeInvite(0, 5), 1_000)
    seating.evolve(game, changed)
    assert (game.invites, game.invite_until) == (1, 301_000)
    give(game, ChangeInvite(0))
    assert (game.invites, game.invite_until) == (2, None)
    for minutes in (-1, 0, 43_201):
        assert refusal(game, ChangeInvite(0, minutes)) == "bad_invite"
    give(game, ChangeInvite(0, 1), ChangeInvite(0, 43_200))
    with pytest.raises(IllegalMove) as no:
        seating.decide(game, ChangeInvite(0, 0), 0)
    assert "43200" in no.value.detail


def test_seats_are_kept_for_their_people_for_a_while() -> None:
    game = opened(order(PERSON, PERSON, PERSON, ROBOT))
    give(game, OfferSeats("old", ("anna", "bert", None, None)))
    assert refusal(game, SitDown(0, "bert")) == "seat_offered"
    assert [free_seat(game, name, 0) for name in ("anna", "bert", "cleo")] == [0, 1, 2]
    give(game, SitDown(2, "cleo"), SitDown(0, "anna"))
    assert refusal(game, MoveSeat(2, 1)) == "seat_offered"
    assert free_seat(game, "dora", 0) == 1  # which is refused, by its reason
    assert seating.decide(game, SitDown(1, "dora"), OFFERED)
    assert refusal(game, OfferSeats("old", (None,) * 4)) == "no_such_seat"
    give(game, SwapSeats(2, 0, 1))
    assert game.offers == ("bert", "anna", None, None)
    assert refusal(opened(order(ANNA, PERSON)), OfferSeats("old", ())) == "no_such_seat"


def test_no_seat_is_free() -> None:
    assert free_seat(playing(ANNA, ROBOT), "bert", 0) == 0


def test_all_people_agree_to_end_it() -> None:
    game = playing(ANNA, BERT, ROBOT)
    assert give(game, Abandon(0), Abandon(0, False), Abandon(1)) == [
        AbandonSet(0, True),
        AbandonSet(0, False),
        AbandonSet(1, True),
    ]
    said, ended = give(game, Abandon(0))
    assert said == AbandonSet(0, True)
    assert isinstance(ended, GameEnded)
    assert (ended.winner, ended.why, len(ended.hands)) == (None, "abandoned", 3)
    assert game.status == "abandoned"
    assert refusal(game, Abandon(0)) == "game_over"


def test_alone_with_computers_one_ends_it() -> None:
    game = playing(ANNA, ROBOT)
    assert give(game, Abandon(0, False)) == [AbandonSet(0, False)]
    assert len(give(game, Abandon(0))) == 2


def test_after_a_resignation_all_are_asked_again() -> None:
    game = playing(ANNA, BERT, Chair("human", None, "cleo"))
    give(game, Abandon(0), Resign(2))
    assert game.agreed == ()


@pytest.mark.parametrize("command", [MoveSeat(0, 1), Ready(0), ChangeInvite(0)])
def test_nothing_of_it_after_the_start(command: Any) -> None:
    assert refusal(playing(ANNA, ROBOT), command) == "already_started"


def test_before_the_start_one_gets_up_instead_of_abandoning() -> None:
    assert refusal(opened(order(ANNA, PERSON)), Abandon(0)) == "not_started"


def test_what_is_of_another_topic_is_a_fault() -> None:
    with pytest.raises(TypeError, match="StartGame"):
        gathering.decide(opened(order(ANNA, PERSON)), StartGame(0), 0)
