"""The level `club`: the compact evaluator, with a memory of what was heard; no search."""

from random import Random

from workers.strategies.canasta.compact import ways
from workers.strategies.canasta.compact.habits import habits_of
from workers.strategies.canasta.compact.memory import board_of
from workers.strategies.canasta.compact.scales import scales_of
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.ways import Way
from workers.strategies.choice import SHOWN, Budget, Candidate, Choice, Situation


def choose(situation: Situation, rng: Random, budget: Budget) -> Choice:
    """See `Strategy`."""
    board = board_of(situation)
    desk = desk_of(board, situation.seat, scales_of(board.shape, habits_of(board.shape)))
    match situation.view.phase:
        case "ask":
            return _first(ways.answers(board, desk))
        case "draw":
            return _first(ways.beginnings(situation, board, desk))
    out = ways.exits(situation, board, desk)
    laying = ways.layings(situation, board, desk)
    go_on = laying or ways.discards(situation, board, desk)
    if out and out[0].option.prior >= ways.standing(board, desk):
        return _first(out + go_on)
    return _first(go_on + out)


def _first(found: list[Way]) -> Choice:
    shown = [Candidate(way.command, way.option.prior) for way in found]
    return Choice(found[0].command, 0, tuple(shown[:SHOWN]))
