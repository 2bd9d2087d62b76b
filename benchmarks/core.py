"""How quick the search core is: `./run core [--rounds N] [--endings N]`.

Beside OpenSpiel's `hearts`, the trick-taking game of its wheel that is nearest to botifarra, in
turns in one process, so that what else the machine does falls on both:

- driven from Python, one step at a time: ask for the legal cards, take one, play it, until the
  deal is over;
- in a loop of its own: random play to the end of a deal, theirs in C++ (the evaluator of its tree
  search, which copies the state, asks for the legal actions and applies one), ours compiled.

A step is a card played, legal cards included. Then, of our solver alone, what endings take: dealt
and played at random, trumps at random, each from what the table held of the one before.
Times are of the processor; ratios are medians over the rounds.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

from benchmarks.measures import table
from workers.strategies.botifarra import FAST
from workers.strategies.botifarra.core import Position
from workers.strategies.botifarra.solver import Solver

PLAYOUTS = 400
"""Deals played to their end in a round of each loop of its own."""

DEALS = 30
"""Deals driven from Python in a round."""

BARS = {"one step at a time, from Python": 2.5, "random play, each in its own loop": 6.0}


def position(rng: Random) -> Position:
    """A deal of botifarra before its first card."""
    pack = rng.sample(range(48), 48)
    hands = [sum(1 << card for card in pack[seat::4]) for seat in range(4)]
    return Position(hands, rng.randrange(5), rng.randrange(4))


def hearts(game: Any, rng: Random) -> Any:
    """A deal of hearts before its first card; nothing is passed on."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def drive_ours(deals: list[Position]) -> int:
    """Plays each deal to its end; the number of steps."""
    steps = 0
    for at in deals:
        while at.left:
            cards = at.legal()
            at.play(cards[steps % len(cards)])
            steps += 1
    return steps


def drive_theirs(states: list[Any]) -> int:
    """The same in OpenSpiel."""
    steps = 0
    for state in states:
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[steps % len(actions)])
            steps += 1
    return steps


def loop_ours(at: Position) -> int:
    """Plays a deal at random to its end, many times."""
    for seed in range(PLAYOUTS):
        at.random(seed)
    return PLAYOUTS * 48


def loop_theirs(search: Any, state: Any) -> int:
    """The same in OpenSpiel: a search of one simulation, which evaluates where it stands."""
    search.mcts_search(state)
    return PLAYOUTS * 52


def rate(work: Callable[..., int], *given: Any) -> float:
    """Steps a second of processor time."""
    began = time.process_time()
    steps = work(*given)
    return steps / (time.process_time() - began)


def beside(rounds: int) -> None:
    """Both loops of both, in turns."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore] # only in `./run core`

    rng = Random(1)
    game = pyspiel.load_game("hearts(pass_cards=false)")
    evaluator = pyspiel.RandomRolloutEvaluator(PLAYOUTS, 1)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, 1, False)
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in BARS}
    stepped, looped = rates.values()
    for _ in range(rounds):
        deals = [position(rng) for _ in range(DEALS)]
        states = [hearts(game, rng) for _ in range(DEALS)]
        at, state = position(rng), hearts(game, rng)
        stepped.append((rate(drive_ours, deals), rate(drive_theirs, states)))
        looped.append((rate(loop_ours, at), rate(loop_theirs, search, state)))
    table(
        [
            {
                "steps a second": name,
                "ours, million": f"{statistics.median(pair[0] for pair in pairs) / 1e6:.2f}",
                "OpenSpiel": f"{statistics.median(pair[1] for pair in pairs) / 1e6:.2f}",
                "ratio": f"{statistics.median(pair[0] / pair[1] for pair in pairs):.1f}",
                "wanted": BARS[name],
            }
            for name, pairs in rates.items()
        ]
    )


def endings(count: int) -> None:
    """What the solver takes for endings, by the tricks left."""
    rows = []
    for tricks in (6, 7, 8):
        rng, solver = Random(tricks), Solver()
        times, nodes = list[float](), list[int]()
        for _ in range(count):
            at = position(rng)
            for _ in range(48 - 4 * tricks):
                at.play(rng.choice(at.legal()))
            before, began = solver.nodes, time.process_time()
            solver.solve(at)
            times.append(time.process_time() - began)
            nodes.append(solver.nodes - before)
        rows.append(
            {
                "tricks": tricks,
                "median ms": f"{statistics.median(times) * 1e3:.2f}",
                "mean ms": f"{statistics.mean(times) * 1e3:.2f}",
                "median nodes": f"{statistics.median(nodes):,.0f}",
                "mean nodes": f"{statistics.mean(nodes):,.0f}",
                "million nodes a second": f"{sum(nodes) / sum(times) / 1e6:.0f}",
            }
        )
    table(rows)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(prog="./run core", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--endings", type=int, default=300)
    asked = parser.parse_args()
    print(f"search core: {'compiled' if FAST else 'plain Python'}\n")
    beside(asked.rounds)
    endings(asked.endings if FAST else min(asked.endings, 5))


if __name__ == "__main__":
    main()
