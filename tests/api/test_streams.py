"""The feed as a stream: the view, then every item once, as the caller may see it at the moment."""

import json
import queue
import threading
from typing import Any

import pytest

from service.api import stream
from service.api.items import Asked
from service.store import StoreUnavailable
from tests.api.client import HUMAN, House, Person
from tests.api.conftest import BOTH
from tests.api.contract import DOCUMENT, SCHEMAS, conforms

pytestmark = BOTH

SSE, LINES = "text/event-stream", "application/x-ndjson"
Told = list[tuple[str, str, Any]]
"""(id, event, data) each."""

_CONTENT = DOCUMENT["paths"]["/v1/games/{id}/events"]["get"]["responses"]["200"]["content"]


def events(text: str) -> Told:
    """Reads a whole stream of events as the standard has it; comments and `retry` fall out."""
    found: Told = []
    for block in text.split("\n\n"):
        fields = dict(
            line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":")
        )
        if "data" in fields:
            data = json.loads(fields["data"])
            found.append((fields.get("id", ""), fields["event"], data))
            conforms(_schema(fields["event"]), data)
    return found


def _schema(event: str) -> dict[str, Any]:
    name = {"view": "Game", "item": "Event"}.get(event)
    if name:
        return {"$ref": f"#/components/schemas/{name}"}
    (mark,) = (
        one for one in SCHEMAS["StreamMark"]["anyOf"] if one["properties"]["type"]["const"] == event
    )
    return {**mark, "additionalProperties": False}


def lines(text: str) -> Told:
    """The same of ndjson."""
    found: Told = []
    for line in filter(None, text.split("\n")):
        said = json.loads(line)
        conforms(_CONTENT[LINES]["x-line"], said)
        kind = said["type"] if said["type"] in ("view", "over", "problem") else "item"
        found.append((said.get("id", ""), kind, said["game"] if kind == "view" else said))
    return found


READ = {SSE: events, LINES: lines}
FORMS = pytest.mark.parametrize("form", READ)


def told(person: Person, game: str, form: str, query: str = "wait=0", **headers: str) -> Told:
    """What a stream says until it closes by itself."""
    sent = {"Accept": form} | {name.replace("_", "-"): value for name, value in headers.items()}
    answer = person.get(f"/v1/games/{game}/events?{query}", headers=sent, buffered=True)
    assert (answer.status_code, answer.mimetype) == (200, form)
    return READ[form](answer.get_data(as_text=True))


def feed(person: Person, game: str, after: str = "0") -> list[Any]:
    items: list[Any] = person.ok("GET", f"/v1/games/{game}/events?limit=500&after={after}")["items"]
    return items


class Listener:
    """Reads a stream in a thread, as it comes."""

    def __init__(self, person: Person, game: str, query: str = "") -> None:
        self._pieces: queue.Queue[bytes | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=[person, game, query])
        self._thread.start()

    def _read(self, person: Person, game: str, query: str) -> None:
        headers = {"Accept": SSE, "Authorization": f"Bearer {person.token}"}
        path = f"/v1/games/{game}/events?{query}"
        # A client of its own: the person's is used meanwhile.
        answer = person.app.test_client().get(path, headers=headers, buffered=False)
        for piece in answer.iter_encoded():
            self._pieces.put(piece)
        answer.close()
        self._pieces.put(None)

    def next(self) -> Told:
        """What came next; empty for what means nothing."""
        piece = self._pieces.get(timeout=20)
        return [] if piece is None else events(piece.decode())

    def until(self, event: str) -> Told:
        """What came up to an event of that name."""
        found: Told = []
        while not any(one == event for _, one, _ in found):
            found += self.next()
        return found

    def ended(self) -> bool:
        self._thread.join(20)
        return not self._thread.is_alive()


@FORMS
def test_the_view_comes_first_and_nothing_is_missed_or_doubled(house: House, form: str) -> None:
    game, mover, other = house.table()
    (view,) = told(other, game, form)
    seen = other.look(game)
    assert view == (str(seen["version"]), "view", seen)
    mover.act(game, type="draw")
    assert told(other, game, form, "wait=0", Last_Event_ID=view[0]) == [
        (item["id"], "item", item) for item in feed(other, game, view[0])
    ]


