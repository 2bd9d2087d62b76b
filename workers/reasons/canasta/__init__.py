"""Reasons for the canasta family: one set for all variants, by their data.

scene       what a reason looks at: the table from the seat's side, and what a command would cause
taking      stock or pile
laying      melds, canastas, the opening
discarding  what a discard blocks, saves or risks
leaving     going out, asking, answering, passing
"""

from typing import Any

from service.languages.catalogue import Sentence
from service.rules.canasta.commands import (
    Answer,
    AskPartner,
    Discard,
    Draw,
    GoOut,
    Meld,
    Pass,
    TakePile,
    TakeTop,
)
from workers.reasons.canasta import discarding, laying, leaving, taking
from workers.reasons.canasta.scene import Scene
from workers.strategies import Situation


def reason(situation: Situation, command: Any) -> Sentence | None:
    """See `workers.reasons.Reason`."""
    scene = Scene(situation.view, situation.seat)
    match command:
        case Draw():
            return taking.draw(scene)
        case TakePile() | TakeTop():
            return taking.take(scene, command)
        case Meld():
            return laying.lay(scene, command)
        case Discard():
            return discarding.discard(scene, command)
        case GoOut():
            return leaving.go_out(scene, command)
        case AskPartner():
            return leaving.ask(scene)
        case Answer(_, word):
            return leaving.answer(scene, word)
        case Pass():
            return leaving.pass_turn(scene)
        case _:
            return None
