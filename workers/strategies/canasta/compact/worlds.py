"""Worlds: boards with every hidden card somewhere, in keeping with all that was seen and heard.

Known cards lie in the hand that took them; the others are dealt to the hands by chance, less
readily where a player would have laid or thrown them before. Red threes are in the stock, for a
hand lays them at once. No world that is possible has odds of zero.
"""

from random import Random
from typing import Final

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.codes import BLACK, RED, STEPS, TWO
from workers.strategies.canasta.compact.melded import SEQ, SET, WILD

# How readily a card is kept, measured in play of the level `club` against itself: how often it
# was in a hand, beside how often by chance.
KEPT: Final = 0.85
THEIRS: Final = 1.0  # its rank lies in a set of the other side: nobody throws it
THREW: Final = 0.7  # the player threw another of the rank
OWN: Final = 0.2  # it fits a meld of the player's side
BLACKS: Final = 0.17
LOOSE: Final = 0.65  # a wild, before the side's first meld
TIED: Final = 0.45  # a wild, later
GATHERED: Final = 0.1  # a wild, with a wild meld on the table


class Source:
    """What worlds are made from; `root` is a board made of a view."""

    def __init__(self, root: Board, seat: int) -> None:
        self.root = root
        self.seat = seat
        self.pool = unseen(root, seat)
        self.others: list[int] = [
            other for other in range(root.shape.players) if other != seat and root.size[other]
        ]
        self.weights: list[list[float]] = [
            _weights(root, other) for other in range(root.shape.players)
        ]
        self.reds = root.shape.copies[RED] - root.gone[RED] - sum(root.reds)

    def world(self, rng: Random) -> Board:
        """One world."""
        board = self.root.copy()
        pool = self.pool[:]
        rng.shuffle(pool)
        chance = rng.random
        for other in self.others:
            hand, known = board.hands[other], board.known[other]
            need = board.size[other]
            for code in range(RED):
                if known[code]:
                    hand[code] += known[code]
                    need -= known[code]
            weights = self.weights[other]
            left: list[int] = []
            for code in pool:
                if need > 0 and chance() < weights[code]:
                    hand[code] += 1
                    need -= 1
                else:
                    left.append(code)
            while need > 0 and left:
                hand[left.pop()] += 1
                need -= 1
            pool = left
        stock = pool + [RED] * max(0, self.reds)
        rng.shuffle(stock)
        board.stock = stock[: len(self.root.stock)]
        return board


def unseen(board: Board, seat: int) -> list[int]:
    """The cards that may lie anywhere, red threes aside."""
    pool: list[int] = []
    for code in range(RED):
        number = board.shape.copies[code] - board.gone[code] - board.hands[seat][code]
        for other in range(board.shape.players):
            if other != seat:
                number -= board.known[other][code]
        pool.extend([code] * max(0, number))
    return pool


def _weights(board: Board, seat: int) -> list[float]:
    """By code, how readily the seat keeps a card that it did not lay."""
    side = seat % board.shape.sides
    mine = board.melds[side]
    weights = [KEPT] * (RED + 1)
    weights[BLACK] = BLACKS
    wild = TIED if mine else LOOSE
    for step in range(STEPS):
        if board.threw[seat] >> step & 1:
            _set(weights, step, THREW)
    for other, melds in enumerate(board.melds):
        for meld in melds:
            if other != side and meld.kind == SET:
                _set(weights, meld.rank, THEIRS)
    for meld in mine:
        if meld.kind == SET:
            _set(weights, meld.rank, OWN)
        elif meld.kind == WILD and meld.size() < board.shape.wild_limit:
            wild = GATHERED
        elif meld.kind == SEQ and meld.naturals < 7:
            for step in (meld.low - 1, meld.low + meld.naturals):
                if 0 <= step < STEPS:
                    weights[4 * step + meld.rank] = OWN
    weights[TWO] = weights[TWO + 1] = wild
    return weights


def _set(weights: list[float], step: int, weight: float) -> None:
    for code in range(4 * step, 4 * step + 4):
        weights[code] = weight
