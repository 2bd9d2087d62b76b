"""Guests: a name comes in, an id and a token go out, and only the token's hash is kept."""

import secrets
from base64 import b32encode
from collections.abc import Sequence

from service.store import People, Player
from service.tokens import Tokens


class Guests:
    """The people known here, and their `tokens`."""

    def __init__(self, people: People) -> None:
        self._people = people
        self.tokens = Tokens(people)

    def welcome(self, name: str, bot: bool = False) -> tuple[Player, str]:
        """A new player of that name with a token, which can be read here and nowhere else."""
        player = Player(b32encode(secrets.token_bytes(10)).decode().lower(), name, bot)
        return player, self.tokens.first(player)

    def known(self, players: Sequence[str]) -> dict[str, Player]:
        """The players that exist, by id."""
        return self._people.known(players) if players else {}

    def names(self, players: Sequence[str]) -> dict[str, str]:
        """The names of the players that exist, by id."""
        return {id: player.name for id, player in self.known(players).items()}
