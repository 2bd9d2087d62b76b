"""Under which keys games lie in Redis.

game:{<id>}:log        stream; entry <version>-0 with l line, h hash, a attempt, m rest of Meta
game:{<id>}:cold       instead of it, some time after the end: the compact form, see `cold`
games:waiting|playing  sorted sets of all unfinished games, score: when created, in ms
games:faulted          the same of the games whose log cannot be folded
lobby:<status>         the same of the public games
player:{<id>}:games    the same of one player's games
player:{<id>}:busy     the same of the unfinished ones that they made or have a seat in
games:ended            sorted set of the public finished games, score: when filed as such, in ms
games:over             the same of all that are over
games:warm             the same of those among them that are not in the compact form yet
games:due              sorted set of the games in which a clock runs, score: the deadline, in ms
"""

from dataclasses import dataclass

from service.store.link import Link


@dataclass(frozen=True, slots=True)
class Names:
    """The keys; `prefix` stands before each."""

    prefix: str

    def log(self, game: str) -> str:
        """The stream of a game."""
        return f"{self.prefix}game:{{{game}}}:log"

    def form(self, game: str) -> str:
        """The compact form of a game."""
        return f"{self.prefix}game:{{{game}}}:cold"

    def both(self, game: str) -> tuple[str, str]:
        """The stream and the compact form: of a game there is one of them."""
        return self.log(game), self.form(game)

    def games(self, status: str) -> str:
        """All games of a status, or of another list that is one for the whole service."""
        return f"{self.prefix}games:{status}"

    def lobby(self, status: str) -> str:
        """The public games of a status."""
        return f"{self.prefix}lobby:{status}"

    def own(self, player: str) -> str:
        """One player's games."""
        return f"{self.prefix}player:{{{player}}}:games"

    def busy(self, player: str) -> str:
        """The unfinished games that a player made or has a seat in."""
        return f"{self.prefix}player:{{{player}}}:busy"


class Kept:
    """What is kept on one Redis under such keys; `link` is the way to it."""

    def __init__(self, link: Link, names: Names) -> None:
        self.link = link
        self.names = names
