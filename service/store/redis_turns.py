"""Turns in the Redis of the queue.

    turn:<game>     hash: version attempts until why (see `Turn`); forgotten an hour after its last
                    change
    turns:held      sorted set of the games whose turn a worker has, score: `until`

Several keys in one script: the queue's server is one, as rq needs it.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, cast

from service.store import Foreign
from service.store.link import Link
from service.store.refusals import good
from service.store.turns import KEEP, SOME, Turn, Why

_CLOCK: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

_BEGIN: Final = f"""#!lua
{_CLOCK}
local version, lease, keep, game = unpack(ARGV)
local at, attempts, till, why = unpack(
  redis.call('HMGET', KEYS[1], 'version', 'attempts', 'until', 'why'))
if at and tonumber(at) > tonumber(version) then return false end
if at == version then
  if now < tonumber(till) then return false end
  if tonumber(till) > 0 then why = 'lost' end
else
  attempts, why = 0, ''
end
attempts, till = attempts + 1, now + lease
redis.call('HSET', KEYS[1], 'version', version, 'attempts', attempts, 'until', till, 'why', why)
redis.call('PEXPIRE', KEYS[1], keep)
redis.call('ZADD', KEYS[2], till, game)
return {{version, attempts, till, why, now, KEYS[3] and redis.call('EXISTS', KEYS[3]) or 0}}
"""

_NEWEST: Final = """
local at, attempts = unpack(redis.call('HMGET', KEYS[1], 'version', 'attempts'))
if at ~= ARGV[1] or attempts ~= ARGV[2] then return 0 end
"""

_HOLD: Final = f"""#!lua
{_CLOCK}{_NEWEST}
local till = now + ARGV[4]
redis.call('HSET', KEYS[1], 'until', till)
redis.call('PEXPIRE', KEYS[1], ARGV[4] + ARGV[5])
redis.call('ZADD', KEYS[2], till, ARGV[3])
return 1
"""

_END: Final = f"""#!lua
{_NEWEST}
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'why', ARGV[4]) end
redis.call('HSET', KEYS[1], 'until', 0, 'attempts', attempts - 1 + ARGV[5])
redis.call('ZREM', KEYS[2], ARGV[3])
return 1
"""

_FIND: Final = f"""#!lua flags=no-writes
{_CLOCK}
local found = redis.call('HMGET', KEYS[1], 'version', 'attempts', 'until', 'why')
if not found[1] then return false end
found[5] = now
return found
"""

_OVERDUE: Final = f"""#!lua
{_CLOCK}
local games = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, game in ipairs(games) do redis.call('ZREM', KEYS[2], game) end
return games
"""


class RedisTurns:
    """`Turns` on one Redis. Opens nothing before its first use; safe to fork.

    `crowd` is a key there that exists while others should go first; see `Turn.crowded`.
    After a lost reply to `begin` nobody has the turn until the lease is over.
    """

    def __init__(self, url: str, *, crowd: str = "", timeout: float = 3.0) -> None:
        self._link = Link(url, timeout)
        self._crowd = (crowd,) if crowd else ()

    def begin(self, game: str, version: int, lease: float) -> Turn | None:
        """See `Turns.begin`."""
        return _turn(self._eval(_BEGIN, game, version, round(lease * 1000), KEEP, game))

    def hold(self, game: str, turn: Turn, lease: float) -> None:
        """See `Turns.hold`."""
        ms = round(lease * 1000)
        self._eval(_HOLD, game, turn.version, turn.attempts, game, ms, KEEP)

    def end(self, game: str, turn: Turn, why: Why | Literal[""] = "", counted: bool = True) -> None:
        """See `Turns.end`."""
        self._eval(_END, game, turn.version, turn.attempts, game, why, int(counted))

    def find(self, game: str) -> Turn | None:
        """See `Turns.find`."""
        return _turn(self._eval(_FIND, game))

    def overdue(self) -> Sequence[str]:
        """See `Turns.overdue`."""
        return [game.decode() for game in self._eval(_OVERDUE, "", SOME)]

    def _eval(self, script: str, game: str, *words: str | int) -> Any:
        keys = (f"turn:{game}", "turns:held", *self._crowd)
        return good(self._link.ask(("EVAL", script, len(keys), *keys, *words))[0])


def _turn(said: Any) -> Turn | None:
    if not said:
        return None
    try:
        version, attempts, until, why, now, *crowd = said
        code = cast("Why", why.decode())
        return Turn(int(version), int(attempts), int(until), code, int(now), any(crowd))
    except (AttributeError, TypeError, ValueError):
        raise Foreign("a turn is not one of ours") from None
