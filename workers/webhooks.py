"""The jobs of webhooks: telling what is new in a game, and sending what waits for a hook.

A job names a game or a hook and nothing else. It may come late, twice, or after its worker was
killed: what is to be done stands in the log and in the store, and the sweep calls again.

Sending waits for other people's servers, so it is done in threads: a job hands its hook to one and
is over. Where all are busy the hook stays due, and the sweep calls for it again.
"""

import logging
import os
from functools import cache
from threading import Condition, Thread
from typing import Final

from service.config import Config
from service.queue import Caller
from service.shelf import NoSuchGame
from service.store import StoreUnavailable, Unreadable
from service.store.redis import RedisStore
from service.store.redis_messages import redis_webhooks
from service.table import Tables
from service.webhooks.postman import Postman
from service.webhooks.teller import Teller
from workers.faults import where

log = logging.getLogger(__name__)

THREADS: Final = 16
"""Hooks for which a process sends at a time."""


class TellFailed(Exception):
    """A job could not be done. Says where; never repeats a message, which may name a card."""


class Postroom:
    """The senders of one process: at most one a hook, at most `threads` in all."""

    def __init__(self, postman: Postman, threads: int = THREADS) -> None:
        self._postman = postman
        self._most = threads
        self._busy: set[str] = set()
        self._changed = Condition()

    def deliver(self, hook: str) -> bool:
        """Hands a hook to a sender; False when it has one, or none is free."""
        with self._changed:
            if self._postman.stop.is_set() or hook in self._busy:
                return False
            if len(self._busy) >= self._most:
                return False
            self._busy.add(hook)
        # Of no executor: the process must be able to end while a receiver is silent.
        Thread(target=self._send, args=(hook,), name="webhook", daemon=True).start()
        return True

    def close(self, seconds: float) -> bool:
        """Lets what is being sent end, within a time; whether it did. Nothing new is begun.

        What is cut off then is sent again under the same id when its lease is over.
        """
        self._postman.stop.set()
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy, seconds)

    def _send(self, hook: str) -> None:
        try:
            self._postman.run(hook)
        except Exception as error:
            log.warning("webhook %s is not sent for: %s", hook, where(error))
        finally:
            with self._changed:
                self._busy.discard(hook)
                self._changed.notify_all()


def tell(game: str, version: int) -> None:
    """The job: turns what is new in a game into messages; `version` is what it was called for.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        TellFailed: anything else; the sweep calls again.
    """
    try:
        _teller().tell(game)
    except StoreUnavailable:
        raise
    except (NoSuchGame, Unreadable):
        log.warning("game %s, version %d: there is no such game to tell of", game, version)
    except Exception as error:
        log.error("game %s, version %d: could not be told of: %s", game, version, where(error))
        raise TellFailed(where(error)) from None


def deliver(hook: str) -> None:
    """The job: sends what is due for a hook, in a thread of this process."""
    postroom().deliver(hook)


@cache
def _teller() -> Teller:
    """Who tells; connections open at their first use."""
    config = Config.from_env(os.environ)
    store = RedisStore(config.redis_url, replicas=config.replicas)
    call = Caller(config.queue_url)
    tables = Tables(store, call, config.cache_size)
    keepers = redis_webhooks(config.redis_url)
    return Teller(tables, keepers, call.deliver, config.public_url or "")


@cache
def postroom() -> Postroom:
    """Who sends."""
    config = Config.from_env(os.environ)
    return Postroom(Postman(redis_webhooks(config.redis_url), config.webhook_networks))
