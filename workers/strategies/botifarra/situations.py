"""From what a seat sees and heard to what the searches reckon with."""

from collections.abc import Sequence
from typing import Any

from service.rules.botifarra.events import Doubled, NotDoubled, TrumpChosen, TrumpDelegated
from service.rules.botifarra.state import State
from workers.strategies.botifarra.bids import CHOSEN, DELEGATED, DOUBLED, NOT_DOUBLED, Bids
from workers.strategies.botifarra.deal import Deal, opened
from workers.strategies.botifarra.known import Known
from workers.strategies.botifarra.names import TRUMP


def bids(view: State, feed: Sequence[Any]) -> Bids:
    """What was said in the deal."""
    said: list[tuple[int, int, int]] = []
    level = 0
    for event in feed:
        match event:
            case TrumpDelegated(seat):
                said.append((DELEGATED, seat, 0))
            case TrumpChosen(seat, trump, _):
                may = 5 if seat == view.dealer else 0
                said.append((CHOSEN, seat, TRUMP[trump] + may))
            case Doubled(seat, stake):
                said.append((DOUBLED, seat, level))
                level = stake.level
            case NotDoubled(seat):
                said.append((NOT_DOUBLED, seat, level))
            case _:
                pass
    return Bids(said)


def in_play(view: State, known: Known) -> Deal:
    """The deal as everybody knows it; the hands are left out."""
    assert view.trump
    deal = opened(TRUMP[view.trump], known.leader)
    for _, card in known.played:
        deal.play(card)
    return deal


def unlike(cards: Sequence[int], others: int) -> list[int]:
    """The cards but for those that are as good as a lower one: neither counts, and none of the
    others lies between.

    `others` are the hidden cards and the one that has the trick, for to beat the partner's card
    or not is a choice.
    """
    kept: list[int] = []
    for card in cards:
        low = kept[-1] if kept else -1
        between = others >> (low + 1) & (1 << (card - low - 1)) - 1
        if low < 0 or low // 12 != card // 12 or card % 12 > 6 or between:
            kept.append(card)
    return kept
