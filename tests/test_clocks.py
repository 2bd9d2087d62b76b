"""A time that is up is said once, without any request, whoever says it and after any restart."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from service import archive
from service.answers import NoSeat
from service.app import create_app
from service.config import Config
from service.referee import referee_stored
from service.replay import Commit
from service.rules.canasta.commands import Discard, Draw, TakePile, TakeTop
from service.rules.canasta.events import PartnerAnswered
from service.rules.errors import IllegalMove
from service.rules.protocol import Answer
from service.rules.seating.commands import (
    Chair,
    Clock,
    ComeBack,
    OpenGame,
    Resign,
    RunOut,
    Terms,
)
from service.rules.seating.events import ClockRanOut, SeatMinded, TurnTakenOver
from service.scribe import entry_of
from service.shelf import Table
from service.store import Entry, EventStore, Listing, Meta
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from service.store.redis import RedisStore
from service.table import Tables
from tests.api.client import HUMAN, House, Person
from tests.api.test_rules import follow
from tests.workers.desk import Desk
from workers.sweep import Sweep

ANNA, BERT, CLEO = (Chair("human", None, name) for name in ("anna", "bert", "cleo"))


def clock(expiry: Any = "play", turn: int | None = 60_000, bank: int | None = None) -> Clock:
    return Clock(turn, bank, 0, expiry)


def opened(tables: Tables, given: Clock, *chairs: Chair) -> Table:
    """A game that has begun; canasta, which one may leave soon."""
    people = chairs or (ANNA, BERT)
    return tables.open(
        "anna", OpenGame("canasta", 1, people, {}, "public", "", "", terms=Terms(given))
    ).table


def running(table: Table) -> tuple[int, int]:
    """Whose time runs, and until when."""
    assert table.game.times
    assert table.game.times.running
    return table.game.times.running.seat, table.game.times.running.deadline


def player(table: Table) -> str:
    """Who is to act."""
    return table.game.chairs[running(table)[0]].player or ""


def said(tables: Tables, game: str) -> list[Any]:
    """Each time the house said that a time was up."""
    commits = tables.commits(game, 1)
    return [commit.command for commit in commits if isinstance(commit.command, RunOut)]


def sweep(desk: Desk) -> Sweep:
    return Sweep(desk.store, desk.tables, patience=5.0)


def test_it_is_said_by_the_sweep_alone_and_once() -> None:
    desk = Desk()
    table = opened(desk.tables, clock())
    seat, deadline = running(table)
    assert deadline == desk.now + 60_000
    desk.now = deadline - 1
    sweep(desk).once()
    assert said(desk.tables, table.id) == []
    desk.now = deadline
    one, other = sweep(desk), sweep(Desk(desk.store))
    for _ in range(3):
        one.once()
        other.once()
    assert said(desk.tables, table.id) == [RunOut(seat, deadline)]
    assert desk.load(table.id).waits_for_computer()
    assert desk.calls == [(table.id, table.version + 1, 0)]


def test_a_computer_player_plays_the_turn_and_no_more() -> None:
    desk = Desk()
    table = opened(desk.tables, clock())
    seat, desk.now = running(table)
    sweep(desk).once()
    desk.work()
    after = desk.load(table.id)
    assert running(after) == (1 - seat, desk.now + 60_000)
    assert after.game.stand_in(seat) is None
    commits = desk.tables.commits(table.id, table.version + 1)
    assert [type(event) for event in commits[0].events] == [ClockRanOut, TurnTakenOver]
    assert {commit.seat for commit in commits[1:]} == {seat}


class Hinted(MemoryStore):
    """A store whose hints can be lost."""

    def lose(self, *lists: str) -> None:
        for name in lists or list(self._lists):
            self._lists[name].clear()


@pytest.mark.parametrize("lists", [("due",), ("games:playing",), ()])
def test_hints_may_be_lost(lists: tuple[str, ...]) -> None:
    now = 1_000_000
    store = Hinted(lambda: now)
    desk = Desk(store)
    table = opened(desk.tables, clock())
    store.lose(*lists)
    now = running(table)[1]
    later = Desk(store)
    again = sweep(later)
    again.once()
    again.once()  # what the walk found
    assert len(said(later.tables, table.id)) == 1


def test_a_hint_that_leads_nowhere_is_dropped() -> None:
    desk = Desk()
    desk.store.expect("nowhere", desk.now)
    table = opened(desk.tables, clock())
    desk.store.expect(table.id, desk.now)
    sweep(desk).once()
    assert desk.store.due() == []
    assert said(desk.tables, table.id) == []
    desk.now = running(table)[1]
    assert desk.store.due() == [table.id]


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> EventStore:
    if request.param == "memory":
        return MemoryStore()
    return RedisStore(request.getfixturevalue("redis_url"))


def test_twenty_say_it_at_once(store: EventStore) -> None:
    tables = [Tables(store, lambda *_: None) for _ in range(20)]
    table = opened(tables[0], clock(turn=1))
    while store.read(table.id).now < running(table)[1]:
        pass
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda one: one.expire(table.id), tables))
    assert len(said(tables[0], table.id)) == 1
    assert tables[0].load(table.id).game.level(running(table)[0]) == "casual"


def test_hints_are_kept_by_every_store(store: EventStore) -> None:
    now = store.read("none").now
    for game, at in {"later": now + 99_999, "second": now - 5, "first": now - 9}.items():
        store.expect(game, at)
    assert store.due() == ["first", "second"]
    store.expect("first", None)
    store.expect("first", None)
    store.expect("second", now + 99_999)
    assert store.due() == []


class Between(MemoryStore):
    """A store in which something happens just before an entry is written, once."""

    first: Callable[[], object] | None = None

    def append(self, game: str, entry: Entry, prev: str) -> None:
        first, self.first = self.first, None
        if first:
            first()
        super().append(game, entry, prev)


def test_a_move_that_meets_the_end_of_the_time_loses_to_it() -> None:
    now = 1_000_000
    store = Between(lambda: now)
    desk, other = Desk(store), Desk(store)
    table = opened(desk.tables, clock())
    seat, deadline = running(table)
    now = deadline - 1

    def end() -> None:
        nonlocal now
        now = deadline
        other.tables.expire(table.id)

    store.first = end
    with pytest.raises(IllegalMove, match="time_is_up") as no:
        desk.tables.act(table.id, player(table), Draw)
    assert no.value.version == desk.load(table.id).version
    assert said(desk.tables, table.id) == [RunOut(seat, deadline)]
    assert desk.load(table.id).version == table.version + 1


def test_the_end_of_the_time_loses_to_a_move_that_was_first() -> None:
    now = 1_000_000
    store = Between(lambda: now)
    desk, other = Desk(store), Desk(store)
    table = opened(desk.tables, clock())
    seat, deadline = running(table)
    desk.tables.act(table.id, player(table), Draw)
    now = deadline - 1
    in_time = other.load(table.id)
    move = next(one for one in in_time.game.legal(seat) if isinstance(one, Discard))
    now = deadline
    store.first = lambda: other.tables.play(in_time, move)
    after = desk.tables.expire(table.id)
    assert said(desk.tables, table.id) == []
    assert running(after)[0] == 1 - seat


def test_a_late_move_says_it_itself() -> None:
    """Nobody else need have looked; what was told to the client then stands in the log."""
    desk = Desk()
    table = opened(desk.tables, clock("forfeit"), ANNA, BERT, CLEO)
    desk.now = running(table)[1]
    with pytest.raises(NoSeat):
        desk.tables.act(table.id, player(table), Draw)
    assert len(said(desk.tables, table.id)) == 1
    assert desk.load(table.id).game.resigned == (running(table)[0],)


def test_the_owner_comes_back() -> None:
    desk = Desk()
    table = opened(desk.tables, clock("take_over"))
    (seat, desk.now), who = running(table), player(table)
    sweep(desk).once()
    for command in (Draw, Draw):
        with pytest.raises(IllegalMove, match="away"):
            desk.tables.act(table.id, who, command)
    desk.calls.clear()
    back = desk.tables.act(table.id, who, ComeBack).table
    assert desk.calls == [(table.id, back.version, 0)]  # the turn that was begun
    desk.work()
    assert running(desk.load(table.id))[0] == 1 - seat
    assert desk.load(table.id).game.stand_in(seat) is None


def test_who_is_away_may_still_give_up() -> None:
    desk = Desk()
    table = opened(desk.tables, clock("take_over"))
    who, desk.now = player(table), running(table)[1]
    assert desk.tables.act(table.id, who, Resign).table.game.result
    kinds = [type(event) for one in desk.tables.commits(table.id, 4) for event in one.events]
    assert SeatMinded in kinds


def test_a_repeated_request_gets_its_first_answer() -> None:
    """What the house said of a time later is no part of it."""
    desk = Desk()
    table = opened(desk.tables, clock())
    who, deadline = player(table), running(table)[1]
    first = desk.tables.act(table.id, who, Draw, "k1", "d")
    desk.now = deadline
    sweep(desk).once()
    again = desk.tables.act(table.id, who, Draw, "k1", "d")
    assert again.replayed
    assert (again.version, again.head) == (first.version, first.head)


def test_the_referee_takes_the_clock_for_a_rule() -> None:
    desk = Desk()
    table = opened(desk.tables, clock("forfeit"))
    desk.now = running(table)[1]
    sweep(desk).once()
    over = desk.load(table.id)
    assert over.game.secret
    entries = desk.store.read(table.id).entries
    verdict = referee_stored(table.id, entries)
    assert verdict.ok, verdict.first_fault


def test_a_time_that_was_not_up_is_found() -> None:
    desk = Desk()
    table = opened(desk.tables, clock("forfeit"))
    desk.now = running(table)[1]
    sweep(desk).once()
    commits = desk.tables.commits(table.id, 1)
    lied = [replace(one, at=one.at - isinstance(one.command, RunOut)) for one in commits]
    verdict = referee_stored(table.id, _chained(lied))
    assert verdict.first_fault and verdict.first_fault.check == "decisions"
    assert verdict.first_fault
    assert "not up" in verdict.first_fault.what


def _chained(commits: list[Commit]) -> list[Entry]:
    entries: list[Entry] = []
    for commit in commits:
        prev = entries[-1].hash if entries else ""
        secret = commits[-1].command.secret if not entries else ""
        entries.append(entry_of(replace(commit, prev=prev), Meta("a", secret=secret)))
    return entries


def test_one_may_go_on_from_a_game_with_a_clock() -> None:
    """Without it; the house said no where nobody answered."""
    desk = Desk()
    table = opened(desk.tables, clock("take_over"))
    (_, desk.now), who = running(table), player(table)
    sweep(desk).once()
    desk.work(table.version + 3)
    until = desk.load(table.id).version
    desk.tables.act(table.id, who, Resign)
    commits = desk.tables.commits(table.id, 1)
    scene = archive.scene(table.id, commits, until)
    on = archive.play_on(desk.store, desk.tables, "anna", scene, (ANNA, BERT), "public")
    assert on.table.game.times is None
    told = [type(command) for _, command in scene.commands]
    assert RunOut not in told
    assert {Draw, TakePile, TakeTop} & {*told}  # the computer player began a turn
    answered = replace(
        commits[3], command=RunOut(0, 5), events=(ClockRanOut(0, 0), PartnerAnswered(0, "no"))
    )
    assert archive._again(answered) == Answer(0, "no")


# Over HTTP


class Timed:
    """An API on a clock that the test turns."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000
        self.store = MemoryStore(lambda: self.now)
        self.calls: list[tuple[str, int, int]] = []
        self.house = House(
            create_app(
                Config(),
                store=self.store,
                people=MemoryPeople(),
                call=lambda *call: self.calls.append(call[:3]),
                jobs=MemoryJobs(),
                hints=MemoryJobs(),
                ask=lambda *_: None,
                advise=lambda *_: None,
            )
        )
        tables = Tables(self.store, lambda *call: self.calls.append(call[:3]))
        self.sweep = Sweep(self.store, tables, patience=5.0)

    def table(self, seats: int = 2, **given: Any) -> tuple[str, list[Person]]:
        people = [self.house.guest(f"Player {number}") for number in range(seats)]
        game = people[0].open(*[HUMAN] * seats, clock=given)
        for person in people[1:]:
            person.ok("POST", f"/v1/games/{game}/seats", json={})
        return game, people


