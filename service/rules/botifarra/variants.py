"""Botifarra as data (rules 1, 4, 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from service.rules.botifarra.cards import PACK, RANKS, SUITS, WORTH
from service.rules.botifarra.commands import Trump
from service.rules.botifarra.events import Stake
from service.rules.botifarra.state import State
from service.rules.cards import Card
from service.rules.protocol import Option, Seat

TARGET: Final = "Points that end the game"


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of rules.

    Attributes:
        factors: what a deal's points are multiplied by at each level of the ladder, with a
            trump suit and without; no level lies beyond the last.
        target: the score that ends the game.
        targets: every target that a game may be opened with.
    """

    name: str
    rules_version: int
    factors: Mapping[Literal["trump", "botifarra"], tuple[int, ...]]
    target: int
    targets: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The table sizes allowed."""
        return (4,)

    def sides(self, seats: int) -> tuple[int, ...]:
        """The side of each seat: partners sit opposite (1.1)."""
        return (0, 1, 0, 1)

    def options(self, seats: int) -> Mapping[str, Option]:
        """The target score."""
        return {"target_score": Option(self.target, self.targets, TARGET)}

    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack, by suit and number."""
        return PACK

    def stakes(self, trump: Trump) -> tuple[Stake, ...]:
        """The ladder of a deal with such trumps, from level 0 (4)."""
        factors = self.factors["botifarra" if trump == "botifarra" else "trump"]
        return tuple(Stake(level, factor) for level, factor in enumerate(factors))

    def parameters(self) -> Mapping[str, Any]:
        """Every field and what the cards are, as JSON values."""
        return {
            "name": self.name,
            "rules_version": self.rules_version,
            "suits": dict(SUITS),
            "ranks": list(RANKS),
            "points": {str(number): points for number, points in WORTH.items()},
            "factors": {kind: list(factors) for kind, factors in self.factors.items()},
            "target": self.target,
            "targets": list(self.targets),
        }

    def start(
        self, seats: int, options: Mapping[str, int], dealer: Seat, scores: Sequence[int]
    ) -> State:
        """The state before the first deal; HOUSE is to act. `scores` has one entry a side."""
        return State(self, options["target_score"], dealer, tuple(scores))


BOTIFARRA: Final = Variant(
    name="botifarra",
    rules_version=1,
    factors={"trump": (1, 2, 4, 8), "botifarra": (2, 4, 8)},
    target=101,
    targets=(50, 100, 101),
)

VARIANTS: Final[Mapping[str, Variant]] = {BOTIFARRA.name: BOTIFARRA}
