"""Calls that want nothing said: no body, or an empty object; anything else is refused."""

from collections.abc import Callable

import pytest

from tests.api.client import House, Person

Call = tuple[Person, str]


def hint(house: House) -> Call:
    game, mover, _ = house.table(hints=True)
    return mover, f"/v1/games/{game}/hints"


def rematch(house: House) -> Call:
    game, mover, _ = house.table()
    mover.act(game, type="resign")
    return mover, f"/v1/games/{game}/rematch"


def ping(house: House) -> Call:
    anna = house.guest("Anna")
    hook = anna.ok("POST", "/v1/webhooks", json={"url": "https://example.org/told"})["id"]
    return anna, f"/v1/webhooks/{hook}/test"


EACH = pytest.mark.parametrize("call", [hint, rematch, ping])


@EACH
def test_nothing_and_an_empty_object_say_nothing(
    house: House, call: Callable[[House], Call]
) -> None:
    person, path = call(house)
    assert person("POST", path).status_code < 300
    assert person("POST", path, json={}).status_code < 300


@EACH
def test_anything_else_is_refused(house: House, call: Callable[[House], Call]) -> None:
    person, path = call(house)
    json = "application/json"
    person.refused(422, "invalid", "POST", path, json={"seat": 1})
    person.refused(422, "invalid", "POST", path, json=[])
    person.refused(400, "bad_json", "POST", path, data="{", content_type=json)
    person.refused(415, "unsupported_media_type", "POST", path, data="seat=1")
    big = "[" + "1," * 100_000 + "1]"
    person.refused(413, "body_too_large", "POST", path, data=big, content_type=json)
    person.refused(400, "bad_json", "POST", path, data="", headers={"Transfer-Encoding": "chunked"},
                   content_type=json)  # fmt: skip
