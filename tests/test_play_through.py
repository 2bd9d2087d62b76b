"""Whole games over HTTP, on real gunicorn, rq workers and a real server; some of them killed.

What a game must be afterwards is said once, in `examine`: every commit is what the rules decide,
every card is there after every event, and at every version the API answers the state that the
log folds to. `./run laws` plays to the usual targets; `./run test` to the shortest.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from service import replay
from service.config import Config
from service.queue import Caller
from service.rules import seating
from service.rules.protocol import HOUSE
from service.rules.seating import Game
from service.rules.seating.commands import Chair, OpenGame
from service.stack import Stack
from service.store import Meta
from service.store.redis import RedisStore
from service.table import Tables
from tests.rules.spans import span
from tests.rules.tables import TABLES
from workers import choosing

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples"))
two_people: Any = import_module("two_people")

pytestmark = pytest.mark.slow

CENSUS = {table.variant.name: table.census for table in TABLES}
CASUAL = {"kind": "ai", "level": "casual"}
NOVICE = {"kind": "ai", "level": "novice"}
PERSON = {"kind": "human"}


# What is asked of a game


def examine(url: str, base: str, game: str, every: int = 1) -> Game:
    """Holds a game against its log, its rules and the API's answers; returns it as it is now."""
    commits = tables(url).commits(game, 1)
    guest = two_people.Person(base, "Examiner")
    expected: dict[int, Any] = {}
    state: Game | None = None
    for commit in commits:
        if state is None:
            state = replay.open_game(commit)
        else:
            assert seating.decide(state, commit.command, commit.at) == commit.events
            for event in commit.events:
                seating.evolve(state, event)
                assert_all_cards(state)
        if commit.version % every == 0 or commit is commits[-1]:
            expected[commit.version] = shown(state)
    assert state is not None

    def compare(version: int) -> None:
        answer = guest.call("GET", f"/games/{game}?at={version}")
        assert {name: answer[name] for name in expected[version]} == expected[version]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(compare, expected))
    return state


def assert_all_cards(game: Game) -> None:
    """Every card of the pack is somewhere, and none twice."""
    if game.state and game.state.deal:
        lying = CENSUS[game.variant.name](game.state)
        assert Counter(lying) == Counter(game.variant.pack())


def shown(game: Game) -> Any:
    """What a spectator's GET must answer, as it comes out of JSON."""
    seat = game.to_act()
    view = game.view(None).state
    answer = {
        "status": game.status,
        "scores": list(game.result.scores if game.result else game.scores()),
        "to_act": [] if seat is None or seat == HOUSE else [seat],
        "table": dict(view.table()) if view else None,
    }
    return json.loads(json.dumps(answer))


def tables(url: str) -> Tables:
    return Tables(RedisStore(url), Caller(url))


def open_game(base: str, variant: str, seats: list[Any], **options: int) -> str:
    guest = two_people.Person(base, "Host")
    order = {"variant": variant, "seats": seats, "options": options, "sit": False}
    game: str = guest.call("POST", "/games", order)["id"]
    return game


def wait_for_end(base: str, game: str, seconds: float = 60) -> Any:
    """The game at its end, however long it takes, unless nothing happens for so many seconds."""
    guest = two_people.Person(base, "Watcher")
    after, until = "0", time.monotonic() + seconds
    while True:
        feed = guest.call("GET", f"/games/{game}/events?after={after}&limit=500&wait=5")
        if feed["next"] != after:
            until = time.monotonic() + seconds
        after = feed["next"]
        if any(event["type"] == "secret_revealed" for event in feed["items"]):
            return guest.call("GET", f"/games/{game}")
        assert time.monotonic() < until, f"version {after} for {seconds} s"


def said(stack: Stack) -> str:
    return (stack.config.data / "stack.log").read_text()


# Whole games


