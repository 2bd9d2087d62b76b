"""The desk of a seat: hand and melds taken from the board, with all that is counted of them."""

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.codes import JOKER, STEPS, TWO
from workers.strategies.canasta.compact.desk import Desk
from workers.strategies.canasta.compact.melded import SEQ, SET, requirement
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.worth import run_worth, total_worth


def desk_of(board: Board, seat: int, scales: Scales) -> Desk:
    """The desk of a seat as the board stands."""
    desk = Desk(scales, seat)
    _sit(desk, board)
    return desk


def _sit(desk: Desk, board: Board) -> None:
    """Takes hand and melds from the board."""
    shape, scales, habits = desk.shape, desk.scales, desk.scales.habits
    seat = desk.seat
    stock = len(board.stock)
    for side in range(shape.sides):
        if side != desk.side and requirement(shape, board.melds[side]):
            stock = len(board.stock) + scales.rushed
    desk.time = scales.time[stock]
    desk.set_odds = scales.set_odds[stock]
    desk.mixed_odds = scales.mixed_odds[stock]
    desk.run_odds = scales.run_odds[stock]
    desk.wild_odds = scales.wild_odds[stock]
    desk.cost = scales.cost[stock]
    pile = min(float(len(board.pile)), habits.large)
    desk.pair = habits.pair * pile * desk.time
    desk.each = habits.each * desk.time
    desk.guard = habits.guard * desk.time
    desk.hand = board.hands[seat][:]
    desk.size = board.size[seat]
    desk.melds = [meld.copy() for meld in board.melds[desk.side]]
    desk.next_tag = board.next_tag
    desk.lays = []
    desk.rank = [0] * STEPS
    desk.rank_alive = [0] * STEPS
    desk.mask = [0, 0, 0, 0]
    desk.dead = [0, 0, 0, 0]
    desk.rare = [0, 0, 0, 0]
    desk.on_table = [0] * STEPS
    desk.runs = [0.0, 0.0, 0.0, 0.0]
    desk.closed = 0
    desk.sequence = not shape.seq_needed
    desk.red_worth = 2 * shape.red_three * board.reds[desk.side] if shape.red_need == 2 else 0
    _count(desk, board)
    _see_melds(desk)
    desk.extra = habits.step if desk.closed < shape.needed else 0.0
    desk.seq_extra = 0.0 if desk.sequence else habits.seq_step
    desk.held, desk.held_run = habits.held, habits.held_run
    desk.set_bonus = float(shape.natural) + desk.extra
    desk.run_bonus = float(shape.seq) + desk.extra + desk.seq_extra
    if shape.has_seq:
        for suit in range(4):
            desk.runs[suit] = run_worth(desk, suit, desk.mask[suit])
    desk.value = total_worth(desk)


def _count(desk: Desk, board: Board) -> None:
    shape, hand, gone = desk.shape, desk.hand, board.gone
    copies = shape.copies
    hidden = [copies[code] - gone[code] - hand[code] for code in range(TWO + 2)]
    alive = hidden[:]
    for other in range(shape.players):
        if other == desk.seat:
            continue
        known = board.known[other]
        partner = other % shape.sides == desk.side
        for code in range(TWO + 2):
            if known[code]:
                hidden[code] -= known[code]
                if not partner:
                    alive[code] -= known[code]
    desk.hidden, desk.alive = hidden, alive
    desk.wilds = hand[TWO] + hand[JOKER]
    code = 0
    for step in range(STEPS):
        for suit in range(4):
            number = hand[code]
            if number:
                desk.rank[step] += number
                desk.mask[suit] |= 1 << step
            left = alive[code]
            desk.rank_alive[step] += left
            if left <= 0:
                desk.dead[suit] |= 1 << step
            elif left == 1:
                desk.rare[suit] |= 1 << step
            code += 1


def _see_melds(desk: Desk) -> None:
    for meld in desk.melds:
        if meld.kind == SET:
            desk.on_table[meld.rank] += 1
        if meld.size() >= 7:
            desk.closed += 1
            if meld.kind == SEQ:
                desk.sequence = True
