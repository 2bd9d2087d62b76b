"""A variant at a table size, as the compact state reads it: plain numbers."""

from typing import Final

from service.rules.canasta.variants import Variant
from workers.strategies.canasta.compact.codes import BLACK, CODES, KINDS, POINTS, RED

MATCH: Final = 0
PAIR: Final = 1
MELD: Final = 2
"""What takes a pile (rules 3.5.2 to 3.5.4)."""

ENDLESS: Final = 1000
"""The size of a meld that may grow for ever."""


class Shape:
    """See `Variant` for what each field means.

    Attributes:
        kind: what takes a pile, then which melds there are beside sets: "pair seq wild". Games of
            one kind share what was learned (`HABITS`, `FORECASTS`).
        copies: how many there are of each code.
        whole: cards in the stock before the first draw, about.
        red_need: red threes count for a side that has melded (1), has the requirement (2),
            always (0).
        concealed_by: what concealed asks for: nothing laid by the player (1), the side (2),
            never (0).
    """

    def __init__(self, variant: Variant, players: int) -> None:
        self.variant = variant
        self.players = players
        self.sides = max(variant.sides(players)) + 1
        self.copies: list[int] = [0] * KINDS
        for card in variant.pack():
            self.copies[CODES[card]] += 1
        self.reds = self.copies[RED]
        self.draw = variant.draw[players]
        hands = variant.hand_size[players] * players
        self.whole = sum(self.copies) - hands
        self.naturals_for_wilds: list[int] = list(variant.naturals_for_wilds)
        self.most_wilds = len(self.naturals_for_wilds) - 1
        self.has_seq = "seq" in variant.largest
        self.has_wild = "wild" in variant.largest
        self.wild_limit: int = variant.largest.get("wild") or ENDLESS
        self.one_per_rank = variant.one_meld_per_rank
        melds = [name for name in ("seq", "wild") if name in variant.largest]
        self.kind: str = " ".join([variant.pickup, *melds])
        self.pickup = {"match": MATCH, "pair": PAIR, "meld": MELD}[variant.pickup]
        self.frozen_until_melded = variant.frozen_until_melded
        self.freezes: list[bool] = [False] * KINDS
        for card in variant.freezers:
            self.freezes[CODES[card]] = True
        self.top_onto_seq = variant.top_onto_sequence
        self.needed = variant.canastas_to_go_out[players]
        self.seq_needed = variant.sequence_to_go_out
        bonus = variant.canasta_bonus
        self.natural = bonus["natural"]
        self.mixed = bonus["mixed"]
        self.seq: int = bonus.get("seq", 0)
        self.wild: int = bonus.get("wild", 0)
        self.going_out = variant.going_out
        self.concealed = variant.concealed
        self.concealed_by = {None: 0, "player": 1, "side": 2}[variant.concealed_by]
        self.must_ask = variant.must_ask
        self.ends = variant.empty_stock == "ends"
        self.red_three = variant.red_three
        self.all_reds = variant.all_red_threes
        self.red_need = {"nothing": 0, "meld": 1, "requirement": 2}[variant.red_threes_need]
        self.hand_points: list[int] = list(POINTS)
        self.hand_points[BLACK] = variant.black_three_in_hand


_SHAPES: Final[dict[tuple[int, int], Shape]] = {}


def shape_of(variant: Variant, players: int) -> Shape:
    """The shape, made once for each variant and table size."""
    key = (id(variant), players)
    if key not in _SHAPES:
        _SHAPES[key] = Shape(variant, players)
    return _SHAPES[key]
