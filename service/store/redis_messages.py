"""What is to be sent to hooks, in Redis.

    webhook:{<id>}:pending       sorted set of messages that wait, score: when due, in ms
    webhook:{<id>}:message:<id>  hash: kind game version at body state attempts tries settled
    webhook:{<id>}:log           stream of attempts, the newest ones, each as JSON
    webhooks:due                 sorted set of hooks, score: when the next of each is due
    webhooks:host:{<host>}       sorted set of who calls a host, score: until when at most

`webhooks:due` is a hint, written after what it tells of. Who sent for a hook looks again after
noting the next time, so that a message posted in between is not overlooked.

Over 250 lines, since scripts and what calls them are read together.
"""

import re
from typing import Any, Final, cast

import msgspec

from service.store import Foreign
from service.store.link import Link
from service.store.redis_hooks import CLOCK, RedisHooks, RedisTold
from service.store.refusals import translated
from service.store.webhooks import (
    CALLED,
    KEEP,
    LEASE,
    LOGGED,
    PENDING,
    Attempt,
    Keepers,
    Message,
    State,
    Why,
)

# KEYS: the hook, what waits for it, the message, the log.
_ON: Final = """
local hook, pending, message, log = unpack(KEYS)
if redis.call('HGET', hook, 'off') ~= '' then return 'off' end
"""

_POST: Final = f"""#!lua
{CLOCK}{_ON}
local id, keep, most = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('EXISTS', message) == 1 then return 'there' end
if redis.call('ZCARD', pending) >= most then
  redis.call('HSET', hook, 'off', 'backlog', 'off_at', now)
  redis.call('DEL', pending)
  return 'full'
end
redis.call('HSET', message, 'state', 'pending', 'attempts', 0, 'tries', 0, unpack(ARGV, 4))
redis.call('EXPIRE', message, keep)
redis.call('ZADD', pending, now, id)
return 'new'
"""

_AGAIN: Final = f"""#!lua
{CLOCK}{_ON}
if redis.call('EXISTS', message) == 0 then return 'none' end
redis.call('HSET', message, 'state', 'pending', 'tries', 0)
redis.call('EXPIRE', message, ARGV[2])
redis.call('ZADD', pending, now, ARGV[1])
return 'new'
"""

_WHEN: Final = f"""
{CLOCK}
local function when(holder)
  local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
  if not first[1] or redis.call('HGET', KEYS[1], 'off') ~= '' then return nil, -1 end
  local having, lease, rest = unpack(redis.call('HMGET', KEYS[1], 'holder', 'lease', 'rest'))
  local at = math.max(tonumber(first[2]), tonumber(rest or 0))
  if having ~= holder then at = math.max(at, tonumber(lease or 0)) end
  return first[1], at
end
"""

_LOOK: Final = f"""#!lua flags=no-writes
{_WHEN}
local _, at = when('')
return {{now, at}}
"""

_BEGIN: Final = f"""#!lua
{_WHEN}
local id, at = when(ARGV[1])
if not id or at > now then return {{now, at}} end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lease', now + ARGV[2])
return {{now, at, id}}
"""

_COUNT: Final = """#!lua
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
redis.call('HINCRBY', KEYS[1], 'attempts', 1)
redis.call('HINCRBY', KEYS[1], 'tries', 1)
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('HGETALL', KEYS[1])
"""

