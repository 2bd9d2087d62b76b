"""OpenSpiel's `gin_rummy` driven from Python: the peer of the rules.

Its wheel is among what `./run bench` installs, and no other level has it; without it nothing here
is measured. https://github.com/google-deepmind/open_spiel
"""

import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final

GAME: Final = "gin_rummy"
GAMES: Final = 20


def why_not() -> str:
    """Why it cannot be measured here; empty when it can."""
    return "" if find_spec("pyspiel") else "OpenSpiel is not installed"


class Spiel:
    """Games played beforehand at random, to be stepped through again."""

    def __init__(self) -> None:
        spiel: Any = import_module("pyspiel")
        self._game = spiel.load_game(GAME)
        rng = Random(1)
        self._games = [_played(self._game, rng) for _ in range(GAMES)]

    def rate(self, seconds: float) -> float:
        """Steps a second of the processor: what is legal, then an action; chance only acts."""
        done, began = 0, time.process_time()
        while not done or time.process_time() - began < seconds:
            for actions in self._games:
                state = self._game.new_initial_state()
                for action in actions:
                    if not state.is_chance_node():
                        state.legal_actions()
                    state.apply_action(action)
                done += len(actions)
        return done / (time.process_time() - began)


def _played(game: Any, rng: Random) -> Sequence[int]:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            choices, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(choices, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return [*state.history()]
