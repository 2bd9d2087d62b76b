"""How computer players choose: a view in, a command out.

A strategy sees what its seat sees and nothing else, and its luck comes as an argument; so the
same view and the same luck give the same choice. It knows the rules, never the store.

    choose ──► STRATEGIES[level] ──► the one for the family of the game, else `novice`
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final, Protocol

from service.rules import GAMES
from service.rules.protocol import Rules, Seat, State
from workers.strategies import botifarra, canasta, novice


class Strategy(Protocol):
    """Chooses one command for `seat`, which is to act.

    `view` is the state as the seat may see it, `rng` all the luck there is, `budget` the
    seconds that the choice may take.
    """

    def __call__(
        self, rules: Rules[Any, Any, Any], view: Any, seat: Seat, rng: Random, budget: float
    ) -> Any: ...


STRATEGIES: Final[Mapping[str, Mapping[str, Strategy]]] = {
    "novice": {},
    "casual": {"canasta": canasta.choose, "botifarra": botifarra.choose},
}
"""By level, then by family of games (a name in `GAMES`); one left out is played by `novice`."""


def choose(
    level: str, rules: Rules[Any, Any, Any], view: State, seat: Seat, rng: Random, budget: float
) -> Any:
    """The command of a computer player of that level.

    Raises:
        KeyError: no such level.
    """
    family = next(name for name, game in GAMES.items() if game is rules)
    strategy = STRATEGIES[level].get(family, novice.choose)
    return strategy(rules, view, seat, rng, budget)
