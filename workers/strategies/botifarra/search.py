"""What each card brings, over worlds.

    worlds ──► weighed by what was said ──► each card played out ──► the last tricks solved

Of a few worlds drawn one is kept, as likely as what was said is in it (sampling/importance
resampling, Rubin 1987).

A world is played out by the weights of `player`, each seat seeing its own hand only, down to a few
tricks, which are solved with all cards open. Playing out as people do, not as if all cards were
open, is what keeps a search from hoping that the others will guess right ("strategy fusion"): the
remedy of imperfect information Monte Carlo search (Furtak and Buro, 2013).
"""

from collections.abc import Sequence
from random import Random
from typing import Final, final

from mypy_extensions import i64

from workers.strategies.botifarra.bids import Bids
from workers.strategies.botifarra.core import Position, bit
from workers.strategies.botifarra.deal import Deal
from workers.strategies.botifarra.player import Weights, play_out
from workers.strategies.botifarra.solver import Solver
from workers.strategies.botifarra.worlds import Worlds

SOLVER: Final = Solver()
"""Its table is kept from one search to the next."""


@final
class Search:
    """Judges the cards of the seat that is to act, world after world.

    Attributes:
        cards: those that are judged.
        points: what each brings, a row a world: points of the deal taken by the seat's side from
            here.
        sums: of these, by card.
        samples: worlds so far.
    """

    def __init__(
        self,
        now: Deal,
        cards: Sequence[int],
        worlds: Worlds,
        played: Sequence[tuple[int, int]],
        weights: Weights,
        solved: int,
        drawn: int,
        rng: Random,
        bids: Bids,
    ) -> None:
        self._now = now
        self.cards = list(cards)
        self.sums = [0 for _ in cards]
        self.points: list[list[int]] = []
        self.samples = 0
        self._worlds = worlds
        self._played = list(played)
        self._weights = weights
        self._solved = solved
        self._drawn = drawn
        self._rng = rng
        self._bids = bids
        self._solver = SOLVER
        self._deal = Deal(now.trump)

    def step(self) -> None:
        """Judges all cards in one more world."""
        hands = self._draw()
        row = [self.judge(hands, card) for card in self.cards]
        for place, points in enumerate(row):
            self.sums[place] += points
        self.points.append(row)
        self.samples += 1

    def _draw(self) -> list[int]:
        """Of a few possible worlds one, by how likely what was said is in each."""
        kept: list[int] = []
        total = 0.0
        for _ in range(max(1, self._drawn)):
            self._worlds.draw()
            hands = self._worlds.hands
            if self._drawn < 2:
                return hands
            odds = self._bids.odds(at_first(hands, self._played), self._now.seat)
            total += odds
            if not kept or self._rng.random() * total < odds:
                kept = hands.copy()
        return kept

    def judge(self, hands: Sequence[int], card: i64) -> int:
        """Points that the seat's side takes from here in that world if it plays the card."""
        deal = self._deal
        deal.copy(self._now)
        deal.hand0, deal.hand1, deal.hand2, deal.hand3 = hands[0], hands[1], hands[2], hands[3]
        side = deal.seat & 1
        before = deal.points1 if side else deal.points0
        deal.play(card)
        left = deal.left()
        solved: i64 = self._solved
        play = left - 4 * solved
        if left <= 4 * solved:
            play = (4 - deal.count) & 3
            if solved == 0:
                play = left
        play_out(deal, self._weights, play)
        taken = (deal.points1 if side else deal.points0) - before
        if deal.left() == 0:
            return taken
        position = Position(
            (deal.hand0, deal.hand1, deal.hand2, deal.hand3), deal.trump, deal.seat, ()
        )
        won: i64 = self._solver.solve(position)
        if (deal.seat & 1) != side:
            won = position.left - won
        return taken + won


def at_first(hands: Sequence[int], played: Sequence[tuple[int, int]]) -> list[int]:
    """The hands with the cards that were played from them."""
    first = list(hands)
    for seat, card in played:
        code: i64 = card
        held: i64 = first[seat]
        first[seat] = held | bit(code)
    return first
