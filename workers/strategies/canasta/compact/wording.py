"""From lays on a desk to the commands of the rules."""

from collections.abc import Sequence

from service.rules.canasta.commands import Group, TakePile, TakeTop
from service.rules.cards import Card
from service.rules.protocol import Seat
from workers.strategies.canasta.compact import taking
from workers.strategies.canasta.compact.codes import CARDS
from workers.strategies.canasta.compact.desk import Desk, Lay
from workers.strategies.canasta.compact.melded import SET
from workers.strategies.canasta.compact.shape import MELD


class Words:
    """Cards of a hand, handed out for codes; each once."""

    def __init__(self, hand: Sequence[Card]) -> None:
        self._left = list(hand)

    def card(self, code: int) -> Card:
        """One card of that code.

        Raises:
            StopIteration: the hand holds no more of them.
        """
        card = next(card for card in CARDS[code] if card in self._left)
        self._left.remove(card)
        return card

    def group(self, desk: Desk, lay: Lay, skip: int = 0) -> Group:
        """The lay without its last `skip` codes; the desk knows the meld that it joins."""
        codes = lay.codes[: len(lay.codes) - skip]
        target = f"m{desk.melds[lay.target].tag}" if lay.target >= 0 else None
        return Group(tuple(self.card(code) for code in codes), target)


def groups(hand: Sequence[Card], desk: Desk, done: int = 0) -> tuple[Group, ...]:
    """What was laid on the desk after its first `done` lays."""
    words = Words(hand)
    return tuple(words.group(desk, lay) for lay in desk.lays[done:])


def take_command(seat: Seat, hand: Sequence[Card], take: taking.Take) -> TakePile | TakeTop:
    """The command of a take."""
    desk = take.desk
    first = take.lays[0]
    if take.top_only:
        return TakeTop(seat, f"m{desk.melds[first.target].tag}")
    words = Words(hand)
    body = words.group(desk, first, skip=1)
    also = tuple(words.group(desk, lay) for lay in take.lays[1:])
    target = body.target if desk.shape.pickup == MELD and not body.cards else None
    if desk.shape.pickup == MELD and desk.melds[first.target].kind != SET:
        target = body.target
    return TakePile(seat, body.cards, target, also)
