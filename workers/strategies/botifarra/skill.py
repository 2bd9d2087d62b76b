"""A player of botifarra that searches over worlds, as strong as its `Skill` allows.

known ──► Worlds ──► Bidding, before the first card ──► the command with the best odds of
                └──► Search, after it               ──► winning the game
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from service.rules.botifarra.commands import Play
from service.rules.botifarra.scoring import HALF
from service.rules.botifarra.state import State
from service.rules.protocol import Seat
from workers.strategies.botifarra.bidding import Bidding
from workers.strategies.botifarra.known import known
from workers.strategies.botifarra.names import CARDS
from workers.strategies.botifarra.player import Weights
from workers.strategies.botifarra.search import Search
from workers.strategies.botifarra.sets import bit
from workers.strategies.botifarra.situations import bids, in_play, unlike
from workers.strategies.botifarra.stakes import worths
from workers.strategies.botifarra.worlds import Worlds
from workers.strategies.choice import SHOWN, Budget, Candidate, Choice, Situation


@dataclass(frozen=True, slots=True)
class Skill:
    """How a player searches.

    Attributes:
        worlds: how many it looks at, at most.
        solved: how many tricks before the end it supposes all cards open.
        drawn: how many worlds it draws for each it looks at; 0 takes any.
        bid_worlds: as `worlds`, before the first card.
        weights: of the quick player.
    """

    worlds: int
    solved: int
    drawn: int
    bid_worlds: int
    weights: Weights


def decide(skill: Skill, situation: Situation, rng: Random, budget: Budget) -> Choice:
    """The choice of such a player."""
    view, seat = situation.view, situation.seat
    there = known(view, seat)
    said = bids(view, situation.feed)
    if view.phase != "play":
        more = _within(budget, skill.bid_worlds)
        return Bidding(view, there, said, skill.weights, rng).choose(more)
    now = in_play(view, there)
    taking = bit(now.best) if now.count else 0
    cards = unlike(now.choices(there.hand), there.hidden | taking)
    if len(cards) == 1:
        return Choice(Play(seat, CARDS[cards[0]]))
    worlds = Worlds(seat, there.hidden, there.able, there.sizes, rng)
    search = Search(
        now, cards, worlds, there.played, skill.weights,
        skill.solved, skill.drawn, rng, said,
    )  # fmt: skip
    more = _within(budget, skill.worlds)
    while more(search.samples):
        search.step()
    return _best(view, seat, search, now.points1 if seat % 2 else now.points0)


def _best(view: State, seat: Seat, search: Search, mine: int) -> Choice:
    """The card with the best odds of the game; `mine` are the side's points until now."""
    factor, samples = view.stake.factor, search.samples
    worth = worths(view.target, view.scores[seat % 2], view.scores[1 - seat % 2], factor)
    odds = [sum(worth[mine + row[i]] for row in search.points) for i in range(len(search.cards))]
    ranked = sorted(range(len(odds)), key=lambda i: (-odds[i], -search.sums[i]))
    shown = tuple(
        Candidate(
            Play(seat, CARDS[search.cards[place]]),
            round((mine + search.sums[place] / samples - HALF) * factor, 2),
        )
        for place in ranked[:SHOWN]
    )
    return Choice(shown[0].command, samples, shown)


def _within(budget: Budget, most: int) -> Callable[[int], bool]:
    """Whether there may be another world after so many: at least one, at most `most`."""
    if budget.samples is not None:
        last = min(most, max(1, budget.samples))
        return lambda samples: samples < last
    clock = budget.clock
    until = clock() + budget.seconds
    return lambda samples: samples == 0 or (samples < most and clock() < until)
