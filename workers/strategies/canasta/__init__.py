"""A sensible greedy player for the canasta family: one for all variants, by their data.

sight    a view, with the counts and the odds
worth    what a table and a hand are worth to a side, in points
groups   what may be laid from a hand
plans    which of it to lay together
taking   ways to take from the pile
danger   what a discard gives away
turns    the turn: take or draw, lay, discard
leaving  going out, and answering a partner who asks
"""

from random import Random
from typing import Any

from service.rules.canasta.state import State
from service.rules.protocol import Rules, Seat
from workers.strategies.canasta import leaving, turns
from workers.strategies.canasta.sight import Sight


def choose(rules: Rules[Any, Any, Any], view: State, seat: Seat, rng: Random, budget: float) -> Any:
    """See `Strategy`."""
    sight = Sight(view, seat)
    match view.phase:
        case "ask":
            return leaving.answer(sight)
        case "draw":
            return turns.begin(rules, sight)
        case _:
            return leaving.go(sight) or turns.lay(rules, sight) or turns.discard(sight)
