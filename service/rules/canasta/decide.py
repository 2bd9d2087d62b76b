"""What a command causes: when it may be given (rules 4.9), and who decides the rest.

A seat's own view is enough to learn whether its command is allowed; only what comes of it (the
cards drawn, the score) is unknown there.

    decide ─► in time? ─► dealing   3.2-3.4   deal, draw
                          taking    3.5-3.6   the pile, its top card
                          laying    3.7-3.10  melds, the first meld, keeping cards
                          leaving   3.9-3.13  discard, go out, pass, ask the partner
                          scoring   6, 7      the end of the deal and of the game
"""

from typing import Final, assert_never

from service.rules.canasta.commands import (
    Answer,
    AskPartner,
    Command,
    Discard,
    Draw,
    GoOut,
    Meld,
    Pass,
    TakePile,
    TakeTop,
)
from service.rules.canasta.dealing import deal, draw
from service.rules.canasta.draft import Draft
from service.rules.canasta.events import Event
from service.rules.canasta.laying import lay
from service.rules.canasta.leaving import answer, ask, discard, go_out, pass_turn
from service.rules.canasta.reasons import refuse
from service.rules.canasta.state import State
from service.rules.canasta.taking import take_pile, take_top
from service.rules.protocol import HOUSE, DealCards

BEFORE_DRAWING: Final = (Draw, TakePile, TakeTop, Pass)
AFTER_DRAWING: Final = (Meld, Discard, GoOut)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens if `command` is given now; the state stays as it is.

    Raises:
        IllegalMove: a rule says no.
    """
    _check_time(state, command)
    draft = Draft(state)
    match command:
        case DealCards(_, pack):
            deal(draft, pack)
        case Draw(seat):
            draw(draft, seat)
        case TakePile(seat, cards, target, also):
            take_pile(draft, seat, cards, target, also)
        case TakeTop(seat, target):
            take_top(draft, seat, target)
        case Meld(seat, groups):
            lay(draft, seat, groups)
        case Discard(seat, card):
            discard(draft, seat, card)
        case GoOut(seat, groups, card):
            go_out(draft, seat, groups, card)
        case AskPartner(seat, plan):
            ask(draft, seat, plan)
        case Answer(seat, word):
            answer(draft, seat, word)
        case Pass(seat):
            pass_turn(draft, seat)
        case _:
            assert_never(command)
    return tuple(draft.events)


def _check_time(state: State, command: Command) -> None:
    """Refuses what comes at the wrong time or from the wrong seat, in the order of 4.9."""
    if state.phase == "over":
        raise refuse("game_over")
    if isinstance(command, DealCards):
        if command.seat != HOUSE:
            raise refuse("not_your_turn")
        if state.phase != "dealing":
            raise refuse("wrong_phase")
        return
    if state.phase == "dealing":
        raise refuse("deal_over")
    if isinstance(command, Answer):
        if state.phase != "ask":
            raise refuse("not_asked")
        if command.seat != state.partner(state.turn):
            raise refuse("not_partner")
        return
    if state.phase == "ask":
        raise refuse("ask_pending")
    if command.seat != state.turn:
        raise refuse("not_your_turn")
    wrong = AFTER_DRAWING if state.phase == "draw" else BEFORE_DRAWING
    if isinstance(command, wrong):
        raise refuse("wrong_phase")
