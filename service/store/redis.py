"""The event store in Redis 7.0 or newer: one stream a game, and sorted sets to find games by.

    game:{<id>}:log        stream; entry <version>-0 with l line, h hash, a attempt, m rest of Meta
    game:{<id>}:cold       instead of it, some time after the end: the compact form, see `cold`
    games:waiting|playing  sorted sets of all unfinished games, score: when created, in ms
    games:faulted          the same of the games whose log cannot be folded
    lobby:<status>         the same of the public games
    player:{<id>}:games    the same of one player's games
    player:{<id>}:busy     the same of the unfinished ones that they made or have a seat in
    games:ended            sorted set of the public finished games, score: when filed as such, in ms
    games:over             the same of all that are over
    games:warm             the same of those among them that are not in the compact form yet
    games:due              sorted set of the games in which a clock runs, score: the deadline, in ms

Every operation touches keys of one slot at a time, so that all of it works on a Redis Cluster.

Over 250 lines, since every promise of `EventStore` is kept here; its scripts are in `scripts`.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

import msgspec

from service.store import (
    COUNTED,
    DUE,
    HELD_BACK,
    OVER,
    STATUSES,
    UNFINISHED,
    Conflict,
    Ending,
    Entry,
    Listing,
    Meta,
    Reading,
    Unreadable,
    cold,
    scripts,
    whole,
)
from service.store.exchange import Command
from service.store.hearing import Hearing
from service.store.link import Link
from service.store.refusals import good, translated

PAGE: Final = 200
"""Entries that are read at first: most logs are no longer."""

MORE: Final = 5_000
"""Entries that are read at once after those."""

LATER: Final = 1 << 53
"""A time that never comes, in ms."""


class RedisStore:
    """An `EventStore` on one Redis. Opens nothing before its first use; safe to fork.

    `prefix` stands before every key; `timeout` is the wait for one answer in seconds; `replicas`
    is how many replicas must have an entry before `append` returns. `link` is its way to Redis.
    """

    def __init__(
        self, url: str, *, prefix: str = "", timeout: float = 3.0, replicas: int = 0
    ) -> None:
        self.link = Link(url, timeout, replicas)
        self._prefix = prefix
        self._hearings: dict[int, Hearing] = {}

    def append(self, game: str, entry: Entry, prev: str) -> None:
        """See `EventStore.append`."""
        meta = entry.meta
        arguments = (entry.version, prev, entry.line, entry.hash, meta.attempt, _packed(meta))
        keys = self._keys(game)[: 2 if entry.version == 1 else 1]
        said = self.link.write(keys[0], "EVAL", scripts.APPEND, len(keys), *keys, *arguments)
        if said == b"damaged":
            raise Unreadable(f"the last entry of game {game} is not one of ours")
        if said != b"added":
            raise Conflict(f"game {game} does not end before version {entry.version} as named")
        if hearing := self._hearings.get(os.getpid()):
            hearing.written(self._log(game).encode(), entry.version)

    def read(self, game: str, start: int = 1, end: int | None = None) -> Reading:
        """See `EventStore.read`. One round trip for fewer than `PAGE` entries, one more for each
        `MORE` that follow."""
        asked = self.asking(game, start, end)
        if start <= 1:  # of a game that is not known here there may be nothing, or the compact form
            asked.append(("GET", self._keys(game)[1]))
            *page, form = self.link.ask(*asked)
            return self.read_on(game, start, page, end, form)
        return self.read_on(game, start, self.link.ask(*asked), end)

    def asking(self, game: str, start: int, end: int | None = None) -> list[Command]:
        """The commands that ask for the first page of `read`; see `read_on`."""
        return self._page(game, _id(max(start, 1)), end)

    def read_on(
        self, game: str, start: int, page: list[Any], end: int | None = None, known: Any = ...
    ) -> Reading:
        """What `read` gives, by the answers to these and what more there is.

        `known` is what stood in the place of the compact form after that page was read.
        """
        keys, first = self._keys(game), max(start, 1)
        found: list[tuple[bytes, _Fields]] = []
        count = PAGE
        while True:
            seconds, micros, more = _paged(page)
            found += [(place, dict(zip(raw[::2], raw[1::2], strict=True))) for place, raw in more]
            if len(more) < count:
                break
            count, behind = MORE, b"(" + found[-1][0]  # there may be gaps
            page = self.link.ask(*self._page(game, behind, end, count))
        # Where the stream has nothing (more), the compact form may be.
        if known is ... or found:
            known = None if more else self.link.ask(("GET", keys[1]))[0]
        form: bytes | None = good(known)
        entries: list[Entry] = []
        broken = ""
        for version, entry in enumerate(found, first):
            try:
                entries.append(_entry(game, version, *entry))
            except Unreadable as error:
                broken = str(error)
                break
        if form and not broken:  # between two pages a stream may have become one
            try:
                stop = None if end is None else max(end, 0)
                entries += cold.thawed(form)[first + len(found) - 1 : stop]
            except Unreadable as error:
                broken = f"game {game}: {error}"
        now = int(seconds) * 1000 + int(micros) // 1000
        beyond = tuple(_any_entry(game, *entry) for entry in found[len(entries) :])
        return Reading(now, tuple(entries), broken, beyond)

    def _page(
        self, game: str, behind: str | bytes, end: int | None, count: int = PAGE
    ) -> list[Command]:
        """Entries, and after them the time: so none of them is younger, and what comes in between
        is not known, and refuses whatever is written without it.

        Of a cluster the game's own server must be asked for the time, which a script does; it
        costs a server twice as much.
        """
        log, last = self._log(game), "+" if end is None else _id(end)
        if self.link.clustered:
            return [("EVAL", scripts.READ, 1, log, behind, last, count)]
        return [("XRANGE", log, behind, last, "COUNT", count), ("TIME",)]

    def plant(self, game: str, entries: Sequence[Entry]) -> None:
        """See `EventStore.plant`. One script, so everybody waits: 10 ms for a thousand entries."""
        whole(entries)
        fields = [
            field
            for one in entries
            for field in (one.line, one.hash, one.meta.attempt, _packed(one.meta))
        ]
        keys = self._keys(game)
        said = self.link.write(keys[0], "EVAL", scripts.PLANT, 2, *keys, *fields)
        if said != b"planted":
            there = self.read(game, 1, len(entries)).entries
            if [one.hash for one in there] != [one.hash for one in entries]:
                raise Conflict(f"game {game} has another log")

    def follow(
        self, game: str, after: int, timeout: float, length: Callable[[], int] | None = None
    ) -> bool:
        """See `EventStore.follow`. However many wait, it is one connection; see `hearing`."""
        channel = self._log(game).encode()
        # A fork has connections of its own, and so has what listens to them.
        hearing = self._hearings.get(os.getpid())
        if hearing is None:
            hearing = self._hearings.setdefault(os.getpid(), Hearing(self.link.home))
        return hearing.follow(channel, after, timeout, length or (lambda: self._length(game)))

    def _length(self, game: str) -> int:
        """The newest version, by the stream or by the compact form in its place."""
        log, form = self._keys(game)
        with translated():
            newest = cast("Any", self.link.client.xrevrange(log, count=1))
            front = b"" if newest else self.link.client.getrange(form, 0, cold.FRONT - 1)
        if newest:
            return int(newest[0][0].partition(b"-")[0])
        return cold.length(cast("bytes", front)) if front else 0

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
        """See `EventStore.mark`.

        Adds before it takes away, and from the unfinished games last: whatever is cut short
        is found among them and filed again. So it takes up to three round trips, but where
        nothing is taken away one, and two while it stays among the unfinished. A game that
        becomes compact just now may be filed as warm once more, until the next look at it.
        """
        if status not in STATUSES:
            raise ValueError(f"there is no status {status!r}")
        elsewhere = [name for name in STATUSES if name != status and was in (None, name)]
        here = [self._games(status)] if status in COUNTED and was != status else []
        here += [self._lobby(status)] if public and was != status else []
        here += [self._own(player) for player in players]
        gone = [self._lobby(name) for name in elsewhere]
        gone += [self._lobby(status)] if not public and was is None else []
        gone += [self._own(player) for player in left]
        busy = {*players, opener} - {""} if status in UNFINISHED else set()
        here += [self._busy(player) for player in busy]
        gone += [self._busy(player) for player in {*players, *left, opener} - busy - {""}]
        hints = [self._games(name) for name in COUNTED if name in elsewhere]
        over = status in OVER
        filed = [self._games("ended")] if status == "finished" and public else []
        filed += [self._games("over"), self._games("warm")] if over else []
        gone += [self._games("warm")] if was is None and not over else []
        if status in UNFINISHED:
            gone, hints = gone + hints, []  # it is found again by the list that it came into
        cold_key = self._keys(listing.game)[1]
        if over and good(self.link.ask(("EXISTS", cold_key))[0]):
            filed.remove(self._games("warm"))
        steps: list[list[Command]] = [
            [("ZADD", key, listing.created, listing.game) for key in here],
            [("EVAL", scripts.FILE, 1, key, listing.game) for key in filed],
            [("ZREM", key, listing.game) for key in gone],
            [("ZREM", key, listing.game) for key in hints],
        ]
        for commands in filter(None, steps):  # the next only where nothing was refused
            for said in self.link.ask(*commands):
                good(said)

    def expect(self, game: str, deadline: int | None) -> None:
        """See `EventStore.expect`."""
        key = self._games("due")
        command = ("ZREM", key, game) if deadline is None else ("ZADD", key, deadline, game)
        good(self.link.ask(command)[0])

    def due(self) -> list[str]:
        """See `EventStore.due`."""
        return [filed.game for filed in self._filed("due", 0, LATER, -1, DUE)]

    def unfinished(self) -> Iterator[str]:
        """See `EventStore.unfinished`. In this order, so that one that starts is not missed."""
        seen = set()
        for status in UNFINISHED:
            with translated():
                for member, _ in self.link.client.zscan_iter(self._games(status), count=500):
                    if member not in seen:
                        seen.add(member)
                        yield _text(member)

    def count(self, status: str) -> int:
        """See `EventStore.count`."""
        if status not in COUNTED:
            raise ValueError(f"games that are {status!r} are not counted")
        with translated():
            return int(self.link.client.zcard(self._games(status)))

    def listed(
        self, status: str, player: str | None, before: Listing | None, limit: int
    ) -> list[Listing]:
        """See `EventStore.listed`."""
        if limit < 1:
            return []
        key = self._lobby(status) if player is None else self._own(player)
        client = self.link.client
        found: list[Listing] = []
        newest = "+inf"
        with translated():
            if before:
                # The cursor's game may have left the list, so its place is found by order.
                same = client.zrevrangebyscore(key, before.created, before.created)
                games = [cast("bytes", game) for game in same]
                place = before.game.encode()
                found = [Listing(_text(game), before.created) for game in games if game < place]
                newest = f"({before.created}"
            older = client.zrevrangebyscore(
                key, newest, "-inf", start=0, num=limit, withscores=True
            )
        found += [Listing(_text(game), int(score)) for game, score in cast("_Scored", older)]
        return found[:limit]

    def busy(self, player: str) -> set[str]:
        """See `EventStore.busy`."""
        found: list[bytes] = good(self.link.ask(("ZRANGE", self._busy(player), 0, -1))[0])
        return {_text(game) for game in found}

    def free(self, player: str, games: Sequence[str]) -> None:
        """See `EventStore.free`."""
        if games:
            good(self.link.ask(("ZREM", self._busy(player), *games))[0])

    def ended(self, since: int, until: int, after: Ending | None, limit: int) -> list[Ending]:
        """See `EventStore.ended`."""
        first = max(since, after.at + 1) if after else since
        return self._filed("ended", first, until, HELD_BACK, limit)

    def over(self, after: int, limit: int) -> list[Ending]:
        """See `EventStore.over`."""
        return self._filed("over", after + 1, LATER, HELD_BACK, limit)

    def warm(self, age: int, limit: int) -> list[str]:
        """See `EventStore.warm`."""
        return [filed.game for filed in self._filed("warm", 0, LATER, age, limit)]

    def _filed(self, name: str, first: int, before: int, age: int, limit: int) -> list[Ending]:
        if limit < 1:
            return []
        arguments = (first, before, age, limit)
        with translated():
            found = self.link.client.eval(scripts.FILED, 1, self._games(name), *arguments)
        rows = cast("list[bytes]", found)
        return [
            Ending(_text(game), int(at)) for game, at in zip(rows[::2], rows[1::2], strict=True)
        ]

    def chill(self, game: str) -> bool:
        """See `EventStore.chill`."""
        keys, moved, fault = self._keys(game), False, None
        with translated():
            there = self.link.client.exists(keys[0])
        try:
            moved = bool(there) and self._move(game, keys)
        except cold.NotOver:
            pass
        except Unreadable as error:
            fault = error
        # Also where it cannot be done, or it would stand before all others for ever.
        with translated():
            self.link.client.zrem(self._games("warm"), game)
        if fault:
            raise fault
        return moved

    def _move(self, game: str, keys: tuple[str, str]) -> bool:
        reading = self.read(game)
        if reading.broken:
            raise Unreadable(reading.broken)
        form = cold.chill(reading.entries)
        last = reading.entries[-1]
        with translated():
            said = self.link.client.eval(
                scripts.CHILL, 2, *keys, f"{last.version}-0", last.hash, form
            )
        return bool(said == b"moved")

    def rebuild(self) -> Iterator[str]:
        """See `EventStore.rebuild`."""
        head = f"{self._prefix}game:{{"
        pattern = "".join(f"\\{c}" if c in "*?[]\\" else c for c in head) + "*"
        with translated():
            for key in self.link.client.scan_iter(match=pattern, count=1000):
                game, _, kind = _text(key)[len(head) :].rpartition("}")
                if kind in (":log", ":cold"):
                    yield game

    def ping(self) -> None:
        """See `EventStore.ping`."""
        with translated():
            self.link.client.ping()

    def _log(self, game: str) -> str:
        return f"{self._prefix}game:{{{game}}}:log"

    def _keys(self, game: str) -> tuple[str, str]:
        """The stream and the compact form: of a game there is one of them."""
        return self._log(game), f"{self._prefix}game:{{{game}}}:cold"

    def _games(self, status: str) -> str:
        return f"{self._prefix}games:{status}"

    def _lobby(self, status: str) -> str:
        return f"{self._prefix}lobby:{status}"

    def _own(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}:games"

    def _busy(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}:busy"


_Page = tuple[bytes, bytes, list[Any]]
_Time = tuple[bytes, bytes]
_Scored = list[tuple[bytes, float]]
_Fields = dict[bytes, bytes]
_REST: Final = msgspec.json.Decoder(dict[str, str])


def _paged(page: list[Any]) -> _Page:
    """The time and the entries, by the answers to `_page`."""
    said, *time = page
    if not time:
        return cast("_Page", good(said))
    more: list[Any] = good(said)
    seconds, micros = cast("_Time", good(time[0]))
    return seconds, micros, more


def _packed(meta: Meta) -> bytes:
    rest = {
        "player": meta.player,
        "key": meta.key,
        "digest": meta.digest,
        "secret": meta.secret,
        "source": meta.source,
    }
    packed: bytes = msgspec.json.encode({name: text for name, text in rest.items() if text})
    return packed


def _entry(game: str, version: int, place: bytes, fields: _Fields) -> Entry:
    if place != b"%d-0" % version:
        raise Unreadable(f"in game {game} entry {_text(place)} stands where {version}-0 belongs")
    try:
        meta = Meta(_text(fields[b"a"]), **_REST.decode(fields[b"m"]))
        return Entry(version, fields[b"l"], _text(fields[b"h"]), meta)
    except (KeyError, TypeError, ValueError, msgspec.DecodeError):
        raise Unreadable(f"entry {version} of game {game} is not one of ours") from None


def _any_entry(game: str, place: bytes, fields: _Fields) -> Entry | None:
    """The entry of whatever version stands there, None for what is none of ours."""
    try:
        return _entry(game, int(place.partition(b"-")[0]), place, fields)
    except Unreadable:
        return None


def _id(version: int) -> str:
    """The place of a version in a stream, for any number that a caller may name."""
    return str(min(max(version, 0), 2**64 - 1))


def _text(data: bytes) -> str:
    return data.decode()
