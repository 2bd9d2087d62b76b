"""What the evaluator believes: numbers found by play against itself (`./run tune`).

Over 250 lines, most of them numbers: one set for each kind of game.
"""

from dataclasses import dataclass
from typing import Final

from workers.strategies.canasta.compact.shape import Shape


@dataclass(frozen=True)
class Habits:
    """Weights of the judgement; odds are from 0 to 1, worths in points of a deal.

    Attributes:
        set_odds, mixed_odds, run_odds, wild_odds: that a card comes which a set, a set with
            wilds, a sequence or a wild meld lacks.
        scarce: of these odds, where few copies are left.
        near: the odds of a card that this hand holds.
        hurry: how late in a deal time begins to press; low is late.
        rush: of the time left, once another side may go out.
        held, held_run, held_wild: of a meld's worth while it is in one hand, by its kind.
        ready: that the requirement is met; `step` for each canasta on the way, `seq_step` for
            the sequence where it asks for one.
        stuck: odds that a hand is paid for, early in a deal.
        single: a wild in the hand; `each` for any card; `guard` for a black three.
        pair: a pair in the hand, for each card of a pile that it may take, up to `large` cards.
        feed, wild_feed, melded: what a pile gives to who takes it: a natural, a wild, the top.
        matched: odds of a wild to go with a single match.
        closed: of the odds, while a side has to open, for each fifty points of the minimum.
        passed, threw, spent: of the odds, where the player let that rank lie, threw it, or has
            a set of it on the table.
        length, join: a card for a sequence of theirs, doubled with each card it has, and more.
        drawn: a card from the stock before it is seen.
        denied, taken: each card of the pile to those who do not get it, and the take itself.
        opened, open_late: to have melded, and more of it near the end.
        card, hope: what a card in a hidden hand costs at the end, and may still bring.
        bird: what going out is worth in any case.
        dear, late: the cost of a hand that refuses a partner, and the stock below which none does.
    """

    set_odds: float = 0.62
    mixed_odds: float = 0.62
    run_odds: float = 0.72
    wild_odds: float = 0.80
    scarce: float = 0.75
    near: float = 0.75
    hurry: float = 0.35
    rush: float = 0.95
    held: float = 0.80
    held_run: float = 0.80
    held_wild: float = 0.80
    ready: float = 400.0
    step: float = 20.0
    seq_step: float = 50.0
    stuck: float = 0.25
    single: float = 45.0
    each: float = 1.0
    guard: float = 2.0
    pair: float = 6.0
    large: float = 8.0
    feed: float = 17.0
    wild_feed: float = 30.0
    melded: float = 40.0
    matched: float = 0.7
    closed: float = 0.5
    passed: float = 0.4
    threw: float = 0.8
    spent: float = 0.9
    length: float = 6.0
    join: float = 60.0
    drawn: float = 22.0
    denied: float = 6.0
    taken: float = 10.0
    opened: float = 150.0
    open_late: float = 20.0
    card: float = 12.0
    hope: float = 15.0
    bird: float = 300.0
    dear: float = 200.0
    late: float = 20.0


ODDS: Final = frozenset(
    {
        *("set_odds", "mixed_odds", "run_odds", "wild_odds", "scarce", "near", "hurry", "rush"),
        *("held", "held_run", "held_wild", "stuck", "matched", "closed"),
        *("passed", "threw", "spent"),
    }
)
"""The fields that lie between 0 and 1, odds most of them; the others are worths."""


def habits_of(shape: Shape) -> Habits:
    """The habits for games of that kind; guesses where none were found."""
    return HABITS.get(shape.kind, Habits())


