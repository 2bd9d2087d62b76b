"""The rules to read, and the way from every refusal to its paragraph."""

from random import Random
from typing import Any

import pytest

from service import rulebook
from service.rules import GAMES
from service.rules.seating.reasons import REASONS as SEATING
from tests.api.client import HUMAN, ROBOT, House, Person
from tests.api.test_contract import NEVER_SENT

VARIANTS = [variant for rules in GAMES.values() for variant in rules.VARIANTS.values()]
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)

WILD: list[dict[str, Any]] = [
    {"type": "draw"},
    {"type": "pass"},
    {"type": "take_pile", "cards": []},
    {"type": "take_pile", "cards": [], "target": "m99"},
    {"type": "take_top", "target": "m1"},
    {"type": "meld", "groups": []},
    {"type": "meld", "groups": [{"cards": ["4c", "4c", "4c"]}]},
    {"type": "discard", "card": "JK"},
    {"type": "go_out"},
    {"type": "ask_partner", "plan": {"groups": [], "discard": "4c"}},
    {"type": "answer", "answer": "yes"},
    {"type": "delegate"},
    {"type": "double"},
    {"type": "no_double"},
    {"type": "choose_trump", "trump": "O"},
    {"type": "play", "card": "O9"},
]
"""Commands given at any time; a game does not read those of the others."""


def follow(reader: Person, variant: str, said: dict[str, Any]) -> None:
    """Goes from a refusal to its paragraph."""
    assert said["link"] == f"/v1/variants/{variant}/rules/{said['rule']}"
    paragraph = reader.ok("GET", said["link"])
    assert paragraph["number"] == said["rule"]
    assert paragraph["title"] or paragraph["text"]


@every_variant
def test_a_variant_tells_its_rules(house: House, variant: Any) -> None:
    told = house.anyone.ok("GET", f"/v1/variants/{variant.name}")["rules"]
    book = rulebook.books()[variant.name].paragraphs
    assert [entry["number"] for entry in told] == list(book)
    assert [entry["text"] for entry in told] == [paragraph.text for paragraph in book.values()]
    assert told[-1]["number"].startswith("T.")
    for entry in told:
        path = f"/v1/variants/{variant.name}/rules/{entry['number']}"
        assert house.anyone.ok("GET", path) == entry


@pytest.mark.parametrize(
    "path",
    ["canasta/rules/9.9", "canasta/rules/%2e", "canasta/rules", "poker/rules/1", "table/rules/T.1"],
)
def test_no_such_paragraph(house: House, path: str) -> None:
    house.anyone.refused(404, "not_found", "GET", f"/v1/variants/{path}")


OF_THE_CLOCK = ("T.9", "T.11", "T.12")


def test_every_refusal_of_a_table_leads_to_its_paragraph(house: House) -> None:
    anna, bert, cleo = map(house.guest, ("Anna", "Bert", "Cleo"))
    new = {"variant": "canasta", "seats": [HUMAN, HUMAN]}
    setup = {"dealer": 0, "scores": [0, 0]}
    refused = [
        (anna("POST", "/v1/games", json=new | change), 422)
        for change in (
            {"seats": [HUMAN]},
            {"options": {"speed": 1}},
            {"options": {"target_score": 1}},
            {"setup": setup | {"dealer": 5}},
            {"setup": setup | {"packs": [["4c"]]}},
        )
    ]
    game = f"/v1/games/{anna.open(HUMAN, HUMAN, ROBOT)}"
    refused += [
        (cleo.post(f"{game}/seats", {"seat": 7}), 409),
        (cleo.post(f"{game}/seats", {"seat": 0}), 409),
        (anna.post(f"{game}/commands", {"type": "resign"}), 409),
        (anna.post(f"{game}/commands", {"type": "ready"}), 409),
        (anna.post(f"{game}/commands", {"type": "change_invite", "minutes": 0}), 409),
    ]
    wide = f"/v1/games/{anna.open(HUMAN, HUMAN, HUMAN, HUMAN)}"
    bert.ok("POST", f"{wide}/seats", json={})
    refused.append((bert.post(f"{wide}/commands", {"type": "change_invite"}), 409))
    bert.ok("POST", f"{game}/seats", json={})
    refused += [
        (cleo.post(f"{game}/seats"), 409),
        (bert("DELETE", f"{game}/seats/1"), 409),
        (bert("PUT", f"{game}/seats/1", json={"nonce": "late"}), 409),
    ]
    refused += [(who.post(f"{game}/hints"), 409) for who in (anna, bert)]
    advised, _, waits = house.table(hints=True)
    refused.append((waits.post(f"/v1/games/{advised}/hints"), 409))
    for person in (bert, anna):
        person.act(game.removeprefix("/v1/games/"), type="resign")
    new_game = anna.ok("POST", f"{game}/rematch")["id"]
    refused.append((cleo.post(f"/v1/games/{new_game}/seats"), 409))
    codes = set()
    for answer, status in refused:
        said = answer.get_json()
        assert answer.status_code == status, said
        assert said["rule"].startswith("T.")
        follow(house.anyone, "canasta", said)
        codes.add(said["code"])
    gone = {"game_over", "unknown_variant"}  # 410, and a fault of the request
    # Those of the clock are met where there is one: tests/test_clocks.py.
    timed = {code for code, (paragraph, _) in SEATING.items() if paragraph in OF_THE_CLOCK}
    assert codes == SEATING.keys() - NEVER_SENT - gone - timed


@pytest.mark.sampled(5)
@every_variant
def test_every_refusal_in_play_leads_to_its_paragraph(house: House, variant: Any) -> None:
    """Everybody tries everything while a game goes on."""
    random = Random(variant.name)
    seats = max(variant.seats)
    people = [house.guest(f"P{seat}") for seat in range(seats)]
    game = people[0].open(*[HUMAN] * seats, variant=variant.name)
    for person in people[1:]:
        person.ok("POST", f"/v1/games/{game}/seats", json={})
    path, known, codes = f"/v1/games/{game}/commands", [*WILD], set()
    for _ in range(12):
        for command in random.sample(known, min(8, len(known))):
            answer = random.choice(people).post(path, command)
            said = answer.get_json()
            assert answer.status_code in (201, 409, 422), said
            if answer.status_code == 409:
                follow(house.anyone, variant.name, said)
                codes.add(said["code"])
        (seat,) = people[0].look(game)["to_act"]
        legal = people[seat].ok("GET", path)["commands"]
        known += legal[:3]
        people[seat].act(game, **random.choice(legal))
    assert len(codes) >= 2
