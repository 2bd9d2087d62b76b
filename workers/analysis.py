"""A deal looked at after the game: each decision's loss against the best that is found.

    log ──► moments of the deal ──► the strongest level, asked at each ──► what was lost, by whom

It is asked what it would do on that seat, knowing what the seat knew and with that seat's luck, by
samples and not by time: so an analysis is the same whenever it is made. Guide: docs/analysis.md.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rq.timeouts import JobTimeoutException

from service.decision import Chosen, Decision, FellBack
from service.replay import Commit
from service.rules import GAMES
from service.rules.protocol import Rules, Seat
from service.store import codec
from workers import strategies
from workers.faults import where
from workers.kept import kept
from workers.moments import Moment, moments
from workers.strategies import Budget, Choice

log = logging.getLogger(__name__)

SAMPLES: Final = {"botifarra": 100}
"""What it looks at for each decision, by family of games: so many that losses of a few points mean
something, and so few that a deal takes a minute."""

OTHERWISE: Final = 40
"""The same for all other games."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and what it lost.

    Attributes:
        strategy: the one that was asked.
        best: what it would have done; None where it failed.
        loss: points against that, never below 0, and 0 where there was no choice; None where
            nothing was weighed.
        least: whether that is the least it can be, since the command is not among them.
    """

    moment: Moment
    strategy: str
    best: Choice | None
    loss: float | None
    least: bool


def analysed(
    commits: Iterable[Commit], secret: bytes, deal: int, samples: int | None = None
) -> dict[str, Any]:
    """The analysis of a deal as JSON values; with so many samples, else the usual number."""
    *_, level = strategies.STRATEGIES  # the strongest there is
    looked = [moment for moment in moments(commits) if moment.deal == deal]
    if samples is None:
        samples = _usual(looked[0].situation.rules) if looked else 0
    judged = [judge(moment, level, secret, samples) for moment in looked]
    seats = sorted({one.moment.seat for one in judged})
    return {
        "deal": deal,
        "level": level,
        "strategy": next((one.strategy for one in judged), None),
        "samples": samples,
        "seats": [_summed(seat, judged) for seat in seats],
        "decisions": [_shown(one) for one in judged],
    }


def judge(moment: Moment, level: str, secret: bytes, samples: int) -> Judged:
    """What that level finds best there, and what the seat lost against it."""
    rules, budget = moment.situation.rules, Budget(1.0, samples)
    player = strategies.player(level, rules)
    try:
        choice = player.choose(moment.situation, moment.luck(secret), budget)
        kept(level, player, budget, choice, moment.situation)
    except JobTimeoutException:
        raise
    except Exception as error:
        log.error("version %d is not analysed: %s", moment.version, where(error))
        return Judged(moment, player.name, None, None, False)
    loss, least = _loss(moment, choice)
    return Judged(moment, player.name, choice, loss, least)


def _usual(rules: Rules[Any, Any, Any]) -> int:
    family = next(name for name, game in GAMES.items() if game is rules)
    return SAMPLES.get(family, OTHERWISE)


def _loss(moment: Moment, choice: Choice) -> tuple[float | None, bool]:
    """Points against what the level would do, which is not always what brings the most of them."""
    if not choice.candidates:
        situation = moment.situation
        forced = len(situation.rules.legal(situation.view, situation.seat)) == 1
        return 0.0 if forced else None, False
    values = {one.command: one.value for one in choice.candidates}
    own = values.get(moment.command)
    loss = values[choice.command] - (min(values.values()) if own is None else own)
    return max(0.0, round(loss, 1)), own is None


def _summed(seat: Seat, judged: Sequence[Judged]) -> dict[str, Any]:
    own = [one for one in judged if one.moment.seat == seat]
    losses = [one.loss for one in own if one.loss is not None]
    return {
        "seat": seat,
        "decisions": len(own),
        "weighed": len(losses),
        "loss": round(sum(losses), 1) if losses else None,
    }


def _shown(one: Judged) -> dict[str, Any]:
    moment, best = one.moment, one.best
    weighed = best.candidates if best else ()
    return {
        "version": moment.version,
        "seat": moment.seat,
        "command": _command(moment.command),
        "best": _command(best.command) if best else None,
        "loss": one.loss,
        "least": one.least,
        "candidates": [_candidate(item.command, item.value) for item in weighed],
        "then": _then(moment.decision),
    }


def _then(decision: Decision | None) -> dict[str, Any] | None:
    """What a computer player weighed when it played; None for people, and where it was not kept."""
    match decision:
        case Chosen(level, strategy, budget, samples, candidates):
            shown = [_candidate(one.command, one.tenths / 10) for one in candidates]
            how = {"samples": samples, "candidates": shown, "why": None}
        case FellBack(level, strategy, budget, why):
            how = {"samples": None, "candidates": [], "why": why}
        case None:
            return None
    return {"level": level, "strategy": strategy, "budget": budget, **how}


def _candidate(command: Any, value: float) -> dict[str, Any]:
    return {"command": _command(command), "value": round(value, 1)}


def _command(command: Any) -> dict[str, Any]:
    """As commands are given: without the seat, which stands beside."""
    wire = codec.to_wire(command)
    del wire["seat"]
    return wire
