"""What perfect play brings when all cards are open: compiled where there is a C compiler.

    solver = Solver()                  # has a table; keep it and use it again
    solver.solve(position)             points from here for the side to act, the trick's included
    solver.values(position)            the same for each card it may play: {card: points}
    solver.nodes                       cards laid so far, in all searches

Both give the same whatever was searched before, and whether compiled or not. With `limit` they
give up after as many nodes: -1, or no values.
"""

from typing import Final

from mypy_extensions import i64

from workers.strategies.botifarra.core import (
    Position,
    allowed,
    beats,
    suit_of,
    worth,
)

LOW: Final = 0x07F07F07F07F
"""The cards that count nothing."""

LOWER: Final = 0x03F03F03F03F
"""Those but the eights, which have no neighbour above them that counts as little."""


GAVE_UP: Final = -1


def distinct(cards: i64, all: i64) -> i64:
    """The cards without those that bring as much as a lower one of them: next to it in its suit,
    among `all` that are still in play, and both counting nothing.

    A card moves up by one, and as a carry through the gaps to the next card in play.
    """
    return cards & ~(((cards & LOWER) << 1) + (LOW & ~all)) | cards & ~LOW


class Entry:
    """What is known of a position in which a trick begins: its leader's side takes between
    `low` and `high` points; `card` was the best lead."""

    def __init__(self) -> None:
        self.mine: i64 = 0
        self.next: i64 = 0
        self.partners: i64 = 0
        self.last: i64 = 0
        self.low: i64 = 0
        self.high: i64 = 0
        self.card: i64 = 0


