"""Opening a game and looking at it."""

from typing import Any, Final

from flask import Blueprint, Response
from marshmallow import fields, validate

from service.answers import Answer
from service.api import play_on, show
from service.api.body import read_body
from service.api.clocks import TimeControl
from service.api.edge import edge
from service.api.eyes import look, named, through
from service.api.fields import Fault, Flag, OneOf, Record, Row, integer, load, problem
from service.api.places import MOST_SEATS, Place
from service.api.problems import Problem, refusal
from service.api.replies import private, reply, versioned
from service.api.requests import caller, idempotency_key, query, whole
from service.api.sentences import LENGTH, UNKNOWN, choice
from service.api.terms import STARTS, Spectators
from service.rules import find, variants
from service.rules.errors import IllegalMove
from service.rules.seating.commands import Chair, OpenGame, Setup, Terms

calls = Blueprint("games", __name__)

MOST_PACKS: Final = 60
MOST_CARDS: Final = 400
HIGHEST_SCORE: Final = 1_000_000


class Given(Record):
    """The dealer, scores and packs of a practice game."""

    made = Setup

    dealer = integer(0, MOST_SEATS - 1, required=True)
    scores = Row(integer(-HIGHEST_SCORE, HIGHEST_SCORE), MOST_SEATS, required=True)
    packs = Row(Row(fields.String(), MOST_CARDS), MOST_PACKS, load_default=())


class NewGame(Record):
    """The body of `POST /games`."""

    variant = fields.String(required=True)
    seats = Row(fields.Nested(Place), MOST_SEATS, required=True)
    options = fields.Dict(
        fields.String(validate=validate.Length(1, 64, error=LENGTH)),
        integer(-(2**53), 2**53),
        load_default=dict,
    )
    visibility = OneOf(("public", "private"), load_default="public")
    sit = Flag(load_default=True)
    clock = fields.Nested(TimeControl, load_default=None, allow_none=True)
    setup = fields.Nested(Given, load_default=None)
    spectators = Spectators(load_default=0)
    start = OneOf(STARTS, load_default="full")
    hints = Flag(load_default=False)


_NEW_GAME: Final = NewGame()


@calls.post("/games")
def open_game() -> Response:
    """Opens a game; the creator takes the first seat for people unless `sit` is false."""
    player = caller("lobby")
    body = read_body()
    key = idempotency_key()
    # The key belongs to this route: the same one may serve for a command in the game, and
    # no key has a space.
    key = f"games {key}" if key else ""
    if "from" in body.data:
        return _opened(play_on.play_on(player.id, body, key), player.id)
    command = _command(load(_NEW_GAME, body.data), player.id)
    try:
        answer = edge().tables.open(player.id, command, key, body.digest)
    except IllegalMove as error:
        return refusal(error, 422, command.variant)
    return _opened(answer, player.id)


def _opened(answer: Answer, player: str) -> Response:
    table = show.earlier(answer.table, answer.version)
    response = reply(show.game(table, player), 201)
    response.headers["Location"] = f"/v1/games/{table.id}"
    response.headers["ETag"] = f'"{table.version}"'
    if answer.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return private(response)


@calls.get("/games/<game:game>")
def see(game: str) -> Response:
    """The caller's view, now or `at` an earlier version."""
    player = caller("spectate", game=game)
    asked = query(at=whole(1, 2**53), invite=str, **{"as": named})
    table, eyes = look(game, player.id, asked.get("invite", ""))
    wanted = asked.get("as")
    borrowed = None if wanted is None else through(table, eyes, wanted)
    version = asked.get("at", table.version)
    if version > table.version:
        raise Problem("no_such_version")

    faulted = table.fault is not None and version >= table.whole

    def body() -> dict[str, Any]:
        return show.game(show.earlier(table, version), player.id, borrowed)

    # A fault comes and goes without a version of its own.
    return private(reply(body())) if faulted else versioned(version, body)


def _command(asked: dict[str, Any], player: str) -> OpenGame:
    """The command to open what was asked for.

    Raises:
        Problem: 422 when there is no such variant, or a pack names a card that it does not have.
    """
    try:
        _, variant = find(asked["variant"])
    except KeyError:
        raise problem({"variant": [Fault.of(choice(variants()), "unknown_variant")]}) from None
    _check_cards(asked["setup"], frozenset(variant.pack()))
    chairs: list[Chair] = list(asked["seats"])
    free = [seat for seat, chair in enumerate(chairs) if chair.kind == "human"]
    if asked["sit"] and free:
        chairs[free[0]] = Chair("human", None, player)
    return OpenGame(
        variant.name,
        variant.rules_version,
        tuple(chairs),
        asked["options"],
        asked["visibility"],
        algorithm="",
        commitment="",
        setup=asked["setup"],
        terms=Terms(
            asked["clock"],
            asked["spectators"],
            ready=asked["start"] == "ready",
            hints=asked["hints"],
        ),
    )


def _check_cards(setup: Setup | None, cards: frozenset[str]) -> None:
    if setup is None:
        return
    faults = {
        number: unknown
        for number, pack in enumerate(setup.packs)
        if (
            unknown := {
                place: [Fault.of(UNKNOWN, "unknown_card")]
                for place, card in enumerate(pack)
                if card not in cards
            }
        )
    }
    if faults:
        raise problem({"setup": {"packs": faults}})
