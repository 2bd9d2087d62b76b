"""The event store in Redis 7.0 or newer: one stream a game, and sorted sets to find games by.

    game:{<id>}:log        stream; entry <version>-0 with l line, h hash, a attempt, m rest of Meta
    games:waiting|playing  sorted sets of all unfinished games, score: when created, in ms
    lobby:<status>         the same of the public games
    player:{<id>}:games    the same of one player's games

Every operation touches keys of one slot at a time, so that all of it works on a Redis Cluster.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

import msgspec

from service.store import (
    STATUSES,
    UNFINISHED,
    Conflict,
    Entry,
    Listing,
    Meta,
    Reading,
    Unreadable,
)
from service.store.link import BLOCK, Link, translated

# The tail is compared, not only the id: XADD would accept 19-0 after 17-0, and after a failover
# a process might go on from a history that is gone. A refused write looks for itself, since
# its first answer may have been lost (redis/redis-py#1186).
_APPEND: Final = """#!lua
local function field(entry, name)
  for i = 1, #entry[2], 2 do
    if entry[2][i] == name then return entry[2][i + 1] end
  end
end
local key, version, prev, line, hash, attempt, meta = KEYS[1], unpack(ARGV)
local tail = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
local ends, head = 0, ''
if tail then
  ends, head = tonumber(string.match(tail[1], '^(%d+)-0$')), field(tail, 'h')
  if not ends or not head then return 'damaged' end
end
if ends + 1 == tonumber(version) and head == prev then
  redis.call('XADD', key, version .. '-0', 'l', line, 'h', hash, 'a', attempt, 'm', meta)
  return 'added'
