"""The jobs of the queue: one computer player's turn.

    load ──► strategy (view, seed) ──► checked ──► play ──► the same seat again? go on

A job names a game and a version, nothing else. It may come late, twice, or after its worker
was killed: truth is in the log, so it rereads, and does nothing if the game moved on.
"""

import logging
import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, Final

from rq.timeouts import JobTimeoutException

from service import fairness
from service.calls import Call
from service.config import Config
from service.decision import Decision, FellBack
from service.queue import Caller
from service.rules.deals import DealStarted
from service.rules.protocol import Seat
from service.shelf import NoSuchGame, Table
from service.store import Conflict, StoreUnavailable, Unreadable
from service.store.redis import RedisStore
from service.store.redis_messages import redis_webhooks
from service.store.tallies import RedisTallies, Tallies
from service.table import Tables
from service.webhooks.herald import Herald
from workers import strategies
from workers.faults import where
from workers.kept import kept, milliseconds
from workers.strategies import Budget, Situation

log = logging.getLogger(__name__)

BUDGET: Final = Budget(0.1)
"""What one command may cost."""

PIECE: Final = 100
"""Commits that are read at a time on the way back to the deal."""

FALLBACKS: Final[Counter[str]] = Counter()
"""How often this process had to play something legal instead of what a level chose."""


class TurnFailed(Exception):
    """A job could not be done. Says where; never repeats a message, which may name a card."""


def play_turn(game: str, version: int) -> None:
    """The job: plays the turn that is due in `game`, if it is still at `version`.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        TurnFailed: anything else; the sweep calls again.
    """
    config, tables, call = _composed()
    before = FALLBACKS.copy()
    try:
        take_turn(tables, call, game, version, config.ai_pace)
    except StoreUnavailable:
        raise
    except Exception as error:
        log.error("game %s, version %d: the turn failed: %s", game, version, where(error))
        raise TurnFailed(where(error)) from None
    finally:
        for level in (FALLBACKS - before).elements():
            tell(_tallies(), level)


def tell(tallies: Tallies, level: str) -> None:
    """Tells those who watch of a fallback; that it does not arrive is no matter."""
    with suppress(StoreUnavailable, Unreadable):
        tallies.add(f"fallback {level}")


def take_turn(
    tables: Tables,
    call: Call,
    game: str,
    version: int,
    pace: float,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Plays for the computer player who is to act, until it is somebody else's turn.

    At a table with people each command comes `pace` seconds after the one before it, or later:
    so the answer's time does not tell how hard the hand was. There a job makes one command and
    calls for the next, lest a worker sleeps through a whole turn while others wait; so it does
    after a strategy failed, since rq's alarm for a hung one rings once a job.
    """
    try:
        table = tables.load(game)
    except NoSuchGame:
        log.warning("game %s, version %d: there is no such game", game, version)
        return
    seat = table.game.to_act()
    while table.version == version and seat == table.game.to_act() and table.waits_for_computer():
        assert seat is not None
        began = time.monotonic()
        command, decision = choose(tables, table, seat)
        paced = pace > 0 and any(chair.kind == "human" for chair in table.game.chairs)
        if paced:
            waited = (table.now - table.changed) / 1000 + time.monotonic() - began
            sleep(max(0.0, pace - waited))
            table = tables.load(game)  # for the time, and since the game may have moved on
            if table.version != version:
                return
        try:
            table = tables.play(table, command, decision)
        except Conflict:
            return
        version = table.version
        if paced or isinstance(decision, FellBack):
            if table.game.to_act() == seat:
                call(game, version, 0)
            return


def choose(tables: Tables, table: Table, seat: Seat) -> tuple[Any, Decision]:
    """What the seat's computer player does, legal in any case, and how it came to that.

    The strategy gets the seat's view and what it heard, and its luck follows from the game's
    secret, so the choice can be made again after the reveal.
    """
    game = table.game
    level = game.level(seat) or ""
    view = game.view(seat).state
    assert view  # somebody is to act
    situation = Situation(game.rules, view, seat, lambda: heard(tables, table, seat))
    rng = Random(fairness.seed(table.secret, seat, table.version))
    name, why = None, "crashed"
    try:
        player = strategies.player(level, game.rules)
        name = player.name
        choice = player.choose(situation, rng, BUDGET)
        why = "illegal"
        decision = kept(level, player, BUDGET, choice)
        if type(choice.command) not in game.rules.COMMANDS or choice.command.seat != seat:
            raise ValueError("a strategy must answer with a command of its game and its own seat")
        game.rules.decide(game.state, choice.command)
    except Exception as error:  # a refusal, a crash, or rq's timeout for a strategy that hangs
        FALLBACKS[level] += 1
        log.error(
            "game %s, version %d: fallback number %d for %s: %s",
            table.id, table.version, FALLBACKS[level], level, where(error),
        )  # fmt: skip
        why = "hung" if isinstance(error, JobTimeoutException) else why
        return game.legal(seat)[0], FellBack(level, name, milliseconds(BUDGET), why)
    return choice.command, decision


def heard(tables: Tables, table: Table, seat: Seat) -> list[Any]:
    """The events of the table's deal as the seat saw them, from the one that dealt it."""
    rules = table.game.rules
    events: list[Any] = []
    end = table.version
    while end > 0:
        start = max(1, end - PIECE + 1)
        for commit in reversed(tables.commits(table.id, start, end)):
            own = [event for event in commit.events if type(event) in rules.EVENTS]
            events += (rules.seen(event, seat) for event in reversed(own))
            if any(isinstance(event, DealStarted) for event in own):
                return events[::-1]
        end = start - 1
    return events[::-1]


@cache
def _composed() -> tuple[Config, Tables, Caller]:
    """What this process plays with; connections open at their first use."""
    config = Config.from_env(os.environ)
    call = Caller(config.queue_url)
    store = RedisStore(config.redis_url, replicas=config.replicas)
    keepers = redis_webhooks(config.redis_url)
    herald = Herald(keepers.hooks, keepers.told, call.tell)
    return config, Tables(store, call, config.cache_size, herald=herald), call


@cache
def _tallies() -> Tallies:
    return RedisTallies(_composed()[0].redis_url)
