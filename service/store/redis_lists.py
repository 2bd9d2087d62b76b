"""The lists in Redis by which games are found, each a sorted set."""

from collections.abc import Iterator, Sequence
from typing import Final, cast

from service.store import (
    COUNTED,
    DUE,
    HELD_BACK,
    OVER,
    STATUSES,
    UNFINISHED,
    Ending,
    Listing,
    scripts,
)
from service.store.exchange import Command
from service.store.names import Kept
from service.store.refusals import good, translated

LATER: Final = 1 << 53
"""A time that never comes, in ms."""

_Scored = list[tuple[bytes, float]]


class Lists(Kept):
    """What an `EventStore` promises of its lists."""

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
        """See `EventStore.mark`.

        Adds before it takes away, and from the unfinished games last: whatever is cut short
        is found among them and filed again. So it takes up to three round trips, but where
        nothing is taken away one, and two while it stays among the unfinished. A game that
        becomes compact just now may be filed as warm once more, until the next look at it.
        """
        if status not in STATUSES:
            raise ValueError(f"there is no status {status!r}")
        elsewhere = [name for name in STATUSES if name != status and was in (None, name)]
        here = [self.names.games(status)] if status in COUNTED and was != status else []
        here += [self.names.lobby(status)] if public and was != status else []
        here += [self.names.own(player) for player in players]
        gone = [self.names.lobby(name) for name in elsewhere]
        gone += [self.names.lobby(status)] if not public and was is None else []
        gone += [self.names.own(player) for player in left]
        busy = {*players, opener} - {""} if status in UNFINISHED else set()
        here += [self.names.busy(player) for player in busy]
        gone += [self.names.busy(player) for player in {*players, *left, opener} - busy - {""}]
        hints = [self.names.games(name) for name in COUNTED if name in elsewhere]
        over = status in OVER
        filed = [self.names.games("ended")] if status == "finished" and public else []
        filed += [self.names.games("over"), self.names.games("warm")] if over else []
        gone += [self.names.games("warm")] if was is None and not over else []
        if status in UNFINISHED:
            gone, hints = gone + hints, []  # it is found again by the list that it came into
        cold_key = self.names.form(listing.game)
        if over and good(self.link.ask(("EXISTS", cold_key))[0]):
            filed.remove(self.names.games("warm"))
        steps: list[list[Command]] = [
            [("ZADD", key, listing.created, listing.game) for key in here],
            [("EVAL", scripts.FILE, 1, key, listing.game) for key in filed],
            [("ZREM", key, listing.game) for key in gone],
            [("ZREM", key, listing.game) for key in hints],
        ]
        for commands in filter(None, steps):  # the next only where nothing was refused
            for said in self.link.ask(*commands):
                good(said)

    def expect(self, game: str, deadline: int | None) -> None:
        """See `EventStore.expect`."""
        key = self.names.games("due")
        command = ("ZREM", key, game) if deadline is None else ("ZADD", key, deadline, game)
        good(self.link.ask(command)[0])

    def due(self) -> list[str]:
        """See `EventStore.due`."""
        return [filed.game for filed in self._filed("due", 0, LATER, -1, DUE)]

    def unfinished(self) -> Iterator[str]:
        """See `EventStore.unfinished`. In this order, so that one that starts is not missed."""
        seen = set()
        for status in UNFINISHED:
            with translated():
                for member, _ in self.link.client.zscan_iter(self.names.games(status), count=500):
                    if member not in seen:
                        seen.add(member)
                        yield member.decode()

    def count(self, status: str) -> int:
        """See `EventStore.count`."""
        if status not in COUNTED:
            raise ValueError(f"games that are {status!r} are not counted")
        with translated():
            return int(self.link.client.zcard(self.names.games(status)))

    def listed(
        self, status: str, player: str | None, before: Listing | None, limit: int
    ) -> list[Listing]:
        """See `EventStore.listed`."""
        if limit < 1:
            return []
        key = self.names.lobby(status) if player is None else self.names.own(player)
        client = self.link.client
        found: list[Listing] = []
        newest = "+inf"
        with translated():
            if before:
                # The cursor's game may have left the list, so its place is found by order.
                same = client.zrevrangebyscore(key, before.created, before.created)
                games = [cast("bytes", game) for game in same]
                place = before.game.encode()
                found = [Listing(game.decode(), before.created) for game in games if game < place]
                newest = f"({before.created}"
            older = client.zrevrangebyscore(
                key, newest, "-inf", start=0, num=limit, withscores=True
            )
        found += [Listing(game.decode(), int(score)) for game, score in cast("_Scored", older)]
        return found[:limit]

    def busy(self, player: str) -> set[str]:
        """See `EventStore.busy`."""
        found: list[bytes] = good(self.link.ask(("ZRANGE", self.names.busy(player), 0, -1))[0])
        return {game.decode() for game in found}

    def free(self, player: str, games: Sequence[str]) -> None:
        """See `EventStore.free`."""
        if games:
            good(self.link.ask(("ZREM", self.names.busy(player), *games))[0])

    def ended(self, since: int, until: int, after: Ending | None, limit: int) -> list[Ending]:
        """See `EventStore.ended`."""
        first = max(since, after.at + 1) if after else since
        return self._filed("ended", first, until, HELD_BACK, limit)

    def over(self, after: int, limit: int) -> list[Ending]:
        """See `EventStore.over`."""
        return self._filed("over", after + 1, LATER, HELD_BACK, limit)

    def warm(self, age: int, limit: int) -> list[str]:
        """See `EventStore.warm`."""
        return [filed.game for filed in self._filed("warm", 0, LATER, age, limit)]

    def _filed(self, name: str, first: int, before: int, age: int, limit: int) -> list[Ending]:
        if limit < 1:
            return []
        arguments = (first, before, age, limit)
        with translated():
            found = self.link.client.eval(scripts.FILED, 1, self.names.games(name), *arguments)
        rows = cast("list[bytes]", found)
        return [
            Ending(game.decode(), int(at)) for game, at in zip(rows[::2], rows[1::2], strict=True)
        ]
