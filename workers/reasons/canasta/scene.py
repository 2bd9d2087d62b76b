"""What a reason looks at: the table from one side's seat, and what a command would cause."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from service.rules.canasta import decide
from service.rules.canasta.events import CanastaClosed, Event
from service.rules.canasta.melds import BLACK_THREES, CANASTA_SIZE, POINTS, requirement_met
from service.rules.canasta.state import State
from service.rules.cards import RANK, Card
from service.rules.protocol import Seat
from workers.strategies.canasta.blind import blind

LATE: Final = 2
"""Cards in the stock for each player at which a deal is near its end."""


class Scene:
    """A view of the seat that is to act."""

    def __init__(self, view: State, seat: Seat) -> None:
        self.view, self.seat = view, seat
        self.variant = view.variant
        self.side = view.side(seat)
        self.hand = view.hands[seat]
        self.melds = view.melds[self.side]
        self.minimum = view.minimum(self.side)
        self.their_side = view.side((seat + 1) % view.players)

    @property
    def late(self) -> bool:
        """Whether the deal may soon be over."""
        return len(self.view.stock) <= LATE * self.view.players

    def events(self, command: Any) -> tuple[Event, ...]:
        """What the command would cause.

        Raises:
            IllegalMove: a rule says no.
        """
        return decide(blind(self.view, self.seat), command)

    def unseen(self, rank: str) -> int:
        """How many cards of a rank this seat has not seen: they lie in the stock or in hands."""
        seen = Counter(RANK[card] for card in (*self.hand, *self.view.pile))
        for melds in self.view.melds:
            seen.update(RANK[card] for meld in melds for card in meld.cards)
        return 4 * self.variant.decks - seen[rank]

    def closed(self, events: Iterable[Event]) -> list[CanastaClosed]:
        """The canastas that come to be; none that only turns mixed."""
        whole = {meld.id for meld in self.melds if len(meld.cards) >= CANASTA_SIZE}
        return [one for one in events if isinstance(one, CanastaClosed) and one.meld not in whole]

    @property
    def may_leave(self) -> bool:
        """Whether the side has what it needs to go out."""
        return requirement_met(self.variant, self.view.players, self.melds)

    def cost(self, cards: Iterable[Card]) -> int:
        """What the cards cost in a hand when the deal ends."""
        black = self.variant.black_three_in_hand
        return sum(black if card in BLACK_THREES else POINTS[card] for card in cards)

    def held(self, *, ours: bool) -> int:
        """How many cards lie in the other hands of this side, or in those of the others."""
        return sum(
            len(hand)
            for seat, hand in enumerate(self.view.hands)
            if seat != self.seat and (self.view.side(seat) == self.side) == ours
        )
