"""The strongest player of botifarra.

It looks at as many worlds as its time allows, each as likely as what was said makes it, and plays
each card out with the quick player, in which nobody sees another hand. That beats solving the last
tricks with open cards at any depth that was tried: who supposes that all will be seen finds no
reason to make others guess, and none to avoid guessing.
"""

from random import Random
from typing import Final

from workers.strategies.botifarra.player import FITTED, Weights
from workers.strategies.botifarra.skill import Skill, decide
from workers.strategies.choice import Budget, Choice, Situation

SKILL: Final = Skill(worlds=4000, solved=0, drawn=3, bid_worlds=4000, weights=Weights(FITTED))


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    return decide(SKILL, situation, rng, budget)
