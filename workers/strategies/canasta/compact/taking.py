"""Ways to begin a turn with cards from the pile (rules 3.5, 3.6)."""

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.changes import lay_down, take_in
from workers.strategies.canasta.compact.codes import POINTS, RED, STEPS, TWO
from workers.strategies.canasta.compact.desk import Desk, Lay
from workers.strategies.canasta.compact.laying import lay_opening
from workers.strategies.canasta.compact.melded import SEQ, SET
from workers.strategies.canasta.compact.offers import naturals_of, wilds_of
from workers.strategies.canasta.compact.shape import MELD, PAIR


class Take:
    """A pile taken, or its top card alone: the desk after it, and the lays that it took.

    The first of the desk's lays holds the top card, as its last code.
    """

    def __init__(self, desk: Desk, top_only: bool) -> None:
        self.desk = desk
        self.top_only = top_only
        self.lays: list[Lay] = desk.lays[:]


def takes(board: Board, desk: Desk) -> list[Take]:
    """Every take worth a thought; `desk` is the seat's before its turn."""
    found: list[Take] = []
    if not board.pile:
        return found
    top = board.pile[-1]
    if top >= TWO:
        return found
    step = top >> 2
    shape = board.shape
    number, wild = desk.rank[step], desk.wilds
    if shape.top_onto_seq:
        for place, meld in enumerate(desk.melds):
            if meld.prolonged_by(top):
                top_take(desk, place, top, found)
    free = shape.pickup != PAIR and not board.frozen(desk.side)
    target = -1
    if shape.one_per_rank:
        for place, meld in enumerate(desk.melds):
            if meld.kind == SET and meld.rank == step:
                target = place
    if number >= 2:
        cards = naturals_of(desk, step)
        _pile(board, desk, cards, SET, target, found)
        if number > 2:
            _pile(board, desk, cards[:2], SET, target, found)
    elif number == 1 and wild and free:
        _pile(board, desk, naturals_of(desk, step) + wilds_of(desk, 1), SET, target, found)
    if shape.pickup == MELD:
        _onto(board, desk, top, found)
        _run(board, desk, top, found)
    return found


def top_take(desk: Desk, place: int, top: int, found: list[Take]) -> None:
    """The top alone onto a sequence of the side."""
    twin = desk.copy()
    take_in(twin, [top])
    lay_down(twin, Lay(SEQ, [top], place))
    if twin.size >= 2 or twin.ready():
        found.append(Take(twin, True))


def _onto(board: Board, desk: Desk, top: int, found: list[Take]) -> None:
    """The top alone onto a meld of the side, with the pile."""
    step = top >> 2
    if desk.size == 1 and len(board.pile) == 1:
        return
    frozen = board.frozen(desk.side)
    for place, meld in enumerate(desk.melds):
        if meld.kind == SET and meld.rank == step:
            if not (frozen and meld.twos + meld.jokers):
                _pile(board, desk, [], SET, place, found)
        elif meld.prolonged_by(top):
            _pile(board, desk, [], SEQ, place, found)


def _run(board: Board, desk: Desk, top: int, found: list[Take]) -> None:
    """A new sequence of the top and two neighbours."""
    step, suit = top >> 2, top & 3
    mask = desk.mask[suit] & ~(1 << step)
    for low in range(max(0, step - 2), min(step, STEPS - 3) + 1):
        needed = (0b111 << low) & ~(1 << step)
        if mask & needed == needed:
            cards = [4 * at + suit for at in range(low, low + 3) if at != step]
            _pile(board, desk, cards, SEQ, -1, found)


def _pile(
    board: Board, desk: Desk, cards: list[int], kind: int, target: int, found: list[Take]
) -> None:
    """Adds the take of the whole pile with these hand cards, if the rules allow it."""
    shape = board.shape
    top = board.pile[-1]
    naturals = wild = 0
    for code in cards:
        if code < TWO:
            naturals += 1
        else:
            wild += 1
    if kind == SET:
        if target >= 0:
            meld = desk.melds[target]
            naturals += meld.naturals
            wild += meld.twos + meld.jokers
        if wild > shape.most_wilds or naturals + 1 < shape.naturals_for_wilds[wild]:
            return
        if target >= 0 and shape.pickup == MELD and board.frozen(desk.side):
            meld = desk.melds[target]
            if meld.twos + meld.jokers and len(cards) < 2:
                return
    twin = desk.copy()
    take_in(twin, [top])
    lay_down(twin, Lay(kind, [*cards, top], target))
    rest = [code for code in board.pile[:-1] if code != RED]
    if not board.melds[desk.side]:
        lacking = board.minimum[desk.side] - POINTS[top]
        for code in cards:
            lacking -= POINTS[code]
        if lacking > 0:
            opened = lay_opening(twin, lacking, max(0, 2 - len(rest)))
            if opened is None:
                return
            twin = opened
    take_in(twin, rest)
    if twin.size >= 2 or (twin.ready() and not shape.must_ask):
        found.append(Take(twin, False))
