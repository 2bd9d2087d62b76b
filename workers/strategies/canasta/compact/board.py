"""The compact state of a deal: counts instead of cards, changed in place.

What a seat may know of it is its own hand, the sizes of the others, `known`, and all that lies
open; the players of `play` read nothing else, so that a board made of a view serves them as well
as one of a sampled world.
"""

from __future__ import annotations

from workers.strategies.canasta.compact.codes import (
    BLACK,
    KINDS,
    RED,
    TWO,
)
from workers.strategies.canasta.compact.melded import Melded, bonus, requirement
from workers.strategies.canasta.compact.shape import Shape


class Board:
    """A deal under way.

    Attributes:
        hands: by seat, how many of each code; all zero where a hand is not known.
        size: by seat, how many cards the hand has.
        melds: by side.
        stock: its top last.
        pile: its top last.
        gone: by code, how many lie on the table or in the pile.
        known: by seat, the cards that lay open before it took them, and has not laid since.
        passed, threw: by seat, the ranks (a set of steps) that it let lie on the pile, and threw.
        reds: by side, its red threes.
        minimum: by side, what its first meld must be worth.
        laid: by seat, whether it put cards down in this deal.
        hidden: whether who goes out in this turn does so concealed (3.9.3).
        next_tag: the number of the next meld.
        turn: the seat that is to act; `passes` the seats in a row before it that got no card.
        concealed: whether who goes out does so concealed.
        out: who went out, -1 for nobody; `over` with -1 when the stock ended the deal.
    """

    hands: list[list[int]]
    size: list[int]
    melds: list[list[Melded]]
    stock: list[int]
    pile: list[int]
    gone: list[int]
    known: list[list[int]]
    passed: list[int]
    threw: list[int]
    reds: list[int]
    minimum: list[int]
    laid: list[bool]
    next_tag: int
    turn: int
    passes: int
    hidden: bool
    over: bool
    out: int
    concealed: bool

    def __init__(self, shape: Shape) -> None:
        """Nothing but the shape; see `empty_board`."""
        self.shape = shape

    def copy(self) -> Board:
        """A board that shares nothing that changes."""
        twin = Board(self.shape)
        twin.hands = [hand[:] for hand in self.hands]
        twin.size = self.size[:]
        twin.melds = [[meld.copy() for meld in melds] for melds in self.melds]
        twin.stock = self.stock[:]
        twin.pile = self.pile[:]
        twin.gone = self.gone[:]
        twin.known = [known[:] for known in self.known]
        twin.passed = self.passed[:]
        twin.threw = self.threw[:]
        twin.reds = self.reds[:]
        twin.minimum = self.minimum[:]
        twin.laid = self.laid[:]
        twin.next_tag = self.next_tag
        twin.turn = self.turn
        twin.passes = self.passes
        twin.hidden = self.hidden
        twin.over = self.over
        twin.out = self.out
        twin.concealed = self.concealed
        return twin

    def side(self, seat: int) -> int:
        """The side that scores for the seat."""
        return seat % self.shape.sides

    def frozen(self, side: int) -> bool:
        """Whether the pile is frozen for the side (3.5.2, 3.5.4)."""
        if self.shape.frozen_until_melded and not self.melds[side]:
            return True
        freezes = self.shape.freezes
        return any(freezes[code] for code in self.pile)

    def gain(self, seat: int, code: int) -> None:
        """A card comes to a hand."""
        self.hands[seat][code] += 1
        self.size[seat] += 1

    def show(self, seat: int, code: int) -> None:
        """A card that left the hand lies open now."""
        self.gone[code] += 1
        if self.known[seat][code]:
            self.known[seat][code] -= 1

    def draw(self, seat: int) -> bool:
        """Draws from the stock (3.4); whether a card came."""
        need = self.shape.draw
        came = False
        while need and self.stock:
            code = self.stock.pop()
            if code == RED:
                self.reds[self.side(seat)] += 1
            else:
                self.gain(seat, code)
                need -= 1
                came = True
        return came

    def pick_up(self, seat: int) -> None:
        """The whole pile comes to the hand; the cards stay known."""
        known = self.known[seat]
        for code in self.pile:
            self.gone[code] -= 1
            if code == RED:
                self.reds[self.side(seat)] += 1
            else:
                self.gain(seat, code)
                known[code] += 1
                if code < TWO:
                    self.passed[seat] &= ~(1 << (code >> 2))
                    self.threw[seat] &= ~(1 << (code >> 2))
        self.pile = []
        self.passes = 0

    def throw(self, seat: int, code: int) -> None:
        """A discard; the next seat is to act."""
        self.hands[seat][code] -= 1
        self.size[seat] -= 1
        self.show(seat, code)
        self.pile.append(code)
        if code < TWO:
            self.threw[seat] |= 1 << (code >> 2)
        if self.size[seat] == 0:
            self.go_out(seat)
        else:
            self.turn = (seat + 1) % self.shape.players

    def begin_turn(self, seat: int) -> None:
        """Notes what of the seat's turn hangs on how it began."""
        by = self.shape.concealed_by
        self.hidden = (by == 1 and not self.laid[seat]) or (
            by == 2 and not self.melds[self.side(seat)]
        )

    def go_out(self, seat: int) -> None:
        """The deal ends with that seat's hand empty."""
        self.over = True
        self.out = seat
        self.concealed = self.hidden

    def scores(self) -> list[int]:
        """What each side has scored if the deal ends as the cards lie (6)."""
        shape = self.shape
        totals = []
        for side in range(shape.sides):
            melds = self.melds[side]
            total = 0
            for meld in melds:
                total += meld.points() + bonus(shape, meld)
            number = self.reds[side]
            if number:
                worth = shape.all_reds if number == shape.reds else number * shape.red_three
                good = (
                    shape.red_need == 0
                    or (shape.red_need == 1 and len(melds) > 0)
                    or (shape.red_need == 2 and requirement(shape, melds))
                )
                total += worth if good else -worth
            totals.append(total)
        for seat in range(shape.players):
            totals[self.side(seat)] -= hand_cost(shape, self.hands[seat])
        if self.out >= 0:
            totals[self.side(self.out)] += shape.concealed if self.concealed else shape.going_out
        return totals


def empty_board(shape: Shape) -> Board:
    """A board with no card on it."""
    players, sides = shape.players, shape.sides
    board = Board(shape)
    board.hands = [[0] * KINDS for _ in range(players)]
    board.size = [0] * players
    board.melds = [[] for _ in range(sides)]
    board.stock = []
    board.pile = []
    board.gone = [0] * KINDS
    board.known = [[0] * KINDS for _ in range(players)]
    board.passed = [0] * players
    board.threw = [0] * players
    board.reds = [0] * sides
    board.minimum = [0] * sides
    board.laid = [False] * players
    board.next_tag = 1
    board.turn = 0
    board.passes = 0
    board.hidden = False
    board.over = False
    board.out = -1
    board.concealed = False
    return board


def hand_cost(shape: Shape, hand: list[int]) -> int:
    """What the cards of a hand cost when the deal ends."""
    total, costs = 0, shape.hand_points
    for code in range(BLACK + 1):
        if hand[code]:
            total += hand[code] * costs[code]
    return total
