"""The composition root of the API: the one place where its parts are chosen and joined.

    gunicorn 'service.app:create_app()'

Making an app opens no connection and starts no thread, so it may be made before a fork.
"""

import os

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import desk
from service.api import Api, metrics, mount
from service.api.derive import readers
from service.api.edge import Edge
from service.api.waiting import Waiting
from service.audits import Audits
from service.calls import Call
from service.config import Config
from service.hints import Hints
from service.players import Guests
from service.queue import Caller
from service.statistics import Statistics
from service.store import EventStore, People
from service.store.entrance import entrance
from service.store.jobs import HINTS, Jobs
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.store.redis_messages import redis_webhooks
from service.store.redis_people import RedisPeople
from service.store.redis_statistics import RedisLedger
from service.store.redis_turns import RedisTurns
from service.store.statistics import Ledger
from service.store.tallies import RedisTallies, Tallies
from service.store.turns import Turns
from service.store.webhooks import Keepers
from service.table import Tables
from service.webhooks.herald import Herald, Tell
from service.webhooks.hooks import Webhooks
from service.webhooks.teller import Deliver


def create_app(
    config: Config | None = None,
    *,
    store: EventStore | None = None,
    people: People | None = None,
    call: Call | None = None,
    jobs: Jobs | None = None,
    ask: desk.Call | None = None,
    hints: Jobs | None = None,
    advise: desk.Call | None = None,
    tallies: Tallies | None = None,
    ledger: Ledger | None = None,
    keepers: Keepers | None = None,
    tell: Tell | None = None,
    deliver: Deliver | None = None,
    turns: Turns | None = None,
) -> Flask:
    """The API. What is not given is made from the settings, and those from the environment.

    A store that is given tells nobody of its games unless `keepers` are given too.

    Raises:
        ConfigError: a setting cannot be used.
    """
    config = config or Config.from_env(os.environ)
    caller = Caller(config.queue_url)
    kept = keepers or redis_webhooks(config.redis_url, replicas=config.replicas)
    heard = Herald(kept.hooks, kept.told, tell or caller.tell)
    herald = heard if keepers or not store else None
    store = store or RedisStore(config.redis_url, replicas=config.replicas)
    tables = Tables(store, call or caller, config.cache_size, most=config.open_games, herald=herald)
    hooks = Webhooks(kept, deliver or caller.deliver, heard.learn, config.webhook_networks)
    audits = Audits(store, tables, jobs or RedisJobs(config.redis_url), ask or caller.run)
    asked = hints or RedisJobs(config.redis_url, prefix="hints:", limits=HINTS)
    advice = Hints(tables, asked, advise or caller.hint)
    people = people or RedisPeople(config.redis_url, replicas=config.replicas)
    guests = Guests(people)
    statistics = Statistics(store, people, ledger or RedisLedger(config.redis_url))
    app = Api("tapete", static_folder=None)
    waiting = Waiting(config.streams_each, config.streams)
    if config.metrics != "off":
        metrics.install(app, tallies or RedisTallies(config.redis_url), caller.lengths, waiting)
    turns = turns or RedisTurns(config.queue_url)
    parts = config, store, tables, guests, audits, advice, statistics, hooks
    mount(app, Edge(*parts, readers(), waiting, turns, entrance(store, people)))
    if hops := config.trusted_proxies:
        fixed = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)
        app.wsgi_app = fixed  # type: ignore[method-assign]
    return app
