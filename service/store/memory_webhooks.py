"""The promises of `Hooks`, `Messages` and `Told` in dictionaries: for tests. Nothing expires.

Over 250 lines, since it keeps every promise that two modules keep over Redis.
"""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from service.store.memory import wall_clock
from service.store.webhooks import (
    BY_PLAYER,
    CALLED,
    LEASE,
    LOGGED,
    PENDING,
    Attempt,
    Crowded,
    Hook,
    Keepers,
    Message,
    Removed,
    Why,
)


@dataclass
class _Shared:
    """What hooks and messages both look at. `due` is when each message is."""

    clock: Callable[[], int]
    lock: threading.RLock = field(default_factory=threading.RLock)
    hooks: dict[str, Hook] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    messages: dict[tuple[str, str], Message] = field(default_factory=dict)
    due: dict[str, dict[str, int]] = field(default_factory=dict)

    def waiting(self, hook: str) -> dict[str, int]:
        return self.due.setdefault(hook, {})


def memory_webhooks(clock: Callable[[], int] = wall_clock) -> Keepers:
    """Keepers that end with their process. `clock` tells milliseconds since 1970."""
    shared = _Shared(clock)
    return Keepers(MemoryHooks(shared), MemoryMessages(shared), MemoryTold())


class MemoryHooks:
    """`Hooks` in a dictionary."""

    def __init__(self, shared: _Shared) -> None:
        self._shared = shared
        self._kept: dict[tuple[str, str], str] = {}

    def add(self, hook: Hook) -> tuple[Hook, bool]:
        """See `Hooks.add`."""
        with self._shared.lock:
            if hook.id in self._shared.removed:
                raise Removed
            if hook.id in self._shared.hooks:
                return self._now(hook.id), False
            if len(self.of(hook.owner)) >= BY_PLAYER:
                raise Crowded
            now = self._shared.clock()
            self._shared.hooks[hook.id] = replace(hook, created=now, since=now)
            return self._now(hook.id), True

    def find(self, hook: str) -> Hook | None:
        """See `Hooks.find`."""
        with self._shared.lock:
            return self._now(hook) if hook in self._shared.hooks else None

    def of(self, player: str) -> list[Hook]:
        """See `Hooks.of`."""
        with self._shared.lock:
            own = [one.id for one in self._shared.hooks.values() if one.owner == player]
            return sorted(map(self._now, own), key=lambda one: (one.created, one.id))

    def subscribed(self, players: Sequence[str]) -> set[str]:
        """See `Hooks.subscribed`."""
        with self._shared.lock:
            return {one.owner for one in self._shared.hooks.values()} & set(players)

    def change(
        self,
        hook: str,
        url: str | None = None,
        kinds: tuple[str, ...] | None = None,
        label: str | None = None,
        off: Why | None = None,
    ) -> Hook | None:
        """See `Hooks.change`."""
        with self._shared.lock:
            there = self._shared.hooks.get(hook)
            if there is None:
                return None
            if url is not None:
                there = replace(there, url=url)
            if kinds is not None:
                there = replace(there, kinds=kinds)
            if label is not None:
                there = replace(there, label=label)
            if off is not None and off != there.off:
                now = self._shared.clock()
                since = there.since if off else now
                there = replace(there, off=off, off_at=now, since=since, failures=0)
                self._shared.waiting(hook).clear()
            self._shared.hooks[hook] = there
            return self._now(hook)

    def rotate(self, hook: Hook, secret: str, rotation: str, overlap: int) -> Hook | None:
        """See `Hooks.rotate`."""
        with self._shared.lock:
            there = self._shared.hooks.get(hook.id)
            if there is None:
                return None
            if there.secret == hook.secret:
                self._shared.hooks[hook.id] = replace(
                    there,
                    secret=secret,
                    former=there.secret,
                    former_until=self._shared.clock() + overlap,
                    rotation=rotation,
                )
            return self._now(hook.id)

    def remove(self, hook: Hook) -> None:
        """See `Hooks.remove`."""
        with self._shared.lock:
            self._shared.hooks.pop(hook.id, None)
            self._shared.removed.add(hook.id)
            self._shared.waiting(hook.id).clear()

    def keep(self, hook: str, key: str, value: str) -> None:
        """See `Hooks.keep`."""
        self._kept[hook, key] = value

    def kept(self, hook: str, key: str) -> str | None:
        """See `Hooks.kept`."""
        return self._kept.get((hook, key))

    def _now(self, hook: str) -> Hook:
        return replace(
            self._shared.hooks[hook],
            pending=len(self._shared.waiting(hook)),
            now=self._shared.clock(),
        )


