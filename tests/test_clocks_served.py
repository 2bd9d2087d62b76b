"""Clocks on the real thing: no request at all, everything killed in between, several sweeps."""

import contextlib
import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from service.config import Config
from service.referee import referee_stored
from service.rules.seating.commands import RunOut
from service.stack import Stack
from service.store import StoreUnavailable, codec
from service.store.redis import RedisStore
from service.table import Tables
from tests.test_clocks import clock, opened

pytestmark = pytest.mark.slow


def test_everything_is_killed_and_the_game_goes_on_without_a_request(tmp_path: Path) -> None:
    config = Config(port=0, data=tmp_path, ai_pace=0.0, sweep_seconds=0.2, lost_turn_seconds=1.0)
    with Stack(config, quiet=True) as stack:
        tables = Tables(RedisStore(stack.redis_url), lambda *_: None)
        game = opened(tables, clock(turn=1000)).id
        for pid in stack.pids.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        turns = _wait_for(tables, game, 5)
        store = RedisStore(stack.redis_url)
        reading = store.read(game)
    assert max(Counter(turns).values()) == 1
    assert {turn.whose for turn in turns} == {0, 1}
    verdict = referee_stored(game, reading.entries, show=True)
    assert verdict.ok, verdict.first_fault
    # Each of these turns was then played for its owner, by the workers.
    assert {0, 1} <= {codec.decode(entry.line).seat for entry in reading.entries}


def _wait_for(tables: Tables, game: str, count: int) -> list[RunOut]:
    until = time.monotonic() + 90
    turns: list[RunOut] = []
    while len(turns) < count:
        assert time.monotonic() < until, f"{len(turns)} turns ran out"
        time.sleep(0.1)
        with contextlib.suppress(StoreUnavailable):
            commands = [commit.command for commit in tables.commits(game, 1)]
            turns = [command for command in commands if isinstance(command, RunOut)]
    return turns
