"""A finished game's record as a file."""

import random

import pytest

from service import record
from tests.api.client import HUMAN, House
from tests.api.conftest import BOTH
from tests.api.walks import give_up, table, wander

pytestmark = BOTH


def finished(house: House, variant: str = "samba", seats: int = 3, **more: str) -> str:
    game, people = table(house, variant, seats, **more)
    wander(game, people, random.Random(1), 6)
    give_up(game, people)
    return game


def test_it_is_the_record_of_the_log(house: House) -> None:
    game = finished(house)
    eve = house.guest("Eve")
    answer = eve.get(f"/v1/games/{game}/record")
    entries = house.app.extensions["tapete"].store.read(game).entries
    assert answer.get_data() == b"".join(record.write(game, [entry.line for entry in entries]))
    read = record.read(answer.get_data())
    seen = eve.look(game)
    assert read.header.game == game
    assert read.footer.head == seen["head"]
    assert read.footer.secret == seen["fair"]["secret"]
    assert read.footer.commits == seen["version"] == len(read.lines)


def test_its_headers(house: House) -> None:
    game = finished(house)
    eve = house.guest("Eve")
    path = f"/v1/games/{game}/record"
    answer = eve.get(path)
    assert answer.mimetype == "application/x-ndjson"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{game}.ndjson"'
    assert int(answer.headers["Content-Length"]) == len(answer.get_data())
    assert answer.headers["ETag"] == f'"{eve.version(game)}"'
    assert answer.headers["Cache-Control"] == "private, no-cache"
    again = eve.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert eve("HEAD", path).status_code == 200


def test_there_is_none_before_the_end(house: House) -> None:
    game, people = table(house, "botifarra", 4)
    waiting = people[0].open(HUMAN, HUMAN)
    for where in (game, waiting):
        said = people[0].refused(409, "not_over", "GET", f"/v1/games/{where}/record")
        assert "rule" not in said
    headers = {"If-None-Match": "*"}
    assert people[0].get(f"/v1/games/{game}/record", headers=headers).status_code == 409


def test_an_abandoned_game_has_one_too(house: House) -> None:
    anna = house.guest("Anna")
    game = anna.open(HUMAN, HUMAN)
    anna("DELETE", f"/v1/games/{game}/seats/0")
    read = record.read(anna.get(f"/v1/games/{game}/record").get_data())
    assert read.footer.result.why == "abandoned"


def test_a_private_game_s_record_is_for_those_who_may_see_it(house: House) -> None:
    game, people = table(house, "canasta", 2, visibility="private")
    code = house.app.extensions["tapete"].tables.load(game).invite
    give_up(game, people)
    eve = house.guest("Eve")
    eve.refused(404, "not_found", "GET", f"/v1/games/{game}/record")
    for person in people:
        assert person.get(f"/v1/games/{game}/record").status_code == 200
    assert eve.get(f"/v1/games/{game}/record?invite={code}").status_code == 200
    house.anyone.refused(401, "unauthorized", "GET", f"/v1/games/{game}/record")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("query", ["?at=3", "?as=all", "?invite=1&invite=2"])
def test_a_bad_query(house: House, query: str) -> None:
    game = finished(house, "canasta", 2)
    house.guest("Eve").refused(422, "invalid", "GET", f"/v1/games/{game}/record{query}")
