"""Sends what waits for a hook, one message after another, and decides when each is tried again.

    begin ──► resolve, check ──► send ──► settled: delivered
      ▲                            └────► once more, later ──► … ──► failed, after `ATTEMPTS`
      └── the next that is due

A hook has one sender at a time and a host a few, so no receiver is flooded and none takes all
senders for itself; one that was slow rests for twice as long. At least once: who is killed in
between sends again, under the same `webhook-id`.
"""

import random
import secrets
import ssl
import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import Final
from urllib.parse import urlsplit

from service.store.webhooks import Attempt, Hook, Keepers, Message, Why
from service.webhooks import signature
from service.webhooks.address import (
    BadAddress,
    BadUrl,
    Network,
    Resolve,
    Unresolved,
    addresses,
    resolved,
    target,
)
from service.webhooks.send import Outcome, send

WAITS: Final = (5, 30, 120, 600, 1800, 7200, 18_000, 36_000)
"""Seconds before the second, third, … attempt: 18 hours in all."""

ATTEMPTS: Final = len(WAITS) + 1

JITTER: Final = 0.2
"""The part of a wait that is left to chance, lest all that failed together comes together."""

FAILURES: Final = 100
"""Attempts in a row without success that turn a hook off."""

SECONDS: Final = 10.0
"""Time for one attempt, from the connection to the answer."""

HOST: Final = 2
"""Senders that may call one host at a time."""

FULL: Final = 1000
"""Milliseconds until a hook is looked at again whose host has as many."""

STINT: Final = 20.0
"""Seconds after which a sender leaves what waits still to the next one."""

SLOW: Final = 1000
"""Milliseconds from which on a receiver counts as slow."""


class Postman:
    """Sends for hooks. `networks` are those of one's own that may be called; see `address`."""

    def __init__(
        self,
        keepers: Keepers,
        networks: Sequence[Network] = (),
        *,
        seconds: float = SECONDS,
        resolve: Resolve = resolved,
        context: ssl.SSLContext | None = None,
        chance: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._hooks = keepers.hooks
        self._messages = keepers.messages
        self._networks = networks
        self._seconds = seconds
        self._resolve = resolve
        self._context = context
        self._chance = chance
        self._clock = clock
        self.stop = Event()
        """Set when nothing new is to be begun."""

    def run(self, name: str) -> int:
        """Sends what is due for a hook; how many attempts were made.

        Raises:
            StoreUnavailable: the sweep calls again when the lease is over.
        """
        until = time.monotonic() + STINT
        made = 0
        while time.monotonic() < until and not self.stop.is_set():
            made += self._stint(name, until)
            if not self._messages.remind(name):
                break
        return made

    def _stint(self, name: str, until: float) -> int:
        hook = self._hooks.find(name)
        if hook is None or hook.off:
            return 0
        holder = secrets.token_hex(8)
        host = _host(hook)
        if not self._messages.enter(host, holder, HOST):
            self._messages.rest(name, round(FULL * (1 + self._chance())))
            return 0
        made = 0
        try:
            while time.monotonic() < until and not self.stop.is_set():
                begun = self._messages.begin(name, holder)
                if not isinstance(begun, tuple):
                    break
                # Read anew each time: its URL, its secrets and how it fares may have changed.
                hook = self._hooks.find(name)
                if hook is None:
                    break
                self._attempt(hook, *begun, holder)
                made += 1
        finally:
            self._messages.leave(host, holder)
        return made

    def _attempt(self, hook: Hook, message: Message, now: int, holder: str) -> None:
        outcome = self._sent(hook, message)
        off = _turned_off(hook, message, outcome)
        wait = None if off else self._wait(message, outcome)
        attempt = Attempt(
            message=message.id,
            kind=message.kind,
            game=message.game,
            version=message.version,
            number=message.attempts,
            began=now,
            took=outcome.took,
            status=outcome.status,
            fault=outcome.fault,
            next=None if wait is None else now + outcome.took + wait,
        )
        rest = 2 * outcome.took if outcome.took >= SLOW else 0
        self._messages.settle(message, attempt, holder=holder, off=off, rest=rest)

    def _sent(self, hook: Hook, message: Message) -> Outcome:
        try:
            to = target(hook.url, self._networks)
            found = addresses(to, self._networks, self._resolve)
        except (BadUrl, BadAddress):  # a URL that was good when it was given may not be so now
            return Outcome(None, "forbidden_address")
        except Unresolved:
            return Outcome(None, "unresolved")
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Tapete-Webhooks",
            "Connection": "close",
            "Tapete-Delivery": delivery(message.id, message.attempts),
            # Signed anew: receivers refuse what was signed long ago.
            **signature.headers(hook.secrets, message.id, int(self._clock()), message.body),
        }
        return send(to, found, message.body, headers, self._seconds, self._context)

    def _wait(self, message: Message, outcome: Outcome) -> int | None:
        """Milliseconds until the next attempt; None after a success, and after the last one."""
        if not outcome.fault or message.tries > len(WAITS):
            return None
        wait = WAITS[message.tries - 1] * (1 + JITTER * (2 * self._chance() - 1))
        return round(1000 * max(wait, outcome.wait))


def delivery(message: str, number: int) -> str:
    """The name of one attempt."""
    return f"{message}-{number}"


def _turned_off(hook: Hook, message: Message, outcome: Outcome) -> Why:
    """Why this attempt is the hook's last one, if it is."""
    if not outcome.fault:
        return ""
    if outcome.status == 410:
        return "gone"
    # Given up after all its attempts, and nothing else was taken all the time.
    given_up = message.tries >= ATTEMPTS and hook.succeeded < message.at
    return "failing" if given_up or hook.failures + 1 >= FAILURES else ""


def _host(hook: Hook) -> str:
    """The host whose senders are counted, on whatever port; its URL is judged at each attempt."""
    return (urlsplit(hook.url).hostname or "").lower()
