"""Webhooks as they are kept: what players asked for, what is to be sent, and what was told.

    Hooks      a player's hooks, with their secrets and how they fare
    Messages   what is to be sent to a hook, attempt after attempt, and the log of attempts
    Told       up to which version all of a game was turned into messages

    pending ──► delivered
       ▲  └───► failed, after its last attempt, or as its hook was turned off
       └─────── asked for again

A message's id follows from its hook and its event, so one that is posted twice is there once.
Messages and what became of them are kept for `KEEP`, the newest `LOGGED` attempts for as long as
their hook. Times are in ms since 1970 by the store's clock. Every method may raise
`StoreUnavailable`.

Over 250 lines, nearly all of them promises: three keepers that are used together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

Why = Literal["", "owner", "failing", "gone", "backlog"]
"""Why a hook is off; empty while it is on. `owner`: turned off by hand; `failing`: nothing was
taken for too long; `gone`: its receiver said 410; `backlog`: too much waits."""

State = Literal["pending", "delivered", "failed"]

BY_PLAYER: Final = 10
"""Hooks of one player."""

PENDING: Final = 1000
"""Messages that may wait for one hook; one more turns it off."""

KEEP: Final = 7 * 86_400
"""Seconds for which a message is kept after its last change."""

LOGGED: Final = 500
"""Attempts in a hook's log."""

ONCE: Final = 86_400
"""Seconds for which an Idempotency-Key is known, and a removed hook is."""

LEASE: Final = 60_000
"""Milliseconds after which somebody else may send for a hook, should its worker be gone."""

CALLED: Final = 30_000
"""Milliseconds after which a hook that was named as due is named again."""

UNWRITTEN: Final = 60_000
"""Milliseconds after which a hook that has a place, and was never written, comes no more."""


class Crowded(Exception):
    """The player has as many hooks as one may have."""


class Removed(Exception):
    """The hook of that id was removed within the last day."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook and how it fares.

    Attributes:
        digest: hash of all that it was asked for with.
        kinds: what is told.
        former, former_until: the secret before this one, and until when it signs too.
        rotation: the Idempotency-Key under which `secret` was made.
        since: what happened earlier is not told.
        off, off_at: whether it is turned off, why and since when.
        failures: attempts without success since the last one with.
        succeeded: when that was; 0 for never.
        pending: messages that wait.
        now: the store's clock when it was read.
    """

    id: str
    owner: str
    digest: str
    url: str
    kinds: tuple[str, ...]
    label: str
    secret: str = field(repr=False)
    former: str = field(default="", repr=False)
    former_until: int = 0
    rotation: str = ""
    created: int = 0
    since: int = 0
    off: Why = ""
    off_at: int = 0
    failures: int = 0
    succeeded: int = 0
    pending: int = 0
    now: int = 0

    @property
    def secrets(self) -> tuple[str, ...]:
        """Those that sign now, the newest first."""
        return (self.secret, self.former) if self.now < self.former_until else (self.secret,)


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be sent to a hook.

    Attributes:
        game: empty where it is about none; `version` is then 0.
        at: when it happened.
        attempts: all that were begun; `tries`: those since it was last asked for.
    """

    id: str
    hook: str
    kind: str
    game: str
    version: int
    at: int
    body: bytes
    state: State = "pending"
    attempts: int = 0
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A line of a hook's log.

    Attributes:
        number: counts a message's attempts from 1.
        began: when it was made; `took`: milliseconds.
        status: the answer's, None without one; `fault`: empty for a success.
        next: when the message is sent again, None for never.
    """

    message: str
    kind: str
    game: str
    version: int
    number: int
    began: int
    took: int
    status: int | None
    fault: str
    next: int | None


