"""Traps into which servers of games, and what they are built on, have fallen before."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import marshmallow as ma
import pytest

from service.api import fields as ours
from service.app import create_app
from service.config import Config
from service.store import Entry, StoreUnavailable
from service.store.memory import MemoryPeople, MemoryStore
from service.store.memory_jobs import MemoryJobs
from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.contract import SCHEMAS

SERVICE = Path(ours.__file__).resolve().parents[1]


class Failing(MemoryStore):
    """A store that does not answer a write, before or after it was done."""

    fails: str | None = None

    def append(self, game: str, entry: Entry, prev: str) -> None:
        """See `EventStore.append`."""
        if self.fails == "before":
            raise StoreUnavailable
        super().append(game, entry, prev)
        if self.fails == "after":
            raise StoreUnavailable


def serve(store: MemoryStore) -> House:
    """An API on that store."""
    return House(
        create_app(
            Config(),
            store=store,
            people=MemoryPeople(),
            call=lambda *_: None,
            jobs=MemoryJobs(),
            hints=MemoryJobs(),
            ask=lambda *_: None,
            advise=lambda *_: None,
        )
    )


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_card_is_shown_only_once_its_drawing_is_kept_and_stays_the_same(when: str) -> None:
    """Nobody draws, does not like it, and draws again: by a lost answer, a failure or a new try."""
    store = Failing()
    house = serve(store)
    game, mover, other = house.table()
    before = mover.look(game)
    request: dict[str, Any] = {"json": {"type": "draw"}, "headers": {"Idempotency-Key": "k"}}
    path = f"/v1/games/{game}/commands"
    store.fails = when
    answer = mover("POST", path, **request)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "store_unavailable")
    assert not set(re.findall(r"\w+", answer.get_data(as_text=True))) & set(
        house.anyone.ok("GET", "/v1/variants/canasta")["pack"]
    )
    store.fails = None
    first = mover.ok("POST", path, **request)
    again = mover.ok("POST", path, **request)
    assert first == again
    after = mover.look(game)
    assert after["version"] == before["version"] + 1 == first["version"]
    drawn = next(item["data"]["cards"] for item in first["events"] if item["type"] == "cards_drawn")
    hands = before["table"]["hands"][before["you"]], after["table"]["hands"][after["you"]]
    assert sorted([*hands[0], *drawn]) == sorted(hands[1])
    other.refused(409, "not_your_turn", "POST", path, json={"type": "draw"})


def test_nothing_takes_a_command_back() -> None:
    """What was seen cannot be unseen."""
    mapping = SCHEMAS["Command"]["discriminator"]["mapping"]
    assert not [name for name in mapping if re.search("undo|redo|take_?back|revert|rewind", name)]


def test_two_seats_at_one_version_are_one_move(house: House) -> None:
    game, mover, other = house.table()
    version = mover.version(game)
    path, headers = f"/v1/games/{game}/commands", {"If-Match": f'"{version}"'}

    def give(place: int) -> int:
        person, kind = ((mover, "draw"), (other, "abandon"))[place % 2]
        own = Person(house.app, person.token)
        return own("POST", path, json={"type": kind}, headers=headers).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(give, range(16)))
    assert sorted(statuses) == [201, *[412] * 15]
    assert mover.version(game) == version + 1


def test_two_devices_of_one_player_see_the_same_and_move_once(house: House) -> None:
    game, mover, _ = house.table()
    code = mover.ok("POST", "/v1/me/link", json={})["link"]
    phone = Person(house.app, house.anyone.ok("POST", "/v1/tokens", json={"link": code})["token"])
    tag = {"If-Match": f'"{mover.version(game)}"'}
    path = f"/v1/games/{game}/commands"
    assert phone.post(path, {"type": "draw"}, headers=tag).status_code == 201
    mover.refused(412, "version_mismatch", "POST", path, json={"type": "draw"}, headers=tag)
    feeds = [each.ok("GET", f"/v1/games/{game}/events") for each in (mover, phone)]
    assert feeds[0] == feeds[1]
    assert mover.look(game) == phone.look(game)


def test_a_key_belongs_to_its_route(house: House) -> None:
    anna = house.guest("Anna")
    headers = {"Idempotency-Key": "k"}
    seats = [HUMAN, HUMAN]
    game = anna.ok("POST", "/v1/games", json={"variant": "samba", "seats": seats}, headers=headers)
    match = anna.ok("POST", "/v1/matches", json={"variant": "samba", "seats": 2}, headers=headers)
    token = anna.post("/v1/me/tokens", {"scopes": ["play"]}, headers=headers)
    move = {"type": "move_seat", "to": 1}
    moved = anna.post(f"/v1/games/{game['id']}/commands", move, headers=headers)
    assert [token.status_code, moved.status_code] == [201, 201]
    for answer in (token, moved):
        assert "Idempotent-Replayed" not in answer.headers
    assert match["version"] >= 1


def test_a_person_is_never_held_by_a_computer_player_that_does_not_come(house: House) -> None:
    anna = house.guest("Anna")
    game = anna.open(HUMAN, ROBOT)
    while 0 in anna.look(game)["to_act"]:
        legal = anna.ok("GET", f"/v1/games/{game}/commands")["commands"]
        anna.act(game, **legal[-1])
    assert anna.look(game)["to_act"] == [1]
    anna.act(game, type="resign")
    assert anna.look(game)["status"] == "finished"


def test_a_clock_that_goes_back_turns_nothing_round() -> None:
    """Order is the version's alone."""
    now = [1_800_000_000_000]
    house = serve(MemoryStore(lambda: now[0]))
    game, mover, other = house.table()
    for _ in range(6):
        now[0] -= 10_000
        seat = mover.look(game)["to_act"][0]
        person = mover if mover.look(game)["you"] == seat else other
        legal = person.ok("GET", f"/v1/games/{game}/commands")["commands"]
        person.act(game, **legal[0])
    items = mover.ok("GET", f"/v1/games/{game}/events?limit=500")["items"]
    assert [item["version"] for item in items] == sorted(item["version"] for item in items)
    assert mover.look(game)["version"] == items[-1]["version"]


