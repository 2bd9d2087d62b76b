"""Who asks, and the game that they ask about: looked up in one go where the store can.

    token, game ──► [whose token?, newest entries] ──► 401
                                   └──────────────────► the game, when it is wanted

Both are known from the request before anything else, so on one server they are one round trip. On
a cluster, or where people and games are kept apart, they are two.
"""

from collections.abc import Callable
from typing import Protocol

from service.store import Bearer, EventStore, People, Reading
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople

Entered = tuple[Bearer | None, Callable[[], Reading]]
"""Whose token it is, and what `EventStore.read` gives: it may raise the same, and is called once or
never."""


class Entrance(Protocol):
    """Looks up a token and a game."""

    def enter(self, token_hash: str, game: str, start: int) -> Entered:
        """The bearer, and the entries from `start` on, read no earlier than this was called.

        Raises:
            StoreUnavailable
        """


class OneByOne:
    """An `Entrance` to any stores."""

    def __init__(self, store: EventStore, people: People) -> None:
        self._store = store
        self._people = people

    def enter(self, token_hash: str, game: str, start: int) -> Entered:
        """See `Entrance.enter`."""
        return self._people.by_token(token_hash), lambda: self._store.read(game, start)


class Together:
    """An `Entrance` to games and people on one Redis."""

    def __init__(self, store: RedisStore, people: RedisPeople) -> None:
        self._store = store
        self._people = people

    def enter(self, token_hash: str, game: str, start: int) -> Entered:
        """See `Entrance.enter`."""
        who, *page = self._store.link.ask(
            self._people.asking(token_hash), *self._store.asking(game, start)
        )
        bearer = self._people.told(token_hash, who)
        return bearer, lambda: self._store.read_on(game, start, page)


def entrance(store: EventStore, people: People) -> Entrance:
    """The quickest entrance to both."""
    if (
        isinstance(store, RedisStore)
        and isinstance(people, RedisPeople)
        and store.link.url == people.link.url
    ):
        return Together(store, people)
    return OneByOne(store, people)