class Hooks(Protocol):
    """Keeps hooks."""

    def add(self, hook: Hook) -> tuple[Hook, bool]:
        """The hook under that id, and whether it was made now; one that is there stays as it is.

        Raises:
            Crowded: it would be one too many.
            Removed
        """

    def find(self, hook: str) -> Hook | None:
        """The hook, if there is one."""

    def of(self, player: str) -> list[Hook]:
        """A player's hooks, the oldest first."""

    def subscribed(self, players: Sequence[str]) -> set[str]:
        """Those of the players who have a hook, be it turned off."""

    def change(
        self,
        hook: str,
        url: str | None = None,
        kinds: tuple[str, ...] | None = None,
        label: str | None = None,
        off: Why | None = None,
    ) -> Hook | None:
        """Changes what is not None. Whoever is turned on again is told only what happens since.

        With `off` what waits is given up.
        """

    def rotate(self, hook: Hook, secret: str, rotation: str, overlap: int) -> Hook | None:
        """Gives the hook another secret; the one it has signs for `overlap` ms beside it.

        Nothing changes if its secret is no longer that of `hook`.
        """

    def remove(self, hook: Hook) -> None:
        """Removes the hook, and what waits for it."""

    def keep(self, hook: str, key: str, value: str) -> None:
        """Keeps a value under a key of the hook's own, for a day."""

    def kept(self, hook: str, key: str) -> str | None:
        """What is kept under the key, if anything is."""


class Messages(Protocol):
    """Keeps what is to be sent."""

    def post(self, message: Message) -> bool:
        """Adds a message that is due now; False when it is there already or its hook is off."""

    def again(self, hook: str, message: str) -> bool:
        """Makes a message due anew; False when it is gone, or its hook is off."""

    def find(self, hook: str, message: str) -> Message | None:
        """The message, if it is kept still."""

    def begin(self, hook: str, holder: str) -> tuple[Message, int] | int | None:
        """The message that is due first, as this holder's to send, its attempt counted, and now.

        Else when to ask again, in ms since 1970, or None when nothing waits. While one has a
        hook nobody else gets its messages, until `LEASE` is over.
        """

    def settle(
        self, message: Message, attempt: Attempt, *, holder: str, off: Why = "", rest: int = 0
    ) -> None:
        """Writes down what became of an attempt, and gives the hook back.

        A success is known by its empty `fault`. A message that was asked for again meanwhile is due
        once more, whatever came of the attempt. The next message is not sent before `rest` ms
        are over. With `off` the hook is turned off, and what waits is given up.
        """

    def rest(self, hook: str, milliseconds: int) -> None:
        """Sends nothing to a hook for a while."""

    def log(self, hook: str, before: str, limit: int) -> list[tuple[str, Attempt]]:
        """Attempts, newest first, each with its place; those before a place, or from the newest.

        Raises:
            ValueError: it is no place.
        """

    def due(self, limit: int) -> list[str]:
        """Hooks that have something to send now, named once in `CALLED` each."""

    def remind(self, hook: str) -> bool:
        """Notes when a hook is due next; whether it is at once.

        To be called by whoever sent for it: `due` goes by what is noted.
        """

    def enter(self, host: str, holder: str, most: int) -> bool:
        """Whether the holder may call that host now: at most so many do at a time."""

    def leave(self, host: str, holder: str) -> None:
        """Says that the holder calls it no more."""


class Told(Protocol):
    """Keeps up to where games were told."""

    def told(self, game: str) -> int:
        """The version up to which all was turned into messages, 0 for none."""

    def tell(self, game: str, version: int) -> None:
        """Notes that; an earlier version than what is noted changes nothing."""

    def watch(self, game: str) -> None:
        """Notes that something of a game that is over may not be told yet."""

    def unwatch(self, game: str) -> None:
        """Takes that back."""

    def watched(self, limit: int) -> list[str]:
        """Games of which that is noted, the longest ago first."""


@dataclass(frozen=True, slots=True)
class Keepers:
    """The three that belong together."""

    hooks: Hooks
    messages: Messages
    told: Told
