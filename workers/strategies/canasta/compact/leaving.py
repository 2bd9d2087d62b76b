"""Going out: whether it can be done, and whether it pays."""

from workers.strategies.canasta.compact.board import Board, hand_cost
from workers.strategies.canasta.compact.changes import put_down
from workers.strategies.canasta.compact.codes import BLACK, STEPS
from workers.strategies.canasta.compact.desk import Desk, Lay
from workers.strategies.canasta.compact.melded import BLACKS, SEQ, SET, WILD, requirement
from workers.strategies.canasta.compact.offers import may_start_wild, naturals_of, wilds_of
from workers.strategies.canasta.compact.worth import meld_worth, table_worth


def emptied(board: Board, desk: Desk) -> Desk | None:
    """A desk with at most one card left and the requirement met, None where none was found."""
    if desk.closed + 2 < desk.shape.needed or desk.size > 24:
        return None
    if not board.melds[desk.side] and desk.shape.concealed_by == 0:
        return None
    twin = desk.copy()
    _naturals(twin)
    _runs(twin)
    _sets(twin)
    _rest(twin)
    if twin.size > 1 and twin.hand[BLACK] >= 3:
        put_down(twin, Lay(BLACKS, [BLACK] * twin.hand[BLACK], -1))
    if twin.size > 1 or not twin.ready():
        return None
    if not board.melds[desk.side]:
        points = 0
        for lay in twin.lays[len(desk.lays) :]:
            points += lay.points()
        if points < board.minimum[desk.side]:
            return None
    return twin


def _naturals(desk: Desk) -> None:
    for place, meld in enumerate(desk.melds):
        if meld.kind == SET and desk.rank[meld.rank]:
            put_down(desk, Lay(SET, naturals_of(desk, meld.rank), place))


def _runs(desk: Desk) -> None:
    for place, meld in enumerate(desk.melds):
        if meld.kind != SEQ:
            continue
        for way in (1, 0):
            while meld.naturals < 7:
                step = meld.low + meld.naturals if way else meld.low - 1
                if step < 0 or step >= STEPS or not desk.hand[4 * step + meld.rank]:
                    break
                put_down(desk, Lay(SEQ, [4 * step + meld.rank], place))


def _sets(desk: Desk) -> None:
    for step in range(STEPS):
        if desk.rank[step] >= 3:
            put_down(desk, Lay(SET, naturals_of(desk, step), -1))
    for step in range(STEPS):
        if desk.rank[step] == 2 and desk.wilds:
            put_down(desk, Lay(SET, naturals_of(desk, step) + wilds_of(desk, 1), -1))
    if not desk.shape.has_seq:
        return
    for suit in range(4):
        for low in range(STEPS - 2):
            mask = desk.mask[suit] >> low
            if mask & 7 == 7:
                length = 3
                while length < 7 and mask >> length & 1:
                    length += 1
                put_down(desk, Lay(SEQ, [4 * step + suit for step in range(low, low + length)], -1))


def _rest(desk: Desk) -> None:
    """The wilds that are left, where they close something first."""
    shape = desk.shape
    for most in (7, 99):
        for place, meld in enumerate(desk.melds):
            while desk.wilds and desk.size > 0 and meld.size() < most:
                if meld.kind == WILD:
                    if meld.size() >= shape.wild_limit:
                        break
                elif meld.kind == SET:
                    wild = meld.twos + meld.jokers + 1
                    if wild > shape.most_wilds or meld.naturals < shape.naturals_for_wilds[wild]:
                        break
                else:
                    break
                put_down(desk, Lay(meld.kind, wilds_of(desk, 1), place))
    if may_start_wild(desk):
        put_down(desk, Lay(WILD, wilds_of(desk, min(desk.wilds, shape.wild_limit)), -1))


def out_pays(board: Board, desk: Desk) -> bool:
    """Whether the others would gain more by playing on than this side."""
    return out_gain(board, desk) >= 0.0


def out_gain(board: Board, desk: Desk) -> float:
    """What going out now is worth above playing on, in points."""
    shape, habits = board.shape, desk.scales.habits
    ours = promise(board, desk.side, desk) + desk.value - table_worth(desk)
    theirs = 0.0
    for seat in range(shape.players):
        still = board.size[seat] * (habits.card + habits.hope * desk.time)
        if seat % shape.sides != desk.side:
            theirs += still
        elif seat != desk.seat:
            ours += still
    best = 0.0
    for side in range(shape.sides):
        if side != desk.side:
            held = promise(board, side, desk)
            if shape.red_need == 2 and not requirement(shape, board.melds[side]):
                held += 2.0 * shape.red_three * board.reds[side]
            best = max(best, held)
    return best + theirs / (shape.sides - 1) + habits.bird - ours


def promise(board: Board, side: int, desk: Desk) -> float:
    """What the melds of a side may still become."""
    total = 0.0
    for meld in board.melds[side]:
        if meld.size() < 7:
            total += meld_worth(desk, meld) - meld.points()
    return total


def says_yes(board: Board, desk: Desk) -> bool:
    """Whether a partner who asks may go out; the desk is that of the seat that answers."""
    shape, habits = board.shape, desk.scales.habits
    if len(board.stock) < habits.late or hand_cost(shape, desk.hand) < habits.dear:
        return True
    for side in range(shape.sides):
        if side != desk.side and requirement(shape, board.melds[side]):
            return True
    return False