def test_views_show_the_time_and_the_feed_what_came_of_it() -> None:
    timed = Timed()
    game, people = timed.table(turn=60, bank=600, increment=5, expiry="take_over")
    seen = people[0].look(game)
    (seat,) = seen["to_act"]
    assert seen["deadline"] == "2027-01-15T08:11:00.000Z"
    assert seen["clock"] == {
        "turn": 60,
        "bank": 600,
        "increment": 5,
        "expiry": "take_over",
        "banks": [600, 600],
    }
    assert [one["stand_in"] for one in seen["seats"]] == [None, None]
    timed.now += 660_000
    timed.sweep.once()
    after = people[1 - seat].look(game)
    assert after["deadline"] is None
    assert after["seats"][seat]["stand_in"] == "return"
    assert after["seats"][seat]["name"]
    assert after["clock"]["banks"][seat] == 0
    assert people[0].ok("GET", f"/v1/games/{game}?at={seen['version']}")["deadline"]
    items = people[0].ok("GET", f"/v1/games/{game}/events?after={seen['version']}")["items"]
    assert [item["type"] for item in items] == ["clock_ran_out", "seat_minded"]
    commands = f"/v1/games/{game}/commands"
    owner = people[seat]
    refused = owner.refused(409, "away", "POST", commands, json={"type": "draw"})
    assert refused["rule"] == "T.12"
    assert refused["version"] == after["version"]
    assert owner.ok("GET", commands)["commands"] == [{"type": "come_back"}]
    assert people[1 - seat].ok("GET", commands)["commands"] == []
    # On another device, with the same seat and hand.
    device = Person(timed.house.app, owner.token, owner.id)
    assert device.look(game)["you"] == seat
    assert "??" not in device.look(game)["table"]["hands"][seat]
    done = device.act(game, type="come_back")
    assert [item["type"] for item in done["events"]] == ["owner_returned", "turn_taken_over"]
    assert device.look(game)["seats"][seat]["stand_in"] == "turn"
    assert device.ok("GET", commands)["commands"] == []
    owner.refused(409, "time_is_up", "POST", commands, json={"type": "draw"})
    owner.refused(409, "not_away", "POST", commands, json={"type": "come_back"})


