"""Hints over HTTP: asked for by who is to act, given by a worker, shown to who asked."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.config import Config
from service.hints import Hints
from service.levels import Budgets
from service.queue import LEVELS
from service.store.jobs import HINTS
from tests.api.client import HUMAN, House, Person
from tests.api.conftest import BOTH
from workers import hints
from workers.hints import Adviser

pytestmark = BOTH


@pytest.fixture
def config(config: Config) -> Config:
    """The level that advises has little time."""
    return replace(config, ai_budgets=Budgets(**{LEVELS[-1]: 50}))


Work = Callable[[], None]
OFTEN = 3


@pytest.fixture
def work(house: House, advised: list[str]) -> Work:
    """Does what was asked of workers, in its order."""

    def work() -> None:
        edge = house.app.extensions["tapete"]
        while advised:
            hints.attempt(Adviser(edge.hints, edge.tables), advised.pop(0))

    return work


def ask(person: Person, game: str, **more: Any) -> Any:
    """Asks for a hint that must be taken down; the job."""
    response = person.post(f"/v1/games/{game}/hints", **more)
    assert response.status_code == 202, response.get_data(as_text=True)
    job = response.get_json()
    assert response.headers["Location"] == f"/v1/jobs/{job['id']}"
    return job


def test_a_hint_waits_and_then_has_commands_that_the_rules_allow(house: House, work: Work) -> None:
    game, mover, _ = house.table(hints=True)
    job = ask(mover, game)
    version = mover.version(game)
    assert (job["kind"], job["game"], job["version"]) == ("hint", game, version)
    assert (job["state"], job["attempts"], job["progress"]) == ("queued", 0, 0.0)
    assert (job["result"], job["error"]) == (None, None)
    path = f"/v1/jobs/{job['id']}"
    assert mover.get(path).headers["Retry-After"] == "1"
    work()
    answer = mover.get(path)
    said = answer.get_json()
    assert "Retry-After" not in answer.headers
    assert (said["state"], said["attempts"], said["progress"]) == ("done", 1, 1.0)
    assert said["age"] >= 0
    result = said["result"]
    assert (result["version"], result["level"]) == (version, LEVELS[-1])
    best = result["candidates"][0]
    assert best["reason"].endswith(".")
    assert "seat" not in best["command"]
    mover.ok("POST", f"/v1/games/{game}/commands", json=best["command"])


def test_asking_again_is_the_same_job(house: House, advised: list[str], work: Work) -> None:
    game, mover, _ = house.table(hints=True)
    jobs = {ask(mover, game)["id"] for _ in range(OFTEN)}
    assert len(jobs) == len(advised) == 1
    work()
    assert ask(mover, game)["state"] == "done"
    mover.act(game, type="draw")
    assert ask(mover, game)["id"] not in jobs


def test_a_key_gives_the_same_job_when_the_game_has_moved_on(house: House, work: Work) -> None:
    game, mover, _ = house.table(hints=True)
    key = {"Idempotency-Key": "once"}
    job = ask(mover, game, headers=key)
    work()
    mover.act(game, type="draw")
    again = mover.post(f"/v1/games/{game}/hints", headers=key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json()["id"] == job["id"]
    other, another, _ = house.table(hints=True)
    assert ask(another, other, headers=key)["id"] != job["id"]


def test_who_may_ask(house: House) -> None:
    game, mover, other = house.table(hints=True)
    path = f"/v1/games/{game}/hints"
    said = other.refused(409, "not_your_turn", "POST", path)
    assert (said["rule"], said["version"]) == ("T.16", mover.version(game))
    house.guest("Eve").refused(403, "no_seat", "POST", path)
    house.anyone.refused(401, "unauthorized", "POST", path)
    old = {"If-Match": '"1"'}
    assert mover.refused(412, "version_mismatch", "POST", path, headers=old)["version"] > 1
    now = {"If-Match": f'"{mover.version(game)}"'}
    assert mover.post(path, headers=now).status_code == 202
    mover.act(game, type="resign")
    mover.refused(410, "game_over", "POST", path)
    plain, mover, _ = house.table()
    mover.refused(409, "hints_off", "POST", f"/v1/games/{plain}/hints")


def test_everybody_sees_whether_a_table_has_hints(house: House) -> None:
    anna, eve = house.guest("Anna"), house.guest("Eve")
    game = anna.open(HUMAN, HUMAN, hints=True)
    assert anna.look(game)["hints"] is eve.look(game)["hints"] is True
    assert eve.look(anna.open(HUMAN, HUMAN))["hints"] is False
    (listed,) = eve.ok("GET", "/v1/games?limit=2")["items"][1:]
    assert listed["hints"] is True
    no = {"variant": "canasta", "seats": [HUMAN, HUMAN], "hints": 1}
    anna.refused(422, "invalid", "POST", "/v1/games", json=no)


def test_a_rematch_has_hints_again_and_playing_on_where_wanted(house: House) -> None:
    game, mover, _ = house.table(hints=True)
    version = mover.version(game)
    mover.act(game, type="resign")
    assert mover.ok("POST", f"/v1/games/{game}/rematch")["hints"] is True
    for wanted in (False, True):
        order = {"from": {"game": game, "version": version}, "hints": wanted}
        assert mover.ok("POST", "/v1/games", json=order)["hints"] is wanted


def test_nobody_else_sees_a_hint(house: House, work: Work) -> None:
    game, mover, other = house.table(hints=True)
    job = ask(mover, game)["id"]
    work()
    for person in (other, house.guest("Eve")):
        person.refused(404, "not_found", "GET", f"/v1/jobs/{job}")
    token = mover.ok("POST", "/v1/me/tokens", json={"scopes": ["lobby"]})["token"]
    listener = Person(house.app, token)
    listener.refused(403, "missing_scope", "GET", f"/v1/jobs/{job}")


def test_who_gave_up_the_seat_sees_it_no_more(house: House, work: Work) -> None:
    people = [house.guest(name) for name in ("Anna", "Bert", "Cleo")]
    game = people[0].open(HUMAN, HUMAN, HUMAN, variant="samba", hints=True)
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    mover = people[people[0].look(game)["to_act"][0]]
    key = {"Idempotency-Key": "once"}
    job = ask(mover, game, headers=key)["id"]
    work()
    assert mover.ok("GET", f"/v1/jobs/{job}")["state"] == "done"
    mover.act(game, type="resign")
    mover.refused(404, "not_found", "GET", f"/v1/jobs/{job}")
    mover.refused(403, "no_seat", "POST", f"/v1/games/{game}/hints", headers=key)


def test_where_the_game_moved_on_a_hint_is_stale(house: House, work: Work) -> None:
    game, mover, _ = house.table(hints=True)
    key = {"Idempotency-Key": "once"}
    job = ask(mover, game, headers=key)["id"]
    mover.act(game, type="draw")
    seen = mover.ok("GET", f"/v1/jobs/{job}")
    assert (seen["state"], seen["progress"]) == ("stale", None)
    assert ask(mover, game, headers=key) | {"age": 0} == seen | {"age": 0}
    work()
    assert mover.ok("GET", f"/v1/jobs/{job}") | {"age": 0} == seen | {"age": 0, "attempts": 1}


def test_a_hint_that_is_done_stays_for_its_version(house: House, work: Work) -> None:
    game, mover, _ = house.table(hints=True)
    job = ask(mover, game)
    work()
    mover.act(game, type="draw")
    seen = mover.ok("GET", f"/v1/jobs/{job['id']}")
    assert (seen["state"], seen["version"]) == ("done", job["version"])


def test_the_reason_comes_in_the_reader_s_language(house: House, work: Work) -> None:
    game, mover, _ = house.table(hints=True)
    job = ask(mover, game)["id"]
    work()
    told = {}
    for language in ("en", "fr", "ca", "zh-Hant"):
        answer = mover.get(f"/v1/jobs/{job}", headers={"Accept-Language": language})
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]
        told[language] = answer.get_json()["result"]["candidates"][0]["reason"]
    assert len(set(told.values())) == len(told)


def test_what_is_queued_and_logged_names_no_card(
    house: House, advised: list[str], work: Work, caplog: pytest.LogCaptureFixture
) -> None:
    game, mover, _ = house.table(hints=True)
    caplog.set_level("DEBUG")
    ask(mover, game)
    (queued,) = advised
    work()
    hand = mover.look(game)["table"]["hands"][mover.look(game)["you"]]
    for card in hand:
        assert f'"{card}"' not in json.dumps(queued)
        assert f" {card} " not in caplog.text


def test_progress_is_the_part_of_the_time_that_has_gone_by(house: House) -> None:
    """A twentieth of a second, by the settings of these tests."""
    game, mover, _ = house.table(hints=True)
    job = ask(mover, game)["id"]
    desk: Hints = house.app.extensions["tapete"].hints
    assert desk.begin(job)
    seen = mover.ok("GET", f"/v1/jobs/{job}")
    assert seen["state"] == "running"
    assert 0 <= seen["progress"] <= 1
    time.sleep(0.06)
    assert mover.ok("GET", f"/v1/jobs/{job}")["progress"] == 1


def test_one_has_few_unfinished_hints(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    games = []
    for _ in range(HINTS.by_player + 1):
        games.append(anna.open(HUMAN, HUMAN, hints=True, setup={"dealer": 1, "scores": [0, 0]}))
        bert.ok("POST", f"/v1/games/{games[-1]}/seats", json={})
    for game in games[:-1]:
        ask(anna, game)
    anna.refused(429, "too_many_jobs", "POST", f"/v1/games/{games[-1]}/hints")