@pytest.mark.parametrize(
    ("variant", "seats", "options"),
    [
        ("bolivia", [CASUAL] * 4, {"target_score": span(2500, 15000)}),
        ("samba", [CASUAL] * 4, {"target_score": span(2500, 10000)}),
        ("canasta", [CASUAL] * 2, {"target_score": span(2500, 5000)}),
        ("canasta", [CASUAL] * 3, {"target_score": span(2500, 7500)}),
        ("canasta", [CASUAL] * 4, {"target_score": span(2500, 5000)}),
        ("bolivie", [CASUAL] * 4, {}),
        ("botifarra", [CASUAL] * 4, {"target_score": 50}),
        ("botifarra", [NOVICE] * 4, {}),
        ("botifarra", [CASUAL, NOVICE] * 2, {"target_score": 50}),
    ],
)
def test_computer_players_finish_a_game(
    variant: str, seats: list[Any], options: dict[str, int], stack: Stack
) -> None:
    game = open_game(stack.base_url, variant, seats, **options)
    ended = wait_for_end(stack.base_url, game)
    assert ended["result"]["why"] == "target"
    # A look at every version costs as much as the square of the length.
    examine(stack.redis_url, stack.base_url, game, every=span(max(5, ended["version"] // 50), 1))
    assert "fallback" not in said(stack)


def test_answers_in_the_course_of_a_game_are_those_of_later(stack: Stack) -> None:
    """With a person at the table, who waits for each look, and plays."""
    ada, guest = (two_people.Person(stack.base_url, name) for name in ("Ada", "Watcher"))
    order = {"variant": "bolivia", "seats": [PERSON, CASUAL, CASUAL, CASUAL]}
    game = ada.call("POST", "/games", {**order, "options": {"target_score": 2500}})["id"]
    answers: dict[int, Any] = {}
    while not (answer := guest.call("GET", f"/games/{game}"))["fair"]["secret"]:
        answers[answer["version"]] = answer
        ada.move(game)
    answers[answer["version"]] = answer
    for version, answer in answers.items():
        assert guest.call("GET", f"/games/{game}?at={version}") == answer
    assert len(answers) > 10


@pytest.mark.parametrize(("variant", "target"), [("bolivia", 2500), ("botifarra", 50)])
def test_two_people_and_two_computers_finish_a_game(
    variant: str, target: int, stack: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    random.seed(4)
    ended = two_people.play(stack.base_url, variant, target)
    assert ended["status"] == "finished"
    assert "deal 1: [" in capsys.readouterr().out
    examine(stack.redis_url, stack.base_url, ended["id"], every=5)


@pytest.mark.parametrize("game", [["canasta", "2500"], ["botifarra"]], ids="-".join)
def test_the_example_runs_as_a_program(game: list[str], stack: Stack) -> None:
    command = [sys.executable, str(ROOT / "examples" / "two_people.py"), stack.base_url, *game]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "wins with" in done.stdout


# Processes that are killed


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Stack]:
    """A stack of one's own, to kill things in, that looks for lost turns at once."""
    with Stack(quick_config(tmp_path), quiet=True) as running:
        yield running


def quick_config(data: Path) -> Config:
    return Config(
        port=0,
        data=data,
        ai_pace=0.0,
        sweep_seconds=0.1,
        lost_turn_seconds=0.3,
        api_workers=2,
        webhook_workers=0,
    )


def test_workers_killed_in_the_middle_of_turns_lose_nothing(quick: Stack) -> None:
    def another() -> str:
        order = "bolivia", [CASUAL] * 4
        return open_game(quick.base_url, *order, target_score=span(2500, 15000))

    games = [another() for _ in range(4)]
    chance, killed = random.Random(8), 0
    while killed < 10:
        time.sleep(chance.uniform(0.05, 0.4))
        mine = tables(quick.redis_url)
        if all(mine.load(game).over for game in games):  # there is always something to lose
            games.append(another())
        workers = [pid for name, pid in quick.pids.items() if name.startswith("worker")]
        if workers:
            killed += kill(chance.choice(workers))
    for game in games:
        wait_for_end(quick.base_url, game)
        examine(quick.redis_url, quick.base_url, game, every=20)
    assert "fallback" not in said(quick)


def test_the_api_killed_between_commands_loses_nothing(quick: Stack) -> None:
    ended: list[Any] = []
    enough = threading.Event()

    def play() -> None:
        """One game after the other, so that somebody plays whenever the API is killed."""
        while not (ended and enough.is_set()):
            ended.append(two_people.play(quick.base_url, "bolivia", span(2500, 5000)))

    people = threading.Thread(target=play)
    people.start()
    killed, chance = 0, random.Random(9)
    while people.is_alive() and killed < 5:
        time.sleep(chance.uniform(0.1, 0.5))
        if pid := quick.pids.get("api"):
            killed += kill(pid)
    enough.set()
    assert killed == 5
    people.join(timeout=120)
    assert not people.is_alive()
    for one in ended:
        examine(quick.redis_url, quick.base_url, one["id"], every=10)


def kill(pid: int) -> bool:
    """kill -9 of a process and all that it started; says whether there was somebody to kill."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def test_the_house_deals_though_the_deal_s_last_commit_was_all_that_was_written(
    redis_url: str,
) -> None:
    """The process dies between the commit that ends a deal and the house's deal."""
    mine = tables(redis_url)
    game = play_to_the_end_of_a_deal(mine)
    ended = mine.load(game)
    assert ended.game.to_act() == HOUSE

    with Running("workers.sweep", redis_url):
        until(lambda: mine.load(game).version > ended.version)
        dealt = mine.load(game)
        assert dealt.game.state
        assert dealt.game.state.deal == 2
        with Running("workers", redis_url):
            until(lambda: mine.load(game).version > dealt.version + 10)


def play_to_the_end_of_a_deal(mine: Tables) -> str:
    """Opens a game and plays it without the queue up to the command that ends the first deal."""
    order = OpenGame("bolivia", 1, (Chair("ai", "casual"),) * 4, {}, "public", "", "")
    game = mine.open("anna", order).table.id
    while True:
        table = mine.load(game)
        seat = table.game.to_act()
        assert seat is not None
        command, _ = choosing.choose(mine, table, seat)
        after, _ = mine._scribe._append(table, command, Meta("a try"))
        if after.game.to_act() == HOUSE:
            return game


class Running:
    """A process of the service, ended with SIGTERM."""

    def __init__(self, module: str, url: str) -> None:
        env = {**os.environ, **quick_config(ROOT).to_env()}
        env |= {"TAPETE_REDIS_URL": url, "TAPETE_QUEUE_URL": url}
        self._process = subprocess.Popen([sys.executable, "-m", module], env=env, cwd=ROOT)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        assert self._process.wait(timeout=30) == 0


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_after_a_restart_with_the_data_kept_games_go_on(tmp_path: Path) -> None:
    with Stack(quick_config(tmp_path), quiet=True) as first:
        ada = two_people.Person(first.base_url, "Ada")
        order = {"variant": "bolivia", "seats": [PERSON, CASUAL, CASUAL, CASUAL]}
        mine = ada.call("POST", "/games", order)["id"]
        until(lambda: ada.call("GET", f"/games/{mine}")["to_act"] == [0])
        assert ada.move(mine)
        theirs = open_game(first.base_url, "bolivia", [CASUAL] * 4, target_score=span(5000, 15000))
        until(lambda: ada.call("GET", f"/games/{theirs}")["version"] > 10)
        before = ada.call("GET", f"/games/{mine}")
    with Stack(quick_config(tmp_path), quiet=True) as second:
        ada.base = second.base_url + "/v1"
        assert ada.call("GET", f"/games/{mine}") == before
        version = before["version"]
        for _ in range(20):
            until(lambda: ada.call("GET", f"/games/{mine}")["to_act"] == [0])
            assert ada.move(mine)
        assert ada.call("GET", f"/games/{mine}")["version"] > version + 20
        wait_for_end(second.base_url, theirs)
        examine(second.redis_url, second.base_url, theirs, every=span(30, 10))
