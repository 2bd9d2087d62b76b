"""Jobs in Redis.

    job:{<id>}             hash: the order (kind owner digest game depth head deal version seat),
                           how far it came (state attempts created changed until result error), and
                           token, by which a repeated write knows itself
    job:{<id>}:input       the record that came with it, until the job is over
    jobs:open              sorted set of the unfinished jobs, score: when created, in ms
    player:{<id>}:jobs     the same of one player's
    job-name:{<name>}      the id of the job that the name stands for

A job has its places in both sets before it is written, and loses them after it is over: what is
cut short in between is mended by `unfinished` and by the next `add` that finds no place.
"""

import secrets
from collections.abc import Iterator
from typing import Any, Final, Literal, cast, get_args

from service.store import Foreign, Unreadable
from service.store.jobs import (
    AUDITS,
    LEASE,
    UNWRITTEN,
    Crowded,
    Depth,
    End,
    Error,
    Job,
    Kind,
    Limits,
    Order,
    State,
)
from service.store.link import Link
from service.store.refusals import translated

_CLOCK: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

# A place that is held already is given again, so that a write repeated does no harm.
_PLACE: Final = f"""#!lua
{_CLOCK}
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[1])
return 1
"""

_ADD: Final = f"""#!lua
{_CLOCK}
local keep = ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'created', now, 'changed', now, unpack(ARGV, 3))
  redis.call('EXPIRE', KEYS[1], keep)
  if ARGV[2] ~= '' then redis.call('SET', KEYS[2], ARGV[2], 'EX', keep) end
end
return {{now, redis.call('HGETALL', KEYS[1])}}
"""

_FIND: Final = f"""#!lua flags=no-writes
{_CLOCK}
return {{now, redis.call('HGETALL', KEYS[1])}}
"""

_BEGIN: Final = f"""#!lua
{_CLOCK}
local state, left = unpack(redis.call('HMGET', KEYS[1], 'state', 'until'))
if state ~= 'queued' and not (state == 'running' and now > tonumber(left)) then return false end
redis.call('HINCRBY', KEYS[1], 'attempts', 1)
redis.call('HSET', KEYS[1], 'state', 'running', 'changed', now, 'until', now + ARGV[1])
return {{now, redis.call('HGETALL', KEYS[1])}}
"""

_NEWEST: Final = """
local state, attempts = unpack(redis.call('HMGET', KEYS[1], 'state', 'attempts'))
if state ~= 'running' or attempts ~= ARGV[1] then return 0 end
"""

_ALIVE: Final = f"""#!lua
{_CLOCK}{_NEWEST}
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
return 1
"""

_SETTLE: Final = f"""#!lua
{_CLOCK}{_NEWEST}
local state, result, error, keep = unpack(ARGV, 2)
redis.call('HSET', KEYS[1], 'state', state, 'changed', now, 'result', result, 'error', error)
redis.call('EXPIRE', KEYS[1], keep)
if state ~= 'queued' then redis.call('DEL', KEYS[2]) end
return 1
"""


