"""What perfect play brings when all cards are open: compiled where there is a C compiler.

    solver = Solver()                  # has a table; keep it and use it again
    solver.solve(position)             points from here for the side to act, the trick's included
    solver.values(position)            the same for each card it may play: {card: points}
    solver.nodes                       cards laid so far, in all searches
    solver.forget()                    empties the table

The answers are exact, so they depend neither on what was searched before nor on whether this is
compiled. With `limit` both give up after that many nodes: -1, and no values. How many nodes a
search takes does depend on the table: who wants that to be repeated forgets first.

The search asks whether the side to act can take at least `goal` of the points that are `left`, and
answers with a bound on the same side of `goal`. It remembers positions in which a trick begins,
and passes over what is `alike`; where nothing need be searched `bounds` says so. The file is longer
than most since its functions call each other.

Hands a, b, c, d: who is to act, the next, the partner, the last.
"""

from typing import Final

from mypy_extensions import i64

from workers.strategies.botifarra.alike import apart, distinct, gathered, neighbours
from workers.strategies.botifarra.bounds import least, lost
from workers.strategies.botifarra.core import Position, allowed, beats
from workers.strategies.botifarra.sets import (
    below,
    cheapest,
    richest,
    suit_of,
    suits,
    worth,
)

GAVE_UP: Final = -1

CHEAP: Final = 0
"""First what counts least, and tops last."""

WIN: Final = 1
"""First what the next player cannot beat."""

GIVE: Final = 2
"""First what counts most, and tops last."""

NEVER: Final = 0x7FFFFFFFFFFFFFF
"""More nodes than any search takes."""


def may_beat(b: i64, led: i64, best: i64, trumps: i64) -> bool:
    """Whether a player who holds these may beat the best card of the trick."""
    if b & led:
        return best & led != 0 and b & led > best
    return b & trumps != 0


class Entry:
    """A position in which a trick begins: the leader's side takes between `low` and `high`
    points, and `card` was the best lead."""

    def __init__(self) -> None:
        self.a: i64 = 0
        self.b: i64 = 0
        self.c: i64 = 0
        self.d: i64 = 0
        self.low: i64 = 0
        self.high: i64 = 0
        self.card: i64 = 0

    def holds(self, a: i64, b: i64, c: i64, d: i64) -> bool:
        """Whether it is this position."""
        return self.a == a and self.b == b and self.c == c and self.d == d


