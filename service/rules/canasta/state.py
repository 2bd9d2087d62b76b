"""The state of a game of the canasta family, which is also what a view is made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, final

from service.rules.canasta.commands import Plan
from service.rules.canasta.events import MeldKind
from service.rules.canasta.melds import canasta_of
from service.rules.cards import Card
from service.rules.deals import DealScored, sheet
from service.rules.protocol import Result, Seat

if TYPE_CHECKING:
    from service.rules.canasta.variants import Variant

Phase = Literal["dealing", "draw", "play", "ask", "over"]


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards on the table, in a hand's order; a sequence's thus run from low to high."""

    id: str
    kind: MeldKind
    cards: tuple[Card, ...]


_FIELDS: Final = (
    "asked",
    "asked_in",
    "deal",
    "dealer",
    "hands",
    "laid",
    "laid_now",
    "last_deal",
    "melded_before",
    "melds",
    "next_meld",
    "passes",
    "phase",
    "pile",
    "plan",
    "players",
    "red_threes",
    "refused",
    "result",
    "scores",
    "stock",
    "target",
    "turn",
    "variant",
)


@final
class State:
    """Hands, stock, pile, melds and scores, with the little that a turn remembers.

    In a view the cards that its seat may not see are `??`: other hands, the stock, and the
    plan of somebody else's question (None).

    Attributes:
        players: number of seats.
        deal: number of the current deal, 0 before the first.
        turn: whose turn it is; in phase `ask` the one who asked.
        phase: `dealing` waits for the house, `ask` for the partner's answer.
        stock: from its top.
        pile: from its bottom.
        scores: one a side, before the current deal.
        laid: by seat, whether cards were put on the table in an earlier turn of the deal.
        laid_now: whether the turn's player put cards on the table in this turn.
        melded_before: whether the turn's side had a meld when the turn began.
        asked, refused: whether the partner was asked in this turn, and said no.
        asked_in: the phase to which a no returns.
        passes: consecutive passes at an empty stock.
        next_meld: number of the next meld's id (`m1`, `m2`, … over all sides).
    """

    __slots__ = _FIELDS

    def __init__(
        self, variant: Variant, players: int, target: int, dealer: Seat, scores: list[int]
    ) -> None:
        sides = len(scores)
        self.variant = variant
        self.players = players
        self.target = target
        self.dealer = dealer
        self.deal = 0
        self.turn: Seat = dealer
        self.phase: Phase = "dealing"
        self.stock: tuple[Card, ...] = ()
        self.pile: tuple[Card, ...] = ()
        self.hands: list[tuple[Card, ...]] = [()] * players
        self.melds: list[tuple[Meld, ...]] = [()] * sides
        self.red_threes: list[tuple[Card, ...]] = [()] * sides
        self.scores = scores
        self.laid = [False] * players
        self.laid_now = False
        self.melded_before = False
        self.asked = False
        self.refused = False
        self.asked_in: Phase = "play"
        self.plan: Plan | None = None
        self.passes = 0
        self.next_meld = 1
        self.last_deal: DealScored | None = None
        self.result: Result | None = None

    def copy(self) -> State:
        """A state that shares nothing that changes with this one."""
        # Each by its name: a loop over the names would take five times as long.
        twin = State.__new__(State)
        twin.variant = self.variant
        twin.players = self.players
        twin.target = self.target
        twin.dealer = self.dealer
        twin.deal = self.deal
        twin.turn = self.turn
        twin.phase = self.phase
        twin.stock = self.stock
        twin.pile = self.pile
        twin.hands = self.hands.copy()
        twin.melds = self.melds.copy()
        twin.red_threes = self.red_threes.copy()
        twin.scores = self.scores.copy()
        twin.laid = self.laid.copy()
        twin.laid_now = self.laid_now
        twin.melded_before = self.melded_before
        twin.asked = self.asked
        twin.refused = self.refused
        twin.asked_in = self.asked_in
        twin.plan = self.plan
        twin.passes = self.passes
        twin.next_meld = self.next_meld
        twin.last_deal = self.last_deal
        twin.result = self.result
        return twin

    def side(self, seat: Seat) -> int:
        """The side that scores for `seat`."""
        return seat % len(self.scores)

    def partner(self, seat: Seat) -> Seat | None:
        """The seat opposite at a table of partners, else None (1)."""
        return (seat + 2) % 4 if self.players > len(self.scores) else None

    def melded(self, side: int) -> bool:
        """Whether the side has a meld on the table; red threes are none (1)."""
        return bool(self.melds[side])

    def frozen(self, side: int) -> bool:
        """Whether the pile is frozen for the side; an empty pile never is (3.5.2, 3.5.4)."""
        if not self.pile:
            return False
        if self.variant.frozen_until_melded and not self.melds[side]:
            return True
        return any(card in self.variant.freezers for card in self.pile)

    def minimum(self, side: int) -> int | None:
        """What the side's first meld must be worth, None once it has melded (3.8)."""
        return None if self.melds[side] else self.variant.minimum(self.scores[side])

    @property
    def this_turn(self) -> tuple[Seat, Hashable]:
        """See `protocol.State`: drawing, laying and asking are one turn."""
        return self.turn, (self.deal, self.phase == "dealing")

    def cards(self) -> Iterable[Card]:
        """Every card of the deal: stock, pile, hands, melds and red threes."""
        melds = (meld.cards for row in self.melds for meld in row)
        return chain(self.stock, self.pile, *self.hands, *self.red_threes, *melds)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same moment of the same game."""
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _FIELDS)

    def table(self) -> Mapping[str, Any]:
        """The wire's `table` (rules 4.10): the pile only by its size and its top."""
        sides = range(len(self.scores))
        return {
            "deal": self.deal,
            "dealer": self.dealer,
            "turn": self.turn,
            "phase": self.phase,
            "stock": len(self.stock),
            "pile": {
                "size": len(self.pile),
                "top": self.pile[-1] if self.pile else None,
                "frozen": [self.frozen(side) for side in sides],
            },
            "hands": [list(hand) for hand in self.hands],
            "melds": [
                [
                    {
                        "id": meld.id,
                        "kind": meld.kind,
                        "cards": list(meld.cards),
                        "canasta": canasta_of(meld.kind, meld.cards),
                    }
                    for meld in self.melds[side]
                ]
                for side in sides
            ],
            "red_threes": [list(row) for row in self.red_threes],
            "minimum": [self.minimum(side) for side in sides],
            "last_deal": sheet(self.last_deal),
        }
