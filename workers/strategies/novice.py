"""Any legal command: for every game, knows no rule.

First a kind of command, each equally likely, then one of that kind: a hand allows hundreds of
melds and a dozen discards, and a turn must come to its end.
"""

from random import Random

from workers.strategies.choice import Budget, Choice, Situation


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    legal = situation.rules.legal(situation.view, situation.seat)
    kinds = list(dict.fromkeys(map(type, legal)))
    kind = rng.choice(kinds)
    return Choice(rng.choice([command for command in legal if type(command) is kind]))