end
local there = redis.call('XRANGE', key, version .. '-0', version .. '-0')[1]
if there and field(there, 'a') == attempt and field(there, 'h') == hash then return 'added' end
return 'conflict'
"""

_READ: Final = """#!lua flags=no-writes
local now = redis.call('TIME')
return {now[1], now[2], redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[2], 'COUNT', ARGV[3])}
"""

PAGE: Final = 200
"""Entries that a script reads at once."""


class RedisStore:
    """An `EventStore` on one Redis. Opens nothing before its first use; safe to fork.

    `prefix` stands before every key; `timeout` is the wait for one answer in seconds.
    """

    def __init__(self, url: str, *, prefix: str = "", timeout: float = 3.0) -> None:
        self._link = Link(url, timeout)
        self._prefix = prefix

    def append(self, game: str, entry: Entry, prev: str) -> None:
        """See `EventStore.append`."""
        meta = entry.meta
        arguments = (entry.version, prev, entry.line, entry.hash, meta.attempt, _packed(meta))
        with translated():
            said = self._link.client.eval(_APPEND, 1, self._log(game), *arguments)
        if said == b"damaged":
            raise Unreadable(f"the last entry of game {game} is not one of ours")
        if said != b"added":
            raise Conflict(f"game {game} does not end before version {entry.version} as named")

    def read(self, game: str, start: int = 1, end: int | None = None) -> Reading:
        """See `EventStore.read`. One round trip for up to `PAGE` entries.

        A script's answer costs the server twice a plain one, so of a long log it reads only
        the first page and the newest, which must come with the time.
        """
        client, key, last = self._link.client, self._log(game), "+" if end is None else _id(end)
        first = max(start, 1)
        found: list[tuple[bytes, _Fields]] = []
        with translated():
            while True:
                said = client.eval(_READ, 1, key, _id(first + len(found)), last, PAGE)
                seconds, micros, page = cast("tuple[bytes, bytes, list[Any]]", said)
                found += [
                    (place, dict(zip(raw[::2], raw[1::2], strict=True))) for place, raw in page
                ]
                if len(page) < PAGE:
                    break
                found += cast("Any", client.xrange(key, _id(first + len(found)), last))
        entries, broken = [], ""
        for version, entry in enumerate(found, first):
            try:
                entries.append(_entry(game, version, *entry))
            except Unreadable as error:
                broken = str(error)
                break
        return Reading(int(seconds) * 1000 + int(micros) // 1000, tuple(entries), broken)

    def follow(self, game: str, after: int, timeout: float) -> bool:
        """See `EventStore.follow`. Has a connection of its own while it waits."""
        # Always from a version, never from `$`: what came before the call counts too.
        streams: dict[Any, Any] = {self._log(game): _id(after)}
        until = time.monotonic() + timeout
        while True:
            left = min(until - time.monotonic(), BLOCK)
            # BLOCK 0 would wait for ever; none asks without waiting.
            block = max(1, int(left * 1000)) if left > 0 else None
            with translated():
                if self._link.waiting.xread(streams, count=1, block=block):
                    return True
            if block is None or time.monotonic() >= until:
                return False

    def mark(
        self,
        listing: Listing,
        status: str,
        public: bool,
        players: Sequence[str],
        left: Sequence[str] = (),
    ) -> None:
        """See `EventStore.mark`.

        Adds before it takes away, and from the unfinished games last: whatever is cut short
        is found among them and filed again.
        """
        if status not in STATUSES:
            raise ValueError(f"there is no status {status!r}")
        here = [self._games(status)] if status in UNFINISHED else []
        here += [self._lobby(status)] if public else []
        here += [self._own(player) for player in players]
        gone = [self._lobby(name) for name in STATUSES if not public or name != status]
        gone += [self._own(player) for player in left]
        hints = [self._games(name) for name in UNFINISHED if name != status]
        with translated():
            client = self._link.client
            with client.pipeline(transaction=False) as adding:
                for key in here:
                    adding.zadd(key, {listing.game: listing.created})
                adding.execute()
            for keys in (gone, hints):
                with client.pipeline(transaction=False) as removing:
                    for key in keys:
                        removing.zrem(key, listing.game)
                    removing.execute()

    def unfinished(self) -> Iterator[str]:
        """See `EventStore.unfinished`. In this order, so that one that starts is not missed."""
        seen = set()
        for status in UNFINISHED:
            with translated():
                for member, _ in self._link.client.zscan_iter(self._games(status), count=500):
                    if member not in seen:
                        seen.add(member)
                        yield _text(member)

    def listed(
        self, status: str, player: str | None, before: Listing | None, limit: int
    ) -> list[Listing]:
        """See `EventStore.listed`."""
        if limit < 1:
            return []
        key = self._lobby(status) if player is None else self._own(player)
        client = self._link.client
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

    def rebuild(self) -> Iterator[str]:
        """See `EventStore.rebuild`."""
        head, tail = f"{self._prefix}game:{{", "}:log"
        pattern = "".join(f"\\{c}" if c in "*?[]\\" else c for c in head) + "*" + tail
        with translated():
            for key in self._link.client.scan_iter(match=pattern, count=1000):
                yield _text(key)[len(head) : -len(tail)]

    def ping(self) -> None:
        """See `EventStore.ping`."""
        with translated():
            self._link.client.ping()

    def _log(self, game: str) -> str:
        return f"{self._prefix}game:{{{game}}}:log"

    def _games(self, status: str) -> str:
        return f"{self._prefix}games:{status}"

    def _lobby(self, status: str) -> str:
        return f"{self._prefix}lobby:{status}"

    def _own(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}:games"


_Scored = list[tuple[bytes, float]]
_Fields = dict[bytes, bytes]
_REST: Final = msgspec.json.Decoder(dict[str, str])


def _packed(meta: Meta) -> bytes:
    rest = {"player": meta.player, "key": meta.key, "digest": meta.digest, "secret": meta.secret}
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


def _id(version: int) -> str:
    """The place of a version in a stream, for any number that a caller may name."""
    return str(min(max(version, 0), 2**64 - 1))


def _text(data: bytes) -> str:
    return data.decode()
