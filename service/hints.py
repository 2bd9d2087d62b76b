"""Hints: a computer player's advice to the person who is to act, as jobs of `service.desk`.

    ask ──► may they? (rules T.16) ──► one job a game, version and seat ──► a worker ──► done
                                                                              └──────► stale

A job says for whom and for which version, and no card. What comes of it is shown to who asked, as
long as they hold the seat, and to nobody else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from service import ids
from service.answers import GameFaulted, GameOver, Moved, NoSeat
from service.desk import Asked, Call, Desk
from service.languages.catalogue import Sentence, packed
from service.queue import LEVELS
from service.rules.errors import IllegalMove
from service.rules.seating import hints
from service.shelf import NoSuchGame, Table
from service.store import codec
from service.store.jobs import Job, Jobs, Order
from service.table import Tables

LEVEL: Final = LEVELS[-1]
"""Who advises: the strongest computer player that there is, within its usual time."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One command that may be given, and why.

    `value` is what it is expected to bring the seat's side, in points of this deal's score above
    the best of the other sides; None where that was not weighed.
    """

    command: Any
    value: float | None
    reason: Sentence


class Hints(Desk):
    """The hints of one store."""

    def __init__(self, tables: Tables, jobs: Jobs, call: Call) -> None:
        super().__init__(jobs, call)
        self._tables = tables

    # Asking

    def ask(self, game: str, player: str, key: str = "", expected: int | None = None) -> Asked:
        """Asks for advice for the player's seat as the game stands; the same version, the same job.

        Checks in the order of a command: a known key, if its hint may still be `seen`, the end of
        the game, the seat, the version, the rules.

        Raises:
            NoSuchGame, GameOver, NoSeat, Moved, GameFaulted
            IllegalMove: the table gives no hints, or it is not theirs to act.
            Crowded: the player has too many unfinished hints.
        """
        table = self._tables.load(game)
        name = ids.derived(player, f"hints {game} {key}")  # a key belongs to its route
        if key and (known := self.seen(self._jobs.named(name) or "none", player)):
            return Asked(known, replayed=True)
        if table.game.result:
            raise GameOver
        seat = table.seat_of(player)
        if seat is None:
            raise NoSeat
        if expected is not None and expected != table.version:
            raise Moved(table.version)
        if table.fault:
            raise GameFaulted(table)
        try:
            hints.check(table.game, seat, table.now)
        except IllegalMove as no:
            no.version = table.version
            raise
        order = Order("hint", player, "", game, version=table.version, seat=seat)
        asked = self._open(ids.derived("hint", f"{game} {table.version} {seat}"), order)
        if key:
            self._jobs.named(name, asked.job.id)
        return Asked(asked.job)

    def seen(self, job: str, player: str) -> Job | None:
        """A hint as who asked for it may see it now; None for everybody else.

        So it is for who lost the seat. Where the game has moved on, what is not done is stale.
        """
        found = self._jobs.find(job)
        if found is None or found.order.owner != player:
            return None
        try:
            table = self._tables.load(found.order.game)
        except NoSuchGame:
            return None
        if table.seat_of(player) != found.order.seat:
            return None
        past = not found.over and table.version != found.order.version
        return replace(found, state="stale") if past else found

    # Doing

    def wanted(self, job: Job) -> Table | None:
        """The table at which advice is wanted; None, and the job is over, if it no longer is."""
        try:
            table = self._tables.load(job.order.game)
        except NoSuchGame:
            table = None
        if table and table.version == job.order.version and not table.fault:
            return table
        self._jobs.settle(job, "stale")
        return None

    def give(self, job: Job, strategy: str, samples: int, advice: Sequence[Advice]) -> None:
        """Ends the job with what a strategy of that name advises, the best first."""
        if self.wanted(job) is None:
            return
        done = {
            "version": job.order.version,
            "level": LEVEL,
            "strategy": strategy,
            "samples": samples,
            "candidates": [_plain(one) for one in advice],
        }
        self._jobs.settle(job, "done", msgspec.json.encode(done))


def _plain(advice: Advice) -> dict[str, Any]:
    """The advice as JSON values; the seat is left out, as where commands are given."""
    command = codec.to_wire(advice.command)
    del command["seat"]
    return {"command": command, "value": advice.value, "reason": packed(advice.reason)}
