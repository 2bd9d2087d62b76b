"""What is kept of a computer player's choice: see `service.decision`."""

from typing import Final

from service.decision import Chosen, Weighed
from workers.strategies import Budget, Choice, Player, Situation
from workers.strategies.choice import SHOWN

MOST: Final = 2**53
"""What every number of a record stays below."""


def kept(
    level: str, player: Player, budget: Budget, choice: Choice, situation: Situation
) -> Chosen:
    """The choice as the log keeps it. What is kept of it can be read, and audited, for ever.

    Raises:
        ValueError: a command that is not of this game and seat, candidates without the chosen
            one or too many of them, or what is no number.
        TypeError, AttributeError: it has not the form of a choice.
        OverflowError: a value without end.
    """
    named = (choice.command, *(one.command for one in choice.candidates))
    if any(
        type(one) not in situation.rules.COMMANDS or one.seat != situation.seat for one in named
    ):
        raise ValueError("a strategy must answer with commands of its game and its own seat")
    weighed = tuple(Weighed(one.command, round(one.value * 10)) for one in choice.candidates)
    if weighed and choice.command not in named[1:]:
        raise ValueError("the chosen command must be among the candidates")
    if len(weighed) > SHOWN:
        raise ValueError("there are too many candidates")
    numbers = (choice.samples, *(one.tenths for one in weighed))
    if any(type(one) is not int or abs(one) >= MOST for one in numbers) or choice.samples < 0:
        raise ValueError("samples and values must be numbers that a record can hold")
    return Chosen(level, player.name, milliseconds(budget), choice.samples, weighed)


def milliseconds(budget: Budget) -> int:
    """The time of a budget, as the log keeps it."""
    return round(budget.seconds * 1000)
