"""The variants: what can be played, by how many, with which options, and by which rules."""

from typing import Any

from flask import Blueprint, Response

from service.api.edge import edge
from service.api.problems import Problem
from service.api.replies import reply
from service.languages.catalogue import Sentence
from service.queue import LEVELS
from service.rulebook import Book
from service.rules import GAMES, find
from service.rules.protocol import Variant

calls = Blueprint("catalogue", __name__)

_SHARED = "public, max-age=60"


@calls.get("/variants")
def variants() -> Response:
    """All variants, and the levels of computer players."""
    items = [
        _entry(game, variant)
        for game, rules in GAMES.items()
        for variant in rules.VARIANTS.values()
    ]
    return reply({"items": items, "levels": LEVELS}, Cache_Control=_SHARED)


@calls.get("/variants/<name>")
def variant(name: str) -> Response:
    """One variant with all that distinguishes it, its pack in the fixed order, and its rules."""
    book = _book(name)
    rules, data = find(name)
    game = next(game for game, each in GAMES.items() if each is rules)
    body = _entry(game, data) | {
        "pack": data.pack(),
        "parameters": data.parameters(),
        "rules": list(book.values()),
    }
    return reply(body, Cache_Control=_SHARED)


@calls.get("/variants/<name>/rules/<number>")
def paragraph(name: str, number: str) -> Response:
    """One paragraph of a variant's rules: where the link of a refusal leads."""
    found = _book(name).get(number)
    if found is None:
        raise Problem("not_found", Sentence("The rules have no such paragraph."))
    return reply(found, Cache_Control=_SHARED)


def _book(name: str) -> Book:
    book = edge().books.get(name)
    if book is None:
        raise Problem("not_found", Sentence("There is no such variant."))
    return book


def _entry(game: str, data: Variant) -> dict[str, Any]:
    return {
        "name": data.name,
        "game": game,
        "rules_version": data.rules_version,
        "tables": [
            {"seats": seats, "sides": data.sides(seats), "options": _options(data, seats)}
            for seats in data.seats
        ],
    }


def _options(data: Variant, seats: int) -> dict[str, Any]:
    return {
        name: {"default": option.default, "allowed": option.allowed}
        for name, option in data.options(seats).items()
    }
