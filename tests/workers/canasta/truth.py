"""Deals between computer players of the level `club`, and the true board at each moment."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from service.rules import find
from service.rules.protocol import HOUSE, DealCards
from workers.strategies import Budget, Choice, Situation
from workers.strategies.canasta import club
from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.codes import CODES, KINDS
from workers.strategies.canasta.compact.memory import board_of

TABLES = [
    *((name, seats) for name in ("canasta", "samba", "bolivia") for seats in (2, 3, 4)),
    ("bolivie", 4),
]


class Moment(NamedTuple):
    """A seat that is to act, what it chose, and the state before and after."""

    situation: Situation
    choice: Choice
    before: Any
    after: Any


def moments(variant: str, seats: int, seed: int) -> Iterator[Moment]:
    """One deal; every command is decided by the rules, so an illegal one raises."""
    rules, data = find(variant)
    options = {name: option.default for name, option in data.options(seats).items()}
    state: Any = data.start(seats, options, seed % seats, [0] * (max(data.sides(seats)) + 1))
    pack = list(data.pack())
    Random(f"{variant} {seed}").shuffle(pack)
    events: list[Any] = []
    command: Any = DealCards(HOUSE, tuple(pack))
    while True:
        caused = rules.decide(state, command)
        for event in caused:
            rules.evolve(state, event)
        events += caused
        seat = rules.to_act(state)
        if seat is None or seat == HOUSE:
            return
        heard = [rules.seen(event, seat) for event in events]
        situation = Situation(rules, rules.view(state, seat), seat, heard.copy)
        choice = club.choose(situation, Random(1), Budget(1.0))
        after = state.copy()
        for event in rules.decide(state, choice.command):
            rules.evolve(after, event)
        yield Moment(situation, choice, state.copy(), after)
        command = choice.command


def true_board(situation: Situation, state: Any) -> Board:
    """The board of the situation with every hidden card where it really lies."""
    board = board_of(situation)
    board.hands = [counted(hand) for hand in state.hands]
    board.stock = [CODES[card] for card in reversed(state.stock)]
    return board


def counted(cards: Any) -> list[int]:
    """How many of each code."""
    counts = [0] * KINDS
    for card in cards:
        counts[CODES[card]] += 1
    return counts
