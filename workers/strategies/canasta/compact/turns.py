"""A turn on the board: take or draw, lay, discard; and whole deals of such turns."""

from typing import Final

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.changes import commit
from workers.strategies.canasta.compact.codes import BLACK, TWO
from workers.strategies.canasta.compact.desk import Desk
from workers.strategies.canasta.compact.laying import lay_best, lay_opening
from workers.strategies.canasta.compact.leaving import emptied, out_pays, says_yes
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.taking import Take, takes
from workers.strategies.canasta.compact.throwing import best_throw

LONGEST: Final = 400
"""Turns after which a deal that does not end is broken off."""


class Start:
    """A way to begin a turn: a take, or the stock (None); and what it is worth."""

    def __init__(self, take: Take | None, value: float) -> None:
        self.take = take
        self.value = value


def starts(board: Board, desk: Desk) -> list[Start]:
    """The takes and the draw or pass, each with what hand and table are worth after it."""
    habits = desk.scales.habits
    found: list[Start] = []
    melded = len(board.melds[desk.side]) > 0
    for take in takes(board, desk):
        after = take.desk.copy()
        lay_best(after, 0, 2, 0.0)
        value = after.value
        if not take.top_only:
            value += habits.taken + habits.denied * len(board.pile)
            if not melded:
                value += opened(desk)
        found.append(Start(take, value))
    if any(compelled(board, start) for start in found):
        return found
    value = desk.value
    if found and melded:
        after = desk.copy()
        lay_best(after, 0, 2, 0.0)
        value = after.value
    drawn = min(board.shape.draw, len(board.stock))
    found.append(Start(None, value + drawn * habits.drawn * desk.time))
    return found


def compelled(board: Board, start: Start) -> bool:
    """Whether it is a take that leaves no choice (3.11): the top alone fits a meld of the side."""
    take = start.take
    if take is None or board.shape.ends or board.stock or board.frozen(take.desk.side):
        return False
    return len(take.lays[0].codes) == 1


def begin(board: Board, scales: Scales) -> bool:
    """Begins the turn; False where that was all of it."""
    seat = board.turn
    take: Take | None = None
    if board.pile and board.pile[-1] < TWO:
        most = -1e18
        for start in starts(board, desk_of(board, seat, scales)):
            if start.value > most:
                most, take = start.value, start.take
    return carry_out(board, take)


def carry_out(board: Board, take: Take | None) -> bool:
    """Takes or draws; False where nothing is left to do: nothing came, or the take went out."""
    seat, shape = board.turn, board.shape
    board.begin_turn(seat)
    if take is not None:
        if take.top_only:
            board.gone[board.pile.pop()] -= 1
        else:
            board.pick_up(seat)
        commit(board, take.desk)
        if board.size[seat] == 0:
            board.go_out(seat)
        return not board.over
    if board.pile and board.pile[-1] < TWO:
        board.passed[seat] |= 1 << (board.pile[-1] >> 2)
    stock = len(board.stock)
    if board.draw(seat):
        return True
    if shape.ends:
        board.over = True
    elif not stock:  # of a stock of red threes the seat has had nothing, and may take the pile
        board.passes += 1
        board.turn = (seat + 1) % shape.players
        if board.passes == shape.players:
            board.over = True
    return False


def finish(board: Board, scales: list[Scales]) -> None:
    """Lays and discards, or goes out."""
    seat = board.turn
    desk = desk_of(board, seat, scales[seat])
    if leave(board, scales, desk):
        return
    plan = planned(board, desk)
    if plan is not None and plan.lays:
        commit(board, plan)
        desk = plan
    board.throw(seat, best_throw(board, desk))


def leave(board: Board, scales: list[Scales], desk: Desk) -> bool:
    """Goes out if that can be done and pays; whether it was."""
    seat = desk.seat
    out = emptied(board, desk)
    if out is None or not out_pays(board, desk):
        return False
    if board.shape.must_ask and board.shape.players > board.shape.sides:
        partner = (seat + board.shape.sides) % board.shape.players
        if not says_yes(board, desk_of(board, partner, scales[partner])):
            return False
    go(board, out)
    return True


def go(board: Board, out: Desk) -> None:
    """Goes out with what the desk laid, and the card that is left."""
    seat = out.seat
    commit(board, out)
    if out.size == 1:
        for code in range(BLACK + 1):
            if out.hand[code]:
                board.throw(seat, code)
                break
    board.go_out(seat)


def planned(board: Board, desk: Desk) -> Desk | None:
    """The desk with what is worth laying, None for no first meld."""
    keep = 2
    if board.melds[desk.side]:
        twin = desk.copy()
        lay_best(twin, 0, keep, 0.0)
        return twin
    found = lay_opening(desk, board.minimum[desk.side], keep)
    if found is None or found.value + opened(desk) < desk.value:
        return None
    return found


def opened(desk: Desk) -> float:
    """What it is worth to have melded: the pile, the partner's cards, the red threes."""
    return desk.scales.habits.opened + desk.scales.habits.open_late * (1.0 - desk.time)


def play(board: Board, scales: list[Scales], turns: int = LONGEST) -> None:
    """Plays so many turns, or to the end of the deal; `scales` by seat."""
    while not board.over and turns:
        turns -= 1
        if begin(board, scales[board.turn]):
            finish(board, scales)
