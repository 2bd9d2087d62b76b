"""What people are told, in the language that they asked for; what programs read stays the same."""

from typing import Any

import pytest

from service import rulebook
from service.api import catalogue
from service.languages import LANGUAGES
from service.languages.catalogue import Sentence, said
from service.rules import GAMES
from tests.api.client import House, Person

OTHERS = LANGUAGES[1:]
every_language = pytest.mark.parametrize("language", OTHERS)


def heard(language: str, **more: Any) -> dict[str, Any]:
    """The headers of somebody who wants that language."""
    return {"headers": {"Accept-Language": language} | more}


def codes(problem: dict[str, Any]) -> dict[str, Any]:
    """A problem without what is for people."""
    rest = {name: value for name, value in problem.items() if name not in ("title", "detail")}
    errors = [
        {name: value for name, value in one.items() if name != "detail"}
        for one in rest.pop("errors", [])
    ]
    return rest | {"errors": errors}


def details(problem: dict[str, Any]) -> list[str]:
    """What is for people in it."""
    return [problem["title"], problem["detail"], *(one["detail"] for one in problem["errors"])]


def bad(person: Person, headers: dict[str, Any]) -> list[Any]:
    """Requests that are refused, each in another part of the edge."""
    game = {"variant": "canasta", "seats": [{"kind": "human"}, {"kind": "human"}]}
    post, get = person.post, person.get
    return [
        get("/v1/nothing", **headers),
        person("PUT", "/v1/games", **headers),
        get("/v1/games?limit=0&limit=1&other=1&status=none", **headers),
        get("/v1/variants/poker", **headers),
        get("/v1/variants/canasta/rules/99", **headers),
        post("/v1/games", {}, **headers),
        post("/v1/games", {**game, "variant": "poker", "seats": []}, **headers),
        post("/v1/games", {**game, "variant": "poker"}, **headers),
        post("/v1/games", {**game, "seats": [{"kind": "ai"}, {"kind": "x"}, 7]}, **headers),
        post("/v1/games", {**game, "options": {"": 1, "a": "b"}, "sit": 1}, **headers),
        post("/v1/games", {**game, "options": {"cards": 1}}, **headers),
        post("/v1/games", {**game, "options": {"target_score": 1}}, **headers),
        post("/v1/games", {**game, "spectators": 3, "clock": 3, "extra": 1}, **headers),
        post("/v1/games", {**game, "setup": {"packs": [["??"]], "dealer": 0.5}}, **headers),
        post("/v1/games", {"from": {"game": "?", "version": 0, "seat": "1"}}, **headers),
        post("/v1/players", {"name": "a\u200bb"}, **headers),
        post("/v1/players", {"name": ""}, **headers),
        post("/v1/players", {"name": None, "bot": "no"}, **headers),
        post("/v1/me/tokens", {"scopes": []}, **headers),
        post("/v1/me/tokens", {"scopes": ["admin", "x"]}, **headers),
        post("/v1/tokens", {"link": "x" * 100}, **headers),
        post("/v1/audits", {"game": "?", "head": "?"}, **headers),
        get("/v1/export?since=today&cursor=!", **headers),
    ]


@pytest.mark.sampled(5)
@every_language
def test_an_error_is_told_in_the_language_asked_for(house: House, language: str) -> None:
    anna = house.guest("Anna")
    for one, other in zip(bad(anna, {}), bad(anna, heard(language)), strict=True):
        english, told = one.get_json(), other.get_json()
        assert one.headers["Content-Language"] == "en"
        assert other.headers["Content-Language"] == language, told
        assert "Accept-Language" in other.headers["Vary"]
        assert codes(told) == codes(english)
        for here, there in zip(
            details(told | codes(told) | told), details(codes(english) | english), strict=True
        ):
            assert here != there, there
            assert here


