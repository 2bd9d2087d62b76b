"""How a computer player came to its command: kept with the commit, told when the game is over.

    a strategy's choice ──► Chosen ───┐
    a strategy that failed ► FellBack ┴──► the commit's `decision`

It tells what a hand is worth, so it is as secret as the cards until the game's secret is open.
Whole numbers only, as everywhere in a record.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Weighed:
    """A command that was considered.

    `tenths` is what it was expected to bring the seat's side: tenths of a point of the deal's
    score above the best of the other sides.
    """

    command: Any
    tenths: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """The command is what a strategy chose.

    Attributes:
        level: that of the computer player on the seat.
        strategy: name and version, as `botifarra.casual 1`: the same one chooses the same again.
        budget: time it was given, in ms.
        samples: how many it looked at; with as many, whatever the time, it can be asked again.
        candidates: the best commands, best first, the chosen one among them; none where none
            were weighed.
    """

    level: str
    strategy: str
    budget: int
    samples: int
    candidates: tuple[Weighed, ...]


@dataclass(frozen=True, slots=True)
class FellBack:
    """The command is a legal one in place of the strategy's, which had none in time.

    Attributes:
        strategy: the one that failed; None where there is none of that level.
        why: a code: `crashed`, `illegal` (it answered with what the rules refuse), `hung` (it gave
            no answer) or `lost` (its worker was gone, again and again).
    """

    level: str
    strategy: str | None
    budget: int
    why: str


Decision = Chosen | FellBack
