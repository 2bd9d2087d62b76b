"""What the house must do at a table. It chooses nothing: all follows from the log.

So whoever finds its part undone may do it, and two who do it at once do the same.
"""

from itertools import takewhile
from typing import Final

from service import fairness
from service.replay import Commit
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating import Game
from service.rules.seating.commands import RevealSecret, StartGame

ANSWERS: Final = (StartGame, DealCards, RevealSecret)
"""What the house gives in answer to a command."""


def command(game: Game, secret: bytes) -> StartGame | DealCards | RevealSecret:
    """What the house must do: everything follows from the secret or from the setup."""
    if game.result:
        return RevealSecret(secret.hex())
    if not game.state:
        seats = len(game.chairs)
        if game.setup:
            return StartGame(game.setup.dealer)
        return StartGame(fairness.first_dealer(secret, game.nonces, seats))
    deal = game.state.deal + 1
    if game.setup and deal <= len(game.setup.packs):
        return DealCards(HOUSE, game.setup.packs[deal - 1])
    return DealCards(HOUSE, fairness.pack(secret, game.nonces, deal, game.variant.pack()))


def run(commits: list[Commit]) -> list[Commit]:
    """The house's commits that stand at the beginning; that a time is up is not its answer."""
    return list(takewhile(lambda one: isinstance(one.command, ANSWERS), commits))
