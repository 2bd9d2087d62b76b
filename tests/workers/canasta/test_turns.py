"""Turns that end a deal on the compact board, where taking, laying and leaving meet."""

from random import Random

import pytest

from service.rules import canasta
from service.rules.canasta import legal, view
from service.rules.canasta.commands import TakePile
from service.rules.canasta.state import State
from tests.rules.canasta.notation import line, play, position, run
from tests.workers.canasta.truth import true_board
from workers.strategies import Budget, Situation
from workers.strategies.canasta import master
from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.codes import CODES
from workers.strategies.canasta.compact.habits import habits_of
from workers.strategies.canasta.compact.leaving import emptied
from workers.strategies.canasta.compact.scales import Scales, scales_of
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.taking import Take, takes
from workers.strategies.canasta.compact.turns import begin, carry_out, go, starts

RUN = "4s 5s 6s 7s 8s 9s 10s"
SET = "5c 5d 5h 5s"

LAST_PAIR = f"""
    side 0: m1 = {RUN}
    side 0: m2 = 7c 7d 7h 7s 7c 7d 7h
    side 0: m3 = Ac Ad Ah As Ac Ad
    side 0: m4 = Qc Qd Qh Qs Qc Qd
    side 0: m5 = Jc Jd Jh Js Jc Jd
    P0: Kc Kd
    pile: Ks
    stock: 8c 8d 8h 8s 9c 9d 9h 9s 10c 10d
    draw: P0
"""
"""A take leaves nothing in the hand of a seat whose side may go out."""


def situation(state: State) -> Situation:
    """That of the seat whose turn it is, which heard nothing before."""
    return Situation(canasta, view(state, state.turn), state.turn, list)


def seen(state: State) -> tuple[Board, Scales]:
    """The true board, and how everybody weighs it."""
    board = true_board(situation(state), state)
    return board, scales_of(board.shape, habits_of(board.shape))


def pile_taken(board: Board, scales: Scales) -> Take:
    """The first way to take the whole pile."""
    found = takes(board, desk_of(board, board.turn, scales))
    return next(take for take in found if not take.top_only)


@pytest.mark.parametrize("variant", ["canasta", "samba", "bolivia"])
def test_a_take_that_leaves_no_card_ends_the_deal(variant: str) -> None:
    state = position(variant, 4, LAST_PAIR.replace(RUN, SET) if variant == "canasta" else LAST_PAIR)
    board, scales = seen(state)
    assert not carry_out(board, pile_taken(board, scales))
    assert run(state, "P0 take_pile [Kc Kd]") == "ok"
    assert state.last_deal
    assert (board.over, board.out) == (True, 0)
    assert board.scores() == [side.total for side in state.last_deal.sides]


def test_master_weighs_a_take_that_goes_out() -> None:
    state = position("bolivia", 4, LAST_PAIR)
    assert any(isinstance(command, TakePile) for command in legal(state, 0))
    choice = master.choose(situation(state), Random(1), Budget(1.0, 3))
    assert len(choice.candidates) == 2


def left(board: Board, scales: Scales) -> None:
    """Lets the seat go out."""
    out = emptied(board, desk_of(board, board.turn, scales))
    assert out
    go(board, out)


def test_who_takes_the_pile_and_goes_out_in_one_turn_is_concealed() -> None:
    given = """
        side 0: m1 = 7c 7d 7h 7s 7c 7d 7h
        P0: Kc Kd Ks 4d
        pile: Qc Qd Qs Kh
        draw: P0
    """
    state = position("canasta", 4, given)
    board, scales = seen(state)
    assert carry_out(board, pile_taken(board, scales))
    left(board, scales)
    play(state, "P0 take_pile [Kc Kd Ks]", "P0 go_out [Qc Qd Qs] discard 4d")
    assert line(state, 0, "going_out") == 200
    assert (board.out, board.concealed) == (0, True)


