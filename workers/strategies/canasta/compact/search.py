"""Playing a few candidates out over sampled worlds, the same worlds for each.

What the evaluator thinks of a candidate counts as so many worlds beside those that were played:
the differences of candidates are small against the luck of a deal.
"""

from typing import Final

from workers.strategies.canasta.compact.board import Board
from workers.strategies.canasta.compact.changes import commit
from workers.strategies.canasta.compact.desk import Desk
from workers.strategies.canasta.compact.forecast import forecast
from workers.strategies.canasta.compact.scales import Scales
from workers.strategies.canasta.compact.seating import desk_of
from workers.strategies.canasta.compact.taking import Take
from workers.strategies.canasta.compact.throwing import best_throw
from workers.strategies.canasta.compact.turns import carry_out, finish, go, play

START: Final = 0
LAY: Final = 1
THROW: Final = 2
OUT: Final = 3
ANSWER: Final = 4


class Option:
    """A candidate: what the seat does now, and the sums of what came of it.

    Attributes:
        kind: START takes `take` or draws; LAY lays what is on `desk` (None: nothing) and
            discards; THROW throws `code`; OUT goes out with `desk`; ANSWER lets the partner
            out (`code` 1) or not.
        prior: what the evaluator thinks of it, in points.
        total, squares: of the differences to the first option, over its `seen` worlds.
        alive: whether it is still played out.
    """

    def __init__(self, kind: int, prior: float) -> None:
        self.kind = kind
        self.prior = prior
        self.take: Take | None = None
        self.desk: Desk | None = None
        self.code = -1
        self.total = 0.0
        self.squares = 0.0
        self.seen = 0
        self.alive = True


def play_out(world: Board, seat: int, option: Option, scales: list[Scales], turns: int) -> float:
    """The seat's side's score above the best of the others after so many turns more."""
    if option.kind == START:
        if carry_out(world, option.take and _carried(option.take)):
            finish(world, scales)
    elif option.kind == LAY:
        desk = option.desk
        if desk is not None:
            desk = desk.copy()
            commit(world, desk)
        else:
            desk = desk_of(world, seat, scales[seat])
        world.throw(seat, best_throw(world, desk))
    elif option.kind == THROW:
        world.throw(seat, option.code)
    elif option.kind == OUT:
        desk = option.desk
        if desk is not None:
            go(world, desk.copy())
    elif option.code:
        let_out(world)
    else:
        _refused(world, scales)
    play(world, scales, turns)
    scores = forecast(world, scales)
    ours, best = scores[seat % world.shape.sides], -1e9
    for side, score in enumerate(scores):
        if side != seat % world.shape.sides and score > best:
            best = score
    return ours - best


def _carried(take: Take) -> Take:
    """The take with a desk of its own."""
    twin = Take(take.desk.copy(), take.top_only)
    return twin


def let_out(world: Board) -> None:
    """The asker goes out: nobody else knows how, so its hand counts as laid."""
    seat = world.turn
    hand = world.hands[seat]
    world.hands[seat] = [0] * len(hand)
    world.size[seat] = 0
    world.go_out(seat)


def _refused(world: Board, scales: list[Scales]) -> None:
    """The asker plays on without going out in this turn."""
    seat = world.turn
    desk = desk_of(world, seat, scales[seat])
    world.throw(seat, best_throw(world, desk))
