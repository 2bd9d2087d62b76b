"""The promises of the store in dictionaries: for tests and for playing without a server.

Over 250 lines, as `redis` is: one method for each promise.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from service.store import (
    COUNTED,
    DUE,
    HELD_BACK,
    OVER,
    STATUSES,
    UNFINISHED,
    Bearer,
    Conflict,
    Ending,
    Entry,
    Listing,
    Player,
    Reading,
    checked,
    cold,
    whole,
)
from service.store.tokens import Ticket, Token, age


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class MemoryStore:
    """An `EventStore` that ends with its process. `clock` tells milliseconds since 1970."""

    def __init__(self, clock: Callable[[], int] = wall_clock) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._logs: dict[str, list[Entry]] = {}
        self._cold: dict[str, bytes] = {}
        self._lists: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def append(self, game: str, entry: Entry, prev: str) -> None:
        """See `EventStore.append`."""
        with self._changed:
            log = self._log(game)
            head = log[-1].hash if log else ""
            if entry.version == len(log) + 1 and prev == head and game not in self._cold:
                self._logs[game] = [*log, entry]
                self._changed.notify_all()
                return
            there = log[entry.version - 1] if 1 <= entry.version <= len(log) else None
        if there is None or _name(there) != _name(entry):
            raise Conflict(f"game {game} does not end before version {entry.version} as named")

    def read(self, game: str, start: int = 1, end: int | None = None) -> Reading:
        """See `EventStore.read`."""
        with self._changed:
            log = self._log(game)
            last = len(log) if end is None else end
            return Reading(self._clock(), tuple(log[max(start - 1, 0) : max(last, 0)]))

    def plant(self, game: str, entries: Sequence[Entry]) -> None:
        """See `EventStore.plant`."""
        whole(entries)
        with self._changed:
            log = self._log(game) or self._logs.setdefault(game, list(entries))
            self._changed.notify_all()
        if [one.hash for one in log[: len(entries)]] != [one.hash for one in entries]:
            raise Conflict(f"game {game} has another log")

    def follow(
        self, game: str, after: int, timeout: float, _length: Callable[[], int] | None = None
    ) -> bool:
        """See `EventStore.follow`. Nobody need look at what is in this very process."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._log(game)) > after, max(timeout, 0))

    def mark(
        self,
        listing: Listing,
        status: str,
        public: bool,
        players: Sequence[str],
        left: Sequence[str] = (),
        opener: str = "",
        was: str | None = None,
    ) -> None:
        """See `EventStore.mark`. It is as easy to look through all lists as through some."""
        if status not in STATUSES:
            raise ValueError(f"there is no status {status!r}")
        with self._changed:
            for name in STATUSES:
                self._file(f"games:{name}", listing, name == status)
                self._file(f"lobby:{name}", listing, name == status and public)
            for player in players:
                self._file(f"player:{player}", listing, True)
            for player in left:
                self._file(f"player:{player}", listing, False)
            for player in {*players, *left, opener} - {""}:
                there = status in UNFINISHED and player in {*players, opener}
                self._file(f"busy:{player}", listing, there)
            if status == "finished" and public:
                self._file_now("ended", listing.game)
            if status in OVER:
                self._file_now("over", listing.game)
            if status not in OVER:
                self._lists["warm"].pop(listing.game, None)
            elif listing.game not in self._cold:
                self._file_now("warm", listing.game)

    def expect(self, game: str, deadline: int | None) -> None:
        """See `EventStore.expect`."""
        with self._changed:
            self._lists["due"].pop(game, None)
            if deadline is not None:
                self._lists["due"][game] = deadline

    def due(self) -> list[str]:
        """See `EventStore.due`."""
        with self._changed:
            now = self._clock()
            found = sorted((at, game) for game, at in self._lists["due"].items() if at <= now)
        return [game for _, game in found[:DUE]]

    def unfinished(self) -> Iterator[str]:
        """See `EventStore.unfinished`."""
        with self._changed:
            return iter([game for name in UNFINISHED for game in self._lists[f"games:{name}"]])

    def count(self, status: str) -> int:
        """See `EventStore.count`."""
        if status not in COUNTED:
            raise ValueError(f"games that are {status!r} are not counted")
        with self._changed:
            return len(self._lists[f"games:{status}"])

    def listed(
        self, status: str, player: str | None, before: Listing | None, limit: int
    ) -> list[Listing]:
        """See `EventStore.listed`."""
        with self._changed:
            places = self._lists[f"lobby:{status}" if player is None else f"player:{player}"]
            found = [Listing(game, created) for game, created in places.items()]
        if before:
            found = [listing for listing in found if _age(listing) < _age(before)]
        return sorted(found, key=_age, reverse=True)[: max(limit, 0)]

    def busy(self, player: str) -> set[str]:
        """See `EventStore.busy`."""
        with self._changed:
            return set(self._lists[f"busy:{player}"])

    def free(self, player: str, games: Sequence[str]) -> None:
        """See `EventStore.free`."""
        with self._changed:
            for game in games:
                self._lists[f"busy:{player}"].pop(game, None)

    def ended(self, since: int, until: int, after: Ending | None, limit: int) -> list[Ending]:
        """See `EventStore.ended`."""
        first = max(since, after.at + 1) if after else since
        return self._filed("ended", first, until, limit)

    def over(self, after: int, limit: int) -> list[Ending]:
        """See `EventStore.over`."""
        return self._filed("over", after + 1, 1 << 53, limit)

    def _filed(self, name: str, first: int, until: int, limit: int) -> list[Ending]:
        with self._changed:
            last = min(until, self._clock() - HELD_BACK)
            found = [Ending(game, at) for game, at in self._lists[name].items()]
        found = [one for one in found if first <= one.at < last]
        return sorted(found, key=lambda one: one.at)[: max(limit, 0)]

    def warm(self, age: int, limit: int) -> list[str]:
        """See `EventStore.warm`."""
        with self._changed:
            last = self._clock() - age
            found = [game for game, at in self._lists["warm"].items() if at < last]
        return found[: max(limit, 0)]

    def chill(self, game: str) -> bool:
        """See `EventStore.chill`."""
        with self._changed:
            self._lists["warm"].pop(game, None)
            try:
                self._cold[game] = cold.chill(self._logs.get(game, []))
            except cold.NotOver:
                return False
            del self._logs[game]
            return True

    def rebuild(self) -> Iterator[str]:
        """See `EventStore.rebuild`."""
        with self._changed:
            return iter([*self._logs, *self._cold])

    def ping(self) -> None:
        """See `EventStore.ping`."""

    def _log(self, game: str) -> list[Entry]:
        form = self._cold.get(game)
        return list(cold.thawed(form)) if form else self._logs.get(game, [])

    def _file_now(self, name: str, game: str) -> None:
        """Files a game later than all before it, once."""
        last = max(self._lists[name].values(), default=0)
        self._lists[name].setdefault(game, max(self._clock(), last + 1))

    def _file(self, name: str, listing: Listing, there: bool) -> None:
        if there:
            self._lists[name][listing.game] = listing.created
        else:
            self._lists[name].pop(listing.game, None)


