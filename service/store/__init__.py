"""Where the logs live: one stream a game, appended one commit at a time.

    EventStore  append, read, follow, and the hint of which games are unfinished
    People      guests and the hashes of their tokens
    entrance    both at once, for a request that asks about a game
    tokens      what a token may do
    codec       Commit <-> the exact bytes of its record line
    redis       the real one; redis_people keeps the guests, lately remembers some, link
                has the connections, exchange makes the round trips, hearing waits
    memory      the same promises in a dictionary, for tests
    webhooks    players' hooks, what is to be sent, what was told; redis_hooks, redis_messages and
                memory_webhooks keep them
    jobs        what workers do that somebody asks after; redis_jobs, memory_jobs keep them
    statistics  sums and ratings; redis_statistics, memory_statistics keep them

Three errors: `Conflict` (somebody was first), `StoreUnavailable` (try again), `Unreadable`
(what is stored is damaged; trying again does not help).

Over 250 lines, most of them promises: whoever writes or uses a store reads them in one place.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from service.store.tokens import Ticket, Token

STATUSES: Final = ("waiting", "playing", "finished", "abandoned", "faulted")
"""What a game may be filed under; the first two are the unfinished ones."""

UNFINISHED: Final = STATUSES[:2]

OVER: Final = ("finished", "abandoned")
"""The statuses of a game that nothing can follow in."""

COUNTED: Final = (*UNFINISHED, "faulted")
"""Statuses under which private games are found too."""

HELD_BACK: Final = 1000
"""Milliseconds for which a game that was filed as finished is not yet among the `ended`."""

PLANTED: Final = 10_000
"""Entries of the longest log that is planted at once; games have some thousand at most."""

DUE: Final = 1000
"""How many games of which a time has come are named at once."""

IMPORT: Final = "import"
"""`Meta.source` of a game that came as a record."""


class Conflict(Exception):
    """Another commit stands at that version, or the log does not end where it should."""


class StoreUnavailable(Exception):
    """The store does not answer. Whether a write arrived is unknown.

    The same write may be tried again: one with the same attempt knows itself. `code` is
    the server's word for why it does not serve, where it gave one; behind a bare ERR the reason.
    """

    def __init__(self, said: str = "", code: str = "") -> None:
        super().__init__(said)
        self.code = code


class Unreadable(Exception):
    """What is stored, or was given to read, is not what it should be. Never passed over."""


class Foreign(Unreadable):
    """Where a list, a token or the like of ours belongs stands something else: no log is damaged,
    but what needs that place cannot be done until somebody has cleared it."""


@dataclass(frozen=True, slots=True)
class Meta:
    """What belongs to a commit but not to the record: nothing of it is hashed.

    Attributes:
        attempt: a random id of this try, by which a repeated write knows itself.
        player: who gave the command; empty for the house.
        key: the caller's Idempotency-Key; empty without.
        digest: hash of the body that came with the key.
        secret: hex; only in the first entry of a game.
        source: `import` in the first entry of a game that came as a record; empty when it was
            played here.
    """

    attempt: str
    player: str = ""
    key: str = ""
    digest: str = ""
    secret: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a stream: a record line as it was hashed, its hash, and what goes with it."""

    version: int
    line: bytes
    hash: str
    meta: Meta


