"""Reasons for botifarra.

bidding   trumps and stake
tricks    what a card does to the trick and leaves in the hand
"""

from typing import Any

from service.languages.catalogue import Sentence
from service.rules.botifarra import legal
from service.rules.botifarra.commands import ChooseTrump, Delegate, Double, NoDouble, Play
from workers.reasons.botifarra import bidding, tricks
from workers.strategies import Situation


def reason(situation: Situation, command: Any) -> Sentence | None:
    """See `workers.reasons.Reason`."""
    view, seat = situation.view, situation.seat
    hand = view.hands[seat]
    match command:
        case ChooseTrump(_, trump):
            return bidding.choose(hand, trump)
        case Delegate():
            return bidding.delegate(hand)
        case Double():
            return bidding.double(hand, view.trump)
        case NoDouble():
            return bidding.no_double(hand)
        case Play(_, card) if len(legal(view, seat)) > 1:
            return tricks.play(tricks.Trick(view, seat), card)
        case _:
            return None
