"""The discard: what the hand loses, and what the next player gains."""

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.codes import BLACK, TWO
from workers.strategies.canasta.compact.desk import Desk
from workers.strategies.canasta.compact.gains import loss_of
from workers.strategies.canasta.compact.melded import SEQ, SET
from workers.strategies.canasta.compact.shape import MELD, PAIR


class Throw:
    """A discard and what it loses, in points."""

    def __init__(self, code: int, loss: float) -> None:
        self.code = code
        self.loss = loss


def throws(board: Board, desk: Desk) -> list[Throw]:
    """Every discard with its loss, the smallest first."""
    danger = Danger(board, desk)
    found: list[Throw] = []
    for code in range(BLACK + 1):
        if desk.hand[code]:
            found.append(Throw(code, loss_of(desk, code) + danger.of(code)))
    found.sort(key=_loss)
    return found


def _loss(throw: Throw) -> float:
    return throw.loss


def best_throw(board: Board, desk: Desk) -> int:
    """The discard of the smallest loss."""
    danger = Danger(board, desk)
    least, choice = 1e9, -1
    for code in range(BLACK + 1):
        if desk.hand[code]:
            lost = loss_of(desk, code)
            if lost < least:
                lost += danger.of(code)
                if lost < least:
                    least, choice = lost, code
    return choice


class Danger:
    """What the next player gains from a discard: they alone can take it while it is on top."""

    def __init__(self, board: Board, desk: Desk) -> None:
        shape, habits = board.shape, desk.scales.habits
        seat = (desk.seat + 1) % shape.players
        self.board = board
        self.desk = desk
        self.habits = habits
        self.side = seat % shape.sides
        self.known: list[int] = board.known[seat]
        self.passed = board.passed[seat]
        self.threw = board.threw[seat]
        self.spent = 0
        for meld in board.melds[self.side]:
            if meld.kind == SET:
                self.spent |= 1 << meld.rank
        unseen = len(board.stock)
        for other in range(shape.players):
            if other != desk.seat:
                unseen += board.size[other] - sum(board.known[other])
        self.cards = max(0, board.size[seat] - sum(self.known))
        self.part = self.cards / unseen if unseen > self.cards else 1.0
        pile = habits.melded + habits.feed
        for code in board.pile:
            if code < TWO:
                pile += habits.feed
            elif code < BLACK:
                pile += habits.wild_feed
        self.pile: float = pile
        self.free = shape.pickup != PAIR and not board.frozen(self.side)
        self.frozen = board.frozen(self.side)
        self.opening = 1.0
        if not board.melds[self.side]:
            self.opening = habits.closed ** (board.minimum[self.side] / 50.0)

    def of(self, code: int) -> float:
        """In points, on average."""
        if code >= TWO:
            return 0.0
        habits = self.habits
        step = code >> 2
        base = step << 2
        known = self.known
        sure = known[base] + known[base + 1] + known[base + 2] + known[base + 3]
        odds = 1.0
        if sure < 2:
            hidden = self.desk.hidden
            number = hidden[base] + hidden[base + 1] + hidden[base + 2] + hidden[base + 3]
            part = self.part
            none = (1.0 - part) ** number if number > 0 else 1.0
            one = 1.0 - none
            two = one
            if sure == 0:
                two = one - number * part * (1.0 - part) ** (number - 1) if number > 1 else 0.0
            odds = two
            if self.free:
                odds = max(odds, habits.matched * (1.0 if sure else one))
            if self.passed >> step & 1:
                odds *= habits.passed
            if self.threw >> step & 1:
                odds *= habits.threw
            if self.spent >> step & 1:
                odds *= habits.spent
        odds *= self.opening
        given = odds * self.pile
        return max(given, self._onto(code))

    def _onto(self, code: int) -> float:
        """What melds of theirs gain from the card as the pile's top, with no card from a hand."""
        shape = self.board.shape
        step = code >> 2
        most = 0.0
        for meld in self.board.melds[self.side]:
            if meld.kind == SEQ:
                if not meld.prolonged_by(code):
                    continue
                if shape.top_onto_seq:
                    worth = self.habits.length * float(1 << meld.naturals) + self.habits.join
                    most = max(most, worth)
                elif shape.pickup == MELD:
                    most = max(most, self.pile)
            elif (
                shape.pickup == MELD
                and meld.kind == SET
                and meld.rank == step
                and not (self.frozen and meld.twos + meld.jokers)
            ):
                most = max(most, self.pile)
        return most
