"""The jobs of people who ask what a good player would do.

    wanted still? ──► the strongest level, on what the seat sees ──► reasons ──► given

A job names itself and nothing else. The strategy gets what the asking seat sees and has heard, as a
computer player there would, but luck of its own: a hint tells nothing of what a computer player
did or will do.
"""

import logging
import os
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from service import fairness, levels, pulse
from service.config import Config
from service.hints import LEVEL, Advice, Hints
from service.languages.catalogue import Sentence
from service.pulse import Pulse
from service.queue import Caller
from service.rules.errors import IllegalMove
from service.shelf import Table
from service.store.jobs import HINTS, Job
from service.store.redis import RedisStore
from service.store.redis_jobs import RedisJobs
from service.table import Tables
from workers import attempts, reasons, strategies
from workers.alarm import bounded
from workers.choosing import UNWATCHED, heard
from workers.faults import where
from workers.strategies import Budget, Candidate, Choice, Situation

log = logging.getLogger(__name__)

USUAL: Final = Budget(levels.USUAL.seconds(LEVEL))
"""What a hint may cost."""


def run(job: str) -> None:
    """The job: the next attempt at it, if there is one to be made.

    Raises:
        StoreUnavailable: the store does not answer; the sweep calls again.
        JobFailed: anything else; the sweep calls again, a few times.
    """
    attempt(_composed(), job)


@dataclass(frozen=True, slots=True)
class Adviser:
    """What a worker gives hints with."""

    hints: Hints
    tables: Tables
    budget: Budget = USUAL
    pulse: Pulse = UNWATCHED


def attempt(adviser: Adviser, name: str) -> None:
    """See `run`."""
    attempts.attempt(adviser.hints, name, lambda job: advise(adviser, job))


def advise(adviser: Adviser, job: Job) -> None:
    """Does the job, if anybody waits for it still."""
    table, seat = adviser.hints.wanted(job), job.order.seat
    if table is None or seat is None:
        return
    view = table.game.view(seat).state
    assert view  # somebody is to act
    situation = Situation(table.game.rules, view, seat, lambda: heard(adviser.tables, table, seat))
    rng = Random(fairness.hint_seed(table.secret, seat, table.version))
    player = strategies.player(LEVEL, situation.rules)
    with bounded(adviser.budget.seconds, adviser.pulse):
        choice = player.choose(situation, rng, adviser.budget)
    advice = [
        Advice(one.command, value, _reason(situation, one.command))
        for one, value in _rows(choice)
        if _is_allowed(table, seat, one.command)
    ]
    if not advice:
        raise ValueError("a strategy must answer with a command that is allowed")
    adviser.hints.give(job, player.name, choice.samples, advice)


def _rows(choice: Choice) -> list[tuple[Candidate, float | None]]:
    """What was chosen and what else was weighed, with the values of what was."""
    rows: list[tuple[Candidate, float | None]] = [
        (one, round(one.value, 1)) for one in choice.candidates
    ]
    if all(one.command != choice.command for one in choice.candidates):
        rows.insert(0, (Candidate(choice.command, 0.0), None))
    return rows


def _is_allowed(table: Table, seat: int, command: object) -> bool:
    """Whether the seat may give the command: nobody is advised to do what the rules refuse."""
    rules = table.game.rules
    if type(command) not in rules.COMMANDS or getattr(command, "seat", None) != seat:
        return False
    try:
        rules.decide(table.game.state, command)
    except IllegalMove:
        return False
    return True


def _reason(situation: Situation, command: object) -> Sentence:
    """Why; in general words where the reason cannot be found: the advice is good without."""
    try:
        return reasons.reason(situation, command)
    except Exception as error:
        log.error("no reason for a hint: %s", where(error))
        return reasons.plain(situation)


@cache
def _composed() -> Adviser:
    """What this process works with; connections open at their first use."""
    config = Config.from_env(os.environ)
    call = Caller(config.queue_url)
    tables = Tables(RedisStore(config.redis_url, replicas=config.replicas), call, remember=0)
    jobs = RedisJobs(config.redis_url, prefix="hints:", limits=HINTS)
    budget = Budget(config.ai_budgets.seconds(LEVEL))
    return Adviser(Hints(tables, jobs, call.hint), tables, budget, pulse.found())
