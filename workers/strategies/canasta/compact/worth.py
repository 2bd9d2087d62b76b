"""What a desk is worth, in points: the one judgement behind every choice.

the table  each meld, and the canasta that it may become times the odds
the hand   each beginning of a meld, likewise; less what the hand may cost
"""

from mypy_extensions import i64

from workers.strategies.canasta.compact.codes import BITS, BLACK, JOKER, RED, STEPS, TWO, WINDOWS
from workers.strategies.canasta.compact.desk import Desk
from workers.strategies.canasta.compact.melded import SEQ, SET, WILD, Melded


def total_worth(desk: Desk) -> float:
    """What hand and table are worth together, counted anew: `value` as it must be."""
    total = wilds_worth(desk, desk.wilds)
    for step in range(STEPS):
        if desk.rank[step]:
            total += rank_worth(desk, step, desk.rank[step])
    for suit in range(4):
        total += desk.runs[suit]
    costs = desk.shape.hand_points
    for code in range(RED):
        if desk.hand[code]:
            total -= desk.hand[code] * (desk.cost * costs[code] - desk.each)
    return total + desk.guard * desk.hand[BLACK] + table_worth(desk)


def table_worth(desk: Desk) -> float:
    """The part of `value` that the melds make."""
    total = 0.0
    for meld in desk.melds:
        total += meld_worth(desk, meld)
    if desk.ready():
        total += desk.scales.habits.ready + desk.red_worth
    return total


def meld_worth(desk: Desk, meld: Melded) -> float:
    """A meld: its cards, and its canasta times the odds."""
    shape = desk.shape
    size = meld.naturals + meld.twos + meld.jokers
    points: float = float(meld.points())
    if meld.kind == SET:
        mixed = meld.twos + meld.jokers > 0
        bonus = float(shape.mixed if mixed else shape.natural) + desk.extra
        if size >= 7:
            return points + bonus
        odds = desk.mixed_odds[7 - size] if mixed else desk.set_odds[7 - size]
        if desk.rank_alive[meld.rank] < 7 - size:
            odds *= desk.scales.scarce[1]
        return points + odds * bonus
    if meld.kind == SEQ:
        bonus = desk.run_bonus
        if size >= 7:
            return points + bonus
        return points + bonus * _meld_run(desk, meld)
    if meld.kind == WILD:
        bonus = float(shape.wild) + desk.extra
        if size >= 7:
            return points + bonus
        return points + bonus * _wild_chance(desk, 7 - size)
    return points


def _wild_chance(desk: Desk, missing: int) -> float:
    alive = desk.alive[TWO] + desk.alive[JOKER]
    if alive < missing:
        return 0.0
    odds = desk.wild_odds[missing]
    return odds * desk.scales.scarce[1] if alive < 2 * missing else odds


def _meld_run(desk: Desk, meld: Melded) -> float:
    suit = meld.rank
    lying = ((1 << meld.naturals) - 1) << meld.low
    held, dead, rare = desk.mask[suit], desk.dead[suit], desk.rare[suit]
    best = 0.0
    for window in WINDOWS:
        if window & lying != lying:
            continue
        missing = window & ~lying
        near = missing & held
        missing &= ~held
        if missing & dead:
            continue
        odds = desk.run_odds[BITS[missing]]
        if near:
            odds *= desk.scales.near[BITS[near]]
        if missing & rare:
            odds *= desk.scales.scarce[BITS[missing & rare]]
        if odds > best:
            best = odds
    return best


def run_worth(desk: Desk, suit: int, mask: int) -> float:
    """The best sequence that the hand's cards of a suit begin."""
    held: i64 = mask
    if held & (held - 1) == 0:
        return 0.0
    dead: i64 = desk.dead[suit]
    rare: i64 = desk.rare[suit]
    best = 0.0
    window: i64 = 0b1111111
    for _ in WINDOWS:
        missing: i64 = window & ~held
        window <<= 1
        if missing & dead:
            continue
        number = BITS[missing]
        if number > 5:
            continue
        odds = desk.run_odds[number]
        if missing & rare:
            odds *= desk.scales.scarce[BITS[missing & rare]]
        if odds > best:
            best = odds
    return best * desk.held_run * desk.run_bonus


def rank_worth(desk: Desk, step: int, number: int) -> float:
    """So many naturals of a rank in the hand."""
    if number <= 0:
        return 0.0
    total = desk.pair if number >= 2 else 0.0
    if not desk.shape.one_per_rank or desk.on_table[step] == 0:
        missing = 7 - number if number < 7 else 0
        odds = desk.set_odds[missing]
        if desk.rank_alive[step] < missing:
            odds *= desk.scales.scarce[1]
        total += desk.held * odds * desk.set_bonus
    return total


def wilds_worth(desk: Desk, number: int) -> float:
    """So many wilds in the hand: each for itself, or towards a wild canasta."""
    if number <= 0:
        return 0.0
    habits, shape = desk.scales.habits, desk.shape
    single = habits.single * desk.time * number
    if not shape.has_wild:
        return single
    size = 0
    for meld in desk.melds:
        if meld.kind == WILD and meld.size() < 7 and meld.size() > size:
            size = meld.size()
    missing = 7 - size - number
    after = _wild_chance(desk, missing if missing > 0 else 0)
    before = _wild_chance(desk, 7 - size) if size else 0.0
    whole = habits.held_wild * (after - before) * (float(shape.wild) + desk.extra)
    return single if single > whole else whole
