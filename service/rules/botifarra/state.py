"""The state of a game of botifarra, which is also what a view is made of."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, final

from service.rules.botifarra.commands import Trump
from service.rules.botifarra.events import Stake
from service.rules.botifarra.tricks import Trick
from service.rules.cards import Card
from service.rules.deals import DealScored, sheet
from service.rules.protocol import Result, Seat

if TYPE_CHECKING:
    from service.rules.botifarra.variants import Variant

Phase = Literal["dealing", "trump", "contro", "recontro", "sant_vicenc", "play", "over"]


FIELDS: Final = (
    "caller",
    "deal",
    "dealer",
    "hands",
    "last_deal",
    "leader",
    "maker",
    "phase",
    "result",
    "scores",
    "stake",
    "target",
    "trick",
    "tricks",
    "trump",
    "turn",
    "variant",
)
"""What a state holds; by this name since a compiled class has no `__slots__` to ask."""


@final
class State:
    """Hands, trumps, stake, tricks and scores.

    In a view the cards of other hands are `??`. All tricks are kept, as every seat has seen
    them; the wire shows the last one only (5.4).

    Attributes:
        deal: number of the current deal, 0 before the first.
        phase: `dealing` waits for the house; from `contro` on, the steps of the ladder (4).
        turn: whose turn it is, while the house does not deal.
        maker: who made trumps, None until then.
        caller: who raised the stake last; at first the maker.
        leader: who led, or will lead, to the trick.
        trick: the cards of the trick, from the leader's on.
        tricks: those of the deal that were won before, or of the last deal until the next.
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
        self.maker: Seat | None = None
        self.caller: Seat | None = None
        self.trump: Trump | None = None
        self.stake = Stake(0, 1)
        self.hands: list[tuple[Card, ...]] = [()] * 4
        self.leader: Seat = dealer
        self.trick: tuple[Card, ...] = ()
        self.tricks: tuple[Trick, ...] = ()
        self.scores = scores
        self.last_deal: DealScored | None = None
        self.result: Result | None = None

    def copy(self) -> State:
        """A state that shares nothing that changes with this one."""
        twin = State.__new__(State)  # each by its name: a loop takes five times as long
        twin.variant = self.variant
        twin.target = self.target
        twin.dealer = self.dealer
        twin.deal = self.deal
        twin.phase = self.phase
        twin.turn = self.turn
        twin.maker = self.maker
        twin.caller = self.caller
        twin.trump = self.trump
        twin.stake = self.stake
        twin.hands = self.hands.copy()
        twin.leader = self.leader
        twin.trick = self.trick
        twin.tricks = self.tricks
        twin.scores = self.scores
        twin.last_deal = self.last_deal
        twin.result = self.result
        return twin

    @property
    def this_turn(self) -> tuple[Seat, Hashable]:
        """See `protocol.State`: each decision is a turn, also of who goes on after their own."""
        return self.turn, (self.deal, self.phase, len(self.tricks))

    def cards(self) -> Iterable[Card]:
        """Every card of the deal: hands, the trick, and the tricks won."""
        return chain(*self.hands, self.trick, *(trick.cards for trick in self.tricks))

    def __eq__(self, other: object) -> bool:
        """Whether both are the same moment of the same game."""
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS)

    def table(self) -> Mapping[str, Any]:
        """The wire's `table`: of the tricks that were won only the last, and their number."""
        last = self.tricks[-1] if self.tricks else None
        return {
            "deal": self.deal,
            "dealer": self.dealer,
            "phase": self.phase,
            "maker": self.maker,
            "trump": self.trump,
            "stake": {"level": self.stake.level, "factor": self.stake.factor},
            "hands": [list(hand) for hand in self.hands],
            "trick": _laid(self.leader, self.trick),
            "last_trick": last
            and {
                "cards": _laid(last.leader, last.cards),
                "winner": last.winner,
                "points": last.points,
            },
            "tricks": [sum(trick.winner % 2 == side for trick in self.tricks) for side in (0, 1)],
            "last_deal": sheet(self.last_deal),
        }


def _laid(leader: Seat, cards: Sequence[Card]) -> list[dict[str, Any]]:
    return [{"seat": (leader + place) % 4, "card": card} for place, card in enumerate(cards)]
