"""The bulk export: every public finished game once, in order, and to be taken up again anywhere."""

import json
import random
import time
from collections import defaultdict
from functools import cache
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service import record
from service.app import create_app
from service.config import Config
from service.store import Ending, Entry, Reading, StoreUnavailable
from service.store.memory import MemoryPeople, MemoryStore
from tests.api.client import HUMAN, House, Person
from tests.api.walks import give_up, table, wander

START = 1_764_482_400_000
"""2025-11-30T06:00:00Z in ms."""


class Clocked(MemoryStore):
    """A store in memory whose clock stands, and which counts what is read or fails at it."""

    def __init__(self) -> None:
        self.now = START
        self.counted = 0
        self.fails_at: int | None = None
        super().__init__(lambda: self.now)

    def read(self, game: str, start: int = 1, end: int | None = None) -> Reading:
        self.counted += 1
        if self.fails_at is not None and self.counted >= self.fails_at:
            raise StoreUnavailable("not now")
        return super().read(game, start, end)

    def ended(self, since: int, until: int, after: Ending | None, limit: int) -> list[Ending]:
        if self.fails_at == 0:
            raise StoreUnavailable("not now")
        return super().ended(since, until, after, limit)

    def take(self, other: "Clocked") -> None:
        """Keeps what the other keeps, at the same time."""
        self.now = other.now
        self._logs = {game: [*log] for game, log in other._logs.items()}
        self._lists = defaultdict(dict, {name: {**each} for name, each in other._lists.items()})

    def damage(self, game: str) -> None:
        """Cuts a line of the game in half."""
        log = self._logs[game]
        bad = log[1]
        log[1] = Entry(bad.version, bad.line[: len(bad.line) // 2], bad.hash, bad.meta)


@pytest.fixture
def store() -> Clocked:
    return Clocked()


@pytest.fixture
def house(store: Clocked) -> House:
    return over(store)


def over(store: Clocked) -> House:
    return House(create_app(Config(), store=store, people=MemoryPeople(), call=lambda *_: None))


def finish(house: House, store: Clocked, variant: str, **more: Any) -> str:
    """A game that ended a second after the one before."""
    seats = 4 if variant == "botifarra" else 2
    game, people = table(house, variant, seats, **more)
    wander(game, people, random.Random(variant), 3)
    store.now += 1000
    give_up(game, people)
    return game


def ask(person: Person, query: str = "") -> TestResponse:
    answer = person.get(f"/v1/export{query}")
    assert answer.status_code == 200
    return answer


def marks(raw: bytes, kind: str) -> list[Any]:
    lines = [json.loads(line) for line in raw.splitlines()]
    return [line for line in lines if line.get("type") == kind]


def games(raw: bytes) -> list[str]:
    return [record.read(one).header.game for one in record.split(raw.splitlines(keepends=True))]


def end(raw: bytes) -> Any:
    last = json.loads(raw.splitlines()[-1])
    assert last["type"] == "end"
    return last


@pytest.fixture
def ended(store: Clocked) -> list[str]:
    """Five public games, and others that are none of the export's; played once for all tests."""
    played, five = play()
    store.take(played)
    return [*five]


@cache
def play() -> tuple[Clocked, list[str]]:
    store = Clocked()
    house = over(store)
    five = [
        finish(house, store, variant)
        for variant in ("canasta", "samba", "botifarra", "canasta", "bolivia")
    ]
    finish(house, store, "canasta", visibility="private")
    anna = house.guest("Anna")
    anna.open(HUMAN, HUMAN)
    table(house, "canasta", 2)
    left = anna.open(HUMAN, HUMAN)
    anna("DELETE", f"/v1/games/{left}/seats/0")
    store.now += 10_000
    assert not store._cold
    return store, five


def test_each_game_is_its_record(house: House, ended: list[str]) -> None:
    eve = house.guest("Eve")
    answer = ask(eve)
    assert answer.mimetype == "application/x-ndjson"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="games.ndjson"'
    assert answer.headers["Cache-Control"] == "private, no-cache"
    raw = answer.get_data()
    records = [eve.get(f"/v1/games/{game}/record").get_data() for game in ended]
    assert list(record.split(raw.splitlines(keepends=True))) == records
    assert games(raw) == ended
    assert end(raw)["more"] is False


def test_a_download_that_was_cut_off_goes_on_at_any_next(house: House, ended: list[str]) -> None:
    eve = house.guest("Eve")
    raw = ask(eve).get_data()
    lines = raw.splitlines(keepends=True)
    for place, line in enumerate(lines):
        said = json.loads(line)
        if said.get("type") == "next":
            rest = ask(eve, f"?cursor={said['cursor']}").get_data()
            whole = b"".join([*lines[: place + 1], rest])
            assert games(whole) == ended
            assert end(rest)["cursor"] == end(raw)["cursor"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 1000])
def test_in_pieces_it_is_the_same(house: House, ended: list[str], limit: int) -> None:
    eve = house.guest("Eve")
    found: list[str] = []
    query, more = f"?limit={limit}", True
    while more:
        raw = ask(eve, query).get_data()
        assert len(games(raw)) <= limit
        found += games(raw)
        more = end(raw)["more"]
        assert end(raw)["cursor"] == marks(raw, "next")[-1]["cursor"]
        assert len(marks(raw, "next")) == len(games(raw))
        query = f"?limit={limit}&cursor={end(raw)['cursor']}"
    assert found == ended


def test_the_end_s_cursor_leads_to_what_ends_later(
    house: House, store: Clocked, ended: list[str]
) -> None:
    eve = house.guest("Eve")
    cursor = end(ask(eve).get_data())["cursor"]
    again = ask(eve, f"?cursor={cursor}").get_data()
    assert again.count(b"\n") == 1
    assert end(again) == {"type": "end", "cursor": cursor, "more": False}
    later = finish(house, store, "samba")
    store.now += 10_000
    assert games(ask(eve, f"?cursor={cursor}").get_data()) == [later]


def test_nothing_is_a_whole_answer_too(house: House) -> None:
    raw = ask(house.guest("Eve")).get_data()
    assert end(raw) == {"type": "end", "cursor": None, "more": False}


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("since=2025-11-30T06:00:02Z", [1, 2, 3, 4]),
        ("until=2025-11-30T06:00:02Z", [0]),
        ("since=2025-11-30T06:00:02.000Z&until=2025-11-30T06:00:04Z", [1, 2]),
        ("since=2025-11-30t06:00:02.000000001z", [2, 3, 4]),
        ("since=2025-11-30T08:00:02%2B02:00", [1, 2, 3, 4]),
        ("since=2025-11-30T00:30:02-05:30", [1, 2, 3, 4]),
        ("since=0001-01-01T00:00:00%2B14:00&until=9999-12-31T23:59:59-14:00", [0, 1, 2, 3, 4]),
        ("until=1969-01-01T00:00:00Z", []),
        ("since=2025-11-30T06:00:04Z&until=2025-11-30T06:00:02Z", []),
        ("variant=canasta", [0, 3]),
        ("variant=bolivie", []),
        ("practice=true", [0, 1, 2, 3, 4]),
    ],
)
def test_a_choice(house: House, ended: list[str], query: str, expected: list[int]) -> None:
    raw = ask(house.guest("Eve"), f"?{query}").get_data()
    assert games(raw) == [ended[place] for place in expected]
    end(raw)


