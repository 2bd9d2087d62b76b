"""The sweep: `python -m workers.sweep` finds what was left standing and brings it on.

A lost turn, a deal that the house still owes, a list that does not say what the log says: all
of it is seen in the log alone, every few seconds. So nobody needs to know that a worker was
killed or that the queue was emptied. Any number of sweeps may run; a second one does no harm.

A table at which nothing happened for long while it waited for people is given up. Games that ended
are counted in statistics: a worker is called for that from here alone. What webhooks have to tell
is looked after, too.

Games that have been over for a while move to the compact form, a few in each sweep.

Between two sweeps a slow walk over all keys, once after each start, finds games that have a
log but are in no list.

Over 250 lines, since what is looked after stands here side by side.
"""

import logging
import math
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Event
from types import FrameType
from typing import Final

from service.audits import Audits
from service.calls import UP_TO_DATE, Behind
from service.config import Config, ConfigError
from service.garbage import settle
from service.hints import Hints
from service.queue import Caller
from service.shelf import NoSuchGame, Table
from service.statistics import Statistics
from service.store import EventStore, StoreUnavailable, Unreadable
from service.store.jobs import HINTS
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.store.redis_messages import redis_webhooks
from service.store.redis_people import RedisPeople
from service.store.redis_statistics import RedisLedger
from service.store.redis_turns import RedisTurns
from service.store.tallies import RedisTallies, Tallies
from service.store.turns import Turns
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

FRESH: Final = 0.5
"""Seconds for which it is believed how far the queues are behind: a sweep may take long."""

Duty = tuple[str, Callable[[], object]]
"""What is done in each sweep: its name for the log, and how."""


class Sweep:
    """What one sweeping process knows: nothing that it would miss after a restart."""

    def __init__(
        self,
        store: EventStore,
        tables: Tables,
        patience: float,
        *,
        duties: Sequence[Duty] = (),
        cold_after: int = 86_400,
        abandon_after: float = math.inf,
        herald: Herald | None = None,
        tallies: Tallies | None = None,
        behind: Callable[[], Behind] = lambda: UP_TO_DATE,
    ) -> None:
        self._store = store
        self._tables = tables
        self._patience = patience
        self._duties = duties
        self._cold_after = cold_after
        self._abandon_after = abandon_after
        self._herald = herald
        self._tallies = tallies
        self._look_behind = behind
        self._behind = UP_TO_DATE
        self._looked = -math.inf
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
        began = time.monotonic()
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
            if self._herald is not None:
                self._herald.forget(known)
            for duty in self._duties:
                self._see_to(*duty)
            self._chill()
            self._go_on_walking(known)
            self._report(time.monotonic() - began, len(known))
        except StoreUnavailable as error:
            if not self._away:
                log.error("the store is away: %s", error)
            self._away = True
        else:
            if self._away:
                log.warning("the store is back")
                self._walk = self._store.rebuild()  # perhaps it is another one
            self._away = False

    def _report(self, seconds: float, games: int) -> None:
        """Tells those who watch of this round; that it does not arrive is no matter."""
        if self._tallies is not None:
            said = {"sweep ended": time.time(), "sweep seconds": seconds, "sweep games": games}
            with suppress(StoreUnavailable, Unreadable):
                self._tallies.put(said)

    def _queues(self) -> Behind:
        """How far the queues are behind; one that does not answer is empty, as far as we know."""
        if time.monotonic() - self._looked >= FRESH:
            try:
                self._behind = self._look_behind()
            except Exception as error:
                log.warning("the queues cannot be looked at: %s", where(error))
                self._behind = UP_TO_DATE
            self._looked = time.monotonic()
        return self._behind

    def _tend(self, game: str) -> None:
        table = self._tables.tend(game, self._patience, self._abandon_after, self._queues())
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

    def _see_to(self, what: str, duty: Callable[[], object]) -> None:
        """Does what is no single game's; its errors are its own."""
        try:
            duty()
        except StoreUnavailable:
            raise
        except Exception as error:
            log.error("%s cannot be cared for: %s", what, where(error))

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


def counting(statistics: Statistics, count: Callable[[], None]) -> Duty:
    """Calls a worker while games that ended are not counted."""

    def duty() -> None:
        if statistics.pending():
            count()

    return "statistics", duty


def resuming(tables: Tables, turns: Turns) -> Duty:
    """Calls again for turns whose worker was not heard of in time."""

    def duty() -> None:
        for game in turns.overdue():
            turn = turns.find(game)
            with suppress(NoSuchGame, Unreadable):
                tables.retry(game, turn.attempts if turn else 1)

    return "turns", duty


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
    tables = Tables(store, call, config.cache_size, herald=herald)
    audits = Audits(store, tables, RedisJobs(config.redis_url), call.run)
    asked = RedisJobs(config.redis_url, prefix="hints:", limits=HINTS)
    hints = Hints(tables, asked, call.hint)
    people, ledger = RedisPeople(config.redis_url), RedisLedger(config.redis_url)
    statistics = Statistics(store, people, ledger)
    teller = Teller(tables, keepers, call.deliver, config.public_url or "")
    patience = config.lost_turn_seconds
    sweep = Sweep(
        store,
        tables,
        patience,
        duties=[
            resuming(tables, RedisTurns(config.queue_url)),
            ("jobs", lambda: audits.tend(patience)),
            ("hints", lambda: hints.tend(patience)),
            counting(statistics, call.count),
            ("webhooks", teller.tend),
        ],
        cold_after=config.cold_after,
        abandon_after=config.abandon_after,
        herald=herald,
        tallies=RedisTallies(config.redis_url),
        behind=call.behind,
    )

    def stop(_number: int, _frame: FrameType | None) -> None:
        sweep.stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    settle()
    sweep.run(config.sweep_seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
