"""Two people play a whole game with the client that openapi-python-client made of openapi.yaml.

    python play.py BASE_URL VARIANT TARGET_SCORE

mypy holds it, and what was generated, to the types of the contract.
"""

import random
import sys
import uuid
from typing import TypeVar

from tapete_client import AuthenticatedClient, Client
from tapete_client.api.games import create_game, get_game, take_seat
from tapete_client.api.play import give_command, list_commands, list_events
from tapete_client.api.players import create_player
from tapete_client.models import (
    DealScoredEvent,
    Feed,
    Game,
    Guest,
    Join,
    LegalCommands,
    Level,
    NewGame,
    NewGameOptions,
    NewPlayer,
    Outcome,
    Place,
    PlaceKind,
    Result,
)
from tapete_client.types import UNSET

T = TypeVar("T")


def got(answer: object, kind: type[T]) -> T:
    """The answer, which must be of that kind; a problem is none."""
    assert isinstance(answer, kind), answer
    return answer


class Person:
    """A guest and what they do."""

    def __init__(self, base: str, name: str) -> None:
        entering = NewPlayer(name=name, bot=True)
        guest = got(create_player.sync(client=Client(base), body=entering), Guest)
        self.api = AuthenticatedClient(base, guest.token, timeout=60)  # type: ignore[arg-type]
        self.moves = 0

    def move(self, game: str) -> bool:
        """Does something that is allowed; False if nothing is."""
        allowed = got(list_commands.sync(game, client=self.api), LegalCommands)
        if not allowed.commands:
            return False
        # A kind first, then one of the kind: there are many melds and only one way to draw.
        kind = random.choice(sorted({command.type_ for command in allowed.commands}))
        answer = give_command.sync_detailed(
            game,
            client=self.api,
            body=random.choice([one for one in allowed.commands if one.type_ == kind]),
            if_match=f'"{allowed.version}"',
            idempotency_key=str(uuid.uuid4()),
        )
        if answer.status_code == 412:  # somebody was faster: look again
            return True
        assert got(answer.parsed, Outcome).events
        self.moves += 1
        return True


def main(base: str, variant: str, target: str) -> None:
    """Plays the game and tells who won."""
    ada, ben = Person(base, "Ada"), Person(base, "Ben")
    human, computer = Place(PlaceKind.HUMAN), Place(PlaceKind.AI, Level.CASUAL)
    options = NewGameOptions.from_dict({"target_score": int(target)})
    wanted = NewGame(variant, [human, computer, human, computer], options)
    key = str(uuid.uuid4())
    made = create_game.sync(client=ada.api, body=wanted, idempotency_key=key)
    game = got(made, Game).id
    got(take_seat.sync(game, client=ben.api, body=Join()), Game)
    after, over = "0", False
    while not over:
        while ada.move(game) or ben.move(game):
            pass
        asked = list_events.sync(game, client=ada.api, after=after or UNSET, limit=500, wait=20)
        news = got(asked, Feed)
        for event in news.items:
            if isinstance(event, DealScoredEvent):
                print(f"deal {event.data.deal}: {event.data.scores}")
        after, over = news.next_, news.over
    result = got(got(get_game.sync(game, client=ada.api), Game).result, Result)
    moves = ada.moves + ben.moves
    print(f"{moves} moves; side {result.winner} wins with {result.scores}")


if __name__ == "__main__":
    main(*sys.argv[1:])
