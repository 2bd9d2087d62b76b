"""What a side's table and a hand are worth, in points: the one judgement behind every choice.

Each meld, and each beginning of one in the hand, counts with the bonus of the canasta it may
become, times the odds that it does. The odds fall with every card that is missing, with the
copies of it that are gone, and with the stock. A hand also costs what it would cost if the
deal ended now, the more likely the nearer the end is.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from service.rules.canasta.melds import (
    BLACK_THREES,
    CANASTA_SIZE,
    POINTS,
    WILDS,
    canasta_of,
    points,
    requirement_met,
)
from service.rules.canasta.state import Meld
from service.rules.cards import JOKER, RANK, SUITS, Card
from workers.strategies.canasta.sight import STEP, TOP, Sight

HELD: Final = 0.80  # of a meld's worth, while it is in one hand and not on the table
FEW: Final = 2  # cards of a suit in reach of each other that begin a sequence
READY: Final = 400  # that the requirement is met, beside what it does for red threes
STUCK: Final = 0.25  # odds that a hand is paid for, early in a deal
SINGLE: Final = 45  # of a wild in the hand
PAIR: Final = 6  # of a pair in the hand, for each card in a pile that it might take
LARGE: Final = 8  # cards in a pile beyond which a pair is worth no more


def worth(sight: Sight, hand: Sequence[Card], melds: Sequence[Meld]) -> float:
    """What `hand` in this seat and `melds` on its side's table are worth together."""
    return table(sight, hand, melds) + held(sight, hand, melds)


def table(sight: Sight, hand: Sequence[Card], melds: Sequence[Meld]) -> float:
    """What the side's melds are worth; what they lack and the hand holds counts as near."""
    near = set(hand)
    total = sum(points(meld.cards) + _canasta(sight, meld, near) for meld in melds)
    if requirement_met(sight.variant, sight.players, melds):
        total += READY + 2 * red_threes(sight, sight.side)
    return total


def promise(sight: Sight, hand: Sequence[Card], melds: Sequence[Meld]) -> float:
    """What hand and melds may still become, beyond what they are now."""
    near = set(hand)
    growing = [meld for meld in melds if canasta_of(meld.kind, meld.cards) is None]
    beginnings = held(sight, hand, melds) if hand else 0.0
    return sum(_canasta(sight, meld, near) for meld in growing) + beginnings


def held(sight: Sight, hand: Sequence[Card], melds: Sequence[Meld]) -> float:
    """What the hand promises, less what it costs if the deal ends."""
    variant, bonus = sight.variant, sight.variant.canasta_bonus
    on_table = {RANK[meld.cards[0]] for meld in melds if meld.kind == "set"}
    numbers = Counter(RANK[card] for card in hand)
    total = 0.0
    for rank, number in numbers.items():
        if rank not in STEP:
            continue
        if rank not in on_table or not variant.one_meld_per_rank:
            odds = sight.set_odds(max(0, CANASTA_SIZE - number), rank)
            total += HELD * odds * bonus["natural"]
        if number >= 2:
            total += PAIR * min(len(sight.view.pile), LARGE) * sight.time
    wild = numbers["2"] + numbers[JOKER]
    if wild:
        total += _wilds(sight, wild, melds)
    if "seq" in bonus:
        total += HELD * bonus["seq"] * sum(_run(sight, hand, suit) for suit in SUITS)
    return total - cost(sight, hand) * (STUCK + (1 - STUCK) * (1 - sight.time))


def cost(sight: Sight, hand: Iterable[Card]) -> int:
    """What a hand costs when the deal ends."""
    black = sight.variant.black_three_in_hand
    return sum(black if card in BLACK_THREES else POINTS[card] for card in hand)


def red_threes(sight: Sight, side: int) -> int:
    """What a side's red threes bring or cost by the requirement alone."""
    if sight.variant.red_threes_need != "requirement":
        return 0
    return len(sight.view.red_threes[side]) * sight.variant.red_three


def _canasta(sight: Sight, meld: Meld, near: Collection[Card]) -> float:
    """The bonus of the canasta that the meld is or may become, times the odds."""
    bonus = sight.variant.canasta_bonus
    closed = canasta_of(meld.kind, meld.cards)
    if closed:
        return bonus[closed]
    missing = CANASTA_SIZE - len(meld.cards)
    match meld.kind:
        case "set":
            mixed = meld.cards[-1] in WILDS  # they lie last
            odds = sight.set_odds(missing, RANK[meld.cards[0]])
            return odds * bonus["mixed" if mixed else "natural"]
        case "seq":
            steps = [STEP[RANK[card]] for card in meld.cards]
            odds = sight.run_odds(meld.cards[0][-1], steps, near, steps[0], steps[-1])
            return odds * bonus["seq"]
        case "wild":
            return sight.wild_odds(missing) * bonus["wild"]
        case _:
            return 0.0


def _run(sight: Sight, hand: Iterable[Card], suit: str) -> float:
    """The odds of the best sequence that the hand's cards of a suit begin."""
    steps = {STEP[RANK[card]] for card in hand if card[-1] == suit and RANK[card] in STEP}
    best = 0.0
    if len(steps) >= FEW:
        for start in range(TOP - CANASTA_SIZE + 1):
            end = start + CANASTA_SIZE - 1
            if sum(start <= step <= end for step in steps) >= FEW:
                best = max(best, sight.run_odds(suit, steps, (), start, end))
    return best


def _wilds(sight: Sight, wild: int, melds: Iterable[Meld]) -> float:
    """What wilds in the hand are worth: each for itself, or towards a wild canasta."""
    bonus = sight.variant.canasta_bonus
    single = SINGLE * sight.time * wild
    if "wild" not in bonus:
        return single
    sizes = [len(meld.cards) for meld in melds if meld.kind == "wild"]
    size = max((size for size in sizes if size < CANASTA_SIZE), default=0)
    after = sight.wild_odds(max(0, CANASTA_SIZE - size - wild))
    before = sight.wild_odds(CANASTA_SIZE - size) if size else 0.0
    return max(single, HELD * (after - before) * bonus["wild"])
