"""A few of the random games that `./run laws` plays by the thousand, and that it would notice."""

import subprocess
import sys
from typing import Any

import pytest

from service.rules.cards import UNSEEN
from service.store import codec
from tests.rules import random_games
from tests.rules.tables import TABLES

IN_ORDER_OF_HASHES = """
from service.rules import GAMES
for game in GAMES.values():
    game.legal = lambda state, seat, legal=game.legal: tuple(set(legal(state, seat)))
"""


def games(number: int, first: int) -> range:
    """That many games at every table."""
    return range(first, first + number * len(TABLES))


@pytest.mark.slow
def test_some_games() -> None:
    """From near the end; number 0 and those after it are played from nothing."""
    first = len(TABLES)
    assert random_games.judge(games(1, first))["games"] == len(TABLES)


@pytest.mark.slow
def test_more_games() -> None:
    assert random_games.judge(games(5, 2 * len(TABLES)))["deals"] >= 5 * len(TABLES)


def test_a_game_is_the_same_in_every_run() -> None:
    assert random_games.play(len(TABLES)) == random_games.play(len(TABLES))


@pytest.mark.slow
def test_an_order_of_hashes_is_noticed() -> None:
    """Planted in the other process alone: `legal` in the order of a set."""
    numbers = games(1, len(TABLES))
    lines = [[codec.encode(commit) for commit in random_games.play(number)] for number in numbers]
    here = [random_games.reread(game) for game in lines]
    assert random_games.reread_elsewhere(lines) == here
    there = random_games.reread_elsewhere(lines, IN_ORDER_OF_HASHES)
    assert not set(here) & set(there)


def test_a_broken_law_names_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a card too many when the game is over."""
    number, table = len(TABLES), TABLES[0]
    evolve = table.rules.evolve

    def generous(state: Any, event: Any) -> None:
        evolve(state, event)
        if table.rules.result(state):
            state.hands[0] = (*state.hands[0], UNSEEN)

    monkeypatch.setattr(table.rules, "evolve", generous)
    with pytest.raises(AssertionError, match=rf"{table}.*cards after.*--first {number} --games 1"):
        random_games.judge([number])


@pytest.mark.slow
def test_the_command_line() -> None:
    """Two games in two processes."""
    done = subprocess.run(
        [sys.executable, "-m", random_games.__name__, "--games", "2", "--first", "10"],
        cwd=random_games.PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "2 games" in done.stdout
