"""What the tuning asks of a family of games: how its weights are moved, and how they meet."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

W = TypeVar("W")


class Family(ABC, Generic[W]):
    """A player whose weights are a `W`, at one table.

    Attributes:
        title: what is played, for people.
        batch: deals a round, each played twice.
        stride: how far a weight moves for wins by a standard deviation each.
        confirm: deals of the match at the end; those on the way have a tenth.
        digits: how many digits after the point tell how far somebody is ahead.
        standing: the weights that the player has.
        scratch: weights that know nothing of what was found.
    """

    title: str
    batch: int
    stride: float
    confirm: int
    digits: int
    standing: W
    scratch: W

    @abstractmethod
    def point(self, weights: W) -> list[float]:
        """Each weight as a number that may be anything, and whose steps are as large for each."""

    @abstractmethod
    def weights(self, point: Sequence[float]) -> W:
        """The inverse."""

    @abstractmethod
    def margins(self, one: W, two: W, deals: int, seed: str) -> list[float]:
        """Points that `one` is ahead of `two` in each of so many deals, each played twice.

        The second time with the seats exchanged. The same seed deals the same cards.
        """

    @abstractmethod
    def shown(self, weights: W) -> str:
        """The weights as they stand in the source."""