class RedisJobs:
    """`Jobs` on one Redis. Opens nothing before its first use; safe to fork."""

    def __init__(
        self, url: str, *, prefix: str = "", timeout: float = 3.0, limits: Limits = AUDITS
    ) -> None:
        self._link = Link(url, timeout)
        self._prefix = prefix
        self._limits = limits

    def add(self, job: str, order: Order, record: bytes) -> tuple[Job, bool]:
        """See `Jobs.add`."""
        if found := self.find(job):
            return found, False
        mine = self._own(order.owner)
        most = self._limits
        if not self._placed(mine, job, most.by_player):
            for _ in self._among(mine):
                pass  # which takes the places of those that are over
            if not self._placed(mine, job, most.by_player):
                raise Crowded
        if not self._placed(self._open, job, most.by_all):
            self._forget(mine, job)
            raise Crowded
        token = secrets.token_hex(8)
        fields = {
            "kind": order.kind,
            "owner": order.owner,
            "digest": order.digest,
            "game": order.game,
            "depth": order.depth,
            "head": order.head,
            "deal": "" if order.deal is None else str(order.deal),
            "version": "" if order.version is None else str(order.version),
            "seat": "" if order.seat is None else str(order.seat),
            "state": "queued",
            "attempts": "0",
            "until": "0",
            "result": "",
            "error": "",
            "token": token,
        }
        flat = [word for pair in fields.items() for word in pair]
        now, said = self._script(_ADD, job, most.keep, record, *flat)
        return _job(job, now, said), said[b"token"] == token.encode()

    def find(self, job: str) -> Job | None:
        """See `Jobs.find`."""
        return self._look(job)[1]

    def named(self, name: str, job: str = "") -> str:
        """See `Jobs.named`."""
        key = f"{self._prefix}job-name:{{{name}}}"
        with translated():
            if job:
                self._link.client.set(key, job, nx=True, ex=self._limits.keep)
            return (cast("bytes | None", self._link.client.get(key)) or b"").decode()

    def record(self, job: str) -> bytes:
        """See `Jobs.record`."""
        with translated():
            return cast("bytes | None", self._link.client.get(self._input(job))) or b""

    def begin(self, job: str) -> Job | None:
        """See `Jobs.begin`. After a lost reply nobody has the attempt until its lease is over."""
        now, fields = self._script(_BEGIN, job, LEASE)
        return _job(job, now, fields) if fields else None

    def alive(self, job: Job) -> None:
        """See `Jobs.alive`."""
        self._eval(_ALIVE, job.id, job.attempts, LEASE)

    def settle(
        self,
        job: Job,
        state: End,
        result: bytes = b"",
        error: Error | Literal[""] = "",
    ) -> bool:
        """See `Jobs.settle`. After a lost reply: False, and `unfinished` takes the places."""
        keep = self._limits.keep
        settled = self._eval(_SETTLE, job.id, job.attempts, state, result, error, keep)
        if settled and state != "queued":
            self._forget(self._open, job.id)
            self._forget(self._own(job.order.owner), job.id)
        return bool(settled)

    def unfinished(self) -> Iterator[Job]:
        """See `Jobs.unfinished`."""
        return self._among(self._open)

    def _among(self, key: str) -> Iterator[Job]:
        """The unfinished jobs of a set; the others lose their place."""
        with translated():
            places = self._link.client.zrange(key, 0, -1, withscores=True)
        for member, placed in cast("list[tuple[bytes, float]]", places):
            try:
                now, job = self._look(member.decode())
            except Unreadable:
                self._forget(key, member.decode())
                continue
            if job and not job.over:
                yield job
            elif job or now > placed + UNWRITTEN:
                self._forget(key, member.decode())

    def _look(self, job: str) -> tuple[int, Job | None]:
        now, fields = self._script(_FIND, job)
        return now, _job(job, now, fields) if fields else None

    def _placed(self, key: str, job: str, most: int) -> bool:
        with translated():
            return bool(self._link.client.eval(_PLACE, 1, key, job, most, self._limits.keep * 1000))

    def _forget(self, key: str, job: str) -> None:
        with translated():
            self._link.client.zrem(key, job)

    def _script(self, script: str, job: str, *words: Any) -> tuple[int, dict[bytes, bytes]]:
        """What a script that tells the time and a job says; no fields for nil."""
        said = self._eval(script, job, *words)
        if not said:
            return 0, {}
        now, raw = said
        return now, dict(zip(raw[::2], raw[1::2], strict=True))

    def _eval(self, script: str, job: str, *words: Any) -> Any:
        keys = self._hash(job), self._input(job)
        with translated():
            return self._link.client.eval(script, 2, *keys, *words)

    def _hash(self, job: str) -> str:
        return f"{self._prefix}job:{{{job}}}"

    def _input(self, job: str) -> str:
        return f"{self._prefix}job:{{{job}}}:input"

    @property
    def _open(self) -> str:
        return f"{self._prefix}jobs:open"

    def _own(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}:jobs"


def _job(job: str, now: int, fields: dict[bytes, bytes]) -> Job:
    try:
        text = {name.decode(): value.decode() for name, value in fields.items()}
        if text["state"] not in get_args(State):
            raise ValueError
        order = Order(
            cast("Kind", text["kind"]),
            text["owner"],
            text["digest"],
            text["game"],
            cast("Depth", text["depth"]),
            text["head"],
            deal=_number(text.get("deal", "")),
            version=_number(text.get("version", "")),
            seat=_number(text.get("seat", "")),
        )
        return Job(
            job,
            order,
            cast("State", text["state"]),
            attempts=int(text["attempts"]),
            created=int(text["created"]),
            changed=int(text["changed"]),
            until=int(text["until"]),
            result=fields[b"result"],
            error=text["error"],
            now=now,
        )
    except (KeyError, ValueError):
        raise Foreign(f"job {job} is not one of ours") from None


def _number(text: str) -> int | None:
    """A number of an order; earlier releases wrote none of them."""
    return int(text) if text else None