# Sent twice it would count twice, so the attempt that was settled last is kept.
_SETTLE: Final = f"""#!lua
{CLOCK}
local hook, pending, message, log = unpack(KEYS)
local id, number, tries, holder, state, due, off, rest, line, most = unpack(ARGV)
if redis.call('EXISTS', message) == 1 then
  if redis.call('HGET', message, 'settled') == number then return end
  -- Asked for again meanwhile: it is to be sent once more, whatever came of this attempt.
  local again = tonumber(redis.call('HGET', message, 'tries')) < tonumber(tries)
  redis.call('HSET', message, 'settled', number, 'state', again and 'pending' or state)
  if again then due = now end
end
if redis.call('HEXISTS', hook, 'owner') == 0 then return end
redis.call('XADD', log, 'MAXLEN', most, '*', 'a', line)
if redis.call('HGET', hook, 'holder') == holder then
  redis.call('HDEL', hook, 'holder', 'lease')
end
redis.call('HSET', hook, 'rest', now + rest)
if state == 'delivered' then
  redis.call('HSET', hook, 'failures', 0, 'succeeded', now)
else
  redis.call('HINCRBY', hook, 'failures', 1)
end
if redis.call('HGET', hook, 'off') ~= '' then return end
if due == '' then redis.call('ZREM', pending, id) else redis.call('ZADD', pending, due, id) end
if off ~= '' then
  redis.call('HSET', hook, 'off', off, 'off_at', now)
  redis.call('DEL', pending)
end
"""

_REST: Final = f"""#!lua
{CLOCK}
if redis.call('HEXISTS', KEYS[1], 'owner') == 1 then
  redis.call('HSET', KEYS[1], 'rest', now + ARGV[1])
end
"""

_DUE: Final = f"""#!lua
{CLOCK}
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, hook in ipairs(found) do redis.call('ZADD', KEYS[1], now + ARGV[2], hook) end
return found
"""

