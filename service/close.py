"""Ends games whose logs are damaged: `./run close GAME …`.

For games that no player can or will close, those of computer players first of all. Nobody wins, the
scores are those before the deal in which the log breaks off, and the secret is opened, so that the
deals up to there can be checked. See docs/operating.md.
"""

import argparse
import logging
import os
import sys
from collections.abc import Callable
from typing import Final

from service.answers import GameFaulted, GameOver, NotFaulted
from service.audit import any_terminal, away, opened
from service.config import Config, ConfigError
from service.shelf import NoSuchGame
from service.store import EventStore, StoreUnavailable, Unreadable
from service.table import Tables

_REFUSALS: Final[dict[type[Exception], str]] = {
    NoSuchGame: "there is no such game",
    NotFaulted: "its log is whole, so that it can be played on; nothing was done",
    GameOver: "it is closed already",
    GameFaulted: "its last entry is damaged too, so that nothing can be written behind it",
    Unreadable: "its first entry is damaged, so that there is no game to close",
}


def close(store: EventStore, games: list[str], say: Callable[[str], None] = print) -> int:
    """Closes each of the games; how many could not be closed.

    Raises:
        StoreUnavailable: nobody knows of the game at hand; those after it were left alone.
    """
    tables = Tables(store, lambda *_: None)
    failed = 0
    for game in games:
        try:
            table = tables.close(game)
        except tuple(_REFUSALS) as error:
            failed += 1
            say(f"{game}: {_REFUSALS[type(error)]}")
        else:
            at = table.fault.version if table.fault else table.version
            say(f"{game}: closed, its log is damaged from version {at} on")
    return failed


def main() -> int:
    """Closes the games that are named; 0 when all are closed."""
    parser = argparse.ArgumentParser(prog="./run close", description=__doc__)
    parser.add_argument("game", nargs="+", help="id of a faulted game")
    games = parser.parse_args().game
    any_terminal()
    logging.disable(logging.CRITICAL)  # what is to be said goes to the terminal
    try:
        config = Config.from_env(os.environ)
        return 1 if close(opened(config), games) else 0
    except ConfigError as error:
        print(error, file=sys.stderr)
    except StoreUnavailable:
        print(away(config), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