NUMBERS: list[Any] = [3.7, 1.0, "1", " 1 ", "1_0", "\u0661", True, 10**15, [1], {}]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_no_number_is_made_of_something_else(house: House, value: Any) -> None:
    anna = house.guest("Anna")
    game = anna.open(HUMAN, HUMAN)
    pair = {"variant": "canasta", "seats": [HUMAN, HUMAN]}
    for path, body in (
        (f"/v1/games/{game}/seats", {"seat": value}),
        (f"/v1/games/{game}/commands", {"type": "move_seat", "to": value}),
        ("/v1/games", pair | {"clock": {"turn": value}}),
        ("/v1/games", pair | {"setup": {"dealer": value, "scores": [0, 0]}}),
        ("/v1/games", pair | {"spectators": {"delay": value}}),
        ("/v1/games", pair | {"options": {"target_score": value}}),
        ("/v1/matches", {"variant": "canasta", "seats": value}),
    ):
        answer = anna.post(path, body)
        said = answer.get_json()
        readable = type(value) is int and "to" in body  # and no seat at this table
        assert (answer.status_code, said["code"]) in (
            [(409, "no_such_seat")] if readable else [(422, "invalid"), (422, "bad_option")]
        ), path
    for text in ("1.0", "+1", "%201", "1_0", "%D9%A1", "-1", "1e1"):
        anna.refused(422, "invalid", "GET", f"/v1/games?limit={text}")


def schemas(node: Any) -> Iterator[ma.Schema]:
    """A schema with all that it is made of."""
    yield node
    for field in node.fields.values():
        while isinstance(field, ma.fields.List):
            field = field.inner
        if isinstance(field, ma.fields.Nested):
            yield from schemas(field.schema)


def all_schemas(house: House) -> Iterator[ma.Schema]:
    """Those of bodies, and of the commands of every variant."""
    for cls in ours.Record.__subclasses__():
        yield from schemas(cls())
    for reader in house.app.extensions["tapete"].readers.values():
        for schema in reader._schemas.values():
            yield from schemas(schema)


def test_every_schema_is_strict_at_every_depth(house: House) -> None:
    """Unknown members are refused, whole numbers are whole and have bounds, no word is a flag."""
    found = list(all_schemas(house))
    assert len(found) > 50
    for schema in found:
        assert schema.unknown == ma.RAISE, schema
        assert schema.partial in (None, False), schema
        for name, field in schema.fields.items():
            while isinstance(field, ma.fields.List):
                field = field.inner
            where = f"{type(schema).__name__}.{name}"
            assert not isinstance(field, (ma.fields.Boolean, ma.fields.Float)), where
            if isinstance(field, ma.fields.Integer):
                assert field.strict, where
                bounds = [each for each in field.validators if isinstance(each, ma.validate.Range)]
                assert bounds and None not in (bounds[0].min, bounds[0].max), where


def test_no_habit_of_older_libraries_is_left() -> None:
    """marshmallow 4 takes `context` and ignores it; `missing` and `default` are gone there; and a
    catch-all of Flask would turn a 404 into a 500 if it did not pass those on."""
    for path in SERVICE.rglob("*.py"):
        text = path.read_text()
        assert not re.search(r"schema\.context|\bmissing=|\bcontext=", text), path
        if "api" in path.parts:
            assert not re.search(r"\bdefault=", text), path
    # WATCH of Redis; `Told.watch` is another thing.
    words = "get_json|random\\.seed|decode_responses=True|(?<!told)\\.watch\\(|import pickle"
    for path in [*SERVICE.rglob("*.py"), *SERVICE.with_name("workers").rglob("*.py")]:
        found = re.findall(words, path.read_text())
        assert not found, (path, found)


def test_hidden_games_show_in_no_page(house: House) -> None:
    """Not by what is listed, nor by a page that is short or goes on because of them."""
    anna, eve = house.guest("Anna"), house.guest("Eve")
    public = [anna.open() for _ in range(2)]
    for _ in range(3):
        anna.open(visibility="private")
    page = eve.ok("GET", "/v1/games?limit=2")
    assert ([game["id"] for game in page["items"]], page["next"]) == (public[::-1], None)
    one = eve.ok("GET", "/v1/games?limit=1")
    rest = eve.ok("GET", f"/v1/games?limit=1&cursor={one['next']}")
    assert ([game["id"] for game in rest["items"]], rest["next"]) == (public[:1], None)