_ENTER: Final = f"""#!lua
{CLOCK}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local inside = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not inside and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""

_LOOKS: Final = 3


def redis_webhooks(
    url: str, *, prefix: str = "", timeout: float = 3.0, replicas: int = 0
) -> Keepers:
    """The keepers of webhooks on one Redis. Open nothing before their first use; safe to fork."""
    return Keepers(
        RedisHooks(url, prefix=prefix, timeout=timeout, replicas=replicas),
        RedisMessages(url, prefix=prefix, timeout=timeout),
        RedisTold(url, prefix=prefix, timeout=timeout),
    )


class RedisMessages:
    """`Messages` on one Redis."""

    def __init__(self, url: str, *, prefix: str = "", timeout: float = 3.0) -> None:
        self._link = Link(url, timeout)
        self._prefix = prefix

    def post(self, message: Message) -> bool:
        """See `Messages.post`."""
        fields = {
            "kind": message.kind,
            "game": message.game,
            "version": message.version,
            "at": message.at,
            "body": message.body,
        }
        flat = [word for pair in fields.items() for word in pair]
        said = self._eval(_POST, message.hook, message.id, message.id, KEEP, PENDING, *flat)
        if said in (b"new", b"there"):  # the hint may have been lost
            self._hint(message.hook)
        return bool(said == b"new")

    def again(self, hook: str, message: str) -> bool:
        """See `Messages.again`."""
        if self._eval(_AGAIN, hook, message, message, KEEP) != b"new":
            return False
        self._hint(hook)
        return True

    def find(self, hook: str, message: str) -> Message | None:
        """See `Messages.find`."""
        with translated():
            said = self._link.client.hgetall(self._keys(hook, message)[2])
        fields = cast("dict[bytes, bytes]", said)
        return _message(hook, message, fields) if b"body" in fields else None

    def begin(self, hook: str, holder: str) -> tuple[Message, int] | int | None:
        """See `Messages.begin`."""
        while True:
            now, at, *first = self._eval(_BEGIN, hook, "", holder, LEASE)
            if not first:
                return None if at < 0 else int(at)
            message = first[0].decode()
            with translated():
                key = self._keys(hook, message)[2]
                raw = cast("list[bytes] | None", self._link.client.eval(_COUNT, 1, key, KEEP))
            if raw:
                fields = dict(zip(raw[::2], raw[1::2], strict=True))
                return _message(hook, message, fields), now
            with translated():  # it waited for longer than it is kept
                self._link.client.zrem(self._keys(hook)[1], message)

    def settle(
        self, message: Message, attempt: Attempt, *, holder: str, off: Why = "", rest: int = 0
    ) -> None:
        """See `Messages.settle`."""
        state: State = "pending" if attempt.next else "failed" if attempt.fault else "delivered"
        due = "" if attempt.next is None else attempt.next
        line = msgspec.json.encode(attempt)
        words = (
            message.id,
            attempt.number,
            message.tries,
            holder,
            state,
            due,
            off,
            rest,
            line,
            LOGGED,
        )
        self._eval(_SETTLE, message.hook, message.id, *words)

    def rest(self, hook: str, milliseconds: int) -> None:
        """See `Messages.rest`."""
        self._eval(_REST, hook, "", milliseconds)

    def log(self, hook: str, before: str, limit: int) -> list[tuple[str, Attempt]]:
        """See `Messages.log`."""
        if before and not re.fullmatch("[0-9]{1,16}-[0-9]{1,16}", before):
            raise ValueError("no place of a log")
        with translated():
            end = f"({before}" if before else "+"
            said = self._link.client.xrevrange(self._keys(hook)[3], end, "-", count=limit)
        return [
            (place.decode(), msgspec.json.decode(fields[b"a"], type=Attempt))
            for place, fields in cast("list[tuple[bytes, dict[bytes, bytes]]]", said)
        ]

    def due(self, limit: int) -> list[str]:
        """See `Messages.due`."""
        with translated():
            found = self._link.client.eval(_DUE, 1, self._due, limit, CALLED)
        return [one.decode() for one in cast("list[bytes]", found)]

    def remind(self, hook: str) -> bool:
        """See `Messages.remind`."""
        noted: int | None = None
        for _ in range(_LOOKS):
            with translated():
                said = self._link.client.eval(_LOOK, 2, *self._keys(hook)[:2])
                now, at = cast("list[int]", said)
                if at == noted:
                    break
                if at < 0:
                    self._link.client.zrem(self._due, hook)
                else:
                    self._link.client.zadd(self._due, {hook: at})
            noted = at
        return 0 <= at <= now

    def enter(self, host: str, holder: str, most: int) -> bool:
        """See `Messages.enter`."""
        with translated():
            return bool(self._link.client.eval(_ENTER, 1, self._host(host), holder, most, LEASE))

    def leave(self, host: str, holder: str) -> None:
        """See `Messages.leave`."""
        with translated():
            self._link.client.zrem(self._host(host), holder)

    def _hint(self, hook: str) -> None:
        with translated():
            time = self._link.client.time()
            self._link.client.zadd(self._due, {hook: time[0] * 1000}, lt=True)

    def _eval(self, script: str, hook: str, message: str, *words: Any) -> Any:
        keys = self._keys(hook, message)
        with translated():
            return self._link.client.eval(script, len(keys), *keys, *words)

    def _keys(self, hook: str, message: str = "") -> tuple[str, str, str, str]:
        key = f"{self._prefix}webhook:{{{hook}}}"
        return key, f"{key}:pending", f"{key}:message:{message}", f"{key}:log"

    def _host(self, host: str) -> str:
        return f"{self._prefix}webhooks:host:{{{host}}}"

    @property
    def _due(self) -> str:
        return f"{self._prefix}webhooks:due"


def _message(hook: str, message: str, fields: dict[bytes, bytes]) -> Message:
    try:
        return Message(
            id=message,
            hook=hook,
            kind=fields[b"kind"].decode(),
            game=fields[b"game"].decode(),
            version=int(fields[b"version"]),
            at=int(fields[b"at"]),
            body=fields[b"body"],
            state=cast("State", fields[b"state"].decode()),
            attempts=int(fields[b"attempts"]),
            tries=int(fields[b"tries"]),
        )
    except (KeyError, ValueError):
        raise Foreign(f"message {message} is not one of ours") from None
