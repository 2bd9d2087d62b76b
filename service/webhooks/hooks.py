"""What a player may do with their hooks."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from service import ids
from service.answers import KeyReused
from service.store.webhooks import Attempt, Hook, Keepers, Message, Removed, Why
from service.webhooks import payload, signature
from service.webhooks.address import Network, target
from service.webhooks.teller import Deliver

OVERLAP: Final = 86_400_000
"""Milliseconds for which a former secret signs beside the new one."""


class NoSuchHook(Exception):
    """The player has no hook of that id."""


class NoSuchDelivery(Exception):
    """The hook had no such delivery, or it is no longer kept."""


class TurnedOff(Exception):
    """The hook is off, so nothing is sent."""


@dataclass(frozen=True, slots=True)
class Done:
    """A hook, and whether the request had been answered before under its key."""

    hook: Hook
    replayed: bool = False


class Webhooks:
    """The hooks of all players; `learn` hears of who made one."""

    def __init__(
        self,
        keepers: Keepers,
        deliver: Deliver,
        learn: Callable[[str], None] = lambda _: None,
        networks: Sequence[Network] = (),
    ) -> None:
        self._hooks = keepers.hooks
        self._messages = keepers.messages
        self._deliver = deliver
        self._learn = learn
        self._networks = networks

    def make(self, player: str, url: str, kinds: tuple[str, ...], label: str, key: str) -> Done:
        """A new hook; the same key, the same hook.

        Raises:
            BadUrl, Crowded
            KeyReused: the key made another hook before, or one that was removed.
        """
        target(url, self._networks)
        words = "\n".join((url, " ".join(kinds), label))
        digest = hashlib.sha256(words.encode()).hexdigest()
        # A key belongs to its route, and no key has a space.
        name = ids.derived(player, f"webhooks {key}") if key else ids.fresh()
        secret = signature.fresh_secret()
        try:
            hook, fresh = self._hooks.add(Hook(name, player, digest, url, kinds, label, secret))
        except Removed:
            raise KeyReused from None
        if hook.digest != digest:
            raise KeyReused
        self._learn(player)
        return Done(hook, not fresh)

    def of(self, player: str) -> list[Hook]:
        """The player's hooks, the oldest first."""
        return self._hooks.of(player)

    def find(self, player: str, name: str) -> Hook:
        """A hook of the player's.

        Raises:
            NoSuchHook: also when it is somebody else's.
        """
        hook = self._hooks.find(name)
        if hook is None or hook.owner != player:
            raise NoSuchHook
        return hook

    def change(
        self,
        hook: Hook,
        url: str | None,
        kinds: tuple[str, ...] | None,
        label: str | None,
        enabled: bool | None,
    ) -> Hook:
        """Changes what is not None.

        Raises:
            BadUrl, NoSuchHook
        """
        if url is not None:
            target(url, self._networks)
        off: Why | None = None if enabled is None else "" if enabled else hook.off or "owner"
        return _there(self._hooks.change(hook.id, url, kinds, label, off))

    def rotate(self, hook: Hook, key: str) -> Done:
        """Another secret; the one before signs beside it for a day.

        Raises:
            NoSuchHook
        """
        if key and hook.rotation == key:
            return Done(hook, replayed=True)
        secret = signature.fresh_secret()
        changed = _there(self._hooks.rotate(hook, secret, key, OVERLAP))
        return Done(changed, changed.secret != secret)

    def remove(self, hook: Hook) -> None:
        """Removes the hook. An attempt that is being made may arrive still."""
        self._hooks.remove(hook)

    def test(self, hook: Hook, key: str) -> tuple[str, bool]:
        """Sends a ping: its message's id, and whether that was asked for under the key before.

        Raises:
            TurnedOff
        """
        message = ids.derived(hook.id, f"ping {key}") if key else ids.fresh()
        body = payload.ping(hook.id, hook.now)
        fresh = self._messages.post(Message(message, hook.id, "ping", "", 0, hook.now, body))
        if not fresh and self._messages.find(hook.id, message) is None:
            raise TurnedOff
        if fresh:
            self._call(hook.id)
        return message, not fresh

    def log(self, hook: Hook, before: str, limit: int) -> list[tuple[str, Attempt]]:
        """Attempts, newest first. See `Messages.log`."""
        return self._messages.log(hook.id, before, limit)

    def redeliver(self, hook: Hook, delivery: str, key: str) -> tuple[str, bool]:
        """Sends a message anew: its id, and whether that was asked for under the key before.

        Raises:
            NoSuchDelivery, TurnedOff
            KeyReused: the key sent another message before.
        """
        name, _, number = delivery.partition("-")
        message = self._messages.find(hook.id, name)
        if message is None or not 1 <= int(number) <= message.attempts:
            raise NoSuchDelivery
        if hook.off:
            raise TurnedOff
        if key:
            key = hashlib.sha256(key.encode()).hexdigest()
            known = self._hooks.kept(hook.id, key)
            if known and known != delivery:
                raise KeyReused
            if known:
                return name, True
        if not self._messages.again(hook.id, name):
            raise TurnedOff
        if key:
            self._hooks.keep(hook.id, key, delivery)
        self._call(hook.id)
        return name, False

    def _call(self, hook: str) -> None:
        with suppress(Exception):  # the message is kept, and the sweep finds what is due
            self._deliver(hook)


def _there(hook: Hook | None) -> Hook:
    if hook is None:
        raise NoSuchHook
    return hook
