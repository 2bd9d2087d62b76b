"""A `Ledger` in Redis.

    player|variant:{<id>}:counts     hash: the sums
    player|variant:{<id>}:counted    set: the games in them
    player:{<id>}:hidden             string, of one who wants to be seen by nobody else
    ratings:{<variant>}              hash: mark, and first, the first unsettled day
    ratings:{<variant>}:days         sorted set of the days that have results
    ratings:{<variant>}:day:<day>    hash: game -> its result, as JSON
    ratings:{<variant>}:of:<player>  sorted set of entries, as JSON, score: their day
    ratings:{<variant>}:people|bots  the boards: sorted sets, score: less the rating in hundredths
    ratings:{<variant>}:people|bots:until   the same players, score: their last day there
    statistics:place                 string, ms since 1970

All of one variant is in one slot, so that results, entries and boards change together; a player's
sums are in another, and remember themselves what they have counted.

Over 250 lines, since scripts and keys of one layout are read together.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import msgspec

from service.store.link import Link
from service.store.refusals import translated
from service.store.statistics import Board, Book, Change, Entry, Rank, Unsettled, points
from service.tally import DAY, Played

CHUNK: Final = 200
"""Entries that are written in one script."""

_BOARDS: Final[tuple[Board, ...]] = ("people", "bots")

_COUNT: Final = """#!lua
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 0 end
for i = 2, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
"""

_NOTE: Final = """#!lua
local day, game, played = unpack(ARGV)
if redis.call('HSETNX', KEYS[2], game, played) == 0 then return 0 end
redis.call('ZADD', KEYS[3], day, day)
redis.call('HINCRBY', KEYS[1], 'mark', 1)
local first = redis.call('HGET', KEYS[1], 'first')
if not first or tonumber(day) < tonumber(first) then redis.call('HSET', KEYS[1], 'first', day) end
return 1
"""

# The boards and their ends come as keys 2 to 5, then the entries of the players.
_SETTLE: Final = """#!lua
if redis.call('HGET', KEYS[1], 'mark') ~= ARGV[1] then return 0 end
for i = 0, #KEYS - 6 do
  local player, day, entry, board, score, till = unpack(ARGV, 3 + 6 * i, 8 + 6 * i)
  redis.call('ZREMRANGEBYSCORE', KEYS[6 + i], day, day)
  redis.call('ZADD', KEYS[6 + i], day, entry)
  for key = 2, 5 do redis.call('ZREM', KEYS[key], player) end
  if board ~= '' then
    redis.call('ZADD', KEYS[board + 0], score, player)
    redis.call('ZADD', KEYS[board + 1], till, player)
  end
end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], 'first')
else
  redis.call('HSET', KEYS[1], 'first', ARGV[2])
end
return 1
"""

_BOARD: Final = """#!lua
local today, limit, score, player = unpack(ARGV)
repeat
  local gone = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. today, 'LIMIT', 0, 500)
  if #gone > 0 then
    redis.call('ZREM', KEYS[1], unpack(gone))
    redis.call('ZREM', KEYS[2], unpack(gone))
  end
until #gone == 0
local first = 0
if player then
  first = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. score)
  for _, other in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], score, score)) do
    if other <= player then first = first + 1 end
  end
end
return {first, redis.call('ZRANGE', KEYS[1], first, first + limit - 1, 'WITHSCORES')}
"""

_ADVANCE: Final = """#!lua
if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or '0') then
  redis.call('SET', KEYS[1], ARGV[1])
