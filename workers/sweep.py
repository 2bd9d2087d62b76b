"""The sweep: `python -m workers.sweep` finds what was left standing and brings it on.

A lost turn, a deal that the house still owes, a list that does not say what the log says: all
of it is seen in the log alone, every few seconds. So nobody needs to know that a worker was
killed or that the queue was emptied. Any number of sweeps may run; a second one does no harm.

Games that have been over for a while move to the compact form, a few in each sweep.

Between two sweeps a slow walk over all keys, once after each start, finds games that have a
log but are in no list.
"""

import logging
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from threading import Event
from types import FrameType
from typing import Final

from service.audits import Audits
from service.config import Config, ConfigError
from service.queue import Caller
from service.shelf import NoSuchGame, Table
from service.store import EventStore, StoreUnavailable, Unreadable
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.store.redis_messages import redis_webhooks
from service.table import Tables
from service.webhooks.herald import Herald
from service.webhooks.teller import Teller
from workers.faults import where

log = logging.getLogger(__name__)

WALK: Final = 0.2
"""Seconds that the walk over all keys may take from one sweep."""

CHILL: Final = 0.2
"""Seconds that making games compact may take from one sweep."""

SOME: Final = 50
"""Games that may be made compact in one sweep."""


class Sweep:
    """What one sweeping process knows: nothing that it would miss after a restart."""

    def __init__(
        self,
        store: EventStore,
        tables: Tables,
        patience: float,
        audits: Audits | None = None,
        cold_after: int = 86_400,
        herald: Herald | None = None,
        teller: Teller | None = None,
    ) -> None:
        self._store = store
        self._tables = tables
        self._patience = patience
        self._audits = audits
        self._cold_after = cold_after
        self._herald = herald
        self._teller = teller
        self._walk: Iterator[str] | None = store.rebuild()
        self._faulty: set[str] = set()
        self._told: dict[str, int] = {}
        self._away = False
        self.stop = Event()

    def run(self, pause: float) -> None:
        """Sweeps every `pause` seconds until `stop` is set."""
        while not self.stop.is_set():
            self.once()
            self.stop.wait(pause)

    def once(self) -> None:
        """One look at every unfinished game and at some others; raises nothing."""
        try:
            for game in self._store.due():
                if self.stop.is_set():
                    return
                self._try(self._expire, game)
            known = set(self._store.unfinished())
            for game in known:
                if self.stop.is_set():
                    return
                self._try(self._tend, game)
            self._tend_jobs()
            self._tend_webhooks(known)
            self._chill()
            self._go_on_walking(known)
        except StoreUnavailable as error:
            if not self._away:
                log.error("the store is away: %s", error)
            self._away = True
        else:
            if self._away:
                log.warning("the store is back")
                self._walk = self._store.rebuild()  # perhaps it is another one
            self._away = False

    def _tend(self, game: str) -> None:
        table = self._tables.tend(game, self._patience)
        self._tell(table)
        if self._herald is not None:
            self._herald.tend(table, self._patience)

    def _expire(self, game: str) -> None:
        try:
            self._tell(self._tables.expire(game))
        except (NoSuchGame, Unreadable):
            self._store.expect(game, None)  # lest it stands before the others for ever
            raise

    def _refile(self, game: str) -> None:
        self._tell(self._tables.refile(game))

    def _tell(self, table: Table) -> None:
        """Raises the alarm over a game whose log is damaged, once for each fault."""
        found = table.fault
        if found is None:
            self._told.pop(table.id, None)
        elif self._told.get(table.id) != found.version:
            self._told[table.id] = found.version
            log.error("game %s is faulted in version %d: %s", table.id, found.version, found.what)

    def _tend_jobs(self) -> None:
        """Calls again for the audits and imports that nobody does."""
        try:
            if self._audits is not None:
                self._audits.tend(self._patience)
        except StoreUnavailable:
            raise
        except Exception as error:
            log.error("jobs cannot be cared for: %s", where(error))

    def _tend_webhooks(self, known: set[str]) -> None:
        """Calls for the webhooks that have something to send, and tells of games that are over."""
        try:
            if self._herald is not None:
                self._herald.forget(known)
            if self._teller is not None:
                self._teller.tend()
        except StoreUnavailable:
            raise
        except Exception as error:
            log.error("webhooks cannot be cared for: %s", where(error))

    def _chill(self) -> None:
        until = time.monotonic() + CHILL
        games = self._store.warm(self._cold_after * 1000, SOME)
        random.shuffle(games)  # so that two sweeps seldom do the same
        for game in games:
            if self.stop.is_set() or time.monotonic() > until:
                return
            self._try(self._store.chill, game)

    def _go_on_walking(self, known: set[str]) -> None:
        until = time.monotonic() + WALK
        while self._walk is not None and not self.stop.is_set() and time.monotonic() < until:
            game = next(self._walk, None)
            if game is None:
                self._walk = None
            elif game not in known:
                self._try(self._refile, game)
                self._tables.forget(game)

    def _try(self, care: Callable[[str], object], game: str) -> None:
        """Cares for one game; its errors are its own, and told once."""
        try:
            care(game)
            self._faulty.discard(game)
        except StoreUnavailable:
            raise
        except NoSuchGame:
            pass  # filed before its first commit; the walk is over or the commit comes yet
        except Exception as error:
            if game not in self._faulty:
                log.error("game %s cannot be cared for: %s", game, where(error))
            self._faulty.add(game)


def main() -> int:
    """Sweeps until SIGTERM or SIGINT; returns the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s sweep %(message)s")
    try:
        config = Config.from_env(os.environ)
    except ConfigError as error:
        log.error("%s", error)
        return 2
    store = RedisStore(config.redis_url, replicas=config.replicas)
    call = Caller(config.queue_url)
    keepers = redis_webhooks(config.redis_url)
    herald = Herald(keepers.hooks, keepers.told, call.tell)
    tables = Tables(store, call, config.cache_size, herald)
    audits = Audits(store, tables, RedisJobs(config.redis_url), call.run)
    teller = Teller(tables, keepers, call.deliver, config.public_url or "")
    patience = config.lost_turn_seconds
    sweep = Sweep(store, tables, patience, audits, config.cold_after, herald, teller)

    def stop(_number: int, _frame: FrameType | None) -> None:
        sweep.stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    sweep.run(config.sweep_seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
