"""Highest as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.rules.cards import Card
from service.rules.highest.state import State
from service.rules.protocol import Option, Seat

PACK: Final = ("7h", "8h", "9h", "10h", "Jh", "Qh", "Kh", "Ah")
"""Every card, from the lowest to the highest (1.2)."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of rules.

    Attributes:
        hand: cards dealt to each player.
        sweep: what taking all pairs brings besides them.
        target: the score that ends the game.
        targets: every target that a game may be opened with.
    """

    name: str
    rules_version: int
    hand: int
    sweep: int
    target: int
    targets: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The table sizes allowed."""
        return (2,)

    def sides(self, seats: int) -> tuple[int, ...]:
        """The side of each seat."""
        return (0, 1)

    def options(self, seats: int) -> Mapping[str, Option]:
        """The target score."""
        return {"target_score": Option(self.target, self.targets, "Points that end the game")}

    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack, in a fixed order."""
        return PACK

    def parameters(self) -> Mapping[str, Any]:
        """Every field, as JSON values."""
        return {
            "name": self.name,
            "rules_version": self.rules_version,
            "hand": self.hand,
            "sweep": self.sweep,
            "target": self.target,
            "targets": list(self.targets),
        }

    def start(
        self, seats: int, options: Mapping[str, int], dealer: Seat, scores: Sequence[int]
    ) -> State:
        """The state before the first deal; HOUSE is to act."""
        return State(self, options["target_score"], dealer, tuple(scores))


HIGHEST: Final = Variant(
    name="highest", rules_version=1, hand=3, sweep=1, target=50, targets=(50, 100)
)

VARIANTS: Final[Mapping[str, Variant]] = {HIGHEST.name: HIGHEST}
