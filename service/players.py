"""Guests: a name comes in, an id and a token go out, and only the token's hash is kept."""

import hashlib
import secrets
from base64 import b32encode
from collections.abc import Sequence
from typing import Final

from service.store import People, Player

TOKEN_PREFIX: Final = "tpt_"  # noqa: S105 - lets a leaked token be recognised by scanners
_LONGEST: Final = 128


class Guests:
    """The people known here."""

    def __init__(self, people: People) -> None:
        self._people = people

    def welcome(self, name: str) -> tuple[Player, str]:
        """A new player of that name with a token, which can be read here and nowhere else."""
        player = Player(b32encode(secrets.token_bytes(10)).decode().lower(), name)
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        self._people.add(player, _hash(token))
        return player, token

    def whose(self, token: str) -> Player | None:
        """The player a token belongs to."""
        if not token.startswith(TOKEN_PREFIX) or len(token) > _LONGEST:
            return None
        return self._people.by_token(_hash(token))

    def names(self, players: Sequence[str]) -> dict[str, str]:
        """The names of the players that exist, by id."""
        return self._people.names(players) if players else {}


def _hash(token: str) -> str:
    # 256 random bits need no salt and no slow hash.
    return hashlib.sha256(token.encode()).hexdigest()
