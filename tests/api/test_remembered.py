"""What a process remembers of a game is shared by all who ask, and no question changes it."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import pytest

from service.rules import GAMES
from service.shelf import Table
from tests.api.client import House, Person
from tests.api.walks import table

VARIANTS = [variant for rules in GAMES.values() for variant in rules.VARIANTS.values()]


def written(thing: Any) -> Any:
    """Everything in it, down to numbers and words, as it is now."""
    if isinstance(thing, tuple | list):
        return type(thing).__name__, [written(one) for one in thing]
    if isinstance(thing, Mapping):
        return sorted((repr(key), written(value)) for key, value in thing.items())
    if isinstance(thing, ModuleType) or callable(thing):
        return thing.__name__
    if is_dataclass(thing):
        names = [field.name for field in fields(thing)]
    else:
        names = [*getattr(type(thing), "__slots__", ()), *getattr(thing, "__dict__", ())]
    return [repr(thing)] if not names else [(name, written(getattr(thing, name))) for name in names]


def asked(game: str, version: int) -> Iterator[tuple[str, str, Any]]:
    """All that one may ask about a game, and much that is refused."""
    path = f"/v1/games/{game}"
    for more in ("", "?at=1", f"?at={version - 1}", "?as=0", f"?at={version}&as=1", "?as=all"):
        yield "GET", f"{path}{more}", None
    for more in (
        "events?after=0",
        "events?limit=1",
        "steps",
        "turn",
        "commands",
        "record",
        "audit",
    ):
        yield "GET", f"{path}/{more}", None
    yield "GET", "/v1/games?status=playing", None
    yield "GET", "/v1/me/games", None
    yield "POST", f"{path}/hints", {}
    yield "POST", f"{path}/seats", {}
    yield "POST", f"{path}/seats", {"seat": 0}
    yield "POST", f"{path}/rematch", {}
    yield "POST", "/v1/games", {"from": {"game": game, "version": version}}
    for command in ("start", "offer_end", "resign", "fly"):
        yield "POST", f"{path}/commands", {"type": command, "seat": 9}


def ask_everything(people: list[Person], game: str, version: int) -> None:
    """Nobody's question may be a fault, nor bring the game on."""
    for person in people:
        for method, path, body in asked(game, version):
            answer = person(method, path, **({} if body is None else {"json": body}))
            assert answer.status_code < 500
    whose = people[0].look(game)["to_act"]
    for seat, person in enumerate(people[:-1]):
        legal = person.ok("GET", f"/v1/games/{game}/commands")["commands"]
        path = f"/v1/games/{game}/commands"
        for command in legal[:3]:
            person.refused(
                412, "version_mismatch", "POST", path, json=command, headers={"If-Match": '"1"'}
            )
        for kind in () if seat in whose else ("draw", "pass", "play", "make_trump"):
            assert person.post(path, {"type": kind}).status_code in (409, 422)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_no_question_changes_what_is_remembered(house: House, variant: Any) -> None:
    """Nor does a command change what others hold of the version before it."""
    game, people = table(house, variant.name, min(variant.seats), clock={"turn": 600})
    people.append(house.guest("Eve"))
    tables = house.app.extensions["tapete"].tables
    luck = random.Random(7)
    held: list[tuple[Table, Any]] = []
    for step in range(12):
        now = tables.load(game)
        before = written(now.game), written(now.recent), now.version
        assert written(now.game.copy()) == before[0]
        held.append((now, before))
        if step % 3 == 0:
            ask_everything(people, game, now.version)
        again = tables.load(game)
        assert again.game is now.game
        assert (written(again.game), written(again.recent), again.version) == before
        (seat,) = people[0].look(game)["to_act"]
        legal = people[seat].ok("GET", f"/v1/games/{game}/commands")["commands"]
        kind = luck.choice(sorted({command["type"] for command in legal}))
        people[seat].act(game, **luck.choice([each for each in legal if each["type"] == kind]))
        for old, was in held:
            assert (written(old.game), written(old.recent), old.version) == was