def test_a_side_that_lays_all_in_one_turn_is_concealed_whatever_was_laid_first() -> None:
    given = "P0: 4s 5s 6s 7s 8s 9s 10s Qc Qd Qh Qs Qc Qd Qh Kd\nplay: P0"
    state = position("bolivia", 4, given)
    play(state, "P0 meld [Qc Qd Qh Qs Qc Qd Qh]")
    board, scales = seen(state)
    left(board, scales)
    play(state, "P0 go_out [4s 5s 6s 7s 8s 9s 10s] discard Kd")
    assert line(state, 0, "going_out") == 200
    assert (board.out, board.concealed) == (0, True)


def test_who_laid_in_a_turn_before_goes_out_for_the_plain_bonus() -> None:
    given = "side 0: m1 = 7c 7d 7h 7s 7c 7d 7h\nP0: Kc Kd Kh 4d\nlaid: P0\nplay: P0"
    state = position("canasta", 4, given)
    board, scales = seen(state)
    left(board, scales)
    play(state, "P0 go_out [Kc Kd Kh] discard 4d")
    assert line(state, 0, "going_out") == 100
    assert (board.out, board.concealed) == (0, False)


@pytest.mark.parametrize("variant", ["canasta", "bolivie"])
def test_what_was_laid_before_the_board_was_made_counts_in_the_next_turn(variant: str) -> None:
    given = f"side 0: m1 = 7c 7d 7h 7s 7c 7d 7h\nside 0: m2 = {RUN}\nP0: Kc Kd Kh 9d 9c\nplay: P0"
    state = position(variant, 4, given.replace(RUN, SET) if variant == "canasta" else given)
    play(state, "P0 meld [Kc Kd Kh]")
    board, scales = seen(state)
    board.throw(0, CODES["9d"])
    play(state, "P0 discard 9d")
    assert board.laid == state.laid == [True, False, False, False]
    board.turn = 0
    board.begin_turn(0)
    left(board, scales)
    assert (board.out, board.concealed) == (0, False)


def test_who_draws_but_red_threes_may_still_take_the_pile() -> None:
    given = """
        side 0: m1 = Kc Ks Kh
        P0: 4c 6d 9c
        pile: 5c Kd
        stock: 3h
        draw: P0
    """
    state = position("bolivie", 4, given)
    board, scales = seen(state)
    assert not carry_out(board, None)
    play(state, "P0 draw")
    assert (board.turn, board.passes, board.reds) == (state.turn, 0, [1, 0])
    assert begin(board, scales)
    play(state, "P0 take_pile [ > m1]")
    assert board.size[0] == len(state.hands[0]) == 4


@pytest.mark.parametrize(
    ("given", "compels"),
    [
        ("side 0: m1 = 8c 8d 8h", True),
        ("side 0: m1 = 5s 6s 7s", True),
        ("side 0: m1 = 9c 9d 9h", False),
        ("side 0: m1 = 8c 8d 8h\npile: 3c 8s", False),
        ("side 0: m1 = 8c 8d 8h\nP0: 4c\npile: 8s", False),
        ("side 0: m1 = 8c 8d 8h\nP0: 4c\npile: 5c 8s", True),
        ("side 0: m1 = 8c 8d 8h\nstock: 4c", False),
        ("P0: 8c 8d Ac Ad Ah 4c 5c", False),
    ],
)
def test_a_pass_is_no_choice_where_the_pile_must_be_taken(given: str, compels: bool) -> None:
    state = position("bolivie", 4, f"P0: 4c 6d\npile: 5c 8s\nstock:\n{given}\ndraw: P0")
    board, scales = seen(state)
    found = starts(board, desk_of(board, 0, scales))
    assert (found[-1].take is not None) == compels
    assert (run(state, "P0 pass") == "must_take_pile") == compels


def test_black_threes_laid_on_going_out_count_for_the_side() -> None:
    given = "side 0: m1 = 7c 7d 7h 7s 7c 7d 7h\nP0: 3c 3s 3c Kd\nlaid: P0\nplay: P0"
    state = position("canasta", 4, given)
    board, scales = seen(state)
    left(board, scales)
    play(state, "P0 go_out [3c 3s 3c] discard Kd")
    assert state.last_deal
    assert board.scores() == [side.total for side in state.last_deal.sides]
