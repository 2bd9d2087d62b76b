"""How a computer player came to its command: is there one, and did it weigh what was its own?

What it thought a command worth is its own word; `python -m workers.again` asks it once more.
"""

import re
from typing import Final

from service.decision import Chosen
from service.referee.finding import Wrong, many, said, short
from service.replay import Commit
from service.rules.seating import Game
from service.store import codec

MOST: Final = 5
"""Candidates that are kept of one decision."""

_CODE: Final = re.compile("[a-z][a-z_]*")


def check_decision(place: int, commit: Commit, game: Game | None) -> None:
    """Checks the decision of a commit, if there is one; `game` is before it, None for the first.

    Raises:
        Wrong: no computer player gave the command, or it cannot have come to it like that.
    """
    decision, seat = commit.decision, commit.seat
    if decision is None:
        return
    here = f"At version {commit.version} the decision"
    level = game.level(seat) if game and 0 <= seat < len(game.chairs) else None
    if game is None or level is None or type(commit.command) not in game.rules.COMMANDS:
        given = said(codec.to_wire(commit.command))
        what = f"{here} stands beside {given}, which no computer player gave."
        raise Wrong(what, place)
    if decision.level != level:
        what = f"{here} is of level {short(decision.level)}; seat {seat} is played by {level}."
        raise Wrong(what, place, expected=level, found=decision.level)
    if not isinstance(decision, Chosen):
        if not _CODE.fullmatch(decision.why) or decision.budget < 0:
            raise Wrong(f"{here} does not say why another command was played.", place)
        return
    if not decision.strategy or decision.budget < 0 or decision.samples < 0:
        raise Wrong(f"{here} has no strategy, or a budget or samples below 0.", place)
    commands = [one.command for one in decision.candidates]
    if len(commands) > MOST:
        raise Wrong(f"{here} has {many(len(commands), 'candidate')}, and {MOST} are kept.", place)
    for command in commands:
        if type(command) not in game.rules.COMMANDS or command.seat != seat:
            told = said(codec.to_wire(command))
            raise Wrong(f"{here} weighs {told}, which is not seat {seat}'s to give.", place)
    if commands and commit.command not in commands:
        given = said(codec.to_wire(commit.command))
        raise Wrong(f"{here} does not weigh {given}, which was given.", place)