def test_every_refusal_by_the_clock_leads_to_its_paragraph() -> None:
    timed = Timed()
    game, people = timed.table(bank=5, expiry="take_over")
    other, others = timed.table(turn=5)
    path, late = f"/v1/games/{game}/commands", f"/v1/games/{other}/commands"
    (seat,), (place,) = people[0].look(game)["to_act"], others[0].look(other)["to_act"]
    timed.now += 5_000
    new = {"variant": "canasta", "seats": [HUMAN, HUMAN], "clock": {}}
    refused = [
        people[seat].post(path, {"type": "draw"}),
        people[seat].post(path, {"type": "come_back"}),
        others[place].post(late, {"type": "draw"}),
        others[place].post(late, {"type": "come_back"}),
        people[0].post("/v1/games", new),
    ]
    said = [answer.get_json() for answer in refused]
    assert [one["code"] for one in said] == [
        "away",
        "no_time_left",
        "time_is_up",
        "not_away",
        "bad_clock",
    ]
    for one in said:
        follow(timed.house.anyone, "canasta", one)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_side_forfeits(seats: int) -> None:
    timed = Timed()
    game, people = timed.table(seats, turn=5, expiry="forfeit")
    (seat,) = people[0].look(game)["to_act"]
    timed.now += 5_000
    path = f"/v1/games/{game}/commands"
    status, code = (410, "game_over") if seats == 2 else (403, "no_seat")
    people[seat].refused(status, code, "POST", path, json={"type": "draw"})
    after = people[seat].look(game)
    if seats == 2:
        assert after["result"]["winner"] == 1 - seat
        assert after["result"]["why"] == "resigned"
    else:
        assert (after["status"], after["seats"][seat]["kind"]) == ("playing", "ai")
    assert after["deadline"] is None


