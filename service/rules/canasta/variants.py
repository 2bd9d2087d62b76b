"""The variants of the canasta family (rules 2): one complete row, the others by difference."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from service.rules.canasta.events import CanastaKind, MeldKind
from service.rules.canasta.state import State
from service.rules.cards import Card, french_pack
from service.rules.protocol import Option, Seat

TARGET: Final = "Points that end the game"


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of rules. Tables by number of players have an entry for each size allowed.

    Attributes:
        decks, jokers: the pack; jokers in all.
        hand_size: cards dealt, by number of players.
        draw: cards drawn from the stock, by number of players.
        naturals_for_wilds: the naturals a set needs, by the wilds in it; its length less one
            is the wild limit (3.7.1).
        largest: the kinds of meld that exist, and the most cards each may hold (None: any).
        one_meld_per_rank: a side has one set a rank and one wild meld, and new cards join it.
        pickup: what takes the whole pile. `match`: two naturals of the top's rank, or one
            and a wild while the pile is not frozen (3.5.2); `pair`: two naturals always
            (3.5.3); `meld`: any meld of the top, without wilds while frozen (3.5.4).
        frozen_until_melded: the pile is frozen for a side without melds.
        freezers: cards that freeze the pile while they lie in it.
        top_onto_sequence: the top alone may go onto an own sequence instead of a draw (3.6).
        minimums: what a side's first meld must be worth, as (from this score, points),
            ascending; `minimum_below_zero` holds for a negative score (3.8).
        canastas_to_go_out: canastas a side must own, by number of players; with
            `sequence_to_go_out` at least one of them a sequence (3.9.2).
        canasta_bonus: points of a canasta, by kind.
        going_out, concealed: the bonus for going out, and for doing so concealed.
        concealed_by: who must have laid nothing before: the player or the side (3.9.3); None
            where it makes no difference.
        must_ask: going out needs the partner's yes (3.13.5).
        empty_stock: a pass `ends` the deal, or `passes` the turn on (3.11).
        red_three, all_red_threes: points of one red three, and of all together.
        red_threes_need: what makes a side's red threes count for it (6.4).
        black_three_in_hand: what a black three left in a hand costs.
        target: the score that ends the game, by number of players.
        targets: every target that a game may be opened with.
        deal_cap: the number of deals after which the game is drawn (None: no cap).
    """

    name: str
    rules_version: int
    decks: int
    jokers: int
    hand_size: Mapping[int, int]
    draw: Mapping[int, int]
    naturals_for_wilds: tuple[int, ...]
    largest: Mapping[MeldKind, int | None]
    one_meld_per_rank: bool
    pickup: Literal["match", "pair", "meld"]
    frozen_until_melded: bool
    freezers: tuple[Card, ...]
    top_onto_sequence: bool
    minimum_below_zero: int
    minimums: tuple[tuple[int, int], ...]
    canastas_to_go_out: Mapping[int, int]
    sequence_to_go_out: bool
    canasta_bonus: Mapping[CanastaKind, int]
    going_out: int
    concealed: int
    concealed_by: Literal["player", "side"] | None
    must_ask: bool
    empty_stock: Literal["ends", "passes"]
    red_three: int
    all_red_threes: int
    red_threes_need: Literal["meld", "requirement", "nothing"]
    black_three_in_hand: int
    target: Mapping[int, int]
    targets: tuple[int, ...]
    deal_cap: int | None

    @property
    def seats(self) -> tuple[int, ...]:
        """The table sizes allowed."""
        return tuple(self.hand_size)

    def sides(self, seats: int) -> tuple[int, ...]:
        """The side of each seat: partners opposite with four, each for himself with fewer."""
        return (0, 1, 0, 1) if seats == 4 else tuple(range(seats))

    def options(self, seats: int) -> Mapping[str, Option]:
        """The target score of a game with `seats` players."""
        return {"target_score": Option(self.target[seats], self.targets, TARGET)}

    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack, repeats included, one deck after the other, jokers last."""
        return french_pack(self.decks, self.jokers)

    def minimum(self, score: int) -> int:
        """What the first meld of a side with `score` must be worth (3.8)."""
        minimum = self.minimum_below_zero
        for start, points in self.minimums:
            if score >= start:
                minimum = points
        return minimum

    def parameters(self) -> Mapping[str, Any]:
        """Every field as JSON values; tables by number of players have string keys."""
        data: dict[str, Any] = _plain(asdict(self))
        return data

    def start(
        self, seats: int, options: Mapping[str, int], dealer: Seat, scores: Sequence[int]
    ) -> State:
        """The state before the first deal; HOUSE is to act. `scores` has one entry a side."""
        return State(self, seats, options["target_score"], dealer, list(scores))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value


CANASTA: Final = Variant(
    name="canasta",
    rules_version=1,
    decks=2,
    jokers=4,
    hand_size={2: 15, 3: 13, 4: 11},
    draw={2: 2, 3: 2, 4: 1},
    naturals_for_wilds=(0, 2, 3, 4),
    largest={"set": None, "b3": 4},
    one_meld_per_rank=True,
    pickup="match",
    frozen_until_melded=True,
    freezers=("JK", "2c", "2d", "2h", "2s", "3d", "3h"),
    top_onto_sequence=False,
    minimum_below_zero=15,
    minimums=((0, 50), (1500, 90), (3000, 120)),
    canastas_to_go_out={2: 2, 3: 1, 4: 1},
    sequence_to_go_out=False,
    canasta_bonus={"mixed": 300, "natural": 500},
    going_out=100,
    concealed=200,
    concealed_by="player",
    must_ask=False,
    empty_stock="ends",
    red_three=100,
    all_red_threes=800,
    red_threes_need="meld",
    black_three_in_hand=5,
    target={2: 5000, 3: 7500, 4: 5000},
    targets=(2500, 5000, 7500, 10000),
    deal_cap=60,
)

SAMBA: Final = replace(
    CANASTA,
    name="samba",
    decks=3,
    jokers=6,
    hand_size={2: 15, 3: 15, 4: 15},
    draw={2: 2, 3: 2, 4: 2},
    naturals_for_wilds=(0, 2, 4),
    largest={"set": None, "seq": 7, "b3": 6},
    one_meld_per_rank=False,
    pickup="pair",
    frozen_until_melded=False,
    freezers=(),
    top_onto_sequence=True,
    minimums=((0, 50), (1500, 90), (3000, 120), (7000, 150)),
    canastas_to_go_out={2: 2, 3: 2, 4: 2},
    canasta_bonus={"mixed": 300, "natural": 500, "seq": 1500},
    going_out=200,
    concealed_by=None,
    all_red_threes=1000,
    red_threes_need="requirement",
    target={2: 10000, 3: 10000, 4: 10000},
)

BOLIVIA: Final = replace(
    SAMBA,
    name="bolivia",
    largest={"set": None, "seq": 7, "wild": 7, "b3": 6},
    sequence_to_go_out=True,
    canasta_bonus={"mixed": 300, "natural": 500, "seq": 1500, "wild": 2500},
    going_out=100,
    concealed_by="side",
    black_three_in_hand=100,
    target={2: 15000, 3: 15000, 4: 15000},
    targets=(2500, 5000, 7500, 10000, 15000),
)

BOLIVIE: Final = replace(
    CANASTA,
    name="bolivie",
    hand_size={4: 11},
    draw={4: 1},
    largest={"set": None, "seq": 7, "wild": None, "b3": 4},
    pickup="meld",
    freezers=("JK", "2c", "2d", "2h", "2s", "3c", "3d", "3h", "3s"),
    minimums=SAMBA.minimums,
    canastas_to_go_out={4: 2},
    sequence_to_go_out=True,
    canasta_bonus={"mixed": 300, "natural": 500, "seq": 500, "wild": 2500},
    must_ask=True,
    empty_stock="passes",
    red_threes_need="nothing",
    black_three_in_hand=100,
    target={4: 15000},
    targets=(15000,),
    deal_cap=None,
)

VARIANTS: Final[Mapping[str, Variant]] = {
    variant.name: variant for variant in (CANASTA, SAMBA, BOLIVIA, BOLIVIE)
}
