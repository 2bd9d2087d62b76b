"""A `Ledger` in dictionaries: for tests and for playing without a server."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from service.store.memory import wall_clock
from service.store.statistics import Board, Book, Change, Entry, Rank, Unsettled, points
from service.tally import DAY, Played


class MemoryLedger:
    """A `Ledger` that ends with its process. `clock` tells milliseconds since 1970."""

    def __init__(self, clock: Callable[[], int] = wall_clock) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._hidden: set[str] = set()
        self._place = 0
        self._marks: Counter[str] = Counter()
        self.clear()

    def count(self, book: Book, game: str, sums: Mapping[str, int]) -> bool:
        """See `Ledger.count`."""
        with self._lock:
            if (book, game) in self._counted:
                return False
            self._counted.add((book, game))
            for name, number in sums.items():
                self._sums[book][name] += number
            return True

    def sums(self, book: Book) -> dict[str, int]:
        """See `Ledger.sums`."""
        with self._lock:
            return dict(self._sums[book])

    def note(self, variant: str, day: int, game: str, played: Played) -> bool:
        """See `Ledger.note`."""
        with self._lock:
            if game in self._results[variant][day]:
                return False
            self._results[variant][day][game] = played
            self._marks[variant] += 1
            self._first[variant] = min(day, self._first.get(variant, day))
            return True

    def unsettled(self, variant: str) -> Unsettled | None:
        """See `Ledger.unsettled`."""
        with self._lock:
            day = self._first.get(variant)
            return None if day is None else Unsettled(day, self._marks[variant])

    def days(self, variant: str, first: int) -> list[int]:
        """See `Ledger.days`."""
        with self._lock:
            return sorted(day for day in self._results[variant] if day >= first)

    def results(self, variant: str, day: int) -> dict[str, Played]:
        """See `Ledger.results`."""
        with self._lock:
            return dict(self._results[variant].get(day, {}))

    def newest(self, variant: str, players: Sequence[str], before: int) -> dict[str, Entry]:
        """See `Ledger.newest`."""
        found = {player: self.history(variant, player, before, 1) for player in players}
        return {player: entries[0] for player, entries in found.items() if entries}

    def settle(self, variant: str, mark: int, changes: Sequence[Change], left: int | None) -> bool:
        """See `Ledger.settle`."""
        with self._lock:
            if self._marks[variant] != mark:
                return False
            for change in changes:
                self._entries[variant, change.player][change.entry.day] = change.entry
                for board in ("people", "bots"):
                    self._boards[variant, board].pop(change.player, None)
                if change.board:
                    place = points(change.entry), change.until
                    self._boards[variant, change.board][change.player] = place
            if left is None:
                self._first.pop(variant, None)
            else:
                self._first[variant] = left
            return True

    def history(self, variant: str, player: str, before: int | None, limit: int) -> list[Entry]:
        """See `Ledger.history`."""
        with self._lock:
            kept = self._entries[variant, player]
            days = sorted((day for day in kept if before is None or day < before), reverse=True)
            return [kept[day] for day in days[:limit]]

    def board(
        self, variant: str, board: Board, today: int, after: Rank | None, limit: int
    ) -> tuple[int, list[Rank]]:
        """See `Ledger.board`."""
        with self._lock:
            there = self._boards[variant, board]
            for player in [player for player, (_, until) in there.items() if until < today]:
                del there[player]
            ranks = [Rank(player, place) for player, (place, _) in there.items()]
        ranks.sort(key=_order)
        first = 0 if after is None else sum(_order(rank) <= _order(after) for rank in ranks)
        return first, ranks[first : first + limit]

    def hide(self, player: str, hidden: bool) -> None:
        """See `Ledger.hide`."""
        with self._lock:
            (self._hidden.add if hidden else self._hidden.discard)(player)

    def hidden(self, players: Sequence[str]) -> set[str]:
        """See `Ledger.hidden`."""
        with self._lock:
            return self._hidden & set(players)

    def place(self) -> int:
        """See `Ledger.place`."""
        return self._place

    def advance(self, place: int) -> None:
        """See `Ledger.advance`."""
        with self._lock:
            self._place = max(self._place, place)

    def clear(self) -> None:
        """See `Ledger.clear`."""
        with self._lock:
            self._counted: set[tuple[Book, str]] = set()
            self._sums: defaultdict[Book, Counter[str]] = defaultdict(Counter)
            self._results: defaultdict[str, defaultdict[int, dict[str, Played]]] = defaultdict(
                lambda: defaultdict(dict)
            )
            self._entries: defaultdict[tuple[str, str], dict[int, Entry]] = defaultdict(dict)
            self._boards: defaultdict[tuple[str, str], dict[str, tuple[int, int]]] = defaultdict(
                dict
            )
            self._first: dict[str, int] = {}
            for variant in self._marks:
                self._marks[variant] += 1

    def today(self) -> int:
        """See `Ledger.today`."""
        return self._clock() // DAY


def _order(rank: Rank) -> tuple[int, bytes]:
    return -rank.points, rank.player.encode()
