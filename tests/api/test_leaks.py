"""No card reaches a seat that should not see it, and no secret anybody before the end.

Random games are played over HTTP. After every command each seat and a spectator ask for all
there is, and every JSON value of every answer is walked (pitfalls B05, B07). What a seat may
know is counted apart from the code under test: from the true states, by what lies open.
"""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from service import replay
from service.replay import Commit
from service.rules import GAMES, seating
from service.rules.protocol import Seat
from service.rules.seating import Game
from tests.api.client import HUMAN, House, Person

STEPS = 12
"""Commands played: later nearly every card has been seen by everyone and the test is weak."""

TABLES = [
    (variant.name, seats)
    for rules in GAMES.values()
    for variant in rules.VARIANTS.values()
    for seats in variant.seats
]


def values(node: Any) -> Iterator[str]:
    """Every string in a JSON value, keys too."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from values(value)
    elif isinstance(node, list):
        for value in node:
            yield from values(value)
    elif isinstance(node, str):
        yield node


def cards_in(node: Any, pack: frozenset[str]) -> set[str]:
    """The cards named anywhere in it, in sentences too; a hash without a space is one word."""
    words = {word.strip(".,:;()'\"`") for text in values(node) for word in text.split()}
    return words & pack


def open_cards(game: Game, seat: Seat | None, pack: frozenset[str]) -> set[str]:
    """What lies open to a seat, from the truth: its hand, the pile, and what the table shows."""
    state: Any = game.state
    if state is None:
        return set()
    known = set(state.hands[seat]) if seat is not None else set()
    public = dict(state.table())
    public.pop("hands")
    return known | set(getattr(state, "pile", ())) | cards_in(public, pack)


def open_so_far(commits: Iterable[Commit], seat: Seat | None, pack: frozenset[str]) -> set[str]:
    """What lay open to a seat at any time, after any event."""
    first, *others = commits
    game, known = replay.open_game(first), set[str]()
    for event in (event for commit in others for event in commit.events):
        seating.evolve(game, event)
        known |= open_cards(game, seat, pack)
    return known


def ask_everything(person: Person, game: str, version: int) -> list[Any]:
    """All answers about a game that there are, refusals too."""
    path = f"/v1/games/{game}"
    looks = ("", f"?at={version}", "?at=1000000", "/commands", "/events?limit=500")
    discard = {"type": "discard", "card": "JK"}
    return [
        *(person.get(path + more).get_json() for more in looks),
        *(
            person.post(f"{path}/commands", discard, headers={"If-Match": tag}).get_json()
            for tag in ('"1"', '"1000000"')
        ),
        person.post(f"{path}/seats").get_json(),
        person.ok("GET", "/v1/me/games"),
        person.ok("GET", "/v1/games?status=playing"),
    ]


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize(
    "number", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in (1, 2))]
)
def test_nobody_learns_a_card_before_its_time(
    house: House, monkeypatch: pytest.MonkeyPatch, variant: str, seats: int, number: int
) -> None:
    luck = random.Random(f"{variant} {seats} {number}")
    monkeypatch.setattr("service.scribe.secrets.token_bytes", luck.randbytes)  # the same deals
    people = [house.guest(f"P{seat}") for seat in range(seats)]
    game = people[0].open(*[HUMAN] * seats, variant=variant)
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    watchers: list[tuple[Seat | None, Person]] = [*enumerate(people), (None, house.guest("Eve"))]
    tables = house.app.extensions["tapete"].tables
    pack = frozenset(tables.load(game).game.variant.pack())
    for _ in range(STEPS):
        table = tables.load(game)
        commits = tables.commits(game, 1)
        hidden = {table.secret.hex(), *(commit.salt for commit in commits)}
        for seat, person in watchers:
            answers = ask_everything(person, game, table.version)
            assert cards_in(answers, pack) - {"JK"} <= open_so_far(commits, seat, pack), seat
            texts = list(values(answers))
            assert not any(secret in text for secret in hidden for text in texts)
            assert not {"seed", "rng", "salt", "packs_left"} & set(texts)
        mover = people[table.game.to_act()]
        legal = mover.ok("GET", f"/v1/games/{game}/commands")["commands"]
        answer = mover.act(game, **luck.choice(legal))
        known = open_so_far(tables.commits(game, 1), people.index(mover), pack)
        assert cards_in(answer, pack) <= known


def test_a_stranger_sees_no_hand_in_a_practice_game(house: House) -> None:
    """Its cards are known to who gave them, and to nobody else."""
    anna, eve = house.guest("Anna"), house.guest("Eve")
    pack = house.anyone.ok("GET", "/v1/variants/canasta")["pack"]
    setup = {"dealer": 1, "scores": [0, 0], "packs": [pack]}
    game = anna.open(HUMAN, HUMAN, setup=setup)
    said = eve.ok("POST", f"/v1/games/{game}/seats", json={})
    assert set(said["table"]["hands"][0]) == {"??"}
    (opened,) = (
        item
        for item in eve.ok("GET", f"/v1/games/{game}/events")["items"]
        if item["type"] == "game_opened"
    )
    assert opened["data"]["setup"]["packs"] == []
