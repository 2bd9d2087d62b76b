"""Random games over HTTP, as far as is wanted, and given up then."""

import random
from typing import Any

from tests.api.client import HUMAN, House, Person


def table(house: House, variant: str, seats: int, **more: Any) -> tuple[str, list[Person]]:
    """A started game, and its people by seat."""
    people = [house.guest(f"P{seat}") for seat in range(seats)]
    game = people[0].open(*[HUMAN] * seats, variant=variant, **more)
    invite = people[0].look(game)["invite"]["code"]
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={"invite": invite})
    return game, people


def wander(game: str, people: list[Person], luck: random.Random, commands: int) -> None:
    """Gives so many random commands, or fewer if the game ends before."""
    for _ in range(commands):
        to_act = people[0].look(game)["to_act"]
        if not to_act:
            return
        person = people[to_act[0]]
        legal = person.ok("GET", f"/v1/games/{game}/commands")["commands"]
        kind = luck.choice(sorted({command["type"] for command in legal}))
        person.act(game, **luck.choice([each for each in legal if each["type"] == kind]))


def give_up(game: str, people: list[Person]) -> None:
    """One after the other resigns until the game is over."""
    for person in people:
        if person.look(game)["status"] == "playing":
            person.act(game, type="resign")
    assert people[0].look(game)["status"] == "finished"
