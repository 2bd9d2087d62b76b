"""From what a seat sees and has heard to a board: what it remembers of the others."""

from typing import Final

from service.rules.canasta.events import (
    CardDiscarded,
    CardsDrawn,
    MeldExtended,
    MeldLaid,
    PileTaken,
    TopTaken,
)
from service.rules.canasta.laying import concealed
from service.rules.canasta.state import Meld, State
from service.rules.cards import Card
from service.rules.deals import DealStarted
from service.rules.protocol import Seat
from workers.strategies.canasta.compact.board import Board, empty_board
from workers.strategies.canasta.compact.codes import CODES, JOKER, RED, TWO
from workers.strategies.canasta.compact.melded import BLACKS, SEQ, SET, WILD, Melded
from workers.strategies.canasta.compact.shape import shape_of
from workers.strategies.choice import Situation

KINDS_OF_MELD: Final = {"set": SET, "seq": SEQ, "wild": WILD, "b3": BLACKS}


def board_of(situation: Situation) -> Board:
    """The deal as the seat knows it: other hands are sizes and known cards, the stock a number."""
    view: State = situation.view
    board = empty_board(shape_of(view.variant, view.players))
    board.size = [len(hand) for hand in view.hands]
    for card in view.hands[situation.seat]:
        board.hands[situation.seat][CODES[card]] += 1
    board.melds = [[_melded(meld) for meld in melds] for melds in view.melds]
    board.stock = [0] * len(view.stock)
    board.pile = [CODES[card] for card in view.pile]
    for card in view.pile:
        board.gone[CODES[card]] += 1
    for melds in view.melds:
        for meld in melds:
            for card in meld.cards:
                board.gone[CODES[card]] += 1
    board.reds = [len(row) for row in view.red_threes]
    board.minimum = [view.variant.minimum(score) for score in view.scores]
    board.laid = list(view.laid)
    board.laid[view.turn] |= view.laid_now
    board.hidden = concealed(view, view.turn)
    board.next_tag = view.next_meld
    board.turn = view.turn
    board.passes = view.passes
    pile: list[int] = []
    for event in situation.feed:
        pile = _hear(board, pile, event)
    return board


def _melded(meld: Meld) -> Melded:
    codes = [CODES[card] for card in meld.cards]
    twos, jokers = codes.count(TWO), codes.count(JOKER)
    naturals = [code for code in codes if code not in (TWO, JOKER)]
    kind = KINDS_OF_MELD[meld.kind]
    low = min(naturals) >> 2 if kind == SEQ else 0
    rank = 0
    if kind == SEQ:
        rank = naturals[0] & 3
    elif kind == SET:
        rank = naturals[0] >> 2
    return Melded(kind, rank, low, len(naturals), twos, jokers, int(meld.id[1:]))


def _hear(board: Board, pile: list[int], event: object) -> list[int]:
    """Remembers the event; the pile after it, of `pile` before it."""
    match event:
        case DealStarted():
            return [CODES[card] for card in event.pile]
        case PileTaken(seat):
            for code in pile:
                if code != RED:
                    board.known[seat][code] += 1
                if code < TWO:
                    board.passed[seat] &= ~(1 << (code >> 2))
                    board.threw[seat] &= ~(1 << (code >> 2))
            return []
        case TopTaken():
            return pile[:-1]
        case CardsDrawn(seat):
            if pile and pile[-1] < TWO:
                board.passed[seat] |= 1 << (pile[-1] >> 2)
        case MeldLaid(seat, _, _, cards) | MeldExtended(seat, _, cards):
            _shown(board, seat, cards)
        case CardDiscarded(seat, card):
            _shown(board, seat, (card,))
            if CODES[card] < TWO:
                board.threw[seat] |= 1 << (CODES[card] >> 2)
            return [*pile, CODES[card]]
        case _:
            pass
    return pile


def _shown(board: Board, seat: Seat, cards: tuple[Card, ...]) -> None:
    for card in cards:
        if board.known[seat][CODES[card]]:
            board.known[seat][CODES[card]] -= 1