class MemoryPeople:
    """`People` that end with their process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._players: dict[str, Player] = {}
        self._tokens: dict[str, tuple[str, Token]] = {}
        self._revoked: set[str] = set()
        self._codes: dict[str, tuple[float, Ticket]] = {}

    def add(self, player: Player, token: Token) -> None:
        """See `People.add`."""
        checked(token.hash)
        self._players[player.id] = player
        self.issue(player.id, token)

    def by_token(self, token_hash: str) -> Bearer | None:
        """See `People.by_token`."""
        found = self._tokens.get(checked(token_hash))
        if found is None:
            return None
        player, token = found
        return Bearer(self._players[player], token.hash, token.scopes)

    def known(self, players: Sequence[str]) -> dict[str, Player]:
        """See `People.known`."""
        return {player: self._players[player] for player in players if player in self._players}

    def issue(self, player: str, token: Token) -> bool:
        """See `People.issue`."""
        with self._lock:
            if checked(token.hash) in self._revoked:
                return False
            self._tokens.setdefault(token.hash, (player, token))
            return True

    def tokens(self, player: str) -> list[Token]:
        """See `People.tokens`."""
        with self._lock:
            found = [token for owner, token in self._tokens.values() if owner == player]
        return sorted(found, key=age)

    def revoke(self, player: str, token_hash: str) -> None:
        """See `People.revoke`."""
        with self._lock:
            self._revoked.add(checked(token_hash))
            self._tokens.pop(token_hash, None)

    def standing(self, token_hashes: Collection[str]) -> set[str]:
        """See `People.standing`."""
        return {one for one in token_hashes if checked(one) in self._tokens}

    def offer(self, code_hash: str, ticket: Ticket, seconds: int) -> None:
        """See `People.offer`."""
        with self._lock:
            self._codes[checked(code_hash)] = (time.monotonic() + seconds, ticket)

    def take(self, code_hash: str) -> Ticket | None:
        """See `People.take`."""
        with self._lock:
            until, ticket = self._codes.pop(checked(code_hash), (0.0, None))
        return ticket if time.monotonic() < until else None


def _name(entry: Entry) -> tuple[str, str]:
    """What a repeated write is known by."""
    return entry.meta.attempt, entry.hash


def _age(listing: Listing) -> tuple[int, bytes]:
    """Orders listings as Redis does: by time, then by the bytes of the id."""
    return listing.created, listing.game.encode()
