"""Hooks in Redis, and up to where games were told.

    webhook:{<id>}             hash: what its owner asked for (owner digest url kinds label secret
                               former former_until rotation created since), how it fares (off
                               off_at failures succeeded, and lease holder rest for who sends);
                               or gone = 1 for a day, once it is removed
    webhook:{<id>}:once:<key>  what an Idempotency-Key led to; for a day
    player:{<id>}:webhooks     sorted set of a player's hooks, score: when made, in ms
    game:{<id>}:told           the version up to which all was told
    webhooks:watched           sorted set of games that are over and may not be told whole

A secret must be kept as it is, for it signs. A hook has its place before it is written and loses
it after it is gone: what was cut short in between is mended by the next `add` without a place.

Over 250 lines, since scripts and what calls them are read together.
"""

from collections.abc import Sequence
from typing import Any, Final, cast, get_args

from service.store import Foreign
from service.store.link import Link
from service.store.refusals import good, translated
from service.store.webhooks import (
    BY_PLAYER,
    KEEP,
    ONCE,
    UNWRITTEN,
    Crowded,
    Hook,
    Removed,
    Why,
)

CLOCK: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

_PLACE: Final = f"""#!lua
{CLOCK}
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[1])
return 1
"""

_TOLD: Final = """
return {now, redis.call('HGETALL', KEYS[1]), redis.call('ZCARD', KEYS[2])}
"""

# A script that finds its work done writes all the same: see `Link.write`.
_TOUCH: Final = "redis.call('HSET', KEYS[1], 'touched', now)"

_ADD: Final = f"""#!lua
{CLOCK}
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'created', now, 'since', now, unpack(ARGV))
end
{_TOUCH}
{_TOLD}"""

_FIND: Final = f"#!lua flags=no-writes\n{CLOCK}{_TOLD}"

# Turning on what is on already changes nothing: `since` would skip what is not told yet.
_CHANGE: Final = f"""#!lua
{CLOCK}
if redis.call('HEXISTS', KEYS[1], 'owner') == 0 then return false end
local turn, off = ARGV[1], ARGV[2]
if turn == 'yes' and redis.call('HGET', KEYS[1], 'off') ~= off then
  redis.call('HSET', KEYS[1], 'off', off, 'off_at', now, 'failures', 0)
  if off == '' then redis.call('HSET', KEYS[1], 'since', now) end
  redis.call('DEL', KEYS[2])
end
if #ARGV > 2 then redis.call('HSET', KEYS[1], unpack(ARGV, 3)) end
{_TOUCH}
{_TOLD}"""

_ROTATE: Final = f"""#!lua
{CLOCK}
local old, new, rotation, overlap = unpack(ARGV)
if redis.call('HEXISTS', KEYS[1], 'owner') == 0 then return false end
if redis.call('HGET', KEYS[1], 'secret') == old then
  redis.call('HSET', KEYS[1], 'secret', new, 'former', old, 'former_until', now + overlap,
    'rotation', rotation)
end
{_TOUCH}
{_TOLD}"""

_REMOVE: Final = """#!lua
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'gone', 1)
redis.call('EXPIRE', KEYS[1], ARGV[1])
"""

_TELL: Final = """#!lua
local there = tonumber(redis.call('GET', KEYS[1]) or 0)
if there < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
redis.call('EXPIRE', KEYS[1], ARGV[2])
"""

_WATCH: Final = f"""#!lua
{CLOCK}
redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
"""