HABITS: Final[dict[str, Habits]] = {
    "match": Habits(  # canasta
        set_odds=0.4591,
        mixed_odds=0.4252,
        run_odds=0.667,
        wild_odds=0.8287,
        scarce=0.7731,
        near=0.7071,
        hurry=0.3535,
        rush=0.9251,
        held=0.8814,
        held_run=0.7306,
        held_wild=0.8194,
        ready=186.9,
        step=23.59,
        seq_step=107.4,
        stuck=0.1779,
        single=144.6,
        each=0.7912,
        guard=1.647,
        pair=9.899,
        large=6.194,
        feed=32.18,
        wild_feed=35.37,
        melded=51.18,
        matched=0.6499,
        closed=0.6377,
        passed=0.406,
        threw=0.7428,
        spent=0.8826,
        length=8.493,
        join=39.63,
        drawn=22.11,
        denied=5.426,
        taken=10.26,
        opened=151.4,
        open_late=32.59,
        card=8.278,
        hope=19.4,
        bird=343,
        dear=153.1,
        late=27.53,
    ),
    "pair seq": Habits(  # samba
        set_odds=0.8681,
        mixed_odds=0.3377,
        run_odds=0.7896,
        wild_odds=0.6096,
        scarce=0.7399,
        near=0.7498,
        hurry=0.539,
        rush=0.9892,
        held=0.9068,
        held_run=0.5376,
        held_wild=0.944,
        ready=225.9,
        step=14.98,
        seq_step=56.9,
        stuck=0.1346,
        single=200.9,
        each=7.62,
        guard=0.6737,
        pair=12.02,
        large=19.8,
        feed=103.1,
        wild_feed=76.48,
        melded=101.4,
        matched=0.7452,
        closed=0.4373,
        passed=0.672,
        threw=0.9235,
        spent=0.8669,
        length=9.734,
        join=15.74,
        drawn=43.12,
        denied=4.326,
        taken=8.313,
        opened=82.52,
        open_late=23.01,
        card=36.23,
        hope=10.42,
        bird=428.5,
        dear=57.35,
        late=49.41,
    ),
    "pair seq wild": Habits(  # bolivia
        set_odds=0.788,
        mixed_odds=0.5505,
        run_odds=0.791,
        wild_odds=0.7936,
        scarce=0.7452,
        near=0.7421,
        hurry=0.2944,
        rush=0.9795,
        held=0.9325,
        held_run=0.5541,
        held_wild=0.87,
        ready=490.6,
        step=17.42,
        seq_step=17.73,
        stuck=0.4536,
        single=224.7,
        each=4.072,
        guard=3.642,
        pair=18.78,
        large=7.899,
        feed=65.51,
        wild_feed=39.63,
        melded=111.5,
        matched=0.665,
        closed=0.316,
        passed=0.3657,
        threw=0.8195,
        spent=0.9232,
        length=1.84,
        join=51.74,
        drawn=60.03,
        denied=4.21,
        taken=17.01,
        opened=47.61,
        open_late=10.13,
        card=10.86,
        hope=41.07,
        bird=496.5,
        dear=171.7,
        late=6.211,
    ),
    "meld seq wild": Habits(  # bolivie
        set_odds=0.6359,
        mixed_odds=0.6758,
        run_odds=0.5685,
        wild_odds=0.8214,
        scarce=0.9081,
        near=0.699,
        hurry=0.0792,
        rush=0.9042,
        held=0.9137,
        held_run=0.7541,
        held_wild=0.8894,
        ready=2215,
        step=76.77,
        seq_step=65.2,
        stuck=0.1618,
        single=87.65,
        each=1.284,
        guard=0.5307,
        pair=31.48,
        large=1.86,
        feed=18.08,
        wild_feed=23.87,
        melded=42.2,
        matched=0.779,
        closed=0.4115,
        passed=0.1966,
        threw=0.9335,
        spent=0.9225,
        length=6.677,
        join=126.3,
        drawn=26.27,
        denied=6.886,
        taken=4.247,
        opened=94.39,
        open_late=12.93,
        card=14.7,
        hope=4.568,
        bird=343,
        dear=278.3,
        late=63.51,
    ),
}
"""What was found, by `Shape.kind`."""
