"""From commits to states, without a store."""

from typing import Any

import pytest

from service import replay
from service.replay import Commit
from service.rules import seating
from service.rules.protocol import HOUSE, DealCards
from service.rules.seating.commands import Chair, OpenGame, SetNonce, SitDown, StartGame

ANNA = Chair("human", None, "anna")
FREE = Chair("human")


def story() -> list[Commit]:
    """Two people sit down to canasta, and the first deal is on the table."""
    opening = OpenGame("canasta", 1, (ANNA, FREE), {}, "public", "algorithm", "commitment")
    events: tuple[Any, ...] = seating.opening(opening)
    commits = [Commit(1, "", "", 0, opening, events)]
    game = seating.opened(events[0])
    for command in (
        SitDown(1, "bert"),
        SetNonce(1, "luck"),
        StartGame(0),
        DealCards(HOUSE, game.variant.pack()),
    ):
        events = seating.decide(game, command, 0)
        for event in events:
            seating.evolve(game, event)
        commits.append(Commit(len(commits) + 1, "", "", 0, command, events))
    return commits


def told(game: seating.Game) -> tuple[Any, ...]:
    return (game.chairs, game.nonces, game.status, game.state.table() if game.state else None)


def test_who_gave_a_command() -> None:
    assert [commit.seat for commit in story()] == [HOUSE, 1, 1, HOUSE, HOUSE]


def test_a_fold_is_the_last_step() -> None:
    commits = story()
    game = replay.fold(commits)
    assert [commit for commit, _ in replay.steps(commits)] == commits
    assert told(game) == told(replay.at(commits, len(commits)))
    assert (game.status, game.nonces, game.to_act()) == ("playing", (None, "luck"), 1)


def test_a_fold_goes_on_where_it_was() -> None:
    commits = story()
    game = replay.open_game(commits[0])
    replay.advance(game, commits[1:])
    assert told(game) == told(replay.fold(commits))


def test_the_first_commit_may_tell_more_than_the_opening() -> None:
    first, second, *_ = story()
    both = Commit(1, "", "", 0, first.command, (*first.events, *second.events))
    assert told(replay.open_game(both)) == told(replay.fold([first, second]))


def test_any_moment() -> None:
    commits = story()
    seated = replay.at(commits, 2)
    assert (seated.status, seated.nonces, seated.seat_of("bert")) == ("waiting", (None, None), 1)
    assert replay.at(commits, 1).seat_of("bert") is None


def test_a_log_that_is_no_game() -> None:
    commits = story()
    with pytest.raises(ValueError, match="commit 3 stands where 2 belongs"):
        replay.fold([commits[0], commits[2]])
    with pytest.raises(ValueError, match="at least one commit"):
        replay.fold([])
    for version in (0, 6):
        with pytest.raises(ValueError, match=f"no version {version}"):
            replay.at(commits, version)