@dataclass(frozen=True, slots=True)
class Reading:
    """Entries in order, without a gap, and the store's clock when they were read.

    Attributes:
        now: milliseconds since 1970.
        broken: what is wrong with the entry after these; empty when nothing is.
        beyond: what stands from the broken place on, each for itself: gaps are not told, and
            None is one that cannot be read. Empty where the log is kept in another form.
    """

    now: int
    entries: tuple[Entry, ...]
    broken: str = ""
    beyond: tuple[Entry | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A place in the lists of games."""

    game: str
    created: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A game that is over, and when it was filed as that, in ms since 1970."""

    game: str
    at: int


class EventStore(Protocol):
    """Keeps the logs. Every method may raise `StoreUnavailable`."""

    def append(self, game: str, entry: Entry, prev: str) -> None:
        """Adds the entry as `<version>-0` if the log ends at the version before with `prev`.

        The first entry has version 1 and an empty `prev`. Writing an entry again that is
        already there (same version, hash and attempt) succeeds and changes nothing, also
        when others follow it.

        Raises:
            Conflict: somebody else was first, or the log ends elsewhere.
            Unreadable: the log is damaged.
        """

    def read(self, game: str, start: int = 1, end: int | None = None) -> Reading:
        """Entries from `start` to `end`, both included; empty for an unknown game.

        A damaged log, or one with a gap, is read so far as it is whole: `Reading.broken` says
        so. Reading does not check hashes.

        Raises:
            Unreadable: what is kept under the game's key is no log at all.
        """

    def plant(self, game: str, entries: Sequence[Entry]) -> None:
        """Writes a whole log at once, or nothing of it.

        Planting again what is there already, beginning with the same hashes, succeeds and
        changes nothing.

        Raises:
            Conflict: the game has another log.
            ValueError: the entries are not versions 1, 2, 3 … up to `PLANTED`.
        """

    def follow(
        self, game: str, after: int, timeout: float, length: Callable[[], int] | None = None
    ) -> bool:
        """Says whether there is an entry after version `after`; waits for it up to `timeout` s.

        What this store itself appends is known at once. Where the log must be looked at, `length`
        does so if it is given: the newest version by a reading that has another use too. All who
        follow a game should give the same, since one looks for all of them.
        """

    def mark(
        self,
        listing: Listing,
        status: str,
        public: bool,
        players: Sequence[str],
        left: Sequence[str] = (),
        opener: str = "",
        was: str | None = None,
    ) -> None:
        """Files a game under its status, and under each player's own games.

        While it is unfinished, it is under `busy` of its players, and of the `opener` who made it.

        A hint, written before the first commit (`waiting`) and after each change of status;
        `unfinished` and `listed` read it. Writing it again changes nothing. Players in
        `left` gave up their seats: the game is no longer among theirs.

        `was` is the status that it is filed under already, empty where it is filed nowhere: then
        only what changes need be written. None is for what is not known.

        Raises:
            ValueError: the status is none of `STATUSES`; nothing was filed.
        """

    def expect(self, game: str, deadline: int | None) -> None:
        """Notes when something is to happen in a game by itself (ms since 1970), None for never.

        A hint, written after a commit that changed it; `due` reads it.
        """

    def due(self) -> list[str]:
        """Games of which that time has come by the store's clock, the longest ago first.

        At most `DUE` at once.
        """

    def unfinished(self) -> Iterator[str]:
        """Ids of the games marked waiting or playing."""

    def count(self, status: str) -> int:
        """How many games, private ones too, are marked waiting, playing or faulted.

        Raises:
            ValueError: it is another status; those games are not counted.
        """

    def listed(
        self, status: str, player: str | None, before: Listing | None, limit: int
    ) -> list[Listing]:
        """Games newest first, before `before` (exclusive): those of `player`, or the public
        ones of `status`.

        Games of one millisecond are ordered by id. Pages that each begin before the last of
        the page before name every game once, whatever is added or taken away meanwhile.
        """

    def busy(self, player: str) -> set[str]:
        """The unfinished games that the player made or has a seat in, private ones too."""

    def free(self, player: str, games: Sequence[str]) -> None:
        """Takes games from the player's `busy` ones; among their own they stay."""

    def ended(self, since: int, until: int, after: Ending | None, limit: int) -> list[Ending]:
        """Public finished games in the order in which they were filed, no two in one millisecond.

        Filed from `since` (included) to `until` (excluded), behind `after` (excluded). A game
        keeps its place for ever, and none is put before one that was listed already: the
        newest second is held back.
        """

    def over(self, after: int, limit: int) -> list[Ending]:
        """All games filed as over, private, abandoned and imported ones too, filed after that
        moment (ms since 1970), in the order of filing. As in `ended`, they keep their places.
        """

    def warm(self, age: int, limit: int) -> list[str]:
        """Games filed as over at least `age` ms ago and kept as streams still, oldest first.

        One that `chill` was tried on is named no more, until it is filed again.
        """

    def chill(self, game: str) -> bool:
        """Moves a game that is over to the compact form, in which `read` finds it as it was.

        What only guards against repeated commands is dropped: attempts, Idempotency-Keys and
        who gave which command. False when nothing was moved: it is there already, there is no
        such game, or its secret is not open yet.

        Raises:
            Unreadable: the log is damaged, or could not be made again; it stays as it is.
        """

    def rebuild(self) -> Iterator[str]:
        """Every game that has a log, by a walk over all keys; slow, for repairs.

        A game may be named twice; one opened or chilled meanwhile may or may not be named.
        """

    def ping(self) -> None:
        """Returns if the store answers."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person, or a `bot` that says so: an id that stays, and the name shown to others."""

    id: str
    name: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whose token it is, and what it may do; `token` is its hash."""

    player: Player
    token: str
    scopes: tuple[str, ...]


class People(Protocol):
    """Keeps guests. Tokens and one-time codes are known here only by their SHA-256, in hex.

    Every method may raise `StoreUnavailable`, and ValueError for a hash that is none.
    """

    def add(self, player: Player, token: Token) -> None:
        """Registers a guest with a first token."""

    def by_token(self, token_hash: str) -> Bearer | None:
        """Whose token it is; None from the moment on at which it was revoked."""

    def known(self, players: Sequence[str]) -> dict[str, Player]:
        """The players that exist, by id. A player never changes, so it may be remembered."""

    def issue(self, player: str, token: Token) -> bool:
        """Adds a token to a player's; False for one that was revoked within the last day.

        Issuing again what there is already changes nothing.
        """

    def tokens(self, player: str) -> list[Token]:
        """A player's tokens, the oldest first."""

    def revoke(self, player: str, token_hash: str) -> None:
        """Ends a token of the player, at once and for ever."""

    def standing(self, token_hashes: Collection[str]) -> set[str]:
        """Which of these tokens count: there they are, and not revoked. One round trip."""

    def offer(self, code_hash: str, ticket: Ticket, seconds: int) -> None:
        """Keeps what a one-time code is good for, for so long."""

    def take(self, code_hash: str) -> Ticket | None:
        """What the code is good for, once: of several who ask one gets it, and never again."""


def whole(entries: Sequence[Entry]) -> None:
    """Returns if the entries may be planted.

    Raises:
        ValueError: they do not begin with version 1, have a gap, or are too many.
    """
    if not entries or [one.version for one in entries] != [*range(1, len(entries) + 1)]:
        raise ValueError("a log is planted from version 1 without a gap")
    if len(entries) > PLANTED:
        raise ValueError(f"a log of more than {PLANTED} entries is not planted at once")


def checked(token_hash: str) -> str:
    """The hash, if it is one: a token in clear must not come to be stored by mistake.

    Raises:
        ValueError: it is not 64 hexadecimal digits; the message does not show it.
    """
    if len(token_hash) != 64 or not set(token_hash) <= set("0123456789abcdef"):
        raise ValueError("a token is known here by its SHA-256 in lower-case hex only")
    return token_hash