class Solver:
    """Searches with a window of one point, and a table of positions in which a trick begins."""

    def __init__(self, bits: int = 14) -> None:
        self.table: list[Entry] = [Entry() for _ in range(1 << bits)]
        self.mask: i64 = (1 << bits) - 1
        self.trumps: i64 = 0
        self.nodes: i64 = 0
        self.end: i64 = 0

    def solve(self, position: Position, limit: int = 0) -> int:
        """The points that the side to act takes from here, or -1 beyond `limit` nodes."""
        self._begin(position, limit)
        return self._between(position, 0, position.left, position.left // 2)

    def values(self, position: Position, limit: int = 0) -> dict[int, int]:
        """The points of the side to act for each card it may play; {} beyond `limit` nodes."""
        self._begin(position, limit)
        values: dict[int, int] = {}
        left: i64 = position.left
        guess: i64 = left // 2
        for card in position.legal():
            after = position.copy()
            after.play(card)
            # Whoever is to act has won the points that are gone, if the trick was full.
            won: i64 = left - after.left
            same: bool = (after.seat - position.seat) & 1 == 0
            aim: i64 = guess - won if same else after.left - guess
            found: i64 = self._between(after, 0, after.left, aim)
            if found < 0:
                return {}
            found = won + found if same else after.left - found
            values[card] = found
            guess = found
        return values

    def _begin(self, position: Position, limit: i64) -> None:
        if position.trumps != self.trumps:
            self.trumps = position.trumps
            for entry in self.table:
                entry.mine = entry.next = entry.partners = entry.last = 0
        self.end = self.nodes + limit if limit else 0x7FFFFFFFFFFFFFF

    def _between(self, position: Position, low: i64, high: i64, guess: i64) -> i64:
        """The exact points, by asking again and again whether a goal is reached."""
        while low < high:
            goal: i64 = guess
            if goal <= low:
                goal = low + 1
            elif goal > high:
                goal = high
            if position.laid:
                found: i64 = self._follow(
                    position.mine,
                    position.next,
                    position.partners,
                    position.last,
                    position.led,
                    position.best,
                    position.ago,
                    position.laid,
                    position.points,
                    position.left,
                    goal,
                )
            else:
                found = self._lead(
                    position.mine,
                    position.next,
                    position.partners,
                    position.last,
                    position.left,
                    goal,
                )
            if self.nodes > self.end:
                return GAVE_UP
            if found >= goal:
                low = found
                guess = found + 1
            else:
                high = found
                guess = found
        return low

    def _lead(self, a: i64, b: i64, c: i64, d: i64, left: i64, goal: i64) -> i64:
        """At least `goal` and a lower bound of what the leader's side takes, or an upper bound."""
        if goal <= 0:
            return 0
        if goal > left:
            return left
        if self.nodes > self.end:
            return 0
        mix: i64 = a ^ (b >> 7) ^ ((c & 0xFFFFFFFFFF) << 5) ^ ((d & 0xFFFFFFFF) << 13)
        mix ^= mix >> 23
        mix = (mix & 0xFFFFFFFF) * 0x45D9F3B
        mix ^= mix >> 29
        mix = (mix & 0xFFFFFFFF) * 0x2C1B3C6D
        mix ^= mix >> 31
        entry = self.table[mix & self.mask]
        known: bool = (
            entry.mine == a and entry.next == b and entry.partners == c and entry.last == d
        )
        first: i64 = 0
        if known:
            if entry.low >= goal:
                return entry.low
            if entry.high < goal:
                return entry.high
            first = entry.card
        all: i64 = a | b | c | d
        moves: i64 = distinct(a, all)
        found: i64 = -1
        best: i64 = 0
        while moves:
            card: i64 = first
            first = 0
            if not card:
                card = moves & 0x800800800800
                if not card:
                    card = moves & 0x7FF7FF7FF7FF
                card &= -card
            moves ^= card
            self.nodes += 1
            value: i64 = left - self._follow(
                b, c, d, a ^ card, suit_of(card), card, 1, 1, worth(card), left, left - goal + 1
            )
            if value > found:
                found = value
                best = card
                if value >= goal:
                    break
        if self.nodes > self.end:
            return 0
        if not (entry.mine == a and entry.next == b and entry.partners == c and entry.last == d):
            entry.mine = a
            entry.next = b
            entry.partners = c
            entry.last = d
            entry.low = 0
            entry.high = left
        entry.card = best
        if found >= goal:
            entry.low = found
        else:
            entry.high = found
        return found

    def _follow(
        self,
        a: i64,
        b: i64,
        c: i64,
        d: i64,
        led: i64,
        best: i64,
        ago: i64,
        laid: i64,
        points: i64,
        left: i64,
        goal: i64,
    ) -> i64:
        """The same in the middle of a trick, for the side of who is to act."""
        if goal <= 0:
            return 0
        if goal > left:
            return left
        moves: i64 = allowed(a, led, best, ago, self.trumps)
        if moves & (moves - 1):
            all: i64 = a | b | c | d | best
            moves = distinct(moves, all)
        found: i64 = -1
        while moves:
            card: i64 = moves & -moves
            moves ^= card
            self.nodes += 1
            sum: i64 = points + worth(card)
            wins: bool = beats(card, best, self.trumps)
            value: i64 = 0
            if laid < 3:
                if wins:
                    value = left - self._follow(
                        b, c, d, a ^ card, led, card, 1, laid + 1, sum, left, left - goal + 1
                    )
                else:
                    value = left - self._follow(
                        b, c, d, a ^ card, led, best, ago + 1, laid + 1, sum, left, left - goal + 1
                    )
            else:
                sum += 1
                rest: i64 = left - sum
                if wins:
                    value = sum + self._lead(a ^ card, b, c, d, rest, goal - sum)
                elif ago == 1:
                    value = rest - self._lead(d, a ^ card, b, c, rest, rest - goal + 1)
                elif ago == 2:
                    value = sum + self._lead(c, d, a ^ card, b, rest, goal - sum)
                else:
                    value = rest - self._lead(b, c, d, a ^ card, rest, rest - goal + 1)
            if value > found:
                found = value
                if value >= goal:
                    break
        return found
