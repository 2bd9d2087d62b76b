"""What is kept of a computer player's choice: see `service.decision`."""

from service.decision import Chosen, Weighed
from workers.strategies import Budget, Choice, Player


def kept(level: str, player: Player, budget: Budget, choice: Choice) -> Chosen:
    """The choice as the log keeps it.

    Raises:
        ValueError: candidates without the chosen command, or a value that is not a number.
        OverflowError: a value without end.
    """
    weighed = tuple(Weighed(one.command, round(one.value * 10)) for one in choice.candidates)
    if weighed and all(one.command != choice.command for one in weighed):
        raise ValueError("the chosen command must be among the candidates")
    return Chosen(level, player.name, milliseconds(budget), choice.samples, weighed)


def milliseconds(budget: Budget) -> int:
    """The time of a budget, as the log keeps it."""
    return round(budget.seconds * 1000)
