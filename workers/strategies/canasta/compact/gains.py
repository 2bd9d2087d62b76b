"""What a lay would bring, and what a hand loses with cards; the desk stays as it is."""

from workers.strategies.canasta.compact.codes import BLACK, JOKER, TWO
from workers.strategies.canasta.compact.desk import Desk, Lay, made
from workers.strategies.canasta.compact.melded import SEQ, SET, WILD, Melded
from workers.strategies.canasta.compact.worth import meld_worth, rank_worth, run_worth, wilds_worth


def loss(desk: Desk, codes: list[int]) -> float:
    """What the hand loses of its worth with these cards; negative where it gains."""
    if len(codes) == 1:
        return loss_of(desk, codes[0])
    hand, rank = desk.hand, desk.rank
    lost = 0.0
    wilds = 0
    steps: list[int] = []
    suits = 0
    costs = desk.shape.hand_points
    for code in codes:
        lost -= desk.cost * costs[code] - desk.each
        if code == BLACK:
            lost += desk.guard
        if code < TWO:
            step = code >> 2
            if step not in steps:
                steps.append(step)
                lost += rank_worth(desk, step, rank[step])
            rank[step] -= 1
            hand[code] -= 1
            if hand[code] == 0:
                suits |= 1 << (code & 3)
                desk.mask[code & 3] &= ~(1 << step)
        elif code <= JOKER:
            wilds += 1
    for step in steps:
        lost -= rank_worth(desk, step, rank[step])
    if suits and desk.shape.has_seq:
        for suit in range(4):
            if suits >> suit & 1:
                lost += desk.runs[suit] - run_worth(desk, suit, desk.mask[suit])
    if wilds:
        lost += wilds_worth(desk, desk.wilds) - wilds_worth(desk, desk.wilds - wilds)
    for code in codes:
        if code < TWO:
            step = code >> 2
            rank[step] += 1
            hand[code] += 1
            desk.mask[code & 3] |= 1 << step
    return lost


def loss_of(desk: Desk, code: int) -> float:
    """What the hand loses of its worth with one card."""
    lost = 0.0 - (desk.cost * desk.shape.hand_points[code] - desk.each)
    if code >= TWO:
        if code == BLACK:
            return lost + desk.guard
        return lost + (wilds_worth(desk, desk.wilds) - wilds_worth(desk, desk.wilds - 1))
    step, suit = code >> 2, code & 3
    number = desk.rank[step]
    lost += rank_worth(desk, step, number)
    lost -= rank_worth(desk, step, number - 1)
    if desk.shape.has_seq and desk.hand[code] == 1:
        lost += desk.runs[suit] - run_worth(desk, suit, desk.mask[suit] & ~(1 << step))
    return lost


def gain(desk: Desk, lay: Lay) -> float:
    """What laying brings to `value`; the desk stays as it is."""
    if lay.target >= 0:
        old = desk.melds[lay.target]
        before, was_closed = meld_worth(desk, old), old.size() >= 7
        meld = old.copy()
        for code in lay.codes:
            meld.add(code)
    else:
        before, was_closed = 0.0, False
        meld = made(lay, 0)
    lost = 0.0
    if meld.kind == SET and lay.target < 0:
        # The rank stands on the table now, and what the hand keeps of it counts less.
        lost += rank_worth(desk, meld.rank, desk.rank[meld.rank])
        desk.on_table[meld.rank] += 1
        lost -= rank_worth(desk, meld.rank, desk.rank[meld.rank])
        lost += loss(desk, lay.codes)
        desk.on_table[meld.rank] -= 1
    elif meld.kind == WILD:
        lost += _wild_loss(desk, lay, meld)
    else:
        lost += loss(desk, lay.codes)
    total = meld_worth(desk, meld) - before - lost
    if not was_closed and meld.size() >= 7 and not desk.ready():
        sequence = desk.sequence or meld.kind == SEQ
        if desk.closed + 1 >= desk.shape.needed and sequence:
            total += desk.scales.habits.ready + desk.red_worth
    return total


def _wild_loss(desk: Desk, lay: Lay, meld: Melded) -> float:
    """The loss of the hand by a wild meld, beside which its other wilds count anew."""
    lost = wilds_worth(desk, desk.wilds)
    for code in lay.codes:
        lost -= desk.cost * desk.shape.hand_points[code] - desk.each
    if lay.target >= 0:
        old = desk.melds[lay.target]
        desk.melds[lay.target] = meld
        lost -= wilds_worth(desk, desk.wilds - len(lay.codes))
        desk.melds[lay.target] = old
    else:
        desk.melds.append(meld)
        lost -= wilds_worth(desk, desk.wilds - len(lay.codes))
        desk.melds.pop()
    return lost
