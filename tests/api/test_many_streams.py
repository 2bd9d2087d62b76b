"""Many who listen to one game in one process: they share what is read, and nothing else."""

import random
import threading
from collections.abc import Iterator
from contextvars import copy_context
from typing import Any

import pytest

from tests.api.client import HUMAN, House, Person
from tests.api.conftest import BOTH
from tests.api.test_streams import SSE, Listener, Told, events, feed, revoke

pytestmark = BOTH

MOVES = 40


def storm(people: list[Person], game: str, seed: int) -> None:
    """All of them give commands at once, most of them not theirs to give, until enough was done."""
    stop = threading.Event()

    def give(person: Person, rng: random.Random) -> None:
        while not stop.is_set():
            allowed = person.ok("GET", f"/v1/games/{game}/commands")
            if allowed["version"] >= MOVES:
                stop.set()
            choices = allowed["commands"] or [{"type": "draw"}]
            person("POST", f"/v1/games/{game}/commands", json=rng.choice(choices))

    threads = [
        threading.Thread(target=give, args=[person, random.Random(seed + number)])
        for number, person in enumerate(people)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert stop.is_set()


def items_of(listener: Listener, end: str) -> list[Any]:
    """The items of a stream up to its end, or up to the item of that id."""
    found: Told = []
    while not any(event == "over" or place == end for place, event, _ in found):
        found += listener.next()
    return [data for _, event, data in found if event == "item"]


@pytest.fixture
def seated(house: House) -> tuple[str, list[Person]]:
    """A game of botifarra, in which all are busy all the time, and its players."""
    people = [house.guest(name) for name in ("Anna", "Bert", "Cleo", "Dora")]
    game = people[0].open(*[HUMAN] * 4, variant="botifarra", spectators={"delay": 3})
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    return game, people


@pytest.mark.slow
def test_in_a_storm_all_hear_everything_once_in_order_and_as_they_may_see_it(
    house: House, seated: tuple[str, list[Person]]
) -> None:
    game, people = seated
    begun = people[0].version(game)
    eve = house.guest("Eve")
    doubled = [*people, *people, eve, eve]  # two streams of each
    listeners = [Listener(person, game, f"after={begun}") for person in doubled]
    storm(people, game, 1)
    people[0].act(game, type="resign")
    for person, listener in zip(doubled, listeners, strict=True):
        heard = items_of(listener, "")
        assert heard == feed(person, game, str(begun))
        assert listener.ended()
    dealt = [
        [item["data"]["hands"] for item in feed(person, game) if item["type"] == "deal_started"]
        for person in people
    ]
    for seat, deals in enumerate(dealt):
        for hands in deals:
            assert [place for place, hand in enumerate(hands) if "??" not in hand] == [seat]


@pytest.mark.slow
def test_who_comes_back_in_a_storm_misses_nothing(
    house: House, seated: tuple[str, list[Person]]
) -> None:
    game, people = seated
    begun = people[0].version(game)
    heard: list[Any] = []
    done = threading.Event()

    def come_and_go() -> None:
        headers = {"Accept": SSE, "Authorization": f"Bearer {people[1].token}"}
        last = str(begun)
        while True:
            path = f"/v1/games/{game}/events?limit=3&wait=1"
            sent = headers | {"Last-Event-ID": last}
            answer = house.app.test_client().get(path, headers=sent, buffered=True)
            told = events(answer.get_data(as_text=True))
            heard.extend(data for _, event, data in told if event == "item")
            last = next((place for place, _, _ in reversed(told) if place), last)
            if done.is_set() and not told:
                return

    coming = threading.Thread(target=come_and_go)
    coming.start()
    storm(people, game, 2)
    done.set()
    coming.join(60)
    assert heard == feed(people[1], game, str(begun))


def pieces(person: Person, game: str, query: str = "") -> Iterator[bytes]:
    """A stream that is read only when one asks for the next piece."""
    headers = {"Accept": SSE, "Authorization": f"Bearer {person.token}"}
    path = f"/v1/games/{game}/events?{query}"
    context = copy_context()  # as in a thread of its own, or its request would be everybody's here
    answer = context.run(person.app.test_client().get, path, headers=headers, buffered=False)
    told = answer.iter_encoded()
    try:
        while piece := context.run(next, told, b""):
            yield piece
    finally:
        context.run(answer.close)


def test_a_slow_listener_holds_nobody_and_misses_nothing(
    seated: tuple[str, list[Person]],
) -> None:
    game, people = seated
    begun = people[0].version(game)
    slow = pieces(people[1], game, f"after={begun}")
    next(slow)
    quick = Listener(people[2], game, f"after={begun}")
    people[0].act(game, type="resign")
    whole = feed(people[2], game, str(begun))
    assert items_of(quick, "") == whole
    assert quick.ended()
    told = [data for piece in slow for _, _, data in events(piece.decode())]
    assert [one for one in told if "id" in one] == feed(people[1], game, str(begun))


@pytest.mark.slow
def test_who_was_slow_for_long_gets_what_is_remembered_no_more(
    seated: tuple[str, list[Person]],
) -> None:
    game, people = seated
    begun = people[0].version(game)
    slow = pieces(people[1], game, f"after={begun}")
    next(slow)
    storm(people, game, 3)
    last = feed(people[1], game)[-1]["id"]
    told: list[Any] = []
    while not told or told[-1]["id"] != last:
        told += [data for _, _, data in events(next(slow).decode())]
    assert told == feed(people[1], game, str(begun))


def test_however_many_listen_the_log_and_the_tokens_are_looked_at_once(
    house: House, seated: tuple[str, list[Person]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By who gives the command; whoever listens in the same process is handed what was written."""
    game, people = seated
    reads: list[int] = []
    store = house.app.extensions["tapete"].store
    listening = house.app.extensions["tapete"].listening
    read = store.read

    def counted(game: str, start: int = 1, end: int | None = None) -> Any:
        reads.append(start)
        return read(game, start, end)

    def cost(count: int) -> int:
        listeners = [
            Listener(people[number % 4], game, f"after={people[0].version(game)}&limit=1")
            for number in range(count)
        ]
        for listener in listeners:
            listener.next()
        quiet(house, count)
        mover = people[people[0].look(game)["to_act"][0]]
        allowed = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
        reads.clear()
        mover.act(game, **allowed[0])
        for listener in listeners:
            listener.until("item")
            assert listener.ended()
        return len(reads)

    def looked(tokens: Any) -> Any:
        looks.append(len(tokens))
        return standing(tokens)

    looks: list[int] = []
    standing = listening._standing
    monkeypatch.setattr(listening, "_standing", looked)
    monkeypatch.setattr("service.api.listening.FRESH", 600.0)  # though all hear of it ever so late
    monkeypatch.setattr(store, "read", counted)
    # Who hears of it from the server before the answer came looks once.
    assert cost(12) <= cost(1) + 2
    assert looks == [4, 1]


def quiet(house: House, count: int) -> None:
    """Returns when so many wait for what comes."""
    waits = threading.Event()
    while not waits.wait(0.05):
        if house.app.extensions["tapete"].waiting._all == count:
            waits.wait(0.3)
            waits.set()


def test_a_revoked_token_ends_its_own_streams_and_no_other(
    seated: tuple[str, list[Person]],
) -> None:
    game, people = seated
    bert = people[1]
    made = bert.ok("POST", "/v1/me/tokens", json={"scopes": ["play", "spectate"], "label": "tv"})
    second = Person(bert.app, made["token"], bert.id)
    listeners = [Listener(person, game) for person in (bert, bert, second, people[2])]
    for listener in listeners:
        listener.until("view")
    revoke(bert)
    people[0].act(game, type="resign")
    for listener in listeners[:2]:
        ((_, event, problem),) = listener.until("problem")
        assert (event, problem["code"]) == ("problem", "unauthorized")
    for listener in listeners[2:]:
        assert listener.until("over")[0][1] == "item"
    assert all(listener.ended() for listener in listeners)


def test_who_was_revoked_while_reading_slowly_is_told_no_more(
    seated: tuple[str, list[Person]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That others were found good at that version is no answer for ever."""
    monkeypatch.setattr("service.api.listening.FRESH", 0.0)
    game, people = seated
    begun = people[0].version(game)
    slow = pieces(people[1], game, f"after={begun}")
    next(slow)
    quick = Listener(people[2], game, f"after={begun}&limit=1")
    quick.next()
    mover = people[people[0].look(game)["to_act"][0]]
    mover.act(game, **mover.ok("GET", f"/v1/games/{game}/commands")["commands"][0])
    quick.until("item")
    assert quick.ended()
    revoke(people[1])
    told = [data for piece in slow for _, _, data in events(piece.decode())]
    assert [one["code"] for one in told] == ["unauthorized"]


def test_nothing_of_who_listened_is_left(house: House, seated: tuple[str, list[Person]]) -> None:
    game, people = seated
    listeners = [Listener(person, game) for person in people]
    for listener in listeners:
        listener.until("view")
    people[0].act(game, type="resign")
    assert all(listener.until("over") and listener.ended() for listener in listeners)
    listening = house.app.extensions["tapete"].listening
    assert (listening._tokens, listening._looks) == ({}, {})
