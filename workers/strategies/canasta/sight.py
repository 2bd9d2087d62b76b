"""A view from one seat, with the counts and the odds that every judgement needs."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from service.rules.canasta.melds import CANASTA_SIZE, WILDS
from service.rules.canasta.state import State
from service.rules.cards import RANKS, SUITS, Card
from service.rules.protocol import Seat

STEP: Final = {rank: step for step, rank in enumerate(RANKS)}
"""The place of each natural rank, from 0 for a four."""

TOP: Final = len(RANKS)

# The weights here and in the other files were found by play against themselves, on duplicate
# deals; see docs/decisions.md.
SET_ODDS: Final = 0.62  # that a card which a set lacks comes in time
RUN_ODDS: Final = 0.72  # the same for a sequence
WILD_ODDS: Final = 0.80  # the same for a wild meld
SCARCE: Final = 0.75  # of these odds, where few copies are left
NEAR: Final = 0.75  # of a sequence's odds, for each card that it lacks and this hand holds
HURRY: Final = 0.35  # how late in a deal time begins to press: low is late


class Sight:
    """What one seat sees.

    Attributes:
        hand, melds: the seat's own cards, and its side's melds.
        alive: by card, the copies that the seat has not seen yet.
        rank_alive, wild_alive: the same by rank, and of all wilds.
        time: from 1 at the start of a deal to 0 when the stock is gone.
    """

    __slots__ = (
        "alive",
        "hand",
        "melds",
        "players",
        "rank_alive",
        "seat",
        "side",
        "time",
        "variant",
        "view",
        "wild_alive",
    )

    def __init__(self, view: State, seat: Seat) -> None:
        self.view, self.seat = view, seat
        self.variant, self.players = view.variant, view.players
        self.side = view.side(seat)
        self.hand = view.hands[seat]
        self.melds = view.melds[self.side]
        seen = Counter((*self.hand, *view.pile))
        for melds in view.melds:
            for meld in melds:
                seen.update(meld.cards)
        decks = self.variant.decks
        self.alive = {rank + suit: decks - seen[rank + suit] for rank in RANKS for suit in SUITS}
        self.rank_alive = {rank: sum(self.alive[rank + suit] for suit in SUITS) for rank in RANKS}
        self.wild_alive = 4 * decks + self.variant.jokers - sum(seen[card] for card in WILDS)
        dealt = self.variant.hand_size[self.players] * self.players
        whole = 52 * decks + self.variant.jokers - dealt
        self.time: float = (len(view.stock) / whole) ** HURRY

    def set_odds(self, missing: int, rank: str) -> float:
        """That so many cards of a rank, or wilds for some of them, come in time."""
        scarce = SCARCE if self.rank_alive[rank] < missing else 1.0
        return float((SET_ODDS * self.time) ** missing) * scarce

    def wild_odds(self, missing: int) -> float:
        """That so many wilds come in time."""
        if self.wild_alive < missing:
            return 0.0
        scarce = SCARCE if self.wild_alive < 2 * missing else 1.0
        return float((WILD_ODDS * self.time) ** missing) * scarce

    def run_odds(
        self, suit: str, steps: Collection[int], held: Collection[Card], low: int, high: int
    ) -> float:
        """That the steps of a suit become a sequence of seven which spans `low` to `high`."""
        best = 0.0
        first = max(0, high - CANASTA_SIZE + 1)
        for start in range(first, min(low, TOP - CANASTA_SIZE) + 1):
            odds = 1.0
            for step in range(start, start + CANASTA_SIZE):
                if step in steps:
                    continue
                card = RANKS[step] + suit
                if card in held:
                    odds *= NEAR
                elif copies := self.alive[card]:
                    odds *= RUN_ODDS * self.time * (SCARCE if copies == 1 else 1.0)
                else:
                    odds = 0.0
                    break
            best = max(best, odds)
        return best
