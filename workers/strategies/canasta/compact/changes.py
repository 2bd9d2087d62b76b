"""How a desk changes: laying, cards that come; and back to the board."""

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.codes import JOKER, TWO
from workers.strategies.canasta.compact.desk import Desk, Lay, made
from workers.strategies.canasta.compact.gains import gain
from workers.strategies.canasta.compact.melded import SEQ, SET
from workers.strategies.canasta.compact.worth import run_worth, total_worth


def lay_down(desk: Desk, lay: Lay) -> None:
    """Carries it out."""
    desk.value += gain(desk, lay)
    put_down(desk, lay)


def put_down(desk: Desk, lay: Lay) -> None:
    """Carries it out; `value` is not told."""
    for code in lay.codes:
        _remove(desk, code)
    was_closed = False
    if lay.target < 0:
        meld = made(lay, desk.next_tag)
        desk.next_tag += 1
        desk.melds.append(meld)
        if meld.kind == SET:
            desk.on_table[meld.rank] += 1
    else:
        meld = desk.melds[lay.target]
        was_closed = meld.size() >= 7
        for code in lay.codes:
            meld.add(code)
    desk.lays.append(lay)
    if not was_closed and meld.size() >= 7:
        desk.closed += 1
        if meld.kind == SEQ:
            desk.sequence = True


def _remove(desk: Desk, code: int) -> None:
    """A card leaves the hand; `value` is not told."""
    desk.hand[code] -= 1
    desk.size -= 1
    if code < TWO:
        step, suit = code >> 2, code & 3
        desk.rank[step] -= 1
        if desk.hand[code] == 0:
            desk.mask[suit] &= ~(1 << step)
            if desk.shape.has_seq:
                desk.runs[suit] = run_worth(desk, suit, desk.mask[suit])
    elif code <= JOKER:
        desk.wilds -= 1


def take_in(desk: Desk, codes: list[int]) -> None:
    """Cards come to the hand."""
    for code in codes:
        desk.hand[code] += 1
        desk.size += 1
        if code < TWO:
            step, suit = code >> 2, code & 3
            desk.rank[step] += 1
            desk.mask[suit] |= 1 << step
        elif code <= JOKER:
            desk.wilds += 1
    if desk.shape.has_seq:
        for suit in range(4):
            desk.runs[suit] = run_worth(desk, suit, desk.mask[suit])
    desk.value = total_worth(desk)


def commit(board: Board, desk: Desk, done: int = 0) -> None:
    """The board takes over what was laid on the desk since its first `done` lays."""
    seat = desk.seat
    board.hands[seat] = desk.hand
    board.size[seat] = desk.size
    board.melds[desk.side] = desk.melds
    board.next_tag = desk.next_tag
    for lay in desk.lays[done:]:
        board.laid[seat] = True
        for code in lay.codes:
            board.show(seat, code)
