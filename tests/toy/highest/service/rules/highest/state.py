"""The state of a game of highest, which is also what a view is made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, final

from service.rules.cards import Card
from service.rules.deals import DealScored, sheet
from service.rules.protocol import Result, Seat

if TYPE_CHECKING:
    from service.rules.highest.variants import Variant

Phase = Literal["dealing", "play", "over"]

FIELDS: Final = (
    "deal",
    "dealer",
    "hands",
    "laid",
    "last_deal",
    "phase",
    "result",
    "scores",
    "stock",
    "taken",
    "target",
    "turn",
    "variant",
)


@final
class State:
    """Hands, the card on the table, the pairs taken, and scores.

    Attributes:
        laid: the card that waits for the other's.
        taken: each pair that was taken, and by whom.
        stock: the cards that are not dealt; nobody sees them.
        scores: one a side, before the current deal.
    """

    __slots__ = FIELDS

    def __init__(
        self, variant: Variant, target: int, dealer: Seat, scores: tuple[int, ...]
    ) -> None:
        self.variant = variant
        self.target = target
        self.dealer = dealer
        self.deal = 0
        self.phase: Phase = "dealing"
        self.turn: Seat = dealer
        self.hands: list[tuple[Card, ...]] = [(), ()]
        self.stock: tuple[Card, ...] = ()
        self.laid: tuple[Card, ...] = ()
        self.taken: tuple[tuple[Seat, tuple[Card, ...]], ...] = ()
        self.scores = scores
        self.last_deal: DealScored | None = None
        self.result: Result | None = None

    def copy(self) -> State:
        """A state that shares nothing that changes with this one."""
        twin = State(self.variant, self.target, self.dealer, self.scores)
        for name in FIELDS:
            setattr(twin, name, getattr(self, name))
        twin.hands = self.hands.copy()
        return twin

    @property
    def this_turn(self) -> tuple[Seat, Hashable]:
        """See `protocol.State`: each card is a turn, also of who takes a pair and goes on."""
        return self.turn, (self.deal, self.phase, len(self.taken))

    def cards(self) -> Iterable[Card]:
        """Every card of the deal: hands, stock, the card laid, and the pairs taken."""
        return chain(*self.hands, self.stock, self.laid, *(pair for _, pair in self.taken))

    def table(self) -> Mapping[str, Any]:
        """The wire's `table`."""
        return {
            "deal": self.deal,
            "dealer": self.dealer,
            "phase": self.phase,
            "hands": [list(hand) for hand in self.hands],
            "stock": len(self.stock),
            "laid": list(self.laid),
            "last_pair": list(self.taken[-1][1]) if self.taken else [],
            "pairs": [sum(winner == side for winner, _ in self.taken) for side in (0, 1)],
            "last_deal": sheet(self.last_deal),
        }
