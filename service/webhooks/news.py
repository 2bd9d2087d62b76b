"""What of a game's commits is to be told to those who play it. Pure: it follows from the log.

    game_started     the cards are dealt soon, to all at the table
    your_turn        a person is to act, and was not just now
    question         a person is to answer a question in another's turn
    game_finished    the game is over, also one that was abandoned
    rematch          a place is kept for a person at the next table

Cards never are: an event is told by its kind, its game, a version and a seat, and whoever wants
more looks at the game with their own eyes.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from service import replay
from service.replay import Commit
from service.rules.protocol import HOUSE, GameEnded, Seat
from service.rules.seating import Game
from service.rules.seating.events import GameStarted, SeatsOffered

Kind = Literal["game_started", "your_turn", "question", "game_finished", "rematch"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class News:
    """One thing to tell to one player; `status` is the game's at that version."""

    kind: Kind
    player: str
    seat: Seat
    version: int
    at: int
    status: str


def news(before: Game | None, commits: Iterable[Commit]) -> Iterator[list[News]]:
    """What is to be told of each commit.

    `before` is the game before the first of the commits, None for one not opened yet; it is
    left alone.
    """
    game = before.copy() if before else None
    waiting = waits_for(game) if game else None
    for commit in commits:
        seated = _seated(game) if game else []
        if game is None:
            game = replay.open_game(commit)
        else:
            replay.advance(game, (commit,))
        seated += [one for one in _seated(game) if one not in seated]
        told: list[tuple[Kind, Seat, str]] = []
        for event in commit.events:
            match event:
                case GameStarted():
                    told += [("game_started", *one) for one in seated]
                case GameEnded():
                    told += [("game_finished", *one) for one in seated]
                case SeatsOffered(_, players, _):
                    told += [("rematch", seat, one) for seat, one in enumerate(players)
                             if one and game.seat_of(one) is None]  # fmt: skip
        now = waits_for(game)
        if now and now != waiting and (player := game.chairs[now[0]].player):
            told.append(("question" if now[1] else "your_turn", now[0], player))
        waiting = now
        about = commit.version, commit.at, game.status
        yield [News(kind, player, seat, *about) for kind, seat, player in told]


def waits_for(game: Game) -> tuple[Seat, bool, Hashable] | None:
    """The seat whose person is to act, whether they are asked in another's turn, and in which.

    None while nobody, the house or a computer player is to act.
    """
    seat = game.to_act()
    if seat is None or seat == HOUSE or game.state is None or game.level(seat) is not None:
        return None
    turn = game.state.this_turn
    return seat, turn[0] != seat, turn


def concerned(game: Game) -> set[str]:
    """The players to whom something could be told of the game."""
    return {player for _, player in _seated(game)} | {one for one in game.offers if one}


def _seated(game: Game) -> list[tuple[Seat, str]]:
    return [(seat, chair.player) for seat, chair in enumerate(game.chairs) if chair.player]
