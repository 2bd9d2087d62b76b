"""Computer players of the canasta family: one for all variants, by their data.

casual  a sensible greedy player, the files below
club    the evaluator of `compact`, with a memory of what was heard
master  the same, and its candidates played on over sampled worlds

compact  the deal as numbers, compiled where there is a C compiler
blind    a view of which the rules can be asked

The casual player:

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

from workers.strategies.canasta import leaving, turns
from workers.strategies.canasta.sight import Sight
from workers.strategies.choice import Budget, Choice, Situation


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    rules, sight = situation.rules, Sight(situation.view, situation.seat)
    match situation.view.phase:
        case "ask":
            return Choice(leaving.answer(sight))
        case "draw":
            return Choice(turns.begin(rules, sight))
        case _:
            return Choice(leaving.go(sight) or turns.lay(rules, sight) or turns.discard(sight))