@FORMS
def test_it_goes_on_behind_any_place(house: House, form: str) -> None:
    game, mover, other = house.table()
    mover.act(game, type="draw")
    whole = [(item["id"], "item", item) for item in feed(other, game)]
    assert told(other, game, form, "wait=0&after=0") == whole
    for number, (place, _, item) in enumerate(whole, 1):
        assert told(other, game, form, f"wait=0&after={place}") == whole[number:]
        # What a browser saw last goes before the address that it repeats.
        assert told(other, game, form, "wait=0&after=0", Last_Event_ID=place) == whole[number:]
        later = [one for one in whole if one[2]["version"] > item["version"]]
        assert told(other, game, form, f"wait=0&after={item['version']}") == later
    assert told(other, game, form, "after=0&limit=3") == whole[:3]
    assert told(other, game, form, "wait=0&after=999.9") == []


@FORMS
def test_a_game_that_is_over_ends_the_stream(house: House, form: str) -> None:
    game, mover, other = house.table()
    mover.act(game, type="resign")
    seen = other.look(game)
    over = ("", "over", {"type": "over", "version": seen["version"], "status": "finished"})
    assert told(other, game, form, "") == [(str(seen["version"]), "view", seen), over]
    items = [(item["id"], "item", item) for item in feed(other, game)]
    assert told(other, game, form, "after=0") == [*items, over]
    assert told(other, game, form, f"after={items[-1][0]}") == [over]


def test_what_happens_comes_to_everybody_as_they_may_see_it(house: House) -> None:
    game, mover, other = house.table()
    eve = house.guest("Eve")
    listeners = [(person, Listener(person, game)) for person in (mover, other, eve)]
    views = [listener.until("view")[-1] for _, listener in listeners]
    mover.act(game, type="draw")
    mover.act(game, type="resign")
    for (person, listener), view in zip(listeners, views, strict=True):
        *items, over = listener.until("over")
        assert over[1] == "over"
        assert [item for _, _, item in items] == feed(person, game, view[0])
        assert listener.ended()
    drawn = [
        next(item["data"]["cards"] for item in feed(person, game) if item["type"] == "cards_drawn")
        for person, _ in listeners
    ]
    assert "??" not in drawn[0]
    assert {*drawn[1], *drawn[2]} == {"??"}


def test_each_item_is_seen_with_the_eyes_of_its_moment(house: House) -> None:
    """Who gave up a seat at a table that plays on sees from then on what strangers see."""
    people = [house.guest(name) for name in "ABC"]
    game = people[0].open(HUMAN, HUMAN, HUMAN, variant="samba")
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    seats = people[0].look(game)
    mover = people[seats["to_act"][0]]
    left = next(person for person in people if person is not mover)
    listener = Listener(left, game)
    listener.until("view")
    left.act(game, type="resign")
    mover.act(game, type="draw")
    items = listener.until("item")
    while items[-1][2]["type"] != "cards_drawn":
        items += listener.until("item")
    assert {*items[-1][2]["data"]["cards"]} == {"??"}
    mover.act(game, type="resign")
    listener.until("over")
    assert listener.ended()


def revoke(person: Person) -> None:
    """Ends the token with which the person asks."""
    (own,) = (one["id"] for one in person.ok("GET", "/v1/me/tokens")["items"] if one["current"])
    assert person("DELETE", f"/v1/me/tokens/{own}").status_code == 204


def test_a_token_that_counts_no_longer_gets_no_item(house: House) -> None:
    game, mover, other = house.table()
    listener = Listener(other, game)
    listener.until("view")
    revoke(other)
    mover.act(game, type="draw")
    ((_, event, problem),) = listener.until("problem")
    assert (event, problem["status"], problem["code"]) == ("problem", 401, "unauthorized")
    assert listener.ended()


def test_who_left_a_private_table_is_out_of_their_stream_at_once(house: House) -> None:
    anna, bert = house.guest("Anna"), house.guest("Bert")
    game = anna.open(HUMAN, HUMAN, HUMAN, visibility="private")
    invite = anna.look(game)["invite"]["code"]
    bert.ok("POST", f"/v1/games/{game}/seats", json={"invite": invite})
    listener = Listener(bert, game)
    listener.until("view")
    assert bert("DELETE", f"/v1/games/{game}/seats/1").status_code == 204
    ((_, event, problem),) = listener.until("problem")
    assert (event, problem["status"], problem["code"]) == ("problem", 404, "not_found")
    assert listener.ended()


