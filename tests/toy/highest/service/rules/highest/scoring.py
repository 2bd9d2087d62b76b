"""The score of a deal (4) and the end of the game (5)."""

from collections.abc import Sequence

from service.rules.deals import DealScored, Line, SideScore
from service.rules.highest.state import State
from service.rules.protocol import GameEnded, Seat


def score(state: State, winners: Sequence[Seat]) -> DealScored:
    """The sheet of a deal whose pairs went to those seats."""
    sides = tuple(_sheet(winners.count(side), state) for side in (0, 1))
    after = tuple(old + side.total for old, side in zip(state.scores, sides, strict=True))
    return DealScored(state.deal, "played_out", sides, after)


def game_end(scores: tuple[int, ...], target: int) -> GameEnded | None:
    """How the game ends with these scores, None if another deal follows. Equals draw."""
    best = max(scores)
    if best < target:
        return None
    winner = None if scores.count(best) > 1 else scores.index(best)
    return GameEnded(winner, scores, "target", ((), ()))


def _sheet(pairs: int, state: State) -> SideScore:
    sweep = state.variant.sweep if pairs == state.variant.hand else 0
    lines = (
        Line("pairs", pairs, f"{pairs} of {state.variant.hand}"),
        Line("sweep", sweep, "all of them" if sweep else "not all of them"),
    )
    return SideScore(lines, pairs + sweep)