end
"""

# Of one server: a cluster's clients would ask them all.
_TIME: Final = """#!lua flags=no-writes
return redis.call('TIME')
"""


class RedisLedger:
    """A `Ledger` on one Redis. Opens nothing before its first use; safe to fork."""

    def __init__(self, url: str, *, prefix: str = "", timeout: float = 3.0) -> None:
        self._link = Link(url, timeout)
        self._prefix = prefix

    def count(self, book: Book, game: str, sums: Mapping[str, int]) -> bool:
        """See `Ledger.count`."""
        flat = [word for pair in sums.items() for word in pair]
        return bool(self._eval(_COUNT, self._book(book), game, *flat))

    def sums(self, book: Book) -> dict[str, int]:
        """See `Ledger.sums`."""
        with translated():
            found = cast("dict[bytes, bytes]", self._link.client.hgetall(self._book(book)[0]))
        return {name.decode(): int(number) for name, number in found.items()}

    def note(self, variant: str, day: int, game: str, played: Played) -> bool:
        """See `Ledger.note`."""
        keys = [self._of(variant), self._of(variant, f"day:{day}"), self._of(variant, "days")]
        return bool(self._eval(_NOTE, keys, day, game, msgspec.json.encode(played)))

    def unsettled(self, variant: str) -> Unsettled | None:
        """See `Ledger.unsettled`."""
        with translated():
            found = self._link.client.hmget(self._of(variant), ["first", "mark"])
        day, mark = cast("list[bytes | None]", found)
        return None if day is None or mark is None else Unsettled(int(day), int(mark))

    def days(self, variant: str, first: int) -> list[int]:
        """See `Ledger.days`."""
        with translated():
            found = self._link.client.zrangebyscore(self._of(variant, "days"), first, "+inf")
        return [int(day) for day in cast("list[bytes]", found)]

    def results(self, variant: str, day: int) -> dict[str, Played]:
        """See `Ledger.results`."""
        with translated():
            found = self._link.client.hgetall(self._of(variant, f"day:{day}"))
        return {
            game.decode(): _PLAYED.decode(played)
            for game, played in cast("dict[bytes, bytes]", found).items()
        }

    def newest(self, variant: str, players: Sequence[str], before: int) -> dict[str, Entry]:
        """See `Ledger.newest`. One round trip."""
        with translated(), self._link.client.pipeline(transaction=False) as asking:
            for player in players:
                key = self._of(variant, f"of:{player}")
                asking.zrevrangebyscore(key, f"({before}", "-inf", start=0, num=1)
            found = asking.execute()
        return {player: _entry(raw[0]) for player, raw in zip(players, found, strict=True) if raw}

    def settle(self, variant: str, mark: int, changes: Sequence[Change], left: int | None) -> bool:
        """See `Ledger.settle`. Of many only the last ones move the first unsettled day on."""
        boards = [
            self._of(variant, name) for board in _BOARDS for name in (board, f"{board}:until")
        ]
        for start in range(0, max(len(changes), 1), CHUNK):
            chunk = changes[start : start + CHUNK]
            last = start + CHUNK >= len(changes)
            first = left if last else chunk[0].entry.day
            of = [self._of(variant, f"of:{change.player}") for change in chunk]
            words: list[Any] = [mark, "" if first is None else first]
            for change in chunk:
                entry = change.entry
                key = 2 + 2 * _BOARDS.index(change.board) if change.board else ""
                words += [change.player, entry.day, msgspec.json.encode(entry), key]
                words += [-points(entry), change.until]
            if not self._eval(_SETTLE, [self._of(variant), *boards, *of], *words):
                return False
        return True

    def history(self, variant: str, player: str, before: int | None, limit: int) -> list[Entry]:
        """See `Ledger.history`."""
        newest = "+inf" if before is None else f"({before}"
        key = self._of(variant, f"of:{player}")
        with translated():
            found = self._link.client.zrevrangebyscore(key, newest, "-inf", start=0, num=limit)
        return [_entry(raw) for raw in cast("list[bytes]", found)]

    def board(
        self, variant: str, board: Board, today: int, after: Rank | None, limit: int
    ) -> tuple[int, list[Rank]]:
        """See `Ledger.board`."""
        keys = [self._of(variant, board), self._of(variant, f"{board}:until")]
        behind = (-after.points, after.player) if after else ()
        first, rows = self._eval(_BOARD, keys, today, limit, *behind)
        pairs = zip(rows[::2], rows[1::2], strict=True)
        return first, [Rank(player.decode(), -int(score)) for player, score in pairs]

    def hide(self, player: str, hidden: bool) -> None:
        """See `Ledger.hide`."""
        with translated():
            if hidden:
                self._link.client.set(self._hidden(player), 1)
            else:
                self._link.client.unlink(self._hidden(player))

    def hidden(self, players: Sequence[str]) -> set[str]:
        """See `Ledger.hidden`. One round trip."""
        with translated(), self._link.client.pipeline(transaction=False) as asking:
            for player in players:
                asking.exists(self._hidden(player))
            found = asking.execute()
        return {player for player, there in zip(players, found, strict=True) if there}

    def place(self) -> int:
        """See `Ledger.place`."""
        with translated():
            return int(cast("bytes | None", self._link.client.get(self._place)) or 0)

    def advance(self, place: int) -> None:
        """See `Ledger.advance`."""
        self._eval(_ADVANCE, [self._place], place)

    def clear(self) -> None:
        """See `Ledger.clear`. A book's sums go together with what was counted in them."""
        client = self._link.client
        with translated():
            for kind in ("player", "variant"):
                for key in client.scan_iter(self._pattern(f"{kind}:{{*}}:counted"), 1000):
                    client.unlink(key.removesuffix(b"ed") + b"s", key)
            for key in client.scan_iter(self._pattern("ratings:{*}:*"), 1000):
                client.unlink(key)
            for key in client.scan_iter(self._pattern("ratings:{*}"), 1000):
                client.hdel(key, "first")
                client.hincrby(key, "mark", 1)

    def today(self) -> int:
        """See `Ledger.today`."""
        seconds, _ = self._eval(_TIME, [self._place])
        return int(seconds) * 1000 // DAY

    def _eval(self, script: str, keys: Sequence[str], *words: Any) -> Any:
        with translated():
            return self._link.client.eval(script, len(keys), *keys, *words)

    def _book(self, book: Book) -> tuple[str, str]:
        key = f"{self._prefix}{book.kind}:{{{book.name}}}"
        return f"{key}:counts", f"{key}:counted"

    def _hidden(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}:hidden"

    def _of(self, variant: str, what: str = "") -> str:
        return f"{self._prefix}ratings:{{{variant}}}{':' if what else ''}{what}"

    @property
    def _place(self) -> str:
        return f"{self._prefix}statistics:place"

    def _pattern(self, names: str) -> str:
        return "".join(f"\\{c}" if c in "*?[]\\" else c for c in self._prefix) + names


_PLAYED: Final = msgspec.json.Decoder(Played)
_ENTRY: Final = msgspec.json.Decoder(Entry)


def _entry(raw: bytes) -> Entry:
    return _ENTRY.decode(raw)
