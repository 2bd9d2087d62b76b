"""The jobs of the queue: one computer player's turn.

A job names a game and a version, nothing else. It may come late, twice, or after its worker
was killed: truth is in the log, so it rereads, and does nothing if the game moved on.
"""

import logging
import os
from collections import Counter
from contextlib import suppress
from functools import cache

from service import pulse
from service.config import Config
from service.queue import PEOPLE_WAIT, Caller
from service.store import StoreUnavailable, Unreadable
from service.store.redis import RedisStore
from service.store.redis_messages import redis_webhooks
from service.store.redis_turns import RedisTurns
from service.store.tallies import RedisTallies, Tallies
from service.table import Tables
from service.webhooks.herald import Herald
from workers import playing
from workers.choosing import choose as choose
from workers.choosing import heard as heard
from workers.faults import where
from workers.later import Later
from workers.playing import Post, take_turn

log = logging.getLogger(__name__)


class TurnFailed(Exception):
    """A job could not be done. Says where; never repeats a message, which may name a card."""


def play_turn(game: str, version: int) -> None:
    """The job: plays the turn that is due in `game`, if it is still at `version`.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        TurnFailed: anything else; the sweep calls again.
    """
    before = _counted()
    try:
        take_turn(_composed(), game, version)
    except StoreUnavailable:
        raise
    except Exception as error:
        log.error("game %s, version %d: the turn failed: %s", game, version, where(error))
        raise TurnFailed(where(error)) from None
    finally:
        for what in (_counted() - before).elements():
            tell(_tallies(), what)


def tell(tallies: Tallies, what: str) -> None:
    """Tells those who watch of something once more; that it does not arrive is no matter."""
    with suppress(StoreUnavailable, Unreadable):
        tallies.add(what)


def _counted() -> Counter[str]:
    """What this process has to tell in all, by its name in the tallies."""
    names = ("fallback", playing.FALLBACKS), ("failure", playing.FAILURES)
    return Counter({f"{name} {one}": n for name, all_ in names for one, n in all_.items()})


def leave() -> None:
    """Gives back what this process has decided and not yet played, since it is to end."""
    if _composed.cache_info().currsize:
        post = _composed()
        assert isinstance(post.later, Later)
        post.later.close()


@cache
def _composed() -> Post:
    """What this process plays with; connections open at their first use."""
    config = Config.from_env(os.environ)
    call = Caller(config.queue_url)
    store = RedisStore(config.redis_url, replicas=config.replicas)
    keepers = redis_webhooks(config.redis_url)
    herald = Herald(keepers.hooks, keepers.told, call.tell)
    tables = Tables(store, call, config.cache_size, herald=herald)
    turns = RedisTurns(config.queue_url, crowd=PEOPLE_WAIT)
    return Post(tables, call, turns, config, Later(), pulse.found())


@cache
def _tallies() -> Tallies:
    return RedisTallies(_composed().config.redis_url)
