"""Opening a practice game that goes on from a version of a finished one: `from` in the body."""

from typing import Any, Final

from marshmallow import fields, validate

from service import archive
from service.answers import Answer, GameFaulted
from service.api.body import Body
from service.api.edge import edge
from service.api.eyes import Eyes, look
from service.api.fields import Flag, OneOf, Record, Row, integer, load, problem
from service.api.places import MOST_SEATS, Place
from service.api.problems import Problem
from service.api.sentences import PATTERN
from service.archive import Visibility
from service.languages.catalogue import Sentence
from service.rules.protocol import HOUSE, Seat
from service.rules.seating import Game
from service.rules.seating.commands import Chair

_OTHERS: Final = Chair("ai", "casual")
_ID: Final = validate.Regexp("[a-z2-7]{1,32}\\Z", error=PATTERN)


class Moment(Record):
    """A version of a finished game, and the seat on which the caller goes on."""

    game = fields.String(required=True, validate=_ID)
    version = integer(1, 2**53, required=True)
    seat = integer(0, MOST_SEATS - 1, load_default=None)
    invite = fields.String(load_default="")


class GoOn(Record):
    """The body of `POST /games` with `from`; variant and options are those of the old game."""

    moment = fields.Nested(Moment, required=True, data_key="from")
    seats = Row(fields.Nested(Place), MOST_SEATS, load_default=None)
    visibility = OneOf(("public", "private"), load_default=None)
    sit = Flag(load_default=True)
    hints = Flag(load_default=False)


_GO_ON: Final = GoOn()
_SEATS: Final = Sentence("Must be {count}, as in the game that is gone on from.")


def play_on(player: str, body: Body, key: str) -> Answer:
    """Opens the game.

    Raises:
        Problem: 404, 409 or 422.
        NoSuchGame: the caller may not see the old game.
        KeyReused: the key opened another game before.
    """
    asked = load(_GO_ON, body.data)
    moment = asked["moment"]
    table, eyes = look(moment["game"], player, moment["invite"])
    if moment["version"] > table.version:
        raise Problem("no_such_version")
    if table.fault:
        raise GameFaulted(table)
    if not table.game.secret:
        raise Problem("not_over")
    commits = edge().tables.commits(table.id, 1, table.version)
    try:
        scene = archive.scene(table.id, commits, moment["version"])
        chairs = _chairs(asked, scene.then, eyes, player)
        visibility = _visibility(asked["visibility"], table.game.visibility)
        return archive.play_on(
            edge().store,
            edge().tables,
            player,
            scene,
            chairs,
            visibility,
            asked["hints"],
            key,
            body.digest,
        )
    except archive.NothingToPlay:
        raise Problem("nothing_to_play") from None
    except archive.RulesChanged as refused:
        raise Problem("rules_changed", version=refused.version) from None


def _chairs(asked: dict[str, Any], then: Game, eyes: Eyes, player: str) -> tuple[Chair, ...]:
    """Who sits where: the caller on one seat, unless standing, and computers on all others.

    Raises:
        Problem: 422.
    """
    count = len(then.chairs)
    given = asked["seats"]
    chairs: list[Chair] = [_OTHERS] * count if given is None else list(given)
    people = [seat for seat, chair in enumerate(chairs) if chair.kind == "human"]
    seat: Seat | None = asked["moment"]["seat"]
    if len(chairs) != count:
        raise problem({"seats": [_SEATS.format(count=count)]})
    if not asked["sit"]:
        if people:
            raise problem(
                {"seats": [Sentence("All must be computer players where nobody sits down.")]}
            )
        if seat is not None:
            raise problem({"from": {"seat": [Sentence("Names a seat where nobody sits down.")]}})
        return tuple(chairs)
    if given is not None and len(people) != 1:
        raise problem({"seats": [Sentence("Exactly one must be a person's: the caller's.")]})
    if seat is None:
        seat = people[0] if people else _usual(then, eyes)
    if seat >= count or people not in ([], [seat]):
        raise problem({"from": {"seat": [Sentence("Not the person's seat of this table.")]}})
    chairs[seat] = Chair("human", None, player)
    return tuple(chairs)


def _usual(then: Game, eyes: Eyes) -> Seat:
    """The seat the caller had; else the one to act; else the first."""
    if eyes.seat is not None:
        return eyes.seat
    to_act = then.to_act()
    return 0 if to_act is None or to_act == HOUSE else to_act


def _visibility(asked: Visibility | None, before: Visibility) -> Visibility:
    """A private game's cards stay among those who may see it.

    Raises:
        Problem: 422.
    """
    if asked == "public" and before == "private":
        raise problem({"visibility": [Sentence("A private game is gone on from in private.")]})
    return asked or before