class Solver:
    """Searches with a window of one point and a table of 2 ** `bits` positions."""

    def __init__(self, bits: int = 14) -> None:
        self.table: list[Entry] = [Entry() for _ in range(2**bits)]
        self.mask: i64 = 2**bits - 1
        self.trumps: i64 = 0
        self.nodes: i64 = 0
        self.end: i64 = 0

    def solve(self, position: Position, limit: int = 0) -> int:
        """The points that the side to act takes from here, or -1 beyond `limit` nodes."""
        self._begin(position, limit)
        return self._exact(position, 0)

    def values(self, position: Position, limit: int = 0) -> dict[int, int]:
        """The points of the side to act for each card it may play; none beyond `limit` nodes."""
        self._begin(position, limit)
        values: dict[int, int] = {}
        guess: i64 = 0
        for card in position.legal():
            after = position.copy()
            after.play(card)
            # If the trick was full, whoever is to act now has won the points that are gone.
            won: i64 = position.left - after.left
            ours: bool = (after.seat - position.seat) & 1 == 0
            found: i64 = self._exact(after, guess - won if ours else after.left - guess)
            if found == GAVE_UP:
                return {}
            guess = won + found if ours else after.left - found
            values[card] = guess
        return values

    def forget(self) -> None:
        """Empties the table."""
        for entry in self.table:
            entry.a = entry.b = entry.c = entry.d = 0

    def _begin(self, position: Position, limit: i64) -> None:
        if position.trumps != self.trumps:
            self.trumps = position.trumps
            self.forget()
        self.end = self.nodes + limit if limit else NEVER

    def _exact(self, position: Position, guess: i64) -> i64:
        """The points of who is to act, by halving; after two questions about a guess, if any."""
        low: i64 = 0
        high: i64 = position.left
        asked: i64 = 0
        while low < high:
            goal: i64 = (low + high + 1) // 2
            if asked < 2 and low < guess <= high:
                goal = guess
            asked += 1
            found: i64 = self._search(position, goal)
            if self.nodes > self.end:
                return GAVE_UP
            if found >= goal:
                low = found
                guess = found + 1
            else:
                high = found
                guess = found
        return low

    def _search(self, position: Position, goal: i64) -> i64:
        if not position.laid:
            return self._lead(
                position.mine,
                position.next,
                position.partners,
                position.last,
                position.left,
                goal,
            )
        return self._follow(
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

    def _entry(self, a: i64, b: i64, c: i64, d: i64) -> Entry:
        """The place in the table where this position may stand."""
        mix: i64 = a ^ (b >> 7) ^ ((c & 0xFFFFFFFFFF) << 5) ^ ((d & 0xFFFFFFFF) << 13)
        mix ^= mix >> 23
        mix = (mix & 0xFFFFFFFF) * 0x45D9F3B
        mix ^= mix >> 29
        mix = (mix & 0xFFFFFFFF) * 0x2C1B3C6D
        mix ^= mix >> 31
        return self.table[mix & self.mask]

    def _lead(self, a: i64, b: i64, c: i64, d: i64, left: i64, goal: i64) -> i64:
        """Where a trick begins: a bound on the points of the leader's side."""
        if goal <= 0:
            return 0
        if goal > left:
            return left
        if self.nodes > self.end:
            return 0
        a, b, c, d = gathered(a, b, c, d)
        entry = self._entry(a, b, c, d)
        first: i64 = 0
        if entry.holds(a, b, c, d):
            if entry.low >= goal:
                return entry.low
            if entry.high < goal:
                return entry.high
            first = entry.card
        trumps: i64 = self.trumps
        tops: i64 = (a | c) & ~below(b | d)
        bound: i64 = least(a, b, c, d, trumps, tops, goal)
        if bound >= goal:
            return bound if bound < left else left
        bound = left - lost(a, b, c, d, trumps)
        if bound < goal:
            return bound
        all: i64 = a | b | c | d
        moves: i64 = distinct(a, all)
        plain: i64 = ~trumps
        across: i64 = suits(tops & c) & plain
        found: i64 = -1
        best: i64 = 0
        while moves:
            card: i64 = first
            first = 0
            if not card:
                card = moves & tops & plain
                if card:
                    card = richest(card)
                else:
                    card = moves & across
                    if not card:
                        card = moves & tops
                    card = cheapest(card if card else moves)
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
            if moves & suit_of(card):
                hopeless: i64 = neighbours(card, all, goal - value) & moves
                if hopeless:
                    moves ^= hopeless
                    most: i64 = value + apart(card, hopeless)
                    if most > found:
                        found = most
        if self.nodes > self.end:
            return 0
        if not entry.holds(a, b, c, d):
            entry.a = a
            entry.b = b
            entry.c = c
            entry.d = d
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
        """Within a trick: a bound on the points of the side to act, the trick's included."""
        if goal <= 0:
            return 0
        if goal > left:
            return left
        trumps: i64 = self.trumps
        moves: i64 = allowed(a, led, best, ago, trumps)
        all: i64 = a | b | c | d | best
        way: i64 = CHEAP
        if moves & (moves - 1):
            moves = distinct(moves, all)
            if ago == 2:
                if laid == 3 or not may_beat(b, led, best, trumps):
                    way = GIVE
            elif beats(moves & -moves, best, trumps):
                way = GIVE if laid == 3 else WIN
        found: i64 = -1
        while moves:
            card: i64 = 0
            if way == GIVE:
                card = moves & below(b | d)
                card = richest(card if card else moves)
            elif way == WIN:
                card = moves & ~below(b)
                card = richest(card) if card else cheapest(moves)
            else:
                card = moves & below(b | d)
                card = cheapest(card if card else moves)
            moves ^= card
            self.nodes += 1
            sum: i64 = points + worth(card)
            wins: bool = beats(card, best, trumps)
            value: i64 = 0
            if laid < 3:
                value = left - self._follow(
                    b,
                    c,
                    d,
                    a ^ card,
                    led,
                    card if wins else best,
                    1 if wins else ago + 1,
                    laid + 1,
                    sum,
                    left,
                    left - goal + 1,
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
            if moves & suit_of(card):
                hopeless: i64 = neighbours(card, all, goal - value) & moves
                if hopeless:
                    moves ^= hopeless
                    most: i64 = value + apart(card, hopeless)
                    if most > found:
                        found = most
        return found