class MemoryMessages:
    """`Messages` in a dictionary."""

    def __init__(self, shared: _Shared) -> None:
        self._shared = shared
        self._logs: dict[str, list[Attempt]] = {}
        self._leases: dict[str, tuple[str, int]] = {}
        self._rests: dict[str, int] = {}
        self._named: dict[str, int] = {}
        self._hosts: dict[str, set[str]] = {}

    def post(self, message: Message) -> bool:
        """See `Messages.post`."""
        with self._shared.lock:
            place = message.hook, message.id
            if not self._on(message.hook) or place in self._shared.messages:
                return False
            if len(self._shared.waiting(message.hook)) >= PENDING:
                self._turn_off(message.hook, "backlog")
                return False
            self._shared.messages[place] = message
            self._make_due(*place)
            return True

    def again(self, hook: str, message: str) -> bool:
        """See `Messages.again`."""
        with self._shared.lock:
            there = self._shared.messages.get((hook, message))
            if not self._on(hook) or there is None:
                return False
            self._shared.messages[hook, message] = replace(there, state="pending", tries=0)
            self._make_due(hook, message)
            return True

    def find(self, hook: str, message: str) -> Message | None:
        """See `Messages.find`."""
        return self._shared.messages.get((hook, message))

    def begin(self, hook: str, holder: str) -> tuple[Message, int] | int | None:
        """See `Messages.begin`."""
        with self._shared.lock:
            now, when = self._shared.clock(), self._when(hook, holder)
            if when is None or when > now:
                return when
            waiting = self._shared.waiting(hook)
            first = min(waiting, key=lambda one: (waiting[one], one))
            self._leases[hook] = holder, now + LEASE
            there = self._shared.messages[hook, first]
            counted = replace(there, attempts=there.attempts + 1, tries=there.tries + 1)
            self._shared.messages[hook, first] = counted
            return counted, now

    def settle(
        self, message: Message, attempt: Attempt, *, holder: str, off: Why = "", rest: int = 0
    ) -> None:
        """See `Messages.settle`."""
        with self._shared.lock:
            hook, now = message.hook, self._shared.clock()
            state = "pending" if attempt.next else "failed" if attempt.fault else "delivered"
            again = self._shared.messages[hook, message.id].tries < message.tries
            after = replace(message, tries=0) if again else message
            after = replace(after, state="pending" if again else state)  # type: ignore[arg-type]
            self._shared.messages[hook, message.id] = after
            there = self._shared.hooks.get(hook)
            if there is None:
                return
            log = self._logs.setdefault(hook, [])
            log.append(attempt)
            if self._leases.get(hook, ("", 0))[0] == holder:
                del self._leases[hook]
            self._rests[hook] = now + rest
            good = not attempt.fault
            self._shared.hooks[hook] = replace(
                there,
                failures=0 if good else there.failures + 1,
                succeeded=now if good else there.succeeded,
            )
            if there.off:
                return
            waiting = self._shared.waiting(hook)
            if again or attempt.next:
                waiting[message.id] = now if again else attempt.next or now
            else:
                waiting.pop(message.id, None)
            if off:
                self._turn_off(hook, off)

    def rest(self, hook: str, milliseconds: int) -> None:
        """See `Messages.rest`."""
        self._rests[hook] = self._shared.clock() + milliseconds

    def log(self, hook: str, before: str, limit: int) -> list[tuple[str, Attempt]]:
        """See `Messages.log`."""
        if before and not re.fullmatch("[0-9]{1,16}", before):
            raise ValueError("no place of a log")
        log = self._logs.get(hook, [])
        newest = min(int(before), len(log)) if before else len(log)
        oldest = max(0, len(log) - LOGGED, newest - limit)
        return [(str(place), log[place]) for place in reversed(range(oldest, newest))]

    def due(self, limit: int) -> list[str]:
        """See `Messages.due`."""
        with self._shared.lock:
            now = self._shared.clock()
            found = [one for one, when in self._named.items() if when <= now][:limit]
            self._named |= dict.fromkeys(found, now + CALLED)
            return found

    def remind(self, hook: str) -> bool:
        """See `Messages.remind`."""
        with self._shared.lock:
            when = self._when(hook, "")
            if when is None:
                self._named.pop(hook, None)
                return False
            self._named[hook] = when
            return when <= self._shared.clock()

    def enter(self, host: str, holder: str, most: int) -> bool:
        """See `Messages.enter`."""
        with self._shared.lock:
            inside = self._hosts.setdefault(host, set())
            if holder not in inside and len(inside) >= most:
                return False
            inside.add(holder)
            return True

    def leave(self, host: str, holder: str) -> None:
        """See `Messages.leave`."""
        self._hosts.get(host, set()).discard(holder)

    def _when(self, hook: str, holder: str) -> int | None:
        waiting = self._shared.waiting(hook)
        if not waiting or not self._on(hook):
            return None
        having, until = self._leases.get(hook, ("", 0))
        held = until if having != holder else 0
        return max(min(waiting.values()), held, self._rests.get(hook, 0))

    def _make_due(self, hook: str, message: str) -> None:
        self._shared.waiting(hook)[message] = self._named[hook] = self._shared.clock()

    def _on(self, hook: str) -> bool:
        there = self._shared.hooks.get(hook)
        return there is not None and not there.off

    def _turn_off(self, hook: str, why: Why) -> None:
        there = self._shared.hooks[hook]
        self._shared.hooks[hook] = replace(there, off=why, off_at=self._shared.clock())
        self._shared.waiting(hook).clear()


class MemoryTold:
    """`Told` in a dictionary."""

    def __init__(self) -> None:
        self._told: dict[str, int] = {}
        self._watched: dict[str, None] = {}

    def told(self, game: str) -> int:
        """See `Told.told`."""
        return self._told.get(game, 0)

    def tell(self, game: str, version: int) -> None:
        """See `Told.tell`."""
        self._told[game] = max(version, self.told(game))

    def watch(self, game: str) -> None:
        """See `Told.watch`."""
        self._watched.setdefault(game)

    def unwatch(self, game: str) -> None:
        """See `Told.unwatch`."""
        self._watched.pop(game, None)

    def watched(self, limit: int) -> list[str]:
        """See `Told.watched`."""
        return list(self._watched)[:limit]