@pytest.mark.sampled(3)
@every_language
def test_a_rule_says_no_in_the_language_asked_for(house: House, language: str) -> None:
    game, mover, other = house.table()
    path = f"/v1/games/{game}/commands"
    for person, command in ((other, "draw"), (mover, "pass")):
        english = person.post(path, {"type": command}).get_json()
        answer = person.post(path, {"type": command}, **heard(language))
        told = answer.get_json()
        assert answer.headers["Content-Language"] == language
        assert (told["code"], told["rule"], told["link"], told["version"]) == (
            english["code"],
            english["rule"],
            english["link"],
            english["version"],
        )
        assert told["detail"] == said(english["detail"], language)
        rule = house.anyone.get(told["link"], **heard(language)).get_json()
        assert rule["number"] == told["rule"]


def test_numbers_in_a_refusal_are_the_same_in_all_languages() -> None:
    sentence = "The first meld must be worth {minimum} points; these cards are worth {points}."
    for language in OTHERS:
        told = said(Sentence(sentence, minimum=120, points=85), language)
        assert told
        assert "120" in told
        assert "85" in told


@every_language
def test_the_variants_are_told_in_the_language_asked_for(house: House, language: str) -> None:
    answer = house.anyone.get("/v1/variants", **heard(language))
    english = house.anyone.ok("GET", "/v1/variants")["items"]
    assert answer.headers["Content-Language"] == language
    for told, other in zip(answer.get_json()["items"], english, strict=True):
        assert told["summary"] != other["summary"]
        assert told["name"] == other["name"]
        for table, theirs in zip(told["tables"], other["tables"], strict=True):
            for name, option in table["options"].items():
                assert option | {"title": ""} == theirs["options"][name] | {"title": ""}
                assert option["title"] != theirs["options"][name]["title"]
    for variant in (name for rules in GAMES.values() for name in rules.VARIANTS):
        answer = house.anyone.get(f"/v1/variants/{variant}", **heard(language))
        assert answer.headers["Content-Language"] == language
        book = rulebook.books(language)[variant]
        assert [each["text"] for each in answer.get_json()["rules"]] == [
            each.text for each in book.paragraphs.values()
        ]


def test_a_list_says_each_language_in_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = {**rulebook.books("fr"), "botifarra": rulebook.books()["botifarra"]}
    monkeypatch.setattr(catalogue, "books", lambda language: mixed)
    answer = house.anyone.get("/v1/variants", **heard("fr"))
    assert answer.headers["Content-Language"] == "fr, en"
    titles = {item["name"]: item["tables"][0]["options"] for item in answer.get_json()["items"]}
    assert titles["canasta"]["target_score"]["title"] == "Points qui finissent la partie"
    assert titles["botifarra"]["target_score"]["title"] == "Points that end the game"


def test_who_has_one_language_is_not_told_to_keep_it_for_another(house: House) -> None:
    for path in ("/v1/variants", "/v1/variants/bolivia", "/v1/variants/bolivia/rules/3.5"):
        tags = {}
        for language in LANGUAGES:
            first = house.anyone.get(path, **heard(language))
            assert "Accept-Language" in first.headers["Vary"]
            tags[language] = first.headers["ETag"]
            again = house.anyone.get(path, **heard(language, **{"If-None-Match": tags[language]}))
            assert again.status_code == 304
            assert "Accept-Language" in again.headers["Vary"]
        assert len(set(tags.values())) == len(LANGUAGES)
        other = house.anyone.get(path, **heard("fr", **{"If-None-Match": tags["en"]}))
        assert other.status_code == 200


def test_a_game_has_one_etag_in_all_languages(house: House) -> None:
    game, mover, _ = house.table()
    first = mover.get(f"/v1/games/{game}", **heard("fr"))
    again = mover.get(
        f"/v1/games/{game}", **heard("ca", **{"If-None-Match": first.headers["ETag"]})
    )
    assert again.status_code == 304
    assert "Content-Language" not in first.headers
    assert first.headers["Vary"] == "Authorization, Accept-Language, Accept-Encoding"


@pytest.mark.parametrize("header", ["", "x" * 4000, "fr;q=x", "*;q=0", ";;;", "-,-", "\xe9t\xe9"])
def test_a_bad_wish_is_no_error(house: House, header: str) -> None:
    answer = house.anyone.get("/v1/variants", **heard(header))
    assert (answer.status_code, answer.headers["Content-Language"]) == (200, "en")
