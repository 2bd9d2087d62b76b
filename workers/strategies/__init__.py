"""How computer players choose: a situation in, a choice out.

A strategy sees what its seat sees and nothing else, and its luck comes as an argument; so the
same situation, the same luck and as many samples give the same choice. It knows the rules, never
the store.

    choose ──► STRATEGIES[level] ──► the one for the family of the game, else `novice`
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from service.rules import GAMES
from workers.strategies import botifarra, canasta, novice
from workers.strategies.choice import Budget as Budget
from workers.strategies.choice import Candidate as Candidate
from workers.strategies.choice import Choice as Choice
from workers.strategies.choice import Situation as Situation
from workers.strategies.choice import Strategy as Strategy

STRATEGIES: Final[Mapping[str, Mapping[str, Strategy]]] = {
    "novice": {},
    "casual": {"canasta": canasta.choose, "botifarra": botifarra.choose},
}
"""By level, then by family of games (a name in `GAMES`); one left out is played by `novice`."""


def choose(level: str, situation: Situation, rng: Random, budget: Budget) -> Choice:
    """The choice of a computer player of that level.

    Raises:
        KeyError: no such level.
    """
    family = next(name for name, game in GAMES.items() if game is situation.rules)
    strategy = STRATEGIES[level].get(family, novice.choose)
    return strategy(situation, rng, budget)
