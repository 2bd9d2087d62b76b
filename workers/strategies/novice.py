"""Any legal command: for every game, knows no rule.

First a kind of command, each equally likely, then one of that kind: a hand allows hundreds of
melds and a dozen discards, and a turn must come to its end.
"""

from random import Random
from typing import Any

from service.rules.protocol import Rules, Seat


def choose(rules: Rules[Any, Any, Any], view: Any, seat: Seat, rng: Random, budget: float) -> Any:
    """See `Strategy`."""
    legal = rules.legal(view, seat)
    kinds = list(dict.fromkeys(map(type, legal)))
    kind = rng.choice(kinds)
    return rng.choice([command for command in legal if type(command) is kind])
