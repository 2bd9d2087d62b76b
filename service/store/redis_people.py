"""Guests in Redis.

    player:{<id>}          hash: name
    token:{<sha256>}       hash: player

The hash of a token is a key, and the token itself is nowhere.
"""

from collections.abc import Sequence
from typing import cast

from service.store import Player, checked
from service.store.link import Link, translated


class RedisPeople:
    """`People` on one Redis. Opens nothing before its first use; safe to fork.

    `replicas` is how many replicas must have a guest before `add` returns.
    """

    def __init__(
        self, url: str, *, prefix: str = "", timeout: float = 3.0, replicas: int = 0
    ) -> None:
        self._link = Link(url, timeout, replicas)
        self._prefix = prefix

    def add(self, player: Player, token_hash: str) -> None:
        """See `People.add`. The player first, so that no token is ever nobody's."""
        for key, name, value in [
            (self._player(player.id), "name", player.name),
            (self._token(token_hash), "player", player.id),
        ]:
            self._link.write(key, "HSET", key, name, value)

    def by_token(self, token_hash: str) -> Player | None:
        """See `People.by_token`."""
        token = self._token(token_hash)
        with translated():
            found = cast("bytes | None", self._link.client.hget(token, "player"))
        if found is None:
            return None
        player = found.decode()
        name = self.names([player]).get(player)
        return None if name is None else Player(player, name)

    def names(self, players: Sequence[str]) -> dict[str, str]:
        """See `People.names`. One round trip."""
        with translated(), self._link.client.pipeline(transaction=False) as asking:
            for player in players:
                asking.hget(self._player(player), "name")
            found = asking.execute()
        return {
            player: name.decode()
            for player, name in zip(players, found, strict=True)
            if name is not None
        }

    def _player(self, player: str) -> str:
        return f"{self._prefix}player:{{{player}}}"

    def _token(self, token_hash: str) -> str:
        return f"{self._prefix}token:{{{checked(token_hash)}}}"
