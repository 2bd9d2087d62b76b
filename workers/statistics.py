"""Counting games that have ended, in statistics and ratings.

    python -m workers.statistics    # ./run recount: makes all numbers anew from the logs

The job names nothing: what there is to count stands in the store, in the order of filing. It may
come twice, or be killed at any moment; the next one goes on, and no game is counted twice.
"""

import logging
import os
import sys
from functools import cache

from service.config import Config, ConfigError
from service.statistics import Statistics
from service.store import StoreUnavailable
from service.store.redis import RedisStore
from service.store.redis_people import RedisPeople
from service.store.redis_statistics import RedisLedger
from workers.faults import where

log = logging.getLogger(__name__)


class CountFailed(Exception):
    """The counting came to an end too early. Says where; never repeats a message."""


def run() -> None:
    """The job: counts all that have ended since.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        CountFailed: anything else; the sweep calls again.
    """
    try:
        composed().work()
    except StoreUnavailable:
        raise
    except Exception as error:
        log.error("games are not counted: %s", where(error))
        raise CountFailed(where(error)) from None


@cache
def composed() -> Statistics:
    """What this process counts with; connections open at their first use."""
    config = Config.from_env(os.environ)
    store = RedisStore(config.redis_url, replicas=config.replicas)
    return Statistics(store, RedisPeople(config.redis_url), RedisLedger(config.redis_url))


def main() -> int:
    """Makes all statistics and ratings anew; returns the exit code."""
    try:
        number = composed().rebuild()
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    except StoreUnavailable:
        print("the store does not answer; run it again when it does", file=sys.stderr)
        return 1
    print(f"{number} games were counted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