class RedisHooks:
    """`Hooks` on one Redis. Opens nothing before its first use; safe to fork.

    `replicas` is how many replicas must have a hook before it is acknowledged.
    """

    def __init__(
        self, url: str, *, prefix: str = "", timeout: float = 3.0, replicas: int = 0
    ) -> None:
        self._link = Link(url, timeout, replicas)
        self._prefix = prefix

    def add(self, hook: Hook) -> tuple[Hook, bool]:
        """See `Hooks.add`."""
        found = self._look(hook.id)
        if found:
            return found, False
        mine = self._own(hook.owner)
        if not self._placed(mine, hook.id):
            self._tidy(mine)
            if not self._placed(mine, hook.id):
                raise Crowded
        fields = {
            "owner": hook.owner,
            "digest": hook.digest,
            "secret": hook.secret,
            "off": "",
            **_settings(hook.url, hook.kinds, hook.label),
        }
        flat = [word for pair in fields.items() for word in pair]
        made = _hook(hook.id, self._write(_ADD, hook.id, *flat))
        if made is None:
            raise Removed
        return made, made.secret == hook.secret

    def find(self, hook: str) -> Hook | None:
        """See `Hooks.find`."""
        try:
            return self._look(hook)
        except Removed:
            return None

    def of(self, player: str) -> list[Hook]:
        """See `Hooks.of`."""
        with translated():
            places = self._link.client.zrange(self._own(player), 0, -1)
        found = (self.find(one.decode()) for one in cast("list[bytes]", places))
        return [one for one in found if one]

    def subscribed(self, players: Sequence[str]) -> set[str]:
        """See `Hooks.subscribed`. One round trip."""
        found = map(good, self._link.ask(*(("EXISTS", self._own(player)) for player in players)))
        return {player for player, there in zip(players, found, strict=True) if there}

    def change(
        self,
        hook: str,
        url: str | None = None,
        kinds: tuple[str, ...] | None = None,
        label: str | None = None,
        off: Why | None = None,
    ) -> Hook | None:
        """See `Hooks.change`."""
        fields = _settings(url, kinds, label)
        flat = [word for pair in fields.items() for word in pair]
        turn = ("no", "") if off is None else ("yes", off)
        return _hook(hook, self._write(_CHANGE, hook, *turn, *flat))

    def rotate(self, hook: Hook, secret: str, rotation: str, overlap: int) -> Hook | None:
        """See `Hooks.rotate`."""
        return _hook(hook.id, self._write(_ROTATE, hook.id, hook.secret, secret, rotation, overlap))

    def remove(self, hook: Hook) -> None:
        """See `Hooks.remove`."""
        self._write(_REMOVE, hook.id, ONCE)
        with translated():
            self._link.client.zrem(f"{self._prefix}webhooks:due", hook.id)
            self._link.client.zrem(self._own(hook.owner), hook.id)

    def keep(self, hook: str, key: str, value: str) -> None:
        """See `Hooks.keep`."""
        with translated():
            self._link.client.set(f"{self._key(hook)}:once:{key}", value, ex=ONCE)

    def kept(self, hook: str, key: str) -> str | None:
        """See `Hooks.kept`."""
        with translated():
            said = cast("bytes | None", self._link.client.get(f"{self._key(hook)}:once:{key}"))
        return said.decode() if said else None

    def _look(self, hook: str) -> Hook | None:
        with translated():
            said = self._link.client.eval(_FIND, 2, *self._keys(hook)[:2])
        fields = cast("list[Any]", said)[1]
        if b"gone" in fields[::2]:
            raise Removed
        return _hook(hook, said)

    def _placed(self, key: str, hook: str) -> bool:
        with translated():
            return bool(self._link.client.eval(_PLACE, 1, key, hook, BY_PLAYER))

    def _tidy(self, key: str) -> None:
        """Takes the places of hooks that are not there, and will not come."""
        with translated():
            places = self._link.client.zrange(key, 0, -1, withscores=True)
            time = self._link.client.time()
            for member, placed in cast("list[tuple[bytes, float]]", places):
                late = placed + UNWRITTEN < time[0] * 1000
                if late and self.find(member.decode()) is None:
                    self._link.client.zrem(key, member)

    def _write(self, script: str, hook: str, *words: Any) -> Any:
        key, *others = self._keys(hook)
        return self._link.write(key, "EVAL", script, 3, key, *others, *words)

    def _keys(self, hook: str) -> tuple[str, str, str]:
        key = self._key(hook)
        return key, f"{key}:pending", f"{key}:log"

    def _key(self, hook: str) -> str:
        return f"{self._prefix}webhook:{{{hook}}}"

    def _own(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}:webhooks"


class RedisTold:
    """`Told` on one Redis. Opens nothing before its first use; safe to fork."""

    def __init__(self, url: str, *, prefix: str = "", timeout: float = 3.0) -> None:
        self._link = Link(url, timeout)
        self._prefix = prefix

    def told(self, game: str) -> int:
        """See `Told.told`."""
        with translated():
            return int(cast("bytes | None", self._link.client.get(self._key(game))) or 0)

    def tell(self, game: str, version: int) -> None:
        """See `Told.tell`. Forgotten after a while, when all that could be told is too old."""
        with translated():
            self._link.client.eval(_TELL, 1, self._key(game), version, 2 * KEEP)

    def watch(self, game: str) -> None:
        """See `Told.watch`."""
        with translated():
            self._link.client.eval(_WATCH, 1, self._watched, game)

    def unwatch(self, game: str) -> None:
        """See `Told.unwatch`."""
        with translated():
            self._link.client.zrem(self._watched, game)

    def watched(self, limit: int) -> list[str]:
        """See `Told.watched`."""
        with translated():
            found = self._link.client.zrange(self._watched, 0, limit - 1)
        return [one.decode() for one in cast("list[bytes]", found)]

    def _key(self, game: str) -> str:
        return f"{self._prefix}game:{{{game}}}:told"

    @property
    def _watched(self) -> str:
        return f"{self._prefix}webhooks:watched"


def _settings(url: str | None, kinds: tuple[str, ...] | None, label: str | None) -> dict[str, str]:
    fields = {"url": url, "kinds": None if kinds is None else " ".join(kinds), "label": label}
    return {name: value for name, value in fields.items() if value is not None}


def _hook(hook: str, said: Any) -> Hook | None:
    """The hook of what a script said; None where there is none, or no longer."""
    if not said:
        return None
    now, raw, pending = said
    if not raw or b"gone" in raw[::2]:
        return None
    try:
        pairs = zip(raw[::2], raw[1::2], strict=True)
        text = {name.decode(): value.decode() for name, value in pairs}
        if text["off"] not in get_args(Why):
            raise ValueError
        return Hook(
            id=hook,
            owner=text["owner"],
            digest=text["digest"],
            url=text["url"],
            kinds=tuple(text["kinds"].split()),
            label=text["label"],
            secret=text["secret"],
            former=text.get("former", ""),
            former_until=int(text.get("former_until", 0)),
            rotation=text.get("rotation", ""),
            created=int(text["created"]),
            since=int(text["since"]),
            off=cast("Why", text["off"]),
            off_at=int(text.get("off_at", 0)),
            failures=int(text.get("failures", 0)),
            succeeded=int(text.get("succeeded", 0)),
            pending=pending,
            now=now,
        )
    except (KeyError, ValueError):
        raise Foreign(f"webhook {hook} is not one of ours") from None
