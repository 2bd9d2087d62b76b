"""What is counted, who may read it, and that no label names anybody or anything of a game."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.api import metrics
from service.app import create_app
from service.config import Config
from service.store import StoreUnavailable
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.tallies import MemoryTallies
from tests.api.client import HUMAN, House, Person

TOKEN = "0123456789abcdef"

Make = Callable[..., House]


@pytest.fixture
def tallies() -> MemoryTallies:
    return MemoryTallies()


@pytest.fixture
def make(tallies: MemoryTallies) -> Make:
    def made(wanted: str = "on", store: MemoryStore | None = None) -> House:
        app = create_app(
            Config(metrics=wanted, queue_url="redis://127.0.0.1:1/0"),
            store=store or MemoryStore(),
            people=MemoryPeople(),
            call=lambda *_: None,
            jobs=MemoryJobs(),
            hints=MemoryJobs(),
            ask=lambda *_: None,
            advise=lambda *_: None,
            tallies=tallies,
        )
        return House(app)

    return made


def told(house: House) -> dict[tuple[str, ...], float]:
    """Name and labels, in the order of their names -> number."""
    text = house.anyone.get("/metrics").get_data(as_text=True)
    samples = (one for family in text_string_to_metric_families(text) for one in family.samples)
    return {(one.name, *one.labels.values()): one.value for one in samples}


def test_requests_commands_and_games_are_counted(make: Make) -> None:
    house = make()
    game, mover, other = house.table()
    path, key = f"/v1/games/{game}/commands", {"Idempotency-Key": "k"}
    mover.post(path, {"type": "draw"}, headers=key)
    mover.post(path, {"type": "draw"}, headers=key)
    mover.post(path, {"type": "draw"})
    other.post(path, {"type": "nonsense"})
    house.anyone("BREW", "/no/such/path")
    mover.open()
    house.app.extensions["tapete"].tables.forget(game)
    mover.look(game)  # from its log, since the process that opened it knows it no more
    found = told(house)
    route = "/v1/games/{game}/commands"
    assert found["tapete_requests_total", "POST", route, "201"] == 2
    assert found["tapete_requests_total", "POST", route, "409"] == 1
    assert found["tapete_requests_total", "other", "none", "404"] == 1
    assert found["tapete_request_seconds_count", "POST", route] == 4
    assert found["tapete_commands_total", "accepted"] == 1
    assert found["tapete_commands_total", "replayed"] == 1
    assert found["tapete_commands_total", "wrong_phase"] == 1
    assert found["tapete_commands_total", "invalid"] == 1
    assert found["tapete_games", "playing"] == found["tapete_games", "waiting"] == 1
    assert found["tapete_games", "faulted"] == 0
    assert found["tapete_loads_total", "remembered"] > found["tapete_loads_total", "read"] > 0
    assert found["tapete_store_up",] == 1


def test_what_workers_and_the_sweep_tell_is_told(make: Make, tallies: MemoryTallies) -> None:
    tallies.add("fallback novice")
    tallies.add("failure novice hung")
    tallies.put({"sweep ended": 1.5, "sweep seconds": 0.25, "sweep games": 3})
    found = told(make())
    assert found["tapete_fallbacks_total", "novice"] == 1
    assert found["tapete_turn_failures_total", "novice", "hung"] == 1
    assert found["tapete_sweep_timestamp_seconds",] == 1.5
    assert (found["tapete_sweep_seconds",], found["tapete_sweep_games",]) == (0.25, 3)


def test_open_streams_are_counted(make: Make) -> None:
    house = make()
    waiting = house.app.extensions["tapete"].waiting
    release = waiting.take("anna")
    assert told(house)["tapete_streams",] == 1
    release()
    assert told(house)["tapete_streams",] == 0


def test_no_label_names_anybody_or_anything(make: Make) -> None:
    house = make()
    game, mover, _ = house.table()
    mover.act(game, type="draw")
    mover.get("/v1/games/" + "a" * 21)
    mover("GET", f"/v1/games/{game}/events?after=0")
    mover.get("/Kd10h?invite=secret")
    text = house.anyone.get("/metrics").get_data(as_text=True)
    labels = set(re.findall(r'"([^"]*)"', re.sub(r"# .*", "", text)))
    for one in (game, mover.id, mover.token, "Anna", "a" * 21, "Kd10h", "secret"):
        assert one
        assert not any(one in label for label in labels)


def test_a_store_or_a_queue_that_is_away_is_told_and_fails_nothing(make: Make) -> None:
    class Away(MemoryStore):
        def count(self, status: str) -> int:
            raise StoreUnavailable

    found = told(make(store=Away()))
    assert found["tapete_store_up",] == 0
    assert not any(name[0] in ("tapete_games", "tapete_queue_jobs") for name in found)


def test_it_is_off_unless_it_is_switched_on(make: Make) -> None:
    assert Config().metrics == "off"
    make("off").anyone.refused(404, "not_found", "GET", "/metrics")


def test_a_token_opens_it_and_a_players_does_not(make: Make) -> None:
    house = make(TOKEN)
    for person in (house.anyone, house.guest("Anna"), Person(house.app, TOKEN + "f")):
        person.refused(401, "unauthorized", "GET", "/metrics")
    assert Person(house.app, TOKEN).get("/metrics").status_code == 200
    Person(house.app, TOKEN).refused(401, "unauthorized", "GET", "/v1/me")
    assert TOKEN not in repr(Config(metrics=TOKEN))


def test_what_cannot_be_counted_is_answered_still(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make()

    def full(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(metrics.Metrics, "count", full)
    house.guest("Anna").open(HUMAN, HUMAN)


def test_streams_of_processes_that_are_gone_are_left_out(tmp_path: Path) -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    for pid in (child.pid, os.getpid()):
        (tmp_path / f"gauge_livesum_{pid}.db").touch()
    (tmp_path / f"counter_{child.pid}.db").touch()
    metrics._forget_the_dead(tmp_path)
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {f"gauge_livesum_{os.getpid()}.db", f"counter_{child.pid}.db"}