def test_silence_is_broken_and_the_token_is_looked_at(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    game, _, other = house.table()
    listener = Listener(other, game)
    listener.until("view")
    assert [listener.next() for _ in range(3)] == [[], [], []]
    revoke(other)
    assert listener.until("problem")[-1][2]["code"] == "unauthorized"
    assert listener.ended()


def test_a_store_that_fails_ends_it_with_a_reason(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, mover, _ = house.table()
    tables = house.app.extensions["tapete"].tables

    def follow(*_: Any) -> bool:
        raise StoreUnavailable("the ace of spades")

    monkeypatch.setattr(tables, "follow", follow)
    *_, (place, event, problem) = told(mover, game, SSE, "")
    assert (place, event, problem["code"]) == ("", "problem", "store_unavailable")
    assert "ace" not in json.dumps(problem)
    assert house.app.extensions["tapete"].waiting._all == 0


def test_headers(house: House) -> None:
    game, mover, _ = house.table()
    for form in READ:
        path = f"/v1/games/{game}/events?wait=0"
        for method in ("GET", "HEAD"):
            answer = mover(method, path, headers={"Accept": form, "Accept-Encoding": "gzip, br"})
            assert answer.headers["Cache-Control"] == "no-cache, no-transform"
            assert answer.headers["X-Accel-Buffering"] == "no"
            assert not {"Content-Length", "Content-Encoding", "ETag"} & {*answer.headers.keys()}
        assert "retry: " in mover.get(path, headers={"Accept": SSE}).get_data(as_text=True)


def test_a_head_has_no_end_to_wait_for(house: House) -> None:
    game, mover, _ = house.table()
    answer = mover("HEAD", f"/v1/games/{game}/events", headers={"Accept": SSE})
    assert (answer.status_code, answer.mimetype) == (200, SSE)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("given", ["x", "17.", "-1", "1.2.3", "9" * 30, "17.0, 17.1"])
def test_a_place_that_is_none(house: House, given: str) -> None:
    game, mover, _ = house.table()
    headers = {"Accept": SSE, "Last-Event-ID": given}
    mover.refused(400, "bad_last_event_id", "GET", f"/v1/games/{game}/events", headers=headers)


def test_streams_and_polls_are_counted_together(house: House) -> None:
    game, mover, other = house.table()
    path = f"/v1/games/{game}/events?after=999"
    waiting = house.app.extensions["tapete"].waiting
    open_ones = [waiting.take(mover.id) for _ in range(8)]
    answer = mover.get(path, headers={"Accept": SSE})
    assert (answer.status_code, answer.get_json()["code"]) == (429, "too_many_polls")
    assert answer.headers["Retry-After"]
    mover.refused(429, "too_many_polls", "GET", path + "&wait=1")
    assert told(other, game, SSE, "after=0&limit=1")
    for release in open_ones:
        release()
        release()  # counts once
    assert told(mover, game, SSE, "after=0&limit=1")
    assert (waiting._all, dict(waiting._open)) == (0, {})


def test_a_private_game_is_closed_to_streams(house: House) -> None:
    anna, eve = house.guest("Anna"), house.guest("Eve")
    game = anna.open(HUMAN, HUMAN, visibility="private")
    path = f"/v1/games/{game}/events"
    eve.refused(404, "not_found", "GET", path, headers={"Accept": SSE})
    invite = anna.look(game)["invite"]["code"]
    assert told(eve, game, SSE, f"wait=0&invite={invite}")[0][1] == "view"


def test_who_watches_late_waits_for_the_game_and_not_for_what_may_be_seen_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late table is always behind its log, so waiting for more than it shows would not wait."""
    game, mover, _ = house.table(spectators={"delay": 1})
    eve = house.guest("Eve")
    looks = []
    look = Asked.look

    def counted(asked: Asked, *read: Any) -> Any:
        looks.append(asked.player)
        return look(asked, *read)

    monkeypatch.setattr(Asked, "look", counted)
    monkeypatch.setattr(stream, "HEARTBEAT", 0.02)
    monkeypatch.setattr(stream, "PAUSE", 0.0)
    listener = Listener(eve, game, "limit=1")
    listener.until("view")
    assert [listener.next() for _ in range(10)] == [[]] * 10
    assert looks.count(eve.id) <= 2
    mover.act(game, type="draw")
    assert {event for _, event, _ in listener.until("item")} == {"item"}
    assert listener.ended()
