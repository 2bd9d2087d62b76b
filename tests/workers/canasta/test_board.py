"""The compact board does as the rules do, and remembers no more than the seat may know."""

from itertools import chain
from random import Random
from typing import Any

import pytest

from service.rules.canasta.commands import AskPartner
from service.rules.canasta.melds import canasta_of, points
from service.rules.canasta.state import Meld
from service.rules.canasta.variants import Variant
from tests.workers.canasta.truth import TABLES, Moment, counted, moments, true_board
from workers.strategies.canasta.compact import ways
from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.changes import commit
from workers.strategies.canasta.compact.codes import CODES, RED
from workers.strategies.canasta.compact.habits import habits_of
from workers.strategies.canasta.compact.melded import bonus
from workers.strategies.canasta.compact.memory import board_of
from workers.strategies.canasta.compact.scales import scales_of
from workers.strategies.canasta.compact.search import LAY, OUT, START, THROW
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.turns import carry_out, go
from workers.strategies.canasta.compact.worlds import Source


def chosen(moment: Moment) -> ways.Way:
    """The way whose command was chosen."""
    situation = moment.situation
    board = board_of(situation)
    desk = desk_of(board, situation.seat, scales_of(board.shape, habits_of(board.shape)))
    if situation.view.phase == "draw":
        found = ways.beginnings(situation, board, desk)
    else:
        found = ways.layings(situation, board, desk) + ways.discards(situation, board, desk)
        found += ways.exits(situation, board, desk)
    return next(way for way in found if way.command == moment.choice.command)


def carried_out(moment: Moment) -> Board | None:
    """The true board after what was chosen, done without the rules; None for a question."""
    if moment.situation.view.phase == "ask" or isinstance(moment.choice.command, AskPartner):
        return None
    option, seat = chosen(moment).option, moment.situation.seat
    board = true_board(moment.situation, moment.before)
    match option.kind:
        case kind if kind == START:
            carry_out(board, option.take)
        case kind if kind == LAY:
            assert option.desk
            commit(board, option.desk)
        case kind if kind == THROW:
            board.throw(seat, option.code)
        case kind if kind == OUT:
            assert option.desk
            go(board, option.desk)
    return board


def melds(state: Any) -> list[list[tuple[str, int, int, int]]]:
    """By side, each meld's id, size, points, and bonus."""
    return [
        [
            (meld.id, len(meld.cards), points(meld.cards), _bonus(state.variant, meld))
            for meld in row
        ]
        for row in state.melds
    ]


def _bonus(variant: Variant, meld: Meld) -> int:
    kind = canasta_of(meld.kind, meld.cards)
    return variant.canasta_bonus[kind] if kind else 0


def lying(board: Board) -> list[list[tuple[str, int, int, int]]]:
    """The same of a board."""
    return [
        [(f"m{meld.tag}", meld.size(), meld.points(), bonus(board.shape, meld)) for meld in row]
        for row in board.melds
    ]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_what_is_done_on_the_board_is_what_the_rules_make_of_the_command(
    variant: str, seats: int
) -> None:
    done = 0
    for moment in moments(variant, seats, seed=4):
        board = carried_out(moment)
        if board is None:
            continue
        done += 1
        after = moment.after
        if after.phase in ("dealing", "over"):
            assert board.over
            assert board.scores() == [side.total for side in after.last_deal.sides]
            continue
        assert not board.over
        assert board.hands == [counted(hand) for hand in after.hands]
        assert board.size == [len(hand) for hand in after.hands]
        assert board.pile == [CODES[card] for card in after.pile]
        assert board.stock == [CODES[card] for card in reversed(after.stock)]
        assert board.reds == [len(row) for row in after.red_threes]
        assert board.turn == after.turn
        assert lying(board) == melds(after)
        open_cards = counted(after.pile)
        for row in after.melds:
            for meld in row:
                for card in meld.cards:
                    open_cards[CODES[card]] += 1
        assert board.gone == open_cards
    assert done > 10


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_what_is_remembered_of_a_hand_is_in_it(variant: str, seats: int) -> None:
    remembered = 0
    for moment in chain.from_iterable(moments(variant, seats, seed) for seed in range(6, 9)):
        board = board_of(moment.situation)
        for seat, known in enumerate(board.known):
            hand = counted(moment.before.hands[seat])
            assert all(number <= hand[code] for code, number in enumerate(known))
            remembered += sum(known)
    assert remembered > 0


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_world_agrees_with_all_that_was_seen_and_the_true_one_is_possible(
    variant: str, seats: int
) -> None:
    rng = Random(2)
    for number, moment in enumerate(moments(variant, seats, seed=8)):
        if number % 5:
            continue
        seat = moment.situation.seat
        truth = true_board(moment.situation, moment.before)
        source = Source(board_of(moment.situation), seat)
        world = source.world(rng)
        assert world.hands[seat] == truth.hands[seat]
        assert [sum(hand) for hand in world.hands] == truth.size
        assert len(world.stock) == len(truth.stock)
        assert all(hand[RED] == 0 for hand in world.hands)
        for board in (world, truth):
            rest = sorted(board.stock)
            for other, hand in enumerate(board.hands):
                assert all(hand[code] >= known for code, known in enumerate(board.known[other]))
                rest += [code for code in range(RED) for _ in range(hand[code]) if other != seat]
            hidden = sorted([*source.pool, *[RED] * source.reds])
            for other, known in enumerate(board.known):
                hidden += [code for code in range(RED) for _ in range(known[code]) if other != seat]
            assert sorted(rest) == sorted(hidden)
        assert all(0 < weight <= 1 for weights in source.weights for weight in weights)
