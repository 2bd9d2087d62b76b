"""One turn of a computer player.

    load ──► begun ──► chosen ──► due? ──► played ──► nobody waits for it? go on with the next
               │          └── failed: again, three times in all; then something legal
               └── another worker has it

Whatever happens in between, the log takes one command for each version; what is said beside it,
who is at which turn (`service.store.turns`), spares work and counts attempts.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from random import uniform
from typing import Any, Final

from service.calls import Call, summon
from service.config import Config
from service.decision import Decision, FellBack
from service.pulse import Pulse
from service.rules.protocol import Seat
from service.shelf import NoSuchGame, Table
from service.store import Conflict, StoreUnavailable
from service.store.turns import Turn, Turns, Why
from service.table import Tables
from workers import strategies
from workers.alarm import limit
from workers.choosing import UNWATCHED, ChoiceFailed, choose
from workers.kept import milliseconds
from workers.strategies import Budget

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3
"""How often a choice is tried before something legal is played instead."""

LEASE: Final = 1.0
"""Seconds beyond all that a choice may take, for reading and writing: then the worker is gone."""

EVEN: Final = 1.02
"""Budgets after which a choice is played at a table with people, had it been found sooner: as late
as one that used them all, and no later, for people wait."""

SLICE: Final = 0.1
"""Seconds after which a job lets others go first, though a computer player is to act still."""

FALLBACKS: Final[Counter[str]] = Counter()
"""How often this process had to play something legal instead of what a level chose."""

FAILURES: Final[Counter[str]] = Counter()
"""How often an attempt came to nothing: by level and why, with a space between."""


Defer = Callable[[float, Callable[[], None], Callable[[], None]], None]
"""Does something in so many seconds, or gives it back; see `workers.later`."""


@dataclass(frozen=True, slots=True)
class Post:
    """What a worker plays with."""

    tables: Tables
    call: Call
    turns: Turns
    config: Config
    later: Defer
    pulse: Pulse = UNWATCHED


def take_turn(post: Post, game: str, version: int) -> None:
    """Plays for the computer player who is to act, and for those after it where no people sit.

    A job that took `SLICE`, or for which people would have to wait, calls for the rest. At a table
    with people a job decides on one command, which is played when it is due (`pause`).
    """
    try:
        table = post.tables.load(game)
    except NoSuchGame:
        log.warning("game %s, version %d: there is no such game", game, version)
        return
    if table.version != version:
        return
    began, read, spent = time.monotonic(), table.now, 0.0
    turn: Turn | None = None
    while table.waits_for_computer():
        if turn and (turn.crowded or spent >= SLICE):
            break
        moved = _move(post, replace(table, now=read + int(spent * 1000)))
        if moved is None:
            return
        (table, turn), spent = moved, time.monotonic() - began
    if turn:
        summon(post.call, table)
        post.turns.end(game, turn)


def pause(config: Config, table: Table, level: str, spent: float) -> float:
    """Seconds until a command may be played that was decided within `spent`.

    Where people sit, it comes the pace (or the level's pause, if that is longer) after the command
    before it, and not before the whole budget has gone by: so the time of an answer does not tell
    how hard the hand was. 0 where nobody looks, or where neither pace nor pause is wanted.
    """
    least = max(config.ai_pace, uniform(*config.ai_pauses.of(level)))
    if not table.has_people or least <= 0:
        return 0.0
    since = (table.now - table.changed) / 1000 + spent
    return max(0.0, least - since, EVEN * config.ai_budgets.seconds(level) - spent)


def _move(post: Post, table: Table) -> tuple[Table, Turn] | None:
    """Decides on the next command and plays it; None where the job is done with that.

    Else the turn is not ended, for the next one begun ends it, too.
    """
    seat = table.to_act()
    assert seat is not None
    level = table.game.level(seat) or ""
    budget = Budget(post.config.ai_budgets.seconds(level))
    turn = post.turns.begin(table.id, table.version, limit(budget.seconds) + LEASE)
    if turn is None:  # another worker has it
        return None
    if turn.attempts > 1 and turn.why == "lost":
        FAILURES[f"{level} lost"] += 1  # who lost it told nobody
    began = time.monotonic()
    with _giving_back(post, table.id, turn):
        made = _decided(post, table, seat, turn, budget)
        if made is None:
            return None
        command, decision = made
        spent = time.monotonic() - began
        wait = pause(post.config, table, level, spent)
        if not wait:
            # It is given now, not when the choice began: with it the clock of who is next starts.
            late = replace(table, now=table.now + round(spent * 1000))
            after = _played(post, late, turn, command, decision)
            return (after, turn) if after else None
        post.turns.hold(table.id, turn, wait + LEASE)
    post.later(
        wait,
        partial(_play_due, post, table, turn, command, decision),
        partial(_hand_on, post, table, turn),
    )
    return None


def _decided(
    post: Post, table: Table, seat: Seat, turn: Turn, budget: Budget
) -> tuple[Any, Decision] | None:
    """What is to be played, if need be something legal; None where it is to be tried again."""
    game, level = table.game, table.game.level(seat) or ""
    why: Why = turn.why or "lost"
    if turn.attempts <= ATTEMPTS:
        try:
            return choose(post.tables, table, seat, budget, post.pulse)
        except ChoiceFailed as failed:
            why = failed.why
            FAILURES[f"{level} {why}"] += 1
            log.error(
                "game %s, version %d: attempt %d of %s failed: %s, %s",
                table.id, table.version, turn.attempts, level, why, failed,
            )  # fmt: skip
            if turn.attempts < ATTEMPTS:
                post.turns.end(table.id, turn, why)
                summon(post.call, table, again=-turn.attempts)
                return None
    FALLBACKS[level] += 1
    log.error(
        "game %s, version %d: fallback number %d for %s: %s",
        table.id, table.version, FALLBACKS[level], level, why,
    )  # fmt: skip
    try:
        name = strategies.player(level, game.rules).name
    except KeyError:
        name = None
    return game.legal(seat)[0], FellBack(level, name, milliseconds(budget), why)


def _play_due(post: Post, table: Table, turn: Turn, command: Any, decision: Decision) -> None:
    """Plays what was decided a while ago, unless the game has moved on since."""
    with _giving_back(post, table.id, turn):
        now = post.tables.load(table.id)
        if now.version == table.version:
            _played(post, now, turn, command, decision)
        else:
            post.turns.end(table.id, turn)


def _played(post: Post, table: Table, turn: Turn, command: Any, decision: Decision) -> Table | None:
    """The table after the command, to go on with; None when somebody was faster.

    None as well where people sit and after what had to be replaced: then others go first, and who
    is next is called.
    """
    try:
        after = post.tables.play(table, command, decision)
    except Conflict:
        after = None
    if after and not table.has_people and not isinstance(decision, FellBack):
        return after
    if after:
        summon(post.call, after)
    post.turns.end(table.id, turn)
    return None


def _hand_on(post: Post, table: Table, turn: Turn) -> None:
    """Lets another worker decide."""
    post.turns.end(table.id, turn, counted=False)
    summon(post.call, table, again=-turn.attempts)


@contextmanager
def _giving_back(post: Post, game: str, turn: Turn) -> Iterator[None]:
    """Where something fails that is no strategy's fault, the turn is free, and nothing counted."""
    try:
        yield
    except BaseException:
        with suppress(StoreUnavailable):
            post.turns.end(game, turn, counted=False)
        raise
