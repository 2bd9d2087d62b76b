"""The event store in Redis 7.0 or newer: one stream a game, and sorted sets to find games by.

Which keys there are stands in `names`, what is done with a log in `redis_logs`, with the lists in
`redis_lists`. Every operation touches keys of one slot at a time, so that all of it works on a
Redis Cluster.
"""

from collections.abc import Iterator

from service.store import Unreadable, cold, scripts
from service.store.link import Link
from service.store.names import Names
from service.store.redis_lists import Lists
from service.store.redis_logs import Logs
from service.store.refusals import LOG, translated


class RedisStore(Logs, Lists):
    """An `EventStore` on one Redis. Opens nothing before its first use; safe to fork.

    `prefix` stands before every key; `timeout` is the wait for one answer in seconds; `replicas`
    is how many replicas must have an entry before `append` returns. `link` is its way to Redis.
    """

    def __init__(
        self, url: str, *, prefix: str = "", timeout: float = 3.0, replicas: int = 0
    ) -> None:
        super().__init__(Link(url, timeout, replicas), Names(prefix))

    def chill(self, game: str) -> bool:
        """See `EventStore.chill`."""
        keys, moved, fault = self.names.both(game), False, None
        with translated():
            there = self.link.client.exists(keys[0])
        try:
            moved = bool(there) and self._move(game, keys)
        except cold.NotOver:
            pass
        except Unreadable as error:
            fault = error
        # Also where it cannot be done, or it would stand before all others for ever.
        with translated():
            self.link.client.zrem(self.names.games("warm"), game)
        if fault:
            raise fault
        return moved

    def _move(self, game: str, keys: tuple[str, str]) -> bool:
        reading = self.read(game)
        if reading.broken:
            raise Unreadable(reading.broken)
        form = cold.chill(reading.entries)
        last = reading.entries[-1]
        with LOG, translated():
            said = self.link.client.eval(
                scripts.CHILL, 2, *keys, f"{last.version}-0", last.hash, form
            )
        return bool(said == b"moved")

    def rebuild(self) -> Iterator[str]:
        """See `EventStore.rebuild`."""
        head = f"{self.names.prefix}game:{{"
        pattern = "".join(f"\\{c}" if c in "*?[]\\" else c for c in head) + "*"
        with translated():
            for key in self.link.client.scan_iter(match=pattern, count=1000):
                game, _, kind = key.decode()[len(head) :].rpartition("}")
                if kind in (":log", ":cold"):
                    yield game

    def ping(self) -> None:
        """See `EventStore.ping`."""
        with translated():
            self.link.client.ping()
