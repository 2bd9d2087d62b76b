"""A good player of botifarra: a few worlds, and the last tricks with open cards.

It looks at no more worlds if it has the time, so that it is as strong on any machine.
"""

from random import Random
from typing import Final

from workers.strategies.botifarra.player import FITTED, Weights
from workers.strategies.botifarra.skill import Skill, decide
from workers.strategies.choice import Budget, Choice, Situation

SKILL: Final = Skill(worlds=8, solved=3, drawn=0, bid_worlds=16, weights=Weights(FITTED))


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    return decide(SKILL, situation, rng, budget)
