"""How computer players choose: a situation in, a choice out.

A strategy sees what its seat sees and nothing else, and its luck comes as an argument; so the
same situation, the same luck and as many samples give the same choice. It knows the rules, never
the store.

    choose ──► player ──► STRATEGIES[level], the one for the family of the game, else `NOVICE`

What is said here, and what the literature calls it:

odds               a probability, from 0 to 1
world              a determinization: each hidden card somewhere, in keeping with what was heard
played out         a rollout; the player that plays it (`botifarra.player`, `canasta.compact`) is
                   the rollout policy
over worlds        flat Monte Carlo search over determinizations, with a policy that sees its own
                   hand only (imperfect information Monte Carlo, Furtak and Buro 2013)
evaluator, worth   the evaluation function; its weights are `Weights` and `Habits`
in the same worlds with common random numbers, so that luck is taken out of the differences
sign               a feature of the forecast, which is linear in them
prior, trust       a candidate's value before any rollout, and as how many rollouts it counts
given up           pruned by a race between the candidates
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from service.rules import GAMES
from service.rules.protocol import Rules
from workers.strategies import botifarra, canasta, novice
from workers.strategies.botifarra import club as botifarra_club
from workers.strategies.botifarra import master as botifarra_master
from workers.strategies.canasta import club as canasta_club
from workers.strategies.canasta import master as canasta_master
from workers.strategies.choice import Budget as Budget
from workers.strategies.choice import Candidate as Candidate
from workers.strategies.choice import Choice as Choice
from workers.strategies.choice import Player as Player
from workers.strategies.choice import Situation as Situation
from workers.strategies.choice import Strategy as Strategy

NOVICE: Final = Player("novice 1", novice.choose)
"""Plays every game."""

STRATEGIES: Final[Mapping[str, Mapping[str, Player]]] = {
    "novice": {},
    "casual": {
        "canasta": Player("canasta.casual 1", canasta.choose),
        "botifarra": Player("botifarra.casual 1", botifarra.choose),
    },
    "club": {
        "canasta": Player("canasta.club 1", canasta_club.choose),
        "botifarra": Player("botifarra.club 2", botifarra_club.choose),
    },
    "master": {
        "canasta": Player("canasta.master 4", canasta_master.choose),
        "botifarra": Player("botifarra.master 2", botifarra_master.choose),
    },
}
"""By level, then by family of games (a name in `GAMES`); one left out is played as the level
below."""


def player(level: str, rules: Rules[Any, Any, Any]) -> Player:
    """Who plays such a game at that level.

    Raises:
        KeyError: no such level.
    """
    family = next(name for name, game in GAMES.items() if game is rules)
    if level not in STRATEGIES:
        raise KeyError(level)
    levels = list(STRATEGIES)
    for name in reversed(levels[: levels.index(level) + 1]):
        if family in STRATEGIES[name]:
            return STRATEGIES[name][family]
    return NOVICE


def choose(level: str, situation: Situation, rng: Random, budget: Budget) -> Choice:
    """The choice of a computer player of that level.

    Raises:
        KeyError: no such level.
    """
    return player(level, situation.rules).choose(situation, rng, budget)