def test_practice_games_come_when_they_are_asked_for(
    house: House, store: Clocked, ended: list[str]
) -> None:
    practice = finish(house, store, "canasta", setup={"dealer": 0, "scores": [0, 0]})
    store.now += 10_000
    eve = house.guest("Eve")
    assert games(ask(eve).get_data()) == ended
    raw = ask(eve, "?practice=true").get_data()
    assert games(raw) == [*ended, practice]
    fair = [read["fair"] for read in marks(raw, "header")]
    assert fair == [True] * 5 + [False]


def test_a_damaged_game_keeps_no_other_back(
    house: House, store: Clocked, ended: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    store.damage(ended[2])
    raw = ask(house.guest("Eve")).get_data()
    assert games(raw) == [game for game in ended if game != ended[2]]
    assert marks(raw, "skipped") == [{"type": "skipped", "game": ended[2], "code": "game_damaged"}]
    end(raw)
    assert "pack" not in caplog.text


def test_what_fails_on_the_way_does_not_look_whole(
    house: House, store: Clocked, ended: list[str]
) -> None:
    eve = house.guest("Eve")
    store.fails_at = store.counted + 3
    raw = ask(eve).get_data()
    assert json.loads(raw.splitlines()[-1]) == {"type": "error", "code": "store_unavailable"}
    assert not marks(raw, "end")
    store.fails_at = None
    rest = ask(eve, f"?cursor={marks(raw, 'next')[-1]['cursor']}").get_data()
    assert games(raw) == ended[:2]
    assert games(raw + rest) == ended


def test_a_store_that_does_not_answer_is_said_at_once(house: House, store: Clocked) -> None:
    eve = house.guest("Eve")
    store.fails_at = 0
    eve.refused(503, "store_unavailable", "GET", "/v1/export")


def test_no_game_is_read_before_it_is_taken(house: House, store: Clocked, ended: list[str]) -> None:
    eve = house.guest("Eve")
    before = store.counted
    answer = eve.http.get(
        "/v1/export", headers={"Authorization": f"Bearer {eve.token}"}, buffered=False
    )
    parts = answer.iter_encoded()
    for taken, _ in zip(range(1, 4), parts, strict=False):
        assert store.counted - before <= taken + 1
    answer.close()
    assert store.counted - before < len(ended)


@pytest.mark.slow
def test_a_real_server_s_games_come_after_a_second(redis_url: str) -> None:
    app = create_app(Config(redis_url=redis_url), call=lambda *_: None)
    house = House(app)
    eve = house.guest("Eve")
    ended = []
    for _ in range(3):
        game, people = table(house, "canasta", 2)
        give_up(game, people)
        ended.append(game)
    found: list[str] = []
    query, until = "", time.monotonic() + 20
    while len(found) < len(ended) and time.monotonic() < until:
        raw = ask(eve, query).get_data()
        found += games(raw)
        cursor = end(raw)["cursor"]
        query = f"?cursor={cursor}" if cursor else ""
        time.sleep(0.1)
    assert found == ended


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "query",
    [
        "since=2025-11-30",
        "since=2025-11-30T06:00:00",
        "since=2025-11-30T06:00:00+00:00",
        "since=2025-11-30T06:00Z",
        "since=20251130T060000Z",
        "since=2025-02-30T06:00:00Z",
        "since=2025-11-30T24:00:01Z",
        "since=2025-11-30T06:00:00%2B25:00",
        "since=1764482400",
        "since=",
        "until=now",
        "until=2025-11-30T06:00:60Z",
        "cursor=",
        "cursor=x",
        "cursor=MTIz",
        "cursor=%C3%BC",
        "variant=poker",
        "practice=1",
        "limit=0",
        "limit=1001",
        "format=csv",
    ],
)
def test_a_bad_query(house: House, query: str) -> None:
    house.guest("Eve").refused(422, "invalid", "GET", f"/v1/export?{query}")


def test_it_takes_a_token(house: House) -> None:
    house.anyone.refused(401, "unauthorized", "GET", "/v1/export")
