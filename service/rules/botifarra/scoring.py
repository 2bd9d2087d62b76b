"""The score of a deal (rules 6) and the end of the game (rules 7).

The lines of a sheet in their order: points of the `cards` taken, one point for each of the
`tricks`, less the `half` of all 72 (or what one has of it), and what the `stake` adds to the rest.
"""

from collections.abc import Sequence
from typing import Final

from service.rules.botifarra.cards import SUITS
from service.rules.botifarra.commands import Trump
from service.rules.botifarra.events import Stake
from service.rules.botifarra.tricks import Trick
from service.rules.deals import DealScored, Line, SideScore
from service.rules.protocol import GameEnded, Seat

HALF: Final = 36
"""Half of a deal's 72 points; only what a side has above it scores (6.2)."""

CALLS: Final = ("", ", contro", ", recontro", ", Sant Vicenç")


def score(
    deal: int, tricks: Sequence[Trick], trump: Trump, stake: Stake, before: Sequence[int]
) -> DealScored:
    """The sheet of a deal with all its tricks; `before` are the scores until now (6)."""
    sides = tuple(_sheet(side, tricks, trump, stake) for side in (0, 1))
    after = tuple(old + side.total for old, side in zip(before, sides, strict=True))
    return DealScored(deal, "played_out", sides, after)


def game_end(scores: tuple[int, ...], target: int) -> GameEnded | None:
    """How the game ends with these scores, None if another deal follows (7).

    A deal adds to one side's score at most, so both sides never reach the target together.
    The cards are all played, so no hand is left to open.
    """
    best = max(scores)
    if best < target:
        return None
    return GameEnded(scores.index(best), scores, "target", ((),) * 4)


def _sheet(side: int, tricks: Sequence[Trick], trump: Trump, stake: Stake) -> SideScore:
    seats = (side, side + 2)
    taken = {seat: [trick.points for trick in tricks if trick.winner == seat] for seat in seats}
    won = {seat: len(points) for seat, points in taken.items()}
    cards = {seat: sum(points) - won[seat] for seat, points in taken.items()}
    points = sum(cards.values()) + sum(won.values())
    above = max(points - HALF, 0)
    name = SUITS.get(trump, trump)
    lines = (
        Line("cards", sum(cards.values()), _by_seat(cards), _parts(cards)),
        Line("tricks", sum(won.values()), _by_seat(won), _parts(won)),
        Line("half", above - points, f"only points above {HALF} score"),
        Line("stake", above * (stake.factor - 1), f"{name}{CALLS[stake.level]}: ×{stake.factor}"),
    )
    return SideScore(lines, above * stake.factor)


def _parts(numbers: dict[Seat, int]) -> dict[str, int]:
    return {str(seat): number for seat, number in numbers.items()}


def _by_seat(numbers: dict[Seat, int]) -> str:
    return ", ".join(f"seat {seat}: {number}" for seat, number in numbers.items())
