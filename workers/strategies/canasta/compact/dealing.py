"""Fresh deals on the compact board (rules 3.2): for self-play without the referee."""

from collections.abc import Sequence
from random import Random

from workers.strategies.canasta.compact.board import Board, empty_board
from workers.strategies.canasta.compact.codes import CODES, JOKER, RED, TWO
from workers.strategies.canasta.compact.shape import Shape


def deal(shape: Shape, rng: Random, dealer: int, minimums: Sequence[int]) -> Board:
    """A deal by that dealer; `minimums` is what each side's first meld must be worth."""
    board = empty_board(shape)
    pack = [CODES[card] for card in shape.variant.pack()]
    rng.shuffle(pack)
    for seat in range(shape.players):
        need = shape.variant.hand_size[shape.players]
        while need:
            code = pack.pop()
            if code == RED:
                board.reds[seat % shape.sides] += 1
            else:
                board.gain(seat, code)
                need -= 1
    while not board.pile or board.pile[-1] in (TWO, JOKER, RED):
        code = pack.pop()
        board.pile.append(code)
        board.gone[code] += 1
    board.stock = pack
    board.turn = (dealer + 1) % shape.players
    board.minimum = list(minimums)
    return board