@pytest.mark.parametrize(
    "given",
    [
        {"turn": 4},
        {"turn": 5.0},
        {"turn": "60"},
        {"turn": True},
        {"turn": 14 * 86_400 + 1},
        {"bank": 4},
        {"bank": 10**9},
        {"turn": 60, "increment": -1},
        {"turn": 60, "increment": None},
        {"turn": 60, "expiry": "explode"},
        {"turn": 60, "expiry": None},
        {"turn": 60, "more": 1},
        [],
        "fast",
    ],
)
def test_clocks_that_cannot_be_read(given: Any) -> None:
    anna = Timed().house.guest("Anna")
    body = {"variant": "canasta", "seats": [HUMAN, HUMAN], "clock": given}
    said = anna.refused(422, "invalid", "POST", "/v1/games", json=body)
    assert said["errors"][0]["path"].startswith("/clock")


@pytest.mark.parametrize("given", [{}, {"turn": 60, "increment": 5}, {"turn": None}])
def test_clocks_without_sense(given: Any) -> None:
    anna = Timed().house.guest("Anna")
    body = {"variant": "canasta", "seats": [HUMAN, HUMAN], "clock": given}
    said = anna.refused(422, "bad_clock", "POST", "/v1/games", json=body)
    assert said["rule"] == "T.9"


@pytest.mark.parametrize(
    ("given", "shown"),
    [(None, None), ({"turn": 1_209_600}, 1_209_600), ({"bank": 5}, None)],
)
def test_clocks_of_every_length(given: Any, shown: int | None) -> None:
    timed = Timed()
    anna = timed.house.guest("Anna")
    game = anna.open(HUMAN, HUMAN, clock=given)
    seen = anna.look(game)
    assert (seen["clock"] and seen["clock"]["turn"]) == shown
    assert seen["deadline"] is None  # nobody's turn yet


def test_the_lists_of_a_killed_process() -> None:
    """The hint is written after the commit; who dies in between leaves it to the sweep."""
    timed = Timed()
    game, _ = timed.table(turn=5)
    timed.store.expect(game, None)
    timed.store.mark(Listing(game, timed.now), "playing", True, ())
    timed.now += 5_000
    timed.sweep.once()
    assert timed.calls[-1][0] == game
