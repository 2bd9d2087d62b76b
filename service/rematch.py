"""Another game for those who played one: one for all of them, each on the seat they had.

    over ──► open, under an id that follows from the old one's ──► keep the seats ──► sit down

So whoever asks first opens it and the others find it. Who dies in between leaves what the next
to ask makes good.
"""

from typing import Final

from service import ids, replay
from service.answers import Moved, NoSeat
from service.rules import find
from service.rules.seating.commands import Chair, OfferSeats, OpenGame
from service.scribe import TRIES
from service.shelf import NoSuchGame, Table
from service.store import Conflict
from service.table import Tables

_PLAIN: Final = Chair("human")


class NotPlayed(Exception):
    """The game ended before it began."""


class NotOver(Exception):
    """The game is played still."""


def rematch(tables: Tables, old: Table, player: str) -> tuple[str, bool]:
    """The id of the next game after `old`, and whether the player sat down there just now.

    Raises:
        NoSeat: the player had none when `old` began.
        NotOver, NotPlayed
        GameOver: the next game is over too.
        IllegalMove: the next game has started with others.
    """
    if not old.game.secret:
        raise NotOver(old.id)
    chairs = () if old.imported else _chairs(tables, old)
    if not chairs:
        raise NotPlayed(old.id)
    people = tuple(chair.player for chair in chairs)
    if player not in people:
        raise NoSeat
    game = ids.derived("rematch", old.id)
    for _ in range(TRIES):
        try:
            table = tables.load(game)
        except NoSuchGame:
            tables.begin(game, player, _command(old, chairs))
            continue
        if table.status == "waiting" and not table.game.offers:
            try:
                tables.offer(table, OfferSeats(old.id, people))
            except Conflict:
                continue
        return game, tables.join(game, player, tables.load(game).invite) is not None
    raise Moved(tables.load(game).version)


def _chairs(tables: Tables, old: Table) -> tuple[Chair, ...]:
    """Who sat where when the game began; none if it never did."""
    for _, game in replay.steps(tables.commits(old.id, 1, old.whole)):
        if game.state:
            return game.chairs
    return ()


def _command(old: Table, chairs: tuple[Chair, ...]) -> OpenGame:
    """The same table by the rules of today, with nobody at it; after a practice game too."""
    _, variant = find(old.game.variant.name)
    return OpenGame(
        variant.name,
        variant.rules_version,
        tuple(_PLAIN if chair.player else chair for chair in chairs),
        old.game.options,
        old.game.visibility,
        algorithm="",
        commitment="",
        terms=old.game.terms,
    )
