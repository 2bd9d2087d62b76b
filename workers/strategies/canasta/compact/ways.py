"""What a seat may do in a situation: commands, each with its option on the board.

The best first, as the evaluator sees it; the values are in points of the deal above the best of
the other sides.
"""

from typing import Any, Final, NamedTuple

from service.rules.canasta.arrange import arrange
from service.rules.canasta.commands import (
    Answer,
    AskPartner,
    Discard,
    Draw,
    GoOut,
    Group,
    Meld,
    Pass,
    Plan,
)
from service.rules.canasta.search import Goal
from service.rules.canasta.state import State
from service.rules.errors import IllegalMove
from workers.strategies.canasta.blind import blind
from workers.strategies.canasta.compact import wording
from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.changes import lay_down
from workers.strategies.canasta.compact.codes import BLACK, CODES, TWO
from workers.strategies.canasta.compact.desk import Desk, Lay
from workers.strategies.canasta.compact.leaving import out_gain, promise, says_yes
from workers.strategies.canasta.compact.melded import BLACKS, SEQ, SET, WILD, bonus
from workers.strategies.canasta.compact.search import ANSWER, LAY, OUT, START, THROW, Option
from workers.strategies.canasta.compact.throwing import throws
from workers.strategies.canasta.compact.turns import opened, planned, starts
from workers.strategies.choice import Situation

SOON: Final = 2
"""Canastas that a single turn may still bring to the requirement."""


class Way(NamedTuple):
    """A command, and what it is on the board."""

    command: Any
    option: Option


def standing(board: Board, desk: Desk) -> float:
    """What hand and table are worth above the best of the other sides."""
    shape, habits = board.shape, desk.scales.habits
    best = -1e9
    for side in range(shape.sides):
        if side == desk.side:
            continue
        total = promise(board, side, desk)
        for meld in board.melds[side]:
            total += meld.points() + bonus(shape, meld)
        for seat in range(side, shape.players, shape.sides):
            total += board.size[seat] * habits.hope * desk.time
        best = max(best, total)
    partner = 0.0
    for seat in range(desk.side, shape.players, shape.sides):
        if seat != desk.seat:
            partner += board.size[seat] * habits.hope * desk.time
    return desk.value + partner - best


def answers(board: Board, desk: Desk) -> list[Way]:
    """Yes and no to a partner who asks to go out."""
    now = standing(board, desk)
    found = []
    for word, code, good in (("yes", 1, True), ("no", 0, False)):
        better = says_yes(board, desk) == good
        option = Option(ANSWER, now if better else now - 50.0)
        option.code = code
        answer: Any = Answer(desk.seat, word)  # type: ignore[arg-type]
        found.append(Way(answer, option))
    return _ranked(found)


def beginnings(situation: Situation, board: Board, desk: Desk) -> list[Way]:
    """The takes, and the draw or the pass; those that are legal, and one at least."""
    seat, view = situation.seat, situation.view
    now = standing(board, desk) - desk.value
    found = []
    for start in starts(board, desk):
        if start.take is not None:
            command: Any = wording.take_command(seat, view.hands[seat], start.take)
        else:
            command = Draw(seat) if view.stock else Pass(seat)
        if not isinstance(command, Draw) and not legal(situation, command):
            continue
        option = Option(START, now + start.value)
        option.take = start.take
        found.append(Way(command, option))
    if not found:  # the pile must be taken (3.11), in a way that was not thought of
        found = [Way(situation.rules.legal(view, seat)[0], Option(START, now))]
    return _ranked(found)


def exits(situation: Situation, board: Board, desk: Desk) -> list[Way]:
    """The command that goes out or asks for it, where there is one."""
    view: State = situation.view
    seat, variant = situation.seat, view.variant
    if view.refused or desk.closed + SOON < desk.shape.needed:
        return []
    melds, hand = view.melds[desk.side], view.hands[seat]
    found = arrange(variant, view.players, melds, hand, Goal(most=1, out=True))
    if found is None:
        return []
    card = found.stays[0] if found.stays else None
    command: Any = GoOut(seat, found.groups, card)
    if variant.must_ask:
        if len(hand) == 1 or view.asked:
            return []
        command = AskPartner(seat, Plan(found.groups, card))
    if not legal(situation, command):
        return []
    option = Option(OUT, standing(board, desk) + out_gain(board, desk))
    option.desk = laid(desk, found.groups)
    return [Way(command, option)]


def laid(desk: Desk, groups: tuple[Group, ...]) -> Desk:
    """The desk with groups of the rules laid on it."""
    twin = desk.copy()
    tags = {f"m{meld.tag}": place for place, meld in enumerate(desk.melds)}
    for group in groups:
        codes = [CODES[card] for card in group.cards]
        if group.target is not None:
            place = tags[group.target]
            lay = Lay(twin.melds[place].kind, codes, place)
        else:
            naturals = {code >> 2 for code in codes if code < TWO}
            kind = SET if len(naturals) == 1 else SEQ
            if not naturals:
                kind = BLACKS if codes[0] == BLACK else WILD
            lay = Lay(kind, codes, -1)
        lay_down(twin, lay)
    return twin


def layings(situation: Situation, board: Board, desk: Desk) -> list[Way]:
    """What to lay; none where nothing is worth it."""
    plan = planned(board, desk)
    if plan is None or not plan.lays:
        return []
    now = standing(board, desk) - desk.value
    hand = situation.view.hands[situation.seat]
    command = Meld(situation.seat, wording.groups(hand, plan))
    if not legal(situation, command):
        return []
    option = Option(LAY, now + plan.value - throws(board, plan)[0].loss)
    option.desk = plan
    if not board.melds[desk.side]:
        option.prior += opened(desk)
    return [Way(command, option)]


def discards(situation: Situation, board: Board, desk: Desk) -> list[Way]:
    """Every discard."""
    now = standing(board, desk)
    hand = situation.view.hands[situation.seat]
    found = []
    for throw in throws(board, desk):
        card = wording.Words(hand).card(throw.code)
        option = Option(THROW, now - throw.loss)
        option.code = throw.code
        found.append(Way(Discard(situation.seat, card), option))
    return found


def _ranked(found: list[Way]) -> list[Way]:
    return sorted(found, key=lambda way: -way.option.prior)


def legal(situation: Situation, command: Any) -> bool:
    """Whether the rules allow the command: they need no card that the seat does not see."""
    try:
        situation.rules.decide(blind(situation.view, situation.seat), command)
    except IllegalMove:
        return False
    return True
