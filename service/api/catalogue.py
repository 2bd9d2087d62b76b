"""The variants: what can be played, by how many, with which options, and by which rules."""

from typing import Any

from flask import Blueprint, Response

from service.api.languages import spoken, wanted
from service.api.problems import Problem
from service.api.replies import reply
from service.api.requests import query
from service.languages.catalogue import Sentence, told
from service.queue import LEVELS
from service.rulebook import Book, books
from service.rules import GAMES, find
from service.rules.protocol import Variant

calls = Blueprint("catalogue", __name__)

_SHARED = "public, max-age=60"


@calls.get("/variants")
def variants() -> Response:
    """All variants, and the levels of computer players."""
    query()
    shelf = books(wanted())
    items = [
        _entry(game, variant, shelf[name])
        for game, rules in GAMES.items()
        for name, variant in rules.VARIANTS.items()
    ]
    response = reply({"items": items, "levels": LEVELS}, Cache_Control=_SHARED)
    return spoken(response, *(shelf[item["name"]].language for item in items))


@calls.get("/variants/<name>")
def variant(name: str) -> Response:
    """One variant with all that distinguishes it, its pack in the fixed order, and its rules."""
    query()
    book = _book(name)
    rules, data = find(name)
    game = next(game for game, each in GAMES.items() if each is rules)
    body = _entry(game, data, book) | {
        "pack": data.pack(),
        "parameters": data.parameters(),
        "rules": list(book.paragraphs.values()),
    }
    return spoken(reply(body, Cache_Control=_SHARED), book.language)


@calls.get("/variants/<name>/rules/<number>")
def paragraph(name: str, number: str) -> Response:
    """One paragraph of a variant's rules: where the link of a refusal leads."""
    query()
    book = _book(name)
    found = book.paragraphs.get(number)
    if found is None:
        raise Problem("not_found", Sentence("The rules have no such paragraph."))
    return spoken(reply(found, Cache_Control=_SHARED), book.language)


def _book(name: str) -> Book:
    book = books(wanted()).get(name)
    if book is None:
        raise Problem("not_found", Sentence("There is no such variant."))
    return book


def _entry(game: str, data: Variant, book: Book) -> dict[str, Any]:
    return {
        "name": data.name,
        "title": book.title,
        "summary": book.summary,
        "game": game,
        "rules_version": data.rules_version,
        "tables": [
            {
                "seats": seats,
                "sides": data.sides(seats),
                "options": _options(data, seats, book.language),
            }
            for seats in data.seats
        ],
    }


def _options(data: Variant, seats: int, language: str) -> dict[str, Any]:
    return {
        name: {
            "title": told([option.title], language)[1][0],
            "default": option.default,
            "allowed": option.allowed,
        }
        for name, option in data.options(seats).items()
    }
